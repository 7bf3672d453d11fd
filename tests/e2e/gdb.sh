#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks GDB ports as memory sources: OpenOCD's port, which must never halt the virtual board, and QEMU's own stub,
# which stops its machine for a moment at each poll.
# usage: gdb.sh BUILD_DIRECTORY   (TXTAP_E2E_SECONDS: length of the long tail, 5)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
SECONDS_LONG=${TXTAP_E2E_SECONDS:-3}
EVENTS=$WORK/events.jsonl
STATS=$WORK/stats.json
CONSEQUENCES='[.halts, .resumes, .steps, .resets, .register_writes] | add'
WRITES='.writes | [.ram, .flash, .peripheral, .system, .fault] | map(.count) | add'

# Checks the last run: it ended with STATUS, and one line matches each pattern.
answers() { # STATUS PATTERN...
    local want=$1 pattern problem=""
    shift
    [[ $STATUS == "$want" ]] || problem+=" [status $STATUS, want $want]"
    [[ $(wc -l <"$ERR") == 1 ]] || problem+=" [$(wc -l <"$ERR") lines]"
    [[ ! -s $OUT ]] || problem+=" [something on stdout]"
    for pattern in "$@"; do
        grep -qE -- "$pattern" "$ERR" || problem+=" [no '$pattern']"
    done
    sed 's/^/# /' "$ERR"
    [[ ! $problem ]] || echo "#$problem"
    [[ ! $problem ]]
}

# serve [ARGUMENT]...: starts OpenOCD on the board, with a fixed number for its GDB port.
serve() {
    free_port
    start_openocd -c "gdb_port $PORT" "$@"
    GDB_PORT=$PORT
}

connections() {
    grep -c "accepting 'gdb' connection" "$OPENOCD_LOG" || true
}

untouched() {
    audit_now
    is "$(audit "$CONSEQUENCES") $(audit "$WRITES")" "0 0"
}

# ---- OpenOCD's GDB port, with the configuration in openocd-cfg ----

echo "# OpenOCD's GDB port, $SECONDS_LONG s"
start_board "$DEMO"
serve
await "$OPENOCD_PID" has_risen "$(symbol "$DEMO" demo_events_written)" 1000 || die "the firmware does not run"
run_txtap tail --gdb "$GDB_PORT" --tcl "$TCL_PORT" --seconds "$SECONDS_LONG" --format jsonl --force -o "$EVENTS" \
    --stats-json "$STATS" --strict "$DEMO"
sed "s/^/# /" "$ERR"
check "tail ends with status 0 if nothing was lost" no_unreported_loss
check "the stream is whole, in order, and the ledger in it" ledger "$EVENTS"
check "it has what the ring held, and more" test "$STREAM_EVENTS" -gt 465
check "the GDB port was used" test "$(connections)" -ge 1
# This check does not count the rate of the time stamps, and the advice if events were lost.
check "it prints only what it is attached to, and the summary" is "$(grep -vcE "^txtap: (losing events|time stamps): " "$ERR")" 2
echo "# $STREAM_EVENTS events, $(jq -c '[.polls, .requests, .bytes_read]' "$STATS") polls, requests, bytes"
run_txtap snapshot --gdb "$GDB_PORT" --tcl "$TCL_PORT" -o "$WORK/gdb.trx" "$DEMO"
check "snapshot writes its file" test "$STATUS" = 0 -a -s "$WORK/gdb.trx"
run_txtap decode --format jsonl --strict "$WORK/gdb.trx"
check "which decodes, with the ledger in it" ledger "$OUT"
run_txtap info --gdb "$GDB_PORT" --tcl "$TCL_PORT" "$DEMO"
check "info measures it" test "$STATUS" = 0 -a "$(grep -cE '^(gdb|server|rate|probe|laps) ' "$OUT")" = 5
run_txtap tail --gdb "$GDB_PORT" --tcl "$TCL_PORT" --limit 10 -q --scan --ram 0x20000000:256K
check "a search past the end of RAM finds the buffer" is "$STATUS $(event_lines "$OUT")" "0 10"
run_txtap tail --gdb "$GDB_PORT" --tcl "$TCL_PORT" --address 0x10000000
check "an address without memory is a fault, not zeros" answers 3 "refuses to be read at 0x10000000"
rm -f "$EVENTS"
start_txtap tail --gdb "$GDB_PORT" --tcl "$TCL_PORT" --format jsonl --force -o "$EVENTS" "$DEMO"
await_lines "$EVENTS" 1000
rm -f "$ERR" # the first client continues to write to the removed file, and the second client writes to a new file
run_txtap tail --gdb "$GDB_PORT" --tcl "$TCL_PORT" "$DEMO"
check "a second client is told that the port serves only one" answers 4 "closed the connection"
end_txtap INT
check "Ctrl-C ends the first with status 0" is "$STATUS" 0
check "and a complete stream" ledger "$EVENTS"
check "meanwhile nothing was halted, resumed, stepped, reset or written" untouched

