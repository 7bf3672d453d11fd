#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap report on the virtual board. The checks for a defect of the demo must find that defect, and no other
# check may fail. Without a defect no check may fail. A live report must equal the report of a recording. QEMU counts
# instructions instead of time, so that a trace does not depend on the host's speed.
#   usage: report.sh BUILD_DIRECTORY     TXTAP_E2E_REPORT_SECONDS=600 also watches the demo without a defect for so long
set -euo pipefail
E2E_LIMIT_S=$((1800 + ${TXTAP_E2E_REPORT_SECONDS:-0}))
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
source "$E2E_ROOT/tests/e2e/oracle_lib.sh"
DEMO=$FIRMWARE/demo_defects.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
CHECKS=$WORK/checks.txt
cat >"$CHECKS" <<'END'
# checks that the demo without a defect passes
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

# begin DEFECT SLEEP [OPTION]...: starts a run that ends by itself. The run writes fewer events than the ring has
# slots, so no reader can lose an event. With SLEEP=off the target's idle time takes no real time.
begin() {
    start_board --set demo_stop_after=1800 --set "demo_defect=$1" --qemu-arg=-icount --qemu-arg="shift=4,sleep=$2" \
        "${@:3}" "$DEMO"
    start_openocd
}

# end NAME: writes all events of the run to $WORK/NAME.trx.
end() {
    run_txtap snapshot --tcl "$TCL_PORT" -q -o "$WORK/$1.trx" --strict "$DEMO"
    ((STATUS == 0)) || die "no snapshot: $(<"$ERR")"
    stop_all
}

trace_of() {
    begin "$1" off
    await_stopped "$DEMO"
    end "$1"
}

# report_of DEFECT: makes a report with the checks; sets FAILED_NAMES to the names of the checks that fail.
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
run_txtap report -q --hz 1M "$WORK/0.trx"
check "nothing deserves attention" grep -qx "findings: nothing that deserves attention" "$OUT"
check_figures 0

echo "# from a target, from its recording and from a copy of its ring"
# start NAME ARGUMENT...: starts a command on the running target; its messages go to $WORK/NAME.err. All times are in
# ticks, because the clock of this board is slow on a busy host, so no value of --hz would be right.
# Many commands share one OpenOCD, so on a busy host an answer may take seconds.
declare -A PIDS
PATIENT=(--timeout 1min)
start() {
    "$BUILD/capture/txtap" "${@:2}" "${PATIENT[@]}" --tcl "$TCL_PORT" "$DEMO" >"$WORK/$1.out" 2>"$WORK/$1.err" </dev/null &
    PIDS[$1]=$!
    E2E_PIDS+=("$!")
}
# ends NAME STATUS: interrupts the command like a user; the command must end with STATUS.
ends() {
    local status=0
    kill -INT "${PIDS[$1]}" 2>/dev/null || true # the command may have ended by itself
    wait "${PIDS[$1]}" || status=$?
    forget "${PIDS[$1]}"
    is "$status" "$2" || { sed 's/^/# /' "$WORK/$1.err"; return 1; }
}
printf '%s\n' 'unbounded == 0' 'inversion(*).max < 1000 ticks' 'lost == 0' >"$WORK/ticks.txt"
begin 2 on --set demo_hold=1
start record record -o "$WORK/live.rec"
start report report --hz 1M -f json --checks "$WORK/ticks.txt"
start user report
start instances report --instances -f csv
start tail tail -f jsonl --check 'unbounded == 0' --check 'lost == 0' --check 'wake(*) < 1000000 ticks' --junit "$WORK/junit"
start trigger record --trigger 'check=unbounded == 0' --before 1h -o "$WORK/moment.rec"
start marked record --check 'unbounded == 0' --check 'wake(no thread) == 0' -o "$WORK/marked.rec"
for name in "${!PIDS[@]}"; do attached "${PIDS[$name]}" "$WORK/$name.err"; done
release "$DEMO"
await_stopped "$DEMO"
WRITTEN=$(ELF=$DEMO value demo_events_written)
for name in live marked; do
    await "$BOARD_PID" has_all "$WORK/$name.rec" "$WRITTEN" || die "$name.rec does not have all $WRITTEN events"
done
# has_read NAME: the command has read all events of the board, which its next summary says.
has_read() {
    kill -USR1 "${PIDS[$1]}"
    grep -q "^txtap: $WRITTEN events in " "$WORK/$1.err"
}
for name in report user instances tail; do
    await "${PIDS[$name]}" has_read "$name" || die "$name does not read all $WRITTEN events: $(tail -n 1 "$WORK/$name.err")"
