#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that txtap reports why it shows no events: no server yet, a halted core, the ELF file of other firmware.
#   silence.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
DEMO=$FIRMWARE/demo.elf

# Prints the number of lines of standard error that match.
count() { grep -c -- "$1" "$ERR" || true; }

echo "# no server, and a limit for the wait"
free_port
nobody=$PORT
for command in "tail" "record -o $WORK/none.rec" "info"; do
    # shellcheck disable=SC2086
    run_txtap $command --wait --seconds 0.3 --tcl "$nobody" "$DEMO"
    check "${command%% *} --wait --seconds ends with 4" is "$STATUS $(count '^txtap: gave up after 0.3 s: no server at')" "4 1"
done
run_txtap snapshot --wait=0.3 -o "$WORK/none.trx" --tcl "$nobody" "$DEMO"
check "snapshot --wait=SECONDS ends with 4" is "$STATUS $(count '^txtap: gave up after 0.3 s: no server at')" "4 1"
run_txtap tail --wait=0.3 --seconds 60 --stats-json "$WORK/none.json" --tcl "$nobody" "$DEMO"
check "--wait=SECONDS has priority over --seconds" is "$STATUS $(wc -l <"$ERR")" "4 2"
run_txtap tail --wait=never --tcl "$nobody" "$DEMO"
check "its value must be a time" is "$STATUS" 2

start_board "$DEMO"
free_port
GDB_PORT_NUMBER=$PORT
start_openocd -c "gdb_port $GDB_PORT_NUMBER"

echo "# a server without a trace buffer"
run_txtap tail --wait=0.3 --address 0x20001000 --tcl "$TCL_PORT" "$DEMO"
check "ends with 3" is "$STATUS $(count '^txtap: gave up after 0.3 s: no trace buffer at')" "3 1"

echo "# a halted core"
ocd halt >"$WORK/ocd"
halted='the core is halted (by a debugger?): no events until it runs again'
run_txtap info --seconds 0.2 --tcl "$TCL_PORT" "$DEMO"
check "info says why there is no event" grep -q "^silence  *$halted" "$OUT"
says_halted() { grep -q "^txtap: halted: $halted" "$ERR"; }
start_txtap tail --new --tcl "$TCL_PORT" "$DEMO"
await "$TXTAP_PID" says_halted || true
end_txtap INT
check "tail says it" is "$STATUS $(count "^txtap: halted: $halted")" "0 1"
check "and in the place of the events" is "$(grep -c "$halted" "$OUT")" 1
start_txtap record -o "$WORK/halted.rec" --tcl "$TCL_PORT" "$DEMO"
await "$TXTAP_PID" says_halted || true
end_txtap INT
run_txtap decode -f csv "$WORK/halted.rec"
check "and so does a recording of it" is "$(grep -c "^halted,.*$halted" "$OUT")" 1
start_txtap tail --new --gdb "$GDB_PORT_NUMBER" --tcl "$TCL_PORT" "$DEMO"
await "$TXTAP_PID" says_halted || true
end_txtap INT
check "with --gdb OpenOCD is asked too" is "$(count "^txtap: halted: $halted")" 1
ocd resume >"$WORK/ocd"

echo "# an ELF file of other firmware"
moved=$FIRMWARE/demo_moved.elf
other='is not the firmware that the target runs (flash at 0x080[0-9a-f]* differs)'
run_txtap tail --seconds 0.3 --tcl "$TCL_PORT" "$moved"
check "is reported instead of a trace that is not enabled" is "$STATUS $(wc -l <"$ERR") $(count "^txtap: .*demo_moved.elf $other")" "3 1 1"
run_txtap tail --wait=0.3 --tcl "$TCL_PORT" "$moved"
check "also while waiting for it" is "$STATUS $(count "^txtap: waiting: .*$other")" "3 1"
run_txtap tail --scan --limit 10 --tcl "$TCL_PORT" "$moved"
check "--scan finds the buffer, and reports it too" is "$STATUS $(event_lines "$OUT") $(count "^txtap: .*$other: its symbols are not used")" "0 10 1"
run_txtap info --seconds 0.1 --tcl "$TCL_PORT" "$DEMO"
check "with the right one nothing is reported" is "$STATUS $(count "$other")" "0 0"

echo "# an ELF file that was built but not flashed yet, and a reset"
cp "$DEMO" "$WORK/built.elf"
start_txtap tail --tcl "$TCL_PORT" --format jsonl -o "$WORK/built" "$WORK/built.elf"
await_lines "$WORK/built" 500
cp "$moved" "$WORK/next.elf"
mv "$WORK/next.elf" "$WORK/built.elf"
ocd 'reset run' >"$WORK/ocd"
check "the reset is reported" await "$TXTAP_PID" said '^txtap: .*reset: '
check "and the running firmware is still read" await_lines "$WORK/built" $(($(wc -l <"$WORK/built") + 1000))
end_txtap INT
check "to a normal end" is "$STATUS $(count "$other")" "0 0"

echo "# several targets"
stop_openocd
start_openocd -c 'target create txtap.other cortex_m -endian little -dap txtap.dap -defer-examine; targets txtap.cpu'
run_txtap tail --limit 10 --tcl "$TCL_PORT" "$DEMO"
check "the current one is read, and all are named" is "$STATUS $(count '^txtap: OpenOCD has several targets (txtap.cpu txtap.other): txtap.cpu is read; --target')" "0 1"
run_txtap tail --limit 10 --target txtap.cpu --tcl "$TCL_PORT" "$DEMO"
check "if one was chosen nothing is reported" is "$STATUS $(count 'several targets')" "0 0"
run_txtap tail --target txtap.other --tcl "$TCL_PORT" "$DEMO"
check "the chosen one is used" is "$STATUS $(count 'target txtap.other is not examined')" "4 1"
run_txtap tail --wait --target nowhere --tcl "$TCL_PORT" "$DEMO"
check "a missing one is reported, and not waited for" is "$STATUS $(count 'no such target .*: txtap.cpu txtap.other$')" "2 1"
run_txtap tail --target '[halt]' --tcl "$TCL_PORT" "$DEMO"
check "an invalid name is not sent" is "$STATUS" 2
audit_now
check "nothing was written" is "$(audit '[.writes | .ram, .flash, .peripheral | .count] | add')" 0

e2e_end
