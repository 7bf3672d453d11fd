#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# txtap report --check on the virtual board: each defect that the demo can have is found, and no other; the demo without a
# defect has none. QEMU counts instructions instead of time, so that a trace is the same whatever the host does.
#   usage: report.sh BUILD_DIRECTORY     TXTAP_E2E_REPORT_SECONDS=600 also watches the demo without a defect for so long
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
source "$E2E_ROOT/tests/e2e/oracle_lib.sh"
DEMO=$FIRMWARE/demo_defects.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
CHECKS=$WORK/checks.txt
cat >"$CHECKS" <<'END'
# what holds of the demo
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

# trace_of DEFECT: a run from its start to its end, whose events all are in the ring; in $WORK/DEFECT.trx.
trace_of() {
    start_board --set demo_stop_after=1800 --set "demo_defect=$1" --qemu-arg=-icount --qemu-arg=shift=4,sleep=off "$DEMO"
    start_openocd
    await_stopped "$DEMO"
    run_txtap snapshot --tcl "$TCL_PORT" -q -o "$WORK/$1.trx" --strict "$DEMO"
    ((STATUS == 0)) || die "no snapshot: $(<"$ERR")"
    stop_all
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

# finds DEFECT SENTENCE NAMES BLAME: these checks fail and no others, and one says BLAME.
finds() {
    trace_of "$1"
    report_of "$1"
    check "$2 is found: exit code 6" is "$STATUS" 6
    check "by its checks and by no other" is "$FAILED_NAMES" "$3"
    check "which say what it is about" blames "$4"
    check_figures "$1"
}
echo "# with one"
finds 1 "a deadlock" "deadlock unbounded inversion " "of (left|right), event"
finds 2 "an unbounded inversion" "unbounded inversion " "3[.][0-9]* ms of high, event"
finds 3 "a stack that is nearly full" "stack " " 5[.][0-9]*% of deep, event"
finds 4 "a leak" "leak " "leak == 0 +1"
finds 5 "a late thread" "wake " "25[.][0-9]* ms of punctual, event"
finds 6 "an interrupt storm" "isr " "/s of interrupt 23"

# Real time, so that idle time lasts; a host that stops QEMU while it computes does not make a thread late.
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
