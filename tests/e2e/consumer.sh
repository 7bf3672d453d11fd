#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap tail and txtap record with readers of their output that are slow or gone, a full disk, a renamed file,
# and signals.
#   consumer.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
PATIENT=(--timeout 1min)
DEMO=$FIRMWARE/demo.elf
TXTAP=$BUILD/capture/txtap
EVENTS=$WORK/events.jsonl
start_board --rate 4000 "$DEMO"
start_openocd

WRITTEN=$(symbol "$DEMO" demo_events_written)
# more_written COUNT: waits until the firmware has written COUNT more events.
more_written() { await "$OPENOCD_PID" has_risen "$WRITTEN" $(($(word "$WRITTEN") + $1)); }
# is_full: succeeds if the buffer is full: txtap then counts no more events, although the target keeps writing.
is_full() {
    local before
    before=$(events_so_far)
    more_written 2000
    [[ $(events_so_far) == "$before" ]]
}
# events_so_far: prints the number of events in the summary that SIGUSR1 requests.
events_so_far() {
    local asked
    asked=$(summaries)
    kill -USR1 "$TXTAP_PID"
    await "$TXTAP_PID" has_summaries $((asked + 1)) || die "SIGUSR1 prints no summary"
    sed -n 's/^txtap: \([0-9]*\) events in .*/\1/p' "$WORK/err" | tail -n 1
}
summaries() { grep -c '^txtap: [0-9]* events in ' "$WORK/err" || true; }
has_summaries() { (($(summaries) >= $1)); }
# stalled CONDITION OPTION...: runs a tail of 14000 events whose reader begins only when CONDITION is true. The events
# are in $EVENTS, the messages in $WORK/err; sets STATUS.
stalled() {
    local condition=$1 reader
    shift
    rm -f "$WORK/pipe" "$WORK/err" # messages of an earlier run must not count
    mkfifo "$WORK/pipe"
    "$TXTAP" tail --tcl "$TCL_PORT" --format jsonl --limit 14000 "$@" "$DEMO" >"$WORK/pipe" 2>"$WORK/err" </dev/null &
    TXTAP_PID=$!
    E2E_PIDS+=("$TXTAP_PID")
    { $condition && cat; } <"$WORK/pipe" >"$EVENTS" &
    reader=$!
    STATUS=0
    wait "$TXTAP_PID" || STATUS=$?
    wait "$reader" || true
    forget "$TXTAP_PID"
}
sixteen_thousand_written() { more_written 16000; }
buffer_full() {
    await "$TXTAP_PID" grep -q '^txtap: attached to ' "$WORK/err" && await "$TXTAP_PID" is_full
}
lost() { jq -s 'map(select(.type == "gap") | .lost) | add // 0' "$EVENTS"; }
ends_with_a_line() { [[ $(tail -c 1 "$1" | od -An -tx1) == " 0a" ]]; }

echo "# a reader that sleeps"
stalled sixteen_thousand_written
echo "# $(lost) events lost to a host that was busy"
check "loses no event" is "$(grep -c 'not read fast enough' "$WORK/err")" 0
check "events read while it slept are there" test "$(wc -l <"$EVENTS")" -ge 14000
check "all of them are there" ledger "$EVENTS"
stalled buffer_full --buffer 1M --stats-json "$WORK/stats"
check "what its buffer cannot hold is a gap" test "$(lost)" -gt 1000
check "at its place, and the other events are complete" ledger "$EVENTS"
check "and is reported" grep -q 'not read fast enough' "$WORK/err"
check "the statistics count it as lost" is "$(jq .lost "$WORK/stats")" "$(lost)"
stalled buffer_full --buffer 1M --strict
check "with --strict that is exit code 5" is "$STATUS" 5

