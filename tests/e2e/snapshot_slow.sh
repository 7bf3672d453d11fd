#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap snapshot when the target writes faster than the probe reads: the file has consecutive events, and a
# message reports the missing part, or there is no file.   usage: snapshot_slow.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
source "$(dirname "${BASH_SOURCE[0]}")/snapshot_lib.sh"

echo "# a target that outruns the probe"
start_board --probe stlink-v2 --rate 6000 "$DEMO"
start_openocd
await "$OPENOCD_PID" has_risen "$(symbol "$DEMO" demo_events_written)" 1000 || die "the firmware writes no events"
run_txtap snapshot --tcl "$TCL_PORT" -o "$SHOT" --force -q --strict --stats-json "$STATS" "$DEMO"
size_fits() { # a whole ring has a fixed size, although the writer may be using one slot
    local size
    size=$(stat -c %s "$SHOT")
    is "$size" $((size < TOTAL ? HEADER_AND_REGISTRY + 32 * STREAM_EVENTS : TOTAL))
}
check_part() {
    check "it still gets a file" test -s "$SHOT"
    check "and reads no more than 34 times its size" test "$(jq .bytes_read "$STATS")" -le $((34 * TOTAL))
    check "and says whether it is the whole ring, with -q too" whole_or_reported
    check "and --strict makes a part of it status 5" is "$STATUS" $(($(stat -c %s "$SHOT") < TOTAL ? 5 : 0))
    decoded_events "$SHOT" >"$EVENTS" || true
    check "it has consecutive events" ledger "$EVENTS"
    echo "# $STREAM_EVENTS events"
    check "and consecutive ledger numbers" is "$LEDGER_MISSING" 0
    check "and its size is what its header says" size_fits
}
# If, during each read of the copy, the host stops for longer than the ring lasts, txtap writes no file and reports
# this.
if [[ $STATUS == 1 ]] && grep -q 'faster than one event of it can be read' "$ERR"; then
    skip "it still gets a file" "this host did not read one event in time"
else
    check_part
fi
rm -f "$SHOT"
for server in running stopped; do # a stopped server does not answer, so Ctrl-C interrupts a read
    audit_now
    RAM_BYTES=$(audit .reads.ram.bytes)
    copies() { audit_now && (($(audit .reads.ram.bytes) > RAM_BYTES + TOTAL / 4)); }
    start_txtap snapshot --tcl "$TCL_PORT" -o "$SHOT" "$DEMO"
    await "$TXTAP_PID" copies || true
    if [[ $server == stopped ]]; then kill -STOP "$OPENOCD_PID"; fi
    end_txtap INT
    kill -CONT "$OPENOCD_PID"
    # The copy takes about ten seconds. On a busy host it may be complete before the signal arrives.
    if [[ $STATUS == 0 && -s $SHOT ]]; then
        skip "Ctrl-C before it is complete, server $server" "the copy was complete before"
        rm -f "$SHOT"
        continue
    fi
    check "Ctrl-C before it is complete, server $server: status 1" is "$STATUS" 1
    check "one line says that nothing was written" one_line_matching "$ERR" "^txtap: interrupted: nothing was written"
    check "and nothing was" alone_in_its_directory ""
done
stop_all

echo "# a flood without a lap count"
FLOOD=$FIRMWARE/demo_overload_no_laps.elf
start_board --probe stlink-v2 "$FLOOD"
start_openocd
run_txtap snapshot --tcl "$TCL_PORT" -o "$SHOT" --force --stats-json "$STATS" "$FLOOD"
some_or_nothing() {
    if ((STATUS == 1)); then
        [[ ! -e $SHOT ]] &&
            one_line_matching "$ERR" "faster than one event of it can be read: nothing was written; .*probe$"
        return
    fi
    is "$STATUS" 0 && grep -q "the file has [1-9][0-9]* consecutive events* of the ring's" "$ERR"
}
check "no success without an event: none, and status 1, or how many of how many" some_or_nothing
stop_all

e2e_end