echo "# OpenOCD goes away"
rm -f "$EVENTS"
start_txtap tail --no-reconnect --gdb "$GDB_PORT" --tcl "$TCL_PORT" --format jsonl --force -o "$EVENTS" "$DEMO"
await_lines "$EVENTS" 500
stop_openocd
end_txtap
check "status 4" is "$STATUS" 4
sed 's/^/# /' "$ERR"
check "and a line that says so" grep -q 'GDB server at .* closed the connection (exited or restarting)' "$ERR"
run_txtap tail --gdb "$GDB_PORT" --tcl "$TCL_PORT" "$DEMO"
check "without OpenOCD's Tcl port no connection is made" answers 4 "no server at 127.0.0.1:$TCL_PORT" "asked whether GDB port $GDB_PORT halts" "--intrusive"

# ---- OpenOCD's GDB port, configured in ways that would disturb the target ----

# refuses SENTENCE PATTERN [OPENOCD ARGUMENT]...: checks that txtap makes no connection, and that the board sees no
# access.
refuses() {
    local sentence=$1 pattern=$2
    shift 2
    serve "$@"
    run_txtap tail --gdb "$GDB_PORT" --tcl "$TCL_PORT" "$DEMO"
    check "$sentence: refused" answers 4 "$pattern"
    check "and no connection is made" is "$(connections)" 0
    check "and the board was not disturbed" untouched
    stop_openocd
}

echo "# configurations that would disturb the target"
refuses "OpenOCD's own gdb-attach" "would halt the target: add 'txtap.cpu configure -event gdb-attach \{echo attached\}'" \
    -c 'txtap.cpu configure -event gdb-attach {}'
refuses "a gdb-attach that resets" "runs 'reset init' \(gdb-attach\)" \
    -c 'txtap.cpu configure -event gdb-attach { reset init }'
refuses "a gdb-attach that hides a halt" "may disturb" \
    -c 'txtap.cpu configure -event gdb-attach { echo [halt] }'
refuses "a halt behind an echo" "may disturb" \
    -c 'txtap.cpu configure -event gdb-attach { echo attached; halt }'
refuses "a gdb-detach that resumes" "runs 'resume' \(gdb-detach\)" \
    -c 'txtap.cpu configure -event gdb-detach { resume }'
serve -c 'txtap.cpu configure -event gdb-attach { }' -c 'txtap.cpu configure -event gdb-detach { # nothing }'
run_txtap tail --gdb "$GDB_PORT" --tcl "$TCL_PORT" --limit 10 -q "$DEMO"
check "a handler of one blank is a handler" is "$STATUS $(event_lines "$OUT")" "0 10"
check "and halts nothing" untouched
free_port
run_txtap tail --gdb "$PORT" --tcl "$TCL_PORT" "$DEMO"
check "a port that is not this OpenOCD's" answers 4 "not one of its GDB ports \($GDB_PORT\)"
stop_openocd
start_openocd
run_txtap tail --gdb "$GDB_PORT" --tcl "$TCL_PORT" "$DEMO"
check "a port number that OpenOCD chose" answers 4 "set gdb_port to a number"
check "is not connected to" is "$(connections)" 0
stop_openocd
serve -c 'gdb_report_data_abort disable'
run_txtap tail --gdb "$GDB_PORT" --tcl "$TCL_PORT" "$DEMO"
check "an OpenOCD that answers zeros for what it cannot read" answers 4 "gdb_report_data_abort enable"
check "is not disturbed" untouched
run_txtap tail --gdb "$GDB_PORT" --intrusive "$DEMO"
check "--intrusive is not for OpenOCD" answers 4 "not QEMU's" "nothing was sent"
check "which has halted nothing" untouched
run_txtap tail --gdb "$GDB_PORT" --trust-gdb "$DEMO"
check "--trust-gdb does not make zeros true" answers 4 "gdb_report_data_abort enable"
stop_openocd
serve
run_txtap tail --gdb "$GDB_PORT" --trust-gdb --limit 10 "$DEMO"
check "--trust-gdb connects without asking OpenOCD" is "$STATUS $(event_lines "$OUT")" "0 10"
check "and says how it checked the core" grep -q -- "the core runs: DHCSR.S_HALT was 0 after txtap connected" "$ERR"
ocd_try 'bp 0x08000100 2 hw' >"$WORK/bp"
run_txtap tail --gdb "$GDB_PORT" --tcl "$TCL_PORT" "$DEMO"
check "breakpoints that a connection would remove" answers 4 "breakpoints or watchpoints"
ocd_try 'rbp all' >>"$WORK/bp"
check "nothing was halted meanwhile" is "$(audit_now; audit "$CONSEQUENCES")" 0
stop_openocd
stop_board

