#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that txtap tail continues if OpenOCD is restarted, hangs or ends for good, if the trace is restarted or moves
# to another buffer, and if other firmware is flashed.
#   reconnect.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
DEMO=$FIRMWARE/demo.elf
EVENTS=$WORK/events.jsonl

# Starts a tail. Output of an earlier run must not count.
start_tail() {
    rm -f "$EVENTS"
    start_txtap tail --tcl "$TCL_PORT" "$@" --format jsonl --force -o "$EVENTS" "$DEMO"
    await_lines "$EVENTS" 500
}
mark() { is_true "$EVENTS" 'map(select(.type == $type)) | length == '"$2" -s --arg type "$1"; }
mark_at_least() { is "$(($(grep -c "\"type\":\"$1\"" "$EVENTS") >= $2))" 1; }
# Checks that the numbers of events and gaps are consecutive, whatever happened between them.
unbroken() {
    is_true "$EVENTS" 'map(select(.type == "event" or .type == "gap")) | . as $lines |
        [range(1; length) | select($lines[. - 1] as $before | $lines[.].seq != $before.seq + ($before.lost // 1)) |
            $lines[. - 1, .] | {seq, lost}] == []' -s
}

echo "# OpenOCD restarted"
inexact_gaps() {
    jq -c 'select(.type == "gap" and (.exact | not))' "$EVENTS" | wc -l
}
WRITTEN=$(symbol "$DEMO" demo_events_written)
start_board "$DEMO"
free_port
start_openocd -c "tcl_port $PORT"
start_tail
# After 4000 events the target's uptime is known well enough to prove later that the target was not reset.
await_more 4000
stop_openocd
await_marks detached 1
start_openocd -c "tcl_port $PORT"
await_marks attached 1
await_more 1000
end_load "$DEMO"
end_txtap INT
# Checks the size of the loss. If the target's uptime advanced as fast as this host's clock, the size must be exact.
# If the machine delayed the board, the uptime advanced more slowly. Then the size is "at least", and never larger
# than the number of missing events.
account_is_right() {
    local written
    written=$(word "$WRITTEN")
    if [[ $(inexact_gaps) == 0 ]]; then is "$STREAM_END" "$written"; else
        echo "# a busy machine: $STREAM_END of $written"
        ((STREAM_END <= written))
    fi
}
check "the end is a regular one" is "$STATUS" 0
check "it says that the connection broke" said 'detached: '
check "and that it was restored" said 'attached'
check "one detached mark" mark detached 1
check "one attached mark" mark attached 1
check "no reset" mark reset 0
check "all events are there, or counted" unbroken
check "and the ledger holds" ledger "$EVENTS"
check "the loss is exact, or marked as inexact" account_is_right
stop_openocd
stop_board

echo "# OpenOCD hung"
start_board "$DEMO"
start_openocd -c "tcl_port $PORT"
start_tail
kill -STOP "$OPENOCD_PID"
await_marks detached 1
kill -CONT "$OPENOCD_PID"
await_marks attached 1
await_more 1000
end_txtap INT
check "the end is a regular one" is "$STATUS" 0
check "it says that nothing answered" said 'detached: .*answer'
check "and that it is back" mark attached 1
check "all events are there, or counted" ledger "$EVENTS"

echo "# another client of OpenOCD: a halt at a breakpoint is reported, a reset is a reset"
start_tail
ocd halt >"$WORK/ocd"
await "$TXTAP_PID" said 'halted: the core is halted' || true
ocd resume >"$WORK/ocd"
await_more 2000
check "the halt is reported, and its end, once each" is "$(jq -r .type "$EVENTS" | grep -c -x 'halted\|running')" 2
check "its end comes before the next events" \
    is "$(jq -r 'select(.type != "gap").type' "$EVENTS" | grep -x -A 2 halted | tr '\n' ' ')" "halted running event "
check "there are no other marks" is "$(grep -c -v '"type":"\(event\|gap\|header\|object\|halted\|running\)"' "$EVENTS")" 0
reset_target
await_more 2000
reset_target
await_more 2000
end_txtap INT
check "the end is a regular one" is "$STATUS" 0
check "two resets are reported" resets_reported 2
check "and on standard error" said 'reset: the trace buffer was set up again'
check "the summary says what is unknown" said "events written around $(count_of reset) resets are unknown"
check "numbers go on" unbroken
check "time goes on, and the ledger holds between resets" ledger "$EVENTS"

echo "# without reconnection"
start_tail --no-reconnect
ocd 'reset run' >"$WORK/ocd"
end_txtap
check "a reset is the end" is "$STATUS" 1
check "and is reported" said 'set up again'
start_tail --no-reconnect
stop_openocd
end_txtap
check "the end of the server is the end" is "$STATUS" 4

echo "# Ctrl-C while nothing is there"
start_openocd -c "tcl_port $PORT"
start_tail
stop_openocd
await_marks detached 1
end_txtap INT
check "it ends normally" is "$STATUS" 0
audit_now
check "only the other client halted, resumed or stepped" is "$(audit '"\(.halts) \(.resumes) \(.steps)"')" "1 1 0"
check "and wrote only its three resets" is \
    "$(audit '.writes | "\([.ram, .flash, .peripheral, .fault] | map(.count) | add) \(.system.count)"')" "0 3"

echo "# other firmware, whose buffer is at another address; memory keeps the old content"
stop_openocd
stop_board
ELF=$WORK/firmware.elf # replaced, as by a build
cp "$DEMO" "$ELF"
start_board --control-port 0 --control-port-file "$WORK/control" "$DEMO"
start_openocd
rm -f "$EVENTS"
start_txtap tail --tcl "$TCL_PORT" --format jsonl --force -o "$EVENTS" "$ELF"
await_lines "$EVENTS" 4000
flash() {
    local answer
    exec {wire}<>"/dev/tcp/127.0.0.1/$(<"$WORK/control")"
    printf 'fault reflash=%s:0.1\n' "$1" >&"$wire"
    IFS= read -r -t "$E2E_PATIENCE_S" answer <&"$wire"
    exec {wire}>&-
    cp "$1" "$ELF.new"
    mv "$ELF.new" "$ELF"
    is "$answer" ok
}
check "other firmware is flashed" flash "$FIRMWARE/demo_moved.elf"
await_more 4000
check "and the first one again" flash "$DEMO"
await_more 4000
end_txtap INT
check "the end is a regular one" is "$STATUS" 0
check "it says twice that the buffer is elsewhere" mark moved 2
check "with the reason on standard error" said 'moved: other firmware was flashed'
check "numbers go on, and the ledger holds between them" ledger "$EVENTS"

echo "# the firmware enables its trace in another buffer, and in the first one again; the old one stays as it is"
stop_openocd
stop_board
start_board "$FIRMWARE/demo_roaming.elf"
start_openocd
rm -f "$EVENTS"
start_txtap tail --tcl "$TCL_PORT" --format jsonl --force -o "$EVENTS" "$FIRMWARE/demo_roaming.elf"
await_lines "$EVENTS" 500
await_marks moved 2
await_more 1000
end_txtap INT
check "the end is a regular one" is "$STATUS" 0
check "it went there and back" mark_at_least moved 2
check "with the reason on standard error" said 'moved: the firmware records into another buffer'
check "the connection stayed" mark detached 0
check "numbers go on" unbroken
check "and the ledger holds between the buffers" ledger "$EVENTS"
e2e_end
