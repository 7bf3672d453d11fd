#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap check: its results as lines, JUnit XML, Markdown, annotations and a page, for sample traces and for each
# defect of the demo on the virtual board. QEMU counts instructions instead of time, so that a trace does not depend on
# the host's speed.
#   usage: check.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)
unset GITHUB_ACTIONS
DATA=$E2E_ROOT/tests/data/analysis
DEMO=$FIRMWARE/demo_defects.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
has_xml() { command -v xmllint >/dev/null; }
xpath() { xmllint --xpath "$1" "$WORK/junit.xml" 2>/dev/null; }
says() { grep -qF -- "$1" "${2:-$OUT}" || { sed 's/^/# /' "${2:-$OUT}"; return 1; }; }
has_page() { ! "$BUILD/capture/txtap" view -o - 2>&1 >"$WORK/empty.html" | grep_all 'has no page'; }
PAGE=()
if has_page; then PAGE=(--html "$WORK/page.html"); fi
# setup_of PAGE: prints the JSON of the page's setup.
setup_of() { sed -n 's/.*<script type="application\/json" id="setup">\(.*\)<\/script>.*/\1/p' "$1"; }

echo "# sample traces"
FORMS=(--junit "$WORK/junit.xml" --summary "$WORK/summary.md")
run_txtap check -q --hz 1M "$DATA/demo_live.trx"
check "the default checks of a sound trace are ok" is "$STATUS $(grep -c '^ok ' "$OUT") $(tail -n 1 "$OUT" | cut -d ';' -f 1)" "0 5 5 ok"
run_txtap check -q --hz 1M "${FORMS[@]}" "${PAGE[@]}" --annotations always "$DATA/deadlock.trx"
DEADLOCK="1: b waits for mutex m1, held by a since event 2; a waits for mutex m2, held by b since event 0; they wait for ever; closed by event 6 at 0.000052 s"
check "a deadlock fails" is "$STATUS" 6
check "the line names threads, mutexes and events" grep -qE "^FAIL +deadlock == 0 +$DEADLOCK$" "$OUT"
check "so does the annotation" says "::error title=deadlock == 0::$DEADLOCK"
check "and the summary, without characters that Markdown knows" grep -qF "<code>deadlock == 0</code> | <code>1: b waits for mutex m1, held by a" "$WORK/summary.md"
if has_xml; then
    check "and the failure in JUnit's file" is "$(xpath 'string(//testcase[@name="deadlock == 0"]/failure/@message)')" "$DEADLOCK"
    check "which has a body" is "$(xpath 'string(//testcase[@name="deadlock == 0"]/failure)')" "deadlock == 0: $DEADLOCK"
    check "and each case has its value, time and class" is \
        "$(xpath 'concat(count(//testcase), " ", count(//testcase[.//property[@name="value"]]), " ", count(//testcase[@time="0.005000"]), " ", //testcase[1]/@classname)')" "4 4 4 txtap.total_events"
    check "and the suite has a time" is "$(xpath 'string(/testsuite/@timestamp)' | tr 0-9 9)" 9999-99-99T99:99:99
else
    skip "JUnit's file is well-formed" "no xmllint (Debian: libxml2-utils)"
fi
if [[ ${PAGE[*]} ]]; then
    setup_of "$WORK/page.html" >"$WORK/setup.json"
    check "and the page, with the event" is_true "$WORK/setup.json" '.panel == "checks" and
        (.checks[] | select(.check == "deadlock == 0") | .verdict == "failed" and .text == $text and .event == 6)' --arg text "$DEADLOCK"
else
    skip "the page has the results" "$("$BUILD/capture/txtap" view -o - 2>&1 >/dev/null || true)"
fi
run_txtap check -q --hz 1M "${FORMS[@]}" "$DATA/inv_unbounded.trx" --check 'unbounded == 0'
check "an unbounded inversion names waiter, mutex, owner and the thread that ran" \
    says "FAIL     unbounded == 0  1: high waited for mutex m, held by low, while mid ran for 80.0us in all; the longest wait lasted until event 8 at 0.000252 s"
check "a second summary follows the first" is "$(grep -c '^### txtap: ' "$WORK/summary.md")" 2
run_txtap check -q --hz 1M --check 'failed == 0' "$DATA/queue_full.trx"
check "a failed service names thread, service, object and event" \
    says "1: tx_queue_send of producer, queue q: failed 1 time; first at event 8 at 0.000110 s"

