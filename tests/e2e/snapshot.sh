#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the copies of txtap snapshot on the virtual board. A copy of a ring at rest must equal the memory, byte for
# byte. A copy of a ring in use must be consistent. No file may be overwritten or left incomplete.
# usage: snapshot.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
source "$(dirname "${BASH_SOURCE[0]}")/snapshot_lib.sh"

header_address() {
    word "$(symbol "$1" _tx_trace_header_ptr)"
}

dump() { # FILE: writes the trace buffer to FILE, as OpenOCD reads it
    ocd "dump_image $1 $ADDRESS $TOTAL" >/dev/null
}

# ---- a ring at rest ----

for stop_after in 3000 200; do
    echo "# at rest after $stop_after events"
    rm -f "$SHOT"
    start_board --set demo_stop_after=$stop_after "$DEMO"
    start_openocd
    await_stopped "$DEMO"
    ADDRESS=$(header_address "$DEMO")
    audit_now
    RAM_BYTES=$(audit .reads.ram.bytes) FLASH_BYTES=$(audit .reads.flash.bytes)
    run_txtap snapshot --tcl "$TCL_PORT" -o "$SHOT" --strict --stats-json "$STATS" "$DEMO"
    check "it succeeds, with --strict too" is "$STATUS" 0
    audit_now
    RAM_BYTES=$(($(audit .reads.ram.bytes) - RAM_BYTES)) FLASH_BYTES=$(($(audit .reads.flash.bytes) - FLASH_BYTES))
    check "one line says what it did" one_line_matching "$ERR" "one.trx: [0-9]* events, $TOTAL bytes; [0-9]* bytes read"
    check "stdout stays empty" test ! -s "$OUT"
    dump "$WORK/ram.bin"
    check "header and registry are the target's, byte for byte" cmp -n $HEADER_AND_REGISTRY "$SHOT" "$WORK/ram.bin"
    check "and the ring, and nothing follows" cmp "$SHOT" "$WORK/ram.bin"
    echo "# $RAM_BYTES bytes read for $TOTAL"
    check "at most 1.2 times its size was read" test $((RAM_BYTES * 10)) -le $((TOTAL * 12))
    check "and stats-json says how much" is "$(jq .bytes_read "$STATS")" $((RAM_BYTES + FLASH_BYTES))
    decoded_events "$SHOT" "$DEMO" >"$WORK/shot.events" || true
    SHOT_EVENTS=$(wc -l <"$WORK/shot.events")
    # A tail leaves out the slot that the writer may be writing: in a full ring, the slot of the oldest event. So a
    # tail has one event less than a snapshot, and the tail's numbers and ticks begin at another event. On a busy host
    # the demo fills the ring before it notices that it must stop.
    TAIL_EVENTS=$((SHOT_EVENTS - (SHOT_EVENTS >= 465 ? 1 : 0)))
    tail_rest $TAIL_EVENTS --tcl "$TCL_PORT" -q --format jsonl "$DEMO"
    grep '"type":"event"' "$OUT" >"$WORK/tail.events"
    canonical='[inputs | del(.seq)] | .[-464:] | (.[0].ticks) as $begin | map(.ticks -= $begin) | .[]'
    check "a tail has the same number of events" is "$(wc -l <"$WORK/tail.events")" $TAIL_EVENTS
    check "and the same in all words, names and fields" cmp -s \
        <(jq -nc "$canonical" "$WORK/tail.events") <(jq -nc "$canonical" "$WORK/shot.events")
    check "there are enough of them" test "$SHOT_EVENTS" -ge $((stop_after > 465 ? 465 : 190))
    if ((stop_after == 200)); then break; fi
    stop_all
done