done
# While the board rests, instances do not stay in a buffer of txtap.
ends_a_line() { [[ -s $WORK/instances.out && -z $(tail -c 1 "$WORK/instances.out") ]]; }
await "${PIDS[instances]}" ends_a_line || die "the instances are not written while the board rests"
check "a live report finds the defect" ends report 6
check "and says which it is" is_true "$WORK/report.out" '[.checks[] | select(.verdict == "failed") | .check[:9]] == ["unbounded", "inversion"]'
# Sorts the figures, because reports list objects in the order in which txtap learned of them.
# Without stacks: each program reads them from the kernel at its own end, and a copy has none of the kernel. Without the
# object that exists for a moment and the kernel's own thread, which the trace does not name: on a busy host a program may
# read these names too late.
figures() {
    jq -S 'def lasts: (.kind // "system" | IN("system", "interrupt", "core")) or ((.name // "") | IN("", "temporary", "System Timer Thread") | not);
        del(.trace, .about) | .figures |= (map(select((.name | startswith("stack") | not) and
            (.subject | lasts) and ((.other // {}) | lasts))) | sort)' "$1"
}
same() {
    "$BUILD/capture/txtap" report -q --hz 1M -f json --checks "$WORK/ticks.txt" "$1" "$DEMO" >"$WORK/other.json" || is $? 6 || return
    diff <(figures "$WORK/report.out") <(figures "$WORK/other.json") >"$WORK/differ" || { sed 's/^/# /;20q' "$WORK/differ"; return 1; }
}
run_txtap report "${PATIENT[@]}" --tcl "$TCL_PORT" --seconds 10ms "$DEMO"
check "--seconds end one, too" is "$STATUS $(grep -cE '^[0-9]+ events in ' "$OUT")" "0 1"
check "and so does the user" ends user 0
check "and so do instances" ends instances 0
look_closer() {
    local command
    command=$(sed -n "s/^  to look closer, record the target, and give the recording: txtap //p" "$WORK/user.out")
    is "$command" "record --timeout 1min --tcl $TCL_PORT -o run.rec $DEMO" || return 1
    (cd "$WORK" && eval "'$BUILD/capture/txtap' $command --seconds 10ms -q --hz 1M") && [[ -s $WORK/run.rec ]]
}
check "the report of a target says how to record it" look_closer
run_txtap report -q "$WORK/run.rec"
check "commands for a recording with its rate have no --hz" grep -qE '^      txtap decode --from [0-9.]+s --to [0-9.]+s ' "$OUT"
check "a recording is made meanwhile" ends record 0

echo "# checks meanwhile"
check "tail ends as a report does that finds a defect" ends tail 6
check "and says so at the end" is "$(grep -cE '^(FAIL +unbounded == 0|ok +lost == 0|ok +wake)' "$WORK/tail.err")" 3
check "in JUnit's file, too" grep -q '<failure' "$WORK/junit"
check "it marks the violation once" is "$(grep -c '^{"type":"check"' "$WORK/tail.out")" 1
check "with what was measured, and which event it was" is_true "$WORK/tail.out" 'map(select(.type == "check"))[0] as $mark |
    ($mark.text | test("^unbounded == 0: [0-9]+, seen at event [0-9]+$")) and $mark.seq > 0' -s
check "standard error has it, too" is "$(grep -c '^txtap: check: unbounded == 0: ' "$WORK/tail.err")" 1
check "a check as a trigger is no failure" ends trigger 0
run_txtap decode -f jsonl "$WORK/moment.rec"
check "the moment is in the recording" is "$(grep -cE '"type":"trigger".*"text":"check=unbounded == 0: ' "$OUT")" 1
check "with what was before it" is_true "$OUT" '(map(.type) | index("trigger")) as $at | .[:$at] | map(select(.event == "tx_mutex_get")) | length > 0' -s
check "a check of nothing is wrong usage, at the end" ends marked 2
check "which the last line says" is "$(tail -1 "$WORK/marked.err")" "txtap: --check 'wake(no thread) == 0': nothing in this trace matches"
run_txtap decode -f csv "$WORK/marked.rec"
check "the mark of another check is in the recording" is "$(grep -c '^check,.*unbounded == 0: ' "$OUT")" 1
end live
check "the live report says as much as the recording" same "$WORK/live.rec"
run_txtap report -q --instances -f csv "$WORK/live.rec" "$DEMO"
# lasting FILE: the rows of a list of instances, without the same two, by name or by address.
lasting() { grep -vE 'temporary|System Timer Thread|0x' "$1" | sort; }
lists_the_same() {
    diff <(lasting "$WORK/instances.out") <(lasting "$OUT") >"$WORK/differ" || { sed 's/^/# /;20q' "$WORK/differ"; return 1; }
}
check "and so do instances that are listed meanwhile" lists_the_same
check "as the copy" same "$WORK/live.trx"
check "and as the recording with a mark" same "$WORK/marked.rec"

# finds DEFECT SENTENCE NAMES BLAME FINDING: checks that exactly the checks NAMES fail, and that a line of a failed check
# matches BLAME. The first ten lines of the report must name the defect: one of them matches FINDING, and the command
# below it shows more.
finds() {
    trace_of "$1"
    report_of "$1"
    check "$2 is found: exit code 6" is "$STATUS" 6
    check "by its checks and by no other" is "$FAILED_NAMES" "$3"
    check "which name the culprit" blames "$4"
    run_txtap report --hz 1M "$WORK/$1.trx"
    check "the first ten lines name it" found "$5"
    check "and a command that shows more" shows_more
    check_figures "$1"
}
# explains DEFECT FIGURE CAUSE: the first line of txtap why must match CAUSE.
explains() {
    run_txtap why -q --hz 1M "$WORK/$1.trx" "$2"
    check "txtap why names the cause" cause_is "$3"
}
# explains_memory DEFECT FIGURE CAUSE: the same for a figure of memory. Without a figure the cause must be in the list.
explains_memory() {
    explains "$@"
    run_txtap why -q --hz 1M "$WORK/$1.trx"
    check "also without a figure" grep -qxE "$3" "$OUT"
    run_txtap why -q --hz 1M -f json "$WORK/$1.trx"
    check "and in JSON" grep_all -xE "$3" <(jq -r '.memory[].cause' "$OUT")
}
cause_is() { head -n 1 "$OUT" | grep -qxE "$1" || { sed 's/^/# /' "$OUT"; return 1; }; }
found() { head -n 10 "$OUT" | grep_all -E "^  $1" || { sed 's/^/# /' "$OUT"; return 1; }; }
# Runs the first command that the report names.
shows_more() {
    local command
    command=$(sed -n 's/^      txtap //p' "$OUT" | head -n 1)
    [[ $command ]] && (cd "$WORK" && eval "'$BUILD/capture/txtap' $command") >"$WORK/more" && (($(wc -l <"$WORK/more") > 3))
}
echo "# with one"
finds 1 "a deadlock" "deadlock unbounded inversion " "of (left|right), event" \
    "deadlock: (left|right) waits for mutex [a-z]*, held by (left|right) since event [0-9]+; (left|right) waits for mutex [a-z]*, held by (left|right) since event [0-9]+; they wait for ever; closed by event [0-9]+ at "
explains 1 'response(left).max' \
    "left waited [0-9.]+s for mutex second, held by right since event [0-9]+; for [0-9.]+s right waited for mutex first, held by left: a deadlock"
finds 2 "an unbounded inversion" "unbounded inversion " "3[.][0-9]* ms of high, event" \
    "unbounded priority inversion: high waited for mutex shared, held by low, while middle ran for [0-9.]+ms in all; the longest wait lasted until event "
explains 2 'response(high).max' \
    "high waited [0-9.]+ms for mutex shared, held by low since event [0-9]+; for 3[0-9.]+ms low was ready while middle [(]priority 14[)] ran"
finds 3 "a stack that is nearly full" "stack " " 5[.][0-9]*% of deep, event" \
    "stack nearly full: deep: 7[0-9]{3} of 8192 bytes, 94 %; event "
explains_memory 3 'stack(deep).min' \
    "deep used at least 7[0-9]{3} of 8192 bytes of its stack, at event [0-9]+ at [0-9.]+ s [(][A-Za-z_ ]+[)]; the use grew most, by 7[0-9]{3} bytes, from its event [0-9]+ to event [0-9]+"
finds 4 "a leak" "leak " "leak == 0 +1" \
    "leak: pool leak pool: [0-9]+ blocks not released, most of them by leaky; event "
explains_memory 4 leak \
    "leaky allocated [0-9]+ blocks of pool leak pool(, of which [0-9]+ were not released| and released none of them), since event [0-9]+ at [0-9.]+ s"
finds 5 "a late thread" "wake " "25[.][0-9]* ms of punctual until chosen, event" \
    "late job: punctual: a job took 25[.][0-9]ms, .* ready, waiting for a core; event "
explains 5 'wake(punctual).max' "punctual was ready for 2[45][.0-9]*ms while hog [(]priority 7[)] ran"
finds 6 "an interrupt storm" "isr " "/s of interrupt 23" \
    "interrupt storm: interrupt 23: [0-9]+ times, half of them within "
explains 6 'response_interrupted(System Timer Thread).max' \
    "System Timer Thread was interrupted for [0-9.]+us by interrupt 23"

# Runs in real time, so that idle time takes real time. With -icount, a thread is not late if the host stops QEMU
# during a computation.
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