run_txtap check -q --hz 1M --check 'life(consumer).n > 5' "$DATA/../threadx_qemu_unwrapped.trx"
check "a maximum that the trace's end cuts off is a bound" says "0 of consumer: the maximum is at least 1.09206 s, event 418 at"
run_txtap check -q --stats-json "$WORK/stats.json" "$DATA/demo_live.trx"
check "the counts of a file are JSON, too" is_true "$WORK/stats.json" '.events == 465'

echo "# checks of nothing"
run_txtap check -q --hz 1M "${FORMS[@]}" --check 'wake(fitler) < 1s' --check 'lost == 0' "$DATA/demo_live.trx"
check "a name that is absent is unknown: exit code 7" is "$STATUS" 7
check "with a suggestion" says "unknown  wake(fitler) < 1s  nothing in this trace matches: did you mean 'filter'?"
if has_xml; then
    check "JUnit's file is written, with an error" is "$(xpath 'concat(/testsuite/@errors, " ", //testcase[error]/@name)')" "1 wake(fitler) < 1s"
fi
run_txtap check -q --hz 1M --period fitler=10ms --check 'missed(filter) == 0' "$DATA/demo_live.trx"
check "so is a period of nothing" is "$STATUS $(cut -c 1-7 "$OUT" | head -n 1)" "7 unknown"
check "with a suggestion" said "no thread in this trace is 'fitler': did you mean 'filter'?"
run_txtap check -q --hz 1M --period sampler=10ms --check 'missed(sampler) == 0' "$DATA/demo_live.trx"
check "a thread that misses its period fails" is "$STATUS" 6
run_txtap report -q --hz 1M --check 'wake(fitler) < 1s' "$DATA/demo_live.trx"
check "it stays wrong usage for report" is "$STATUS" 2
run_txtap check -q --check 'wake(filter) < 1us' "$DATA/demo_live.trx"
check "seconds without a rate are wrong usage" failed 2 'give --hz'
run_txtap check -q -o "$WORK/o.rec" "$DATA/demo_live.trx"
check "-o with a file is wrong usage" failed 2 '-o works only with a running target'
run_txtap check -q --html "$WORK/x.html" - <"$DATA/demo_live.trx"
check "a page of standard input is wrong usage" failed 2 '--html does not work with standard input'
check "lines of standard input are not" "$BUILD/capture/txtap" check -q --check 'lost == 0' - <"$DATA/demo_live.trx" >"$WORK/lines"
cp "$DATA/demo_live.trx" "$WORK/trace.trx"
for form in junit html summary; do
    run_txtap check -q "--$form" "$WORK/trace.trx" "$WORK/trace.trx"
    check "--$form never overwrites the trace" cmp "$WORK/trace.trx" "$DATA/demo_live.trx"
done
GITHUB_ACTIONS=true run_txtap check -q --check 'load < 0%' "$DATA/demo_live.trx"
check "GitHub gets annotations by itself" says '::error title=load < 0%25::'

echo "# nothing to judge"
# in_files SENTENCE: succeeds if the files and the annotation of the last run have only an error with this sentence.
in_files() {
    says "::error title=events can be read::$1" || return 1
    sed 's/&#58;/:/g' "$WORK/summary.md" | grep_all -F "| error | <code>events can be read</code> | <code>$1" || { sed 's/^/# /' "$WORK/summary.md"; return 1; }
    has_xml || return 0
    [[ $(xpath 'concat(count(//testcase), " ", //testcase/@classname, " ", /testsuite/@errors)') == "1 txtap.target 1" ]] || return 1
    [[ $(xpath 'string(//testcase/error/@message)') == "$1"* ]] || { sed 's/^/# /' "$WORK/junit.xml"; return 1; }
}
# cannot STATUS SENTENCE ARGUMENT...: runs txtap check without the files of an earlier run.
cannot() {
    local status=$1 sentence=$2
    shift 2
    rm -f "$WORK/junit.xml" "$WORK/summary.md"
    run_txtap check -q --check 'lost == 0' "${FORMS[@]}" --annotations always "$@"
    check "status $status and the message" failed "$status" "$sentence"
    check "each form has the sentence" in_files "$sentence"
}
echo nothing >"$WORK/nothing"
cannot 1 "$WORK/absent.trx: No such file or directory" "$WORK/absent.trx"
cannot 3 "$WORK/nothing: no trace buffer" "$WORK/nothing"
free_port
cannot 4 "no server at 127.0.0.1:$PORT: Connection refused" --tcl "$PORT" "$DEMO"
rm -f "$WORK/junit.xml"
run_txtap check -q --check 'nothing == 0' --junit "$WORK/junit.xml" "$DATA/demo_live.trx"
check "after wrong usage there is no file" test ! -e "$WORK/junit.xml"