echo "# files"
cp "$SHOT" "$WORK/before"
run_txtap snapshot --tcl "$TCL_PORT" -o "$SHOT" "$DEMO"
check "a second run refuses: status 1" is "$STATUS" 1
check "with the reason and an alternative" one_line_matching "$ERR" "one.trx: file exists: .*--force"
check "and does not change the file" cmp "$SHOT" "$WORK/before"
echo "old" >"$SHOT"
run_txtap snapshot --tcl "$TCL_PORT" -o "$SHOT" --force -q "$DEMO"
check "--force overwrites" is "$STATUS $(stat -c %s "$SHOT")" "0 $TOTAL"
check "with the same bytes as before" cmp "$SHOT" "$WORK/before"
check "-q says nothing" test ! -s "$ERR"
check "there is no other file" alone_in_its_directory one.trx
run_txtap snapshot --tcl "$TCL_PORT" -o - -q "$DEMO"
check "-o - writes it to stdout" cmp "$OUT" "$WORK/before"
run_txtap snapshot --tcl "$TCL_PORT" -o "$WORK/none/one.trx" "$DEMO"
check "into a missing directory: status 1" is "$STATUS" 1
check "and one line" one_line_matching "$ERR" "none/one.trx: cannot be written: No such file or directory"
run_txtap snapshot --tcl "$TCL_PORT" -o "$SHOT/one.trx" "$DEMO"
check "below a file: status 1" is "$STATUS" 1
check "and one line with the reason" one_line_matching "$ERR" "cannot be written: Not a directory"
run_txtap snapshot --tcl "$TCL_PORT" -o "$WORK/shots" "$DEMO"
check "a directory as the file: status 1" is "$STATUS" 1
check "and one line that says that it is a directory" one_line_matching "$ERR" "shots: cannot be written: Is a directory"
mkfifo "$WORK/pipe"
cat "$WORK/pipe" >"$WORK/piped" &
READER=$!
run_txtap snapshot --tcl "$TCL_PORT" -o "$WORK/pipe" --force -q "$DEMO"
wait "$READER"
check "a pipe is written to, not replaced" test "$STATUS" = 0 -a -p "$WORK/pipe"
check "and gets the whole file" cmp "$WORK/piped" "$WORK/before"
run_txtap snapshot --tcl "$TCL_PORT" -o /dev/full -q "$DEMO"
check "a full device: status 1, and it is still a device" test "$STATUS" = 1 -a -c /dev/full
check "and one line says so" one_line_matching "$ERR" "^txtap: /dev/full: cannot be written: No space left on device"
check "failures left no file behind" alone_in_its_directory one.trx
run_txtap snapshot --tcl "$TCL_PORT" "$DEMO"
check "without -o it is a usage error: status 2" is "$STATUS" 2
stop_all

# ---- a ring in use ----

echo "# while the target runs"
# At this rate a lap takes a second. So txtap can copy the ring even if the host stops it for almost a second.
start_board --rate 400 "$DEMO"
start_openocd
await "$OPENOCD_PID" has_risen "$(symbol "$DEMO" demo_events_written)" 1000 || die "the firmware writes no events"
for turn in 1 2 3; do
    run_txtap snapshot --tcl "$TCL_PORT" -o "$SHOT" --force -q --stats-json "$STATS" "$DEMO"
    decoded_events "$SHOT" >"$EVENTS" || true
    check "copy $turn is there" is "$STATUS" 0
    check "as large as the buffer, or it is reported" whole_or_reported
    check "its events and their ledger are consecutive" ledger "$EVENTS"
    check "without a gap or a hole" is "$STREAM_LOST $LEDGER_MISSING" "0 0"
    check "all that fit into the file, except one" test "$STREAM_EVENTS" -ge \
        $((($(stat -c %s "$SHOT") - HEADER_AND_REGISTRY) / 32 - 1))
    check "no event comes from a slot that was never written" is "$(grep -c '"thread":null.*"id":0,' "$EVENTS")" 0
done
audit_now
check "nothing was written, halted, resumed, stepped or reset" is "$(audit \
    '[.halts, .resumes, .steps, .resets, .writes.ram.count, .writes.peripheral.count, .writes.system.count] | add')" 0
stop_all

e2e_end
