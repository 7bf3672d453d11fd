#!/bin/bash
# SPDX-License-Identifier: MIT
# rules.sh TABLE SCRATCH ARCHIVE OBJECT... -- [STATES_OBJECT]... -- COMPILER [FLAG]...: tests that each rule of a table
# (such as txtb_rules.table) is necessary. It switches off one rule at a time in a copy of the reader, and fails unless
# this causes a violation. The model test (OBJECTs, with ARCHIVE for the rest) must find it. If the table names a
# configuration for the rule, the search through its states (STATES_OBJECTs, without the reader) must find it. The copy
# contains all rules (rules.awk), so each of the two programs is compiled once. TXTAP_RULE: test only rules whose names
# contain this text.
set -euo pipefail

RUNS=10000 # runs of the model per rule: most violations occur in the first few runs
LIMIT_S=300 # limit for one program: normally it takes seconds, but a busy machine is slower

table=${1:?usage: rules.sh TABLE SCRATCH ARCHIVE OBJECT... -- [STATES_OBJECT]... -- COMPILER [FLAG]...}
scratch=$2
archive=$3
shift 3
objects=() states_objects=()
while (($#)) && [[ $1 != -- ]]; do
    objects+=("$1")
    shift
done
shift
while (($#)) && [[ $1 != -- ]]; do
    states_objects+=("$1")
    shift
done
shift
compiler=("$@")
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
root=${tests%/*}

rm -rf "$scratch"
mkdir -p "$scratch/copies"

fail() {
    printf 'ring_rules: %s\n' "$*" >&2
    exit 1
}

# compile OUTPUT SOURCE... -- ARGUMENT...: compiles SOURCEs, copies of the decoder in which rules can be switched off,
# and links them. The ARGUMENTs are the other objects and linker options.
compile() {
    local output=$1 sources=()
    shift
    while [[ $1 != -- ]]; do
        sources+=("$1")
        shift
    done
    shift
    "${compiler[@]}" -std=c17 -O2 -I "$root/include" -I "$root/decoder" -I "$tests/unit" -include ring/rule_off.h \
        "${sources[@]}" "$tests/unit/ring/rule_off.c" "$@" -o "$output"
}

# Compiles the search. The table's line "searched" names the sources of the reader that the search uses, and the flags
# to compile them with.
compile_search() {
    local part sources=() flags=()
    for part in $(sed -n 's/^searched //p' "$table"); do
        if [[ $part == -* ]]; then
            flags+=("$part")
        elif [[ -f $scratch/copies/$part.c ]]; then
            sources+=("$scratch/copies/$part.c")
        else
            sources+=("$root/decoder/ring/$part.c")
        fi
    done
    compile "$scratch/states" "${sources[@]}" -- "${flags[@]}" "${states_objects[@]}"
}

# search_states CONFIGURATION: searches all states of the reader, with the same results as run_model.
search_states() {
    local status=0
    TXTAP_FIRST=1 "$scratch/states" "$1" >"$scratch/log" 2>&1 || status=$?
    ((status == 0)) && return 0
    grep -q ', 1 kinds of violations,' "$scratch/log" && return 1
    cat "$scratch/log" >&2
    fail "$rule: the search through '$1' ended with $status, not with a violation"
}

# Runs the model, with its output in $scratch/log. Returns 0: no violation, 1: a violation. Any other result (a crash,
# a hang, a model that tested nothing) is reported and ends the test.
run_model() {
    local status=0
    TXTAP_RUNS=$RUNS TXTAP_SEED=1 timeout "$LIMIT_S" "$scratch/model" --filter '*_model/every_event*' \
        >"$scratch/log" 2>&1 || status=$?
    ((status == 0)) && return 0
    grep -q 'Crashing: 0' "$scratch/log" && grep -Eq 'seed [0-9]+: .* \(ring of' "$scratch/log" && return 1
    cat "$scratch/log" >&2
    fail "${rule:-the unchanged reader}: the model ended with $status, not with a violation"
}

# judge NUMBER CONFIGURATION: fails unless a violation is found while rule NUMBER is off.
judge() {
    local status=0
    export TXTAP_RULE_OFF=$1
    if [[ $2 != - ]]; then
        search_states "$2" || status=$?
    else
        run_model || status=$?
    fi
    if ((status == 0)); then
        missed+=("$rule")
        printf 'NOT FOUND  %s: %s without a violation\n' "$rule" "${2/#-/$RUNS runs}"
    else
        printf 'found  %s: %s\n' "$rule" "$(sed -nE 's/.*(seed [0-9]+: [^(]*) \(ring of.*/\1/p; s/(.*) \([0-9]+ times\)$/\1/p' \
            "$scratch/log" | head -n 1)"
    fi
    judged=$((judged + 1))
}

awk -v root="$root" -v scratch="$scratch/copies" -f "$tests/unit/ring/rules.awk" "$table" >"$scratch/rules" || fail "see above"
compile "$scratch/model" "$scratch"/copies/*.c -- "${objects[@]}" "$archive" -rdynamic -lcriterion
if grep -q '^searched ' "$table"; then
    compile_search
fi

judged=0 missed=()
while read -r number states rule; do
    [[ $rule != *"${TXTAP_RULE:-}"* ]] || judge "$number" "$states"
done <"$scratch/rules"
((judged > 0)) || fail "$table has no rule${TXTAP_RULE:+ with '$TXTAP_RULE' in its name}"

rule="" TXTAP_RULE_OFF=0
run_model || fail "the copy in which no rule is switched off does not pass: $(grep -E 'seed [0-9]+: ' "$scratch/log" | head -n 1)"
printf 'ring_rules: %d rules, a violation for each one switched off; %d runs with all of them: no violation\n' \
    "$((judged - ${#missed[@]}))" "$RUNS"
((${#missed[@]} == 0)) || fail "${#missed[@]} of $judged rules can be switched off without a violation"
