#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap compare with runs of two builds of the demo on the virtual board: the second build's thread `filter` has
# more work. QEMU counts instructions instead of time, so that a trace does not depend on the host's speed.
#   usage: compare_builds.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)
DEMO=$FIRMWARE/demo_large.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
RUNS=5

# run_of NAME WORK EVENTS: writes a run to $WORK/NAME.trx. The run has fewer events than the ring has slots.
run_of() {
    start_board --set "demo_stop_after=$3" --set "demo_filter_work=$2" --qemu-arg=-icount --qemu-arg=shift=4,sleep=off "$DEMO"
    start_openocd
    await_stopped "$DEMO"
    run_txtap snapshot --tcl "$TCL_PORT" -q -o "$WORK/$1.trx" --strict "$DEMO"
    ((STATUS == 0)) || die "no snapshot: $(<"$ERR")"
    stop_all
}
mkdir "$WORK/old" "$WORK/again" "$WORK/slow"
for ((i = 0; i < RUNS; i++)); do
    run_of "old/$i" 0 $((1550 + 50 * i))
    run_of "again/$i" 0 $((1575 + 50 * i))
    run_of "slow/$i" 3000 $((1550 + 50 * i))
done
# shows TEXT: succeeds if the output has the text.
shows() { grep -qF -- "$1" "$OUT" || { sed 's/^/# /' "$OUT"; return 1; }; }
# changed FORMAT: prints the changes of the last JSON, a line each.
changed() { jq -r ".numbers[] | select(.change == (\"worse\", \"better\", \"changed\")) | $1" "$OUT"; }

echo "# the same build"
run_txtap compare --hz 1M --check -f json "$WORK/old" "$WORK/again"
check "the same build has no change" is "$STATUS $(jq -c '[.changed, .may_differ]' "$OUT")" "0 [0,0]"
check "with a known noise" jq -e '[.numbers[] | select(.chance != null)] | length > 300' "$OUT" >"$WORK/jq"

echo "# a slower thread"
run_txtap compare --hz 1M --check "$WORK/old"/*.trx -- "$WORK/slow"/*.trx
check "a slower thread is worse: exit code 6" is "$STATUS" 6
check "its processor time and its jobs come first" is \
    "$(sed -n '/^changed$/,/^$/{s/^  \(\(cpu\|run\)([a-z]*)\).* worse$/\1/p}' "$OUT" | head -n 2 | sort | tr '\n' ' ')" "cpu(filter) run(filter) "
check "the verdict is the last line" grep -qE '^[0-9]+ figures changed, [0-9]+ worse: (cpu|run)\(filter\)' <(tail -n 1 "$OUT")
check "at most 80 columns" is "$(sed '$d' "$OUT" | awk 'length > 80' | wc -l)" 0
run_txtap compare --hz 1M -f json "$WORK/old" "$WORK/slow"
# The thread logger, its flags and the queue and memory of the samples wait for the filter.
check "and nothing else is called worse" is \
    "$(jq -r '.numbers[] | select(.change == "worse") | .subject' "$OUT" | sort -u | tr '\n' ' ')" " filter logger "
check "and nothing else has changed" is \
    "$(changed .subject | grep -vxE '|filter|logger|samples|sample pool|results' | wc -l)" 0
check "no event was lost" is "$(jq '[.a[], .b[] | .lost] | add' "$OUT")" 0
run_txtap compare --hz 1M --check "$WORK/slow" "$WORK/old"
check "the other direction is better" is "$STATUS $(grep -cE '^  cpu\(filter\) .* better$' "$OUT")" "0 1"
run_txtap compare --hz 1M --check "$WORK/old/0.trx" "$WORK/slow/0.trx"
check "a single run of each side has a threshold" shows "noise: unknown"
check "and finds the thread, too" is "$STATUS $(grep -cE '^  run\(filter\).* worse$' "$OUT")" "6 1"
run_txtap compare --hz 1M --check "$WORK/old/0.trx" "$WORK/again/0.trx"
check "but no change in the same build" is "$STATUS $(tail -n 1 "$OUT" | cut -c 1-9)" "0 no change"
run_txtap compare --hz 1M -f markdown "$WORK/old" "$WORK/slow"
check "Markdown has a row for it" shows '| worse | <code>cpu(filter)</code> |'
run_txtap compare --hz 1M -f benchmark "$WORK/old" "$WORK/slow"
check "the history has it" jq -e '.[] | select(.name == "cpu(filter)") | .unit == "percent" and .value > 1' "$OUT" >"$WORK/jq"
e2e_end
