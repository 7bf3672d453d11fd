#!/bin/bash
# SPDX-License-Identifier: MIT
# rules.sh TABLE SCRATCH ARCHIVE OBJECT... -- [STATES_OBJECT]... -- COMPILER [FLAG]...: switches off each rule of a
# table (such as txtb_rules.table), one at a time, in a copy of the reader, and fails unless a violation is found: by
# the model test (OBJECTs, with ARCHIVE for the rest), or, if the table names a configuration for the rule, by the
# search through its states (STATES_OBJECTs, without the reader). TXTAP_RULE: only rules with that in their name.
set -euo pipefail

RUNS=10000 # of the model, at most: most violations come up in the first few
LIMIT_S=300 # a run takes seconds, on a busy machine longer

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
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)

rm -rf "$scratch"
mkdir -p "$scratch"

fail() {
    printf 'ring_rules: %s\n' "$*" >&2
    exit 1
}

# compile SOURCE OBJECT [FLAG]...: a source of the decoder.
compile() {
    "${compiler[@]}" -std=c17 -O1 "${@:3}" -I "$root/include" -I "$root/decoder" -c "$1" -o "$2"
}

# search_states CONFIGURATION: as run_model, but searches all states of the reader whose rule is off. "searched" in the
# table names the reader's sources, and how they are compiled for this.
search_states() {
    local status=0 part parts=() flags=() objects_searched=()
    for part in "${searched[@]}"; do
        [[ $part == -* ]] && flags+=("$part") || parts+=("$part")
    done
    for part in "${parts[@]}"; do
        objects_searched+=("$scratch/$part.o")
        if [[ $source == "decoder/ring/$part.c" ]]; then
            compile "$scratch/copy.c" "$scratch/$part.o" "${flags[@]}"
        else
            compile "$root/decoder/ring/$part.c" "$scratch/$part.o" "${flags[@]}"
        fi
    done
    "${compiler[@]}" "${objects_searched[@]}" "${states_objects[@]}" -o "$scratch/states"
    TXTAP_FIRST=1 "$scratch/states" "$1" >"$scratch/log" 2>&1 || status=$?
    ((status == 0)) && return 0
    grep -q ', 1 kinds of violations,' "$scratch/log" && return 1
    cat "$scratch/log" >&2
    fail "$rule: the search through '$1' ended with $status, not with a violation"
}

# run_model OBJECT...: links the model with these objects and runs it, with its output in $scratch/log. 0: no violation,
# 1: a violation; anything else (a crash, a hang, a model that was not exercised) is reported and ends the test.
run_model() {
    local status=0
    "${compiler[@]}" "$@" "${objects[@]}" "$archive" -rdynamic -lcriterion -o "$scratch/model"
    TXTAP_RUNS=$RUNS TXTAP_SEED=1 timeout "$LIMIT_S" "$scratch/model" --filter '*_model/every_event*' \
        >"$scratch/log" 2>&1 || status=$?
    ((status == 0)) && return 0
    grep -q 'Crashing: 0' "$scratch/log" && grep -Eq 'seed [0-9]+: .* \(ring of' "$scratch/log" && return 1
    cat "$scratch/log" >&2
    fail "${rule:-the unchanged reader}: the model ended with $status, not with a violation"
}

# replace FROM TO: in the copy; FROM must occur exactly once.
replace() {
    local status=0
    from=$1 to=$2 awk '
        { text = text $0 "\n" }
        END {
            from = ENVIRON["from"]
            begin = index(text, from)
            rest = substr(text, begin + length(from))
            if (begin == 0 || index(rest, from) > 0)
                exit begin == 0 ? 3 : 4
            printf "%s%s%s", substr(text, 1, begin - 1), ENVIRON["to"], rest
        }' "$scratch/copy.c" >"$scratch/copy.new" || status=$?
    case $status in
    0) mv "$scratch/copy.new" "$scratch/copy.c" ;;
    3) fail "$rule: $source has no '$1': change the table with the code" ;;
    4) fail "$rule: $source has '$1' more than once: give the table more of that line" ;;
    *) fail "$rule: awk ended with $status" ;;
    esac
}

# Tries the table's entry read so far: the rule is off in $scratch/copy.c.
judge() {
    local status=0
    [[ $rule && $rule == *"${TXTAP_RULE:-}"* ]] || return 0
    [[ $changed ]] || fail "$rule: changes nothing"
    if [[ $states ]]; then
        search_states "$states" || status=$?
    else
        compile "$scratch/copy.c" "$scratch/copy.o"
        run_model "$scratch/copy.o" || status=$?
    fi
    if ((status == 0)); then
        missed+=("$rule")
        printf 'NOT FOUND  %s: %s without a violation\n' "$rule" "${states:-$RUNS runs}"
    else
        printf 'found  %s: %s\n' "$rule" "$(sed -nE 's/.*(seed [0-9]+: [^(]*) \(ring of.*/\1/p; s/(.*) \([0-9]+ times\)$/\1/p' \
            "$scratch/log" | head -n 1)"
    fi
    judged=$((judged + 1))
}

rule="" changed="" from="" searched=() source="" states="" judged=0 missed=()
while IFS= read -r line || [[ $line ]]; do
    case $line in
    '' | '#'* | 'else '*) ;;
    'rule '*)
        judge
        rule=${line#rule } changed="" source="" states=""
        ;;
    'searched '*) read -ra searched <<<"${line#searched }" ;;
    'states '*) states=${line#states } ;;
    'in '*)
        source=${line#in }
        cp "$root/$source" "$scratch/copy.c"
        ;;
    '- '*) from=${line#- } ;;
    '+ '* | '+')
        [[ ! $rule || ! $source || ! $from ]] && fail "'$line': no rule, no file or no text before it"
        line=${line#+}
        replace "$from" "${line# }"
        changed=yes from=""
        ;;
    *) fail "$table: '$line' is not a valid line" ;;
    esac
done <"$table"
judge
((judged > 0)) || fail "$table has no rule${TXTAP_RULE:+ with '$TXTAP_RULE' in its name}"

rule=""
run_model || fail "the unchanged reader does not pass: $(grep -E 'seed [0-9]+: ' "$scratch/log" | head -n 1)"
printf 'ring_rules: %d rules, a violation for each one switched off; %d runs with all of them: no violation\n' \
    "$((judged - ${#missed[@]}))" "$RUNS"
((${#missed[@]} == 0)) || fail "${#missed[@]} of $judged rules can be switched off without a violation"