# ---- the same events as through the Tcl port ----

echo "# a ring at rest, and what a halt would look like"
start_board --set demo_stop_after=3000 "$DEMO"
serve
await_stopped "$DEMO"
tail_rest 464 --tcl "$TCL_PORT" -q --format jsonl "$DEMO"
cp "$OUT" "$EVENTS"
tail_rest 464 --gdb "$GDB_PORT" --tcl "$TCL_PORT" -q --format jsonl "$DEMO"
check "both ports give the same events" cmp "$EVENTS" "$OUT"
check "and there are enough of them" test "$(wc -l <"$EVENTS")" -gt 400
stop_openocd
# Checks the check above: if txtap had connected in the refused cases, the board would have counted a halt.
serve -c 'txtap.cpu configure -event gdb-attach {}'
run_txtap tail --gdb "$GDB_PORT" --trust-gdb --seconds 0.3 -q "$DEMO"
audit_now
check "a GDB port that halts does halt the target if it is trusted" test "$(audit .halts)" -ge 1
check "that is reported, and nothing more is read" answers 4 "has halted its target" "is still halted: 'resume' there"
check "which is true" is "$(ocd 'txtap.cpu curstate')" halted
stop_openocd
stop_board

# ---- QEMU's own stub ----

echo "# QEMU's stub"
free_port
STUB_PORT=$PORT
E2E_STARTS=$((E2E_STARTS + 1))
qemu-system-arm -M netduinoplus2 -kernel "$DEMO" -display none -serial null -monitor none \
    -gdb "tcp:127.0.0.1:$STUB_PORT" >"$WORK/qemu.log" 2>&1 &
STUB_PID=$!
E2E_PIDS+=("$STUB_PID")
stub_is_there() {
    grep -q ":$(printf %04X "$STUB_PORT") 00000000:0000 0A" /proc/net/tcp
}
await "$STUB_PID" stub_is_there || die "QEMU did not start: $(cat "$WORK/qemu.log")"
free_port
NOBODY=$PORT
run_txtap tail --gdb "$STUB_PORT" --tcl "$NOBODY" "$DEMO"
check "not without --intrusive" answers 4 "for QEMU's: --intrusive"
run_txtap tail --gdb "$STUB_PORT" --trust-gdb "$DEMO"
check "also not with --trust-gdb: txtap notices" answers 4 "stopped its target" "--intrusive"
run_txtap tail --gdb "$STUB_PORT" --intrusive --wait --limit 1500 --format jsonl --force -o "$EVENTS" --stats-json "$STATS" "$DEMO"
check "with --intrusive it tails" is "$STATUS" 0
sed 's/^/# /' "$ERR"
check "it says no rate of the ticks, which stand still meanwhile" is "$(jq -c '[.tick_hz, .tick_hz_low]' "$STATS")" '[null,null]'
check "it says at once that it stops the target, and for how long" grep -qE "intrusive: 127.0.0.1:$STUB_PORT stops .* [0-9.]+ ms" "$ERR"
check "and at the end how often" grep -qE "the target was stopped [0-9]+ times, for [0-9.]+ ms on average" "$ERR"
check "the stream is whole, in order, and the ledger in it" ledger "$EVENTS"
check "the machine ran between the polls" test "$STREAM_EVENTS" = 1500
run_txtap snapshot --gdb "$STUB_PORT" --intrusive -q -o "$WORK/qemu.trx" "$DEMO"
check "so does snapshot, and -q is quiet" test "$STATUS" = 0 -a ! -s "$ERR"
run_txtap tail --gdb "$STUB_PORT" --intrusive --address 0x10000000 "$DEMO"
check "an address without memory is a fault" answers 3 "refuses to be read at 0x10000000"
run_txtap info --gdb "$STUB_PORT" --intrusive -q "$DEMO"
check "info says why it measures no rate of the ticks" grep -q '^ticks  *rate not measured: the target is stopped' "$OUT"
check "it is still running after all that" grep -qE '^rate +[1-9][0-9]* events' "$OUT"
kill "$STUB_PID"
wait "$STUB_PID" 2>/dev/null || true
forget "$STUB_PID"
run_txtap tail --gdb "$STUB_PORT" --intrusive "$DEMO"
check "a stub that is gone" answers 4 "no GDB server at 127.0.0.1:$STUB_PORT: Connection refused"

e2e_end
