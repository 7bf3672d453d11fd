#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# txtap report on the virtual board: each defect that the demo can have is found by its checks and no others; the demo without a
# defect has none; a live report equals that of a recording. QEMU counts instructions instead of time, so that a trace
# does not depend on the host's speed.
#   usage: report.sh BUILD_DIRECTORY     TXTAP_E2E_REPORT_SECONDS=600 also watches the demo without a defect for so long
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
source "$E2E_ROOT/tests/e2e/oracle_lib.sh"
DEMO=$FIRMWARE/demo_defects.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
CHECKS=$WORK/checks.txt
cat >"$CHECKS" <<'END'
# checks that hold for the demo
deadlock == 0
unbounded == 0
inversion(*).max < 1ms
stack(*).free >= 10%
leak == 0
wake(*) < 20ms
isr(*).rate < 300/s
failed == 0
lost == 0
END

# begin DEFECT: a run that ends by itself, with fewer events than the ring holds, so that none can be lost.
begin() {
    start_board --set demo_stop_after=1800 --set "demo_defect=$1" --qemu-arg=-icount --qemu-arg=shift=4,sleep=off "$DEMO"
    start_openocd
}

# end DEFECT: all its events, in $WORK/DEFECT.trx.
end() {
    run_txtap snapshot --tcl "$TCL_PORT" -q -o "$WORK/$1.trx" --strict "$DEMO"
    ((STATUS == 0)) || die "no snapshot: $(<"$ERR")"
    stop_all
}

trace_of() {
    begin "$1"
    await_stopped "$DEMO"
    end "$1"
}

# report_of DEFECT: its checks; sets FAILED_NAMES to the names of those that fail.
report_of() {
    run_txtap report -q --hz 1M --checks "$CHECKS" "$WORK/$1.trx"
    FAILED_NAMES=$(sed -n 's/^FAIL  *\([a-z]*\).*/\1/p' "$OUT" | tr '\n' ' ')
}
check_figures() { ! command -v sqlite3 >/dev/null || check "an SQL engine has the same figures" figures_agree "$WORK/$1.trx"; }
blames() { grep -qE "^FAIL .*$1" "$OUT" || { sed 's/^/# /' "$OUT"; return 1; }; }

echo "# without a defect"
trace_of 0
report_of 0
check "every check holds" is "$STATUS $(grep -c '^ok ' "$OUT")" "0 9"
check_figures 0

echo "# from a target, from its recording and from a copy of its ring"
begin 2
start_txtap record --tcl "$TCL_PORT" -q -o "$WORK/2.rec" "$DEMO"
RECORD_PID=$TXTAP_PID
start_txtap report --tcl "$TCL_PORT" --hz 1M -f json --checks "$CHECKS" --stats-json "$WORK/stats" "$DEMO"
await_stopped "$DEMO"
end_txtap INT
check "a live report can be ended by the user" is "$STATUS" 6
cp "$OUT" "$WORK/live.json"
TXTAP_PID=$RECORD_PID
end_txtap INT
run_txtap report --tcl "$TCL_PORT" --hz 1M --seconds 10ms "$DEMO"
check "or by --seconds" is "$STATUS $(grep -cE '^[0-9]+ events in ' "$OUT")" "0 1"
end 2
same() {
    "$BUILD/capture/txtap" report -q --hz 1M -f json --checks "$CHECKS" "$1" >"$WORK/other.json" || is $? 6 || return
    cmp <(jq -S 'del(.trace)' "$WORK/live.json") <(jq -S 'del(.trace)' "$WORK/other.json")
}
check "it equals that of the recording" same "$WORK/2.rec"
check "and that of the copy" same "$WORK/2.trx"
check "it finds the defect" jq -e '[.checks[] | select(.verdict == "failed") | .check[:9]] == ["unbounded", "inversion"]' "$WORK/live.json" >"$WORK/jq"
check "it has seen all events" is "$(jq .events "$WORK/live.json")" "$(jq .events "$WORK/stats")"

# finds DEFECT SENTENCE NAMES BLAME: these checks fail and no others, and one says BLAME.
finds() {
    [[ -f $WORK/$1.trx ]] || trace_of "$1"
    report_of "$1"
    check "$2 is found: exit code 6" is "$STATUS" 6
    check "by its checks and by no other" is "$FAILED_NAMES" "$3"
    check "which name the culprit" blames "$4"
    check_figures "$1"
}
echo "# with one"
finds 1 "a deadlock" "deadlock unbounded inversion " "of (left|right), event"
finds 2 "an unbounded inversion" "unbounded inversion " "3[.][0-9]* ms of high, event"
finds 3 "a stack that is nearly full" "stack " " 5[.][0-9]*% of deep, event"
finds 4 "a leak" "leak " "leak == 0 +1"
finds 5 "a late thread" "wake " "25[.][0-9]* ms of punctual, event"
finds 6 "an interrupt storm" "isr " "/s of interrupt 23"

# In real time, so that there is idle time; a host that stops QEMU during a computation does not make a thread late.
if [[ ${TXTAP_E2E_REPORT_SECONDS:-} ]]; then
    echo "# without a defect for $TXTAP_E2E_REPORT_SECONDS s"
    start_board --qemu-arg=-icount --qemu-arg=shift=4 "$FIRMWARE/demo_large.elf"
    start_openocd
    start_txtap record --tcl "$TCL_PORT" -q --seconds "$TXTAP_E2E_REPORT_SECONDS" -o "$WORK/long.rec" "$FIRMWARE/demo_large.elf"
    end_txtap
    check "it is recorded" is "$STATUS" 0
    run_txtap report -q --hz 1M --checks "$CHECKS" "$WORK/long.rec"
    sed 's/^/# /' "$OUT"
    check "no check of the demo fails" test "$(grep -vc '^FAIL ' "$OUT")" -eq 9
fi
e2e_end