echo "# each defect of the demo"
CHECKS=$WORK/checks.txt
cat >"$CHECKS" <<'END'
total_events >= 1000
lost == 0
deadlock == 0
unbounded == 0
stack(*).free >= 10%
leak == 0
wake(*) < 20ms
isr(*).rate < 300/s
END
# trace_of DEFECT STOP_AFTER NAME: writes all events of a run to $WORK/NAME.trx. The run writes fewer events than the
# ring has slots, so no reader can lose an event.
trace_of() {
    start_board --set "demo_stop_after=$2" --set "demo_defect=$1" --qemu-arg=-icount --qemu-arg=shift=4,sleep=off "$DEMO"
    start_openocd
    await_stopped "$DEMO"
    run_txtap snapshot --tcl "$TCL_PORT" -q -o "$WORK/$3.trx" --strict "$DEMO"
    ((STATUS == 0)) || die "no snapshot: $(<"$ERR")"
    stop_all
}
# in_each_form PATTERN: succeeds if each form has a failed result that matches.
in_each_form() {
    grep -qE "^FAIL .*$1" "$OUT" || { sed 's/^/# /' "$OUT"; return 1; }
    grep -qE "^::error .*$1" "$OUT" || return 1
    if has_xml; then xpath '//failure/@message' | sed "s/&apos;/'/g" | grep_all -E "$1" || return 1; fi
    sed -e 's/&#95;/_/g' "$WORK/summary.md" | grep_all -E "^[|] FAIL .*$1" || return 1
    if [[ ${PAGE[*]} ]]; then setup_of "$WORK/page.html" | jq -r '.checks[] | select(.verdict == "failed") | .text' | grep_all -E "$1" || return 1; fi
}
EVENT='event [0-9]+ at [0-9.]+ s'
# finds DEFECT SENTENCE PATTERN
finds() {
    trace_of "$1" 1800 "defect$1"
    rm -f "$WORK/summary.md"
    run_txtap check -q --hz 1M --checks "$CHECKS" --annotations always "${FORMS[@]}" "${PAGE[@]}" "$WORK/defect$1.trx"
    check "$2: exit code 6" is "$STATUS" 6
    check "each form names it" in_each_form "$3"
}
finds 1 "a deadlock" "(left|right) waits for mutex (first|second), held by (left|right) since event [0-9]+; (left|right) waits for mutex (first|second), held by (left|right) since event [0-9]+; they wait for ever; closed by $EVENT"
finds 2 "an unbounded inversion" "high waited for mutex shared, held by low, while middle ran for [0-9.]+ms in all; the longest wait lasted until $EVENT"
finds 3 "a stack that is nearly full" "5[.][0-9]*%(25)? of deep, $EVENT.*: [0-9]+ of 8192 bytes were free"
finds 4 "a leak" "pool leak pool: [0-9]+ blocks not released, most of them by leaky; $EVENT"
finds 5 "a late thread" "25[.][0-9]* ms of punctual until chosen, $EVENT"
finds 6 "an interrupt storm" "/s of interrupt 23.*the maximum is (at least )?[0-9.]+ us, $EVENT"