echo "# a recording into a pipe whose reader is stopped"
# recorded CONDITION OPTION...: records into a pipe to a `cat` that is stopped until CONDITION is true. Then decodes
# the recording to $EVENTS.
recorded() {
    local condition=$1 reader
    shift
    rm -f "$WORK/pipe" "$WORK/rec" "$WORK/err"
    mkfifo "$WORK/pipe"
    cat "$WORK/pipe" >"$WORK/rec" &
    reader=$!
    E2E_PIDS+=("$reader")
    "$TXTAP" record --tcl "$TCL_PORT" --stats-json "$WORK/stats" "$@" -o - "$DEMO" >"$WORK/pipe" 2>"$WORK/err" </dev/null &
    TXTAP_PID=$!
    E2E_PIDS+=("$TXTAP_PID")
    await "$TXTAP_PID" test -s "$WORK/rec" || true
    kill -STOP "$reader"
    $condition
    SIZE_MEANWHILE=$(stat -c %s "$WORK/rec") RSS_KB=$(awk '/^VmRSS/ { print $2 }' "/proc/$TXTAP_PID/status")
    kill -CONT "$reader"
    more_written 4000
    end_txtap INT
    wait "$reader" 2>/dev/null || true
    forget "$reader"
    # --hz: decode would say that a rate is measured
    "$TXTAP" decode --hz 1M --format jsonl "$WORK/rec" >"$EVENTS" 2>"$WORK/decode.err"
}
# Checks that the recording has every event that was read, and gaps for all other events. The sum of events and lost
# events must equal the target's own count.
adds_up() {
    ledger "$EVENTS" && is "$STREAM_EVENTS $STREAM_LOST" "$(jq -r '"\(.events) \(.lost)"' "$WORK/stats")" &&
        is "$((STREAM_EVENTS + STREAM_LOST))" "$((STREAM_END - STREAM_FIRST))" && [[ ! -s $WORK/decode.err ]]
}
eighteen_thousand_written() { more_written 18000; }
recorded eighteen_thousand_written
echo "# $SIZE_MEANWHILE bytes were read when it stopped, $(stat -c %s "$WORK/rec") in the end; $RSS_KB KiB of memory"
echo "# $(lost) events lost to a host that was busy"
check "loses no event" is "$STATUS $(grep -c 'not written fast enough' "$WORK/err")" "0 0"
check "all of them are there" adds_up
check "most of them came while it was stopped" test $((STREAM_EVENTS + STREAM_LOST)) -gt 18000
if ! grep -q __asan_init "$TXTAP"; then # a sanitizer itself needs memory
    check "it uses only as much of its buffer as it needs" test "$RSS_KB" -lt 16000
fi
recorded buffer_full --buffer 1M
check "what its buffer cannot hold is a gap" test "$(lost)" -gt 1000
check "at its place, and the sums are right" adds_up
check "and is reported" grep -q 'standard output was not written fast enough: [0-9]* events lost' "$WORK/err"
check "and the ledger has no hole outside of gaps" test "$LEDGER_MISSING" -gt 0 -a "$LEDGER_MISSING" -le "$STREAM_LOST"

echo "# a reader that goes away"
status=0
"$TXTAP" tail -q --tcl "$TCL_PORT" "$DEMO" 2>"$WORK/err" | head -n 3 >"$WORK/out" || status=$?
check "is a normal end without a message" is "$status $(wc -l <"$WORK/out") $(wc -l <"$WORK/err")" "0 3 0"

echo "# a full disk"
status=0
(
    ulimit -f 200
    exec "$TXTAP" tail --tcl "$TCL_PORT" --format jsonl -q --force -o "$EVENTS" "$DEMO"
) 2>"$WORK/err" || status=$?
check "is reported" grep -q "$EVENTS: cannot be written: File too large" "$WORK/err"
check "in one line" is "$status $(wc -l <"$WORK/err")" "1 1"
check "what was written ends with a whole line" ends_with_a_line "$EVENTS"
check "and is a complete stream" ledger "$EVENTS"

echo "# signals in between"
rm -f "$EVENTS"
start_txtap tail --tcl "$TCL_PORT" --format jsonl -o "$EVENTS" "$DEMO"
await_lines "$EVENTS" 1
rm -f "$EVENTS"
kill -HUP "$TXTAP_PID"
await_lines "$EVENTS" 2000
mv "$EVENTS" "$EVENTS.1"
kill -USR1 "$TXTAP_PID"
check "SIGUSR1 prints the summary" await "$TXTAP_PID" grep -q ' events in .* lost$' "$ERR"
kill -HUP "$TXTAP_PID"
await_lines "$EVENTS" 2000
end_txtap INT
check "the end is normal" is "$STATUS" 0
check "SIGHUP starts a new file: the first is complete" ledger "$EVENTS.1"
end_of_first=$STREAM_END
check "the second has a header" is "$(jq -r .type "$EVENTS" | head -n 1)" header
check "and continues where the first ended" ledger "$EVENTS"
check "without a hole" is "$STREAM_FIRST" "$end_of_first"
start_txtap tail --tcl "$TCL_PORT" "$DEMO"
await_lines "$OUT" 100
end_txtap HUP
check "SIGHUP without a file is a normal end" is "$STATUS" 0
e2e_end
