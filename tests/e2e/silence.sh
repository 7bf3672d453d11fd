#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Silence has a reason, and txtap tells it: nobody there yet, a halted core, another firmware's ELF file.
#   silence.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
DEMO=$FIRMWARE/demo.elf

# How often the words stand on standard error.
count() { grep -c -- "$1" "$ERR" || true; }
said() { grep -q -- "$1" "$ERR"; }

echo "# nobody is there, and the waiting has an end"
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
check "a number of --wait's own goes before --seconds" is "$STATUS $(wc -l <"$ERR")" "4 2"
run_txtap tail --wait=never --tcl "$nobody" "$DEMO"
check "which has to be one" is "$STATUS" 2

start_board "$DEMO"
free_port
GDB_PORT_NUMBER=$PORT
start_openocd -c "gdb_port $GDB_PORT_NUMBER"

echo "# a server without a trace buffer"
run_txtap tail --wait=0.3 --address 0x20001000 --tcl "$TCL_PORT" "$DEMO"
check "the end is another one: 3" is "$STATUS $(count '^txtap: gave up after 0.3 s: no trace buffer at')" "3 1"

echo "# a halted core"
ocd halt >"$WORK/ocd"
halted='the core is halted (by a debugger?): no events until it runs on'
run_txtap info --seconds 0.2 --tcl "$TCL_PORT" "$DEMO"
check "info says why there is no event" grep -q "^silence  *$halted" "$OUT"
run_txtap tail --new --seconds 0.3 --tcl "$TCL_PORT" "$DEMO"
check "tail says it at once" is "$(count "^txtap: halted: $halted")" 1
check "and where the events would be" is "$(grep -c "$halted" "$OUT")" 1
run_txtap record --seconds 0.3 -o "$WORK/halted.rec" --tcl "$TCL_PORT" "$DEMO"
run_txtap decode -f csv "$WORK/halted.rec"
check "and so does a recording of it" is "$(grep -c "^halted,.*$halted" "$OUT")" 1
run_txtap tail --new --seconds 0.3 --gdb "$GDB_PORT_NUMBER" --tcl "$TCL_PORT" "$DEMO"
check "over GDB OpenOCD is asked as well" is "$(count "^txtap: halted: $halted")" 1
ocd resume >"$WORK/ocd"

e2e_end