echo "# an older trace"
trace_of 0 1800 new
trace_of 0 1200 old
run_txtap check -q --hz 1M --checks "$CHECKS" "$WORK/new.trx"
check "without a defect every check holds" is "$STATUS $(grep -c '^ok ' "$OUT")" "0 8"
run_txtap check -q --hz 1M --baseline "$WORK/old.trx" "$WORK/new.trx"
check "two runs of a firmware do not differ" is "$STATUS" 0
check "in at most three lines" test "$(wc -l <"$OUT")" -le 3
run_txtap check -q --hz 1M --baseline "$WORK/new.trx" "$WORK/old.trx"
check "nor in the other order" is "$STATUS" 0
run_txtap check -q --hz 1M --baseline "$WORK/old.trx" "$WORK/defect5.trx" --junit "$WORK/junit.xml"
check "a thread that takes the processor does" is "$STATUS" 6
check "the lines name the worse figure" grep -qE '^ +worse: ' "$OUT"
check "and the new threads" grep -qE '^ +new threads: .*hog' "$OUT"
check "in at most twenty lines" test "$(wc -l <"$OUT")" -le 20
if has_xml; then
    check "JUnit's file has them, too" grep -q 'new threads: .*hog' <(xpath 'string(//testcase[@classname="txtap.baseline"]/failure)')
fi
run_txtap check -q --hz 1M --baseline "$WORK/defect5.trx" "$WORK/old.trx"
check "threads that are gone are named" grep -qE '^ +gone threads: .*hog' "$OUT"
"$BUILD/capture/txtap" report -q --hz 1M -f json "$WORK/old.trx" >"$WORK/old.json"
run_txtap check -q --hz 1M --baseline "$WORK/old.json" "$WORK/new.trx"
if grep -q 'built without jansson' "$ERR"; then
    skip "a saved report is an older trace, too" "built without jansson (Debian: libjansson-dev)"
else
    check "a saved report is an older trace, too" is "$STATUS" 0
fi
run_txtap check -q --hz 1M --baseline "$WORK/nowhere" "$WORK/new.trx"
check "a missing older trace is an error" failed 1 'nowhere'
check "with a line" grep -qE '^error +baseline nowhere .*nowhere: No such file' "$OUT"

echo "# a running target"
start_board --set demo_hold=1 --set demo_stop_after=1800 --set demo_defect=2 --qemu-arg=-icount --qemu-arg=shift=4,sleep=on "$DEMO"
start_openocd
start_txtap check --tcl "$TCL_PORT" --seconds 1h --check 'total_events >= 1' --check 'unbounded == 0' "${FORMS[@]}" "${PAGE[@]}" -o "$WORK/run.rec" "$DEMO"
attached "$TXTAP_PID" "$ERR"
release "$DEMO"
await_stopped "$DEMO"
await "$TXTAP_PID" has_all "$WORK/run.rec" "$(ELF=$DEMO value demo_events_written)" || die "run.rec does not have all events"
end_txtap INT
[[ $STATUS == 6 ]] || sed "s,^,# ," "$ERR"
check "the defect is found in one call: exit code 6" is "$STATUS" 6
matches() { grep -qE "$1" "$OUT" || { sed 's/^/# /' "$OUT"; return 1; }; }
check "with its threads" matches "^FAIL +unbounded == 0 .*high waited for mutex shared, held by low, while middle( and [0-9]+ others?)? ran for"
run_txtap check -q --check 'unbounded == 0' "$WORK/run.rec"
check "the recording has the same result" matches "^FAIL +unbounded == 0 .*high waited for mutex shared"
if [[ ${PAGE[*]} ]]; then
    check "the page has the events and the result" is_true <(setup_of "$WORK/page.html") '.format == "recording" and
        .bytes > 1000 and (.checks | map(.verdict) == ["ok", "failed"]) and .checks[1].event > 0 and .files == []'
    mkdir "$WORK/temporary"
    TMPDIR=$WORK/temporary run_txtap check -q --tcl "$TCL_PORT" --seconds 100ms --check 'total_events >= 1' "${PAGE[@]}" "$DEMO"
    check "the temporary recording is removed" is "$STATUS $(find "$WORK/temporary" -type f | wc -l)" "0 0"
fi
stop_all

echo "# a board that records nothing"
start_board --set demo_hold=1 "$DEMO"
start_openocd
run_txtap check -q --new --tcl "$TCL_PORT" --seconds 100ms --junit "$WORK/junit.xml" "$DEMO"
check "no event: exit code 6" is "$STATUS" 6
check "the line says so" grep -qE '^FAIL +total_events >= 1 +0: no event arrived' "$OUT"
check "the other checks of events are unknown" is "$(grep -c '^unknown .* no event arrived' "$OUT")" 3
check "the kernel tells the stacks" grep -qE '^ok +stack\(\*\)\.free >= 10%' "$OUT"
e2e_end
