#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the commands of integrations/gdb in gdb-multiarch: on QEMU's own stub, and through OpenOCD on the virtual board.
# A snapshot of a halted target must be its memory, byte for byte, and the same as the snapshot of the program.
# usage: gdb.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
e2e_begin "$@"

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
if ! gdb-multiarch -batch -ex 'python pass' >/dev/null 2>&1; then
    skip "commands for GDB" "no gdb-multiarch with Python (Debian: gdb-multiarch)"
    e2e_end
fi

# in_gdb COMMAND...: runs the commands in GDB. Their output is in $OUT, and their errors are in $ERR.
in_gdb() {
    local command arguments=()
    OUT=$WORK/gdb.out ERR=$WORK/gdb.err
    for command in "$@"; do arguments+=(-ex "$command"); done
    timeout -k 5 "$E2E_RUN_S" gdb-multiarch -q -nx -batch -ex "source $E2E_ROOT/integrations/gdb/txtap-gdb.py" \
        -ex "set txtap program $BUILD/capture/txtap" "${arguments[@]}" >"$OUT" 2>"$ERR" </dev/null || true
}
shows() { grep -qE -- "$1" "$OUT" || { sed 's/^/# /' "$OUT" "$ERR"; return 1; }; }
complains() { grep -qE -- "$1" "$ERR" || { sed 's/^/# /' "$ERR"; return 1; }; }

echo "# QEMU's stub"
qemu-system-arm -M netduinoplus2 -display none -S -kernel "$DEMO" -chardev "socket,id=gdb,path=$WORK/stub,server=on,wait=off" \
    -gdb chardev:gdb >"$WORK/qemu.log" 2>&1 &
QEMU_PID=$!
E2E_PIDS+=("$QEMU_PID")
await "$QEMU_PID" test -S "$WORK/stub" || die "QEMU did not start"
# At the second breakpoint, the ring has wrapped: the thread `housekeeper` creates a semaphore each second.
in_gdb "file $DEMO" "txtap tail" "target remote $WORK/stub" "txtap snapshot $WORK/early.trx" \
    "hbreak kernel_semaphore_create if demo_events_written > 1000" continue \
    "txtap snapshot $WORK/one.trx" "txtap snapshot $WORK/one.trx" "txtap snapshot --force $WORK/one.trx" \
    "txtap snapshot $WORK/two.trx &demo_trace_buffer" "txtap snapshot $WORK/wrong.trx 0x20000100" "txtap snapshot" \
    "dump binary memory $WORK/memory _tx_trace_header_ptr _tx_trace_header_ptr->ring_end" \
    "set txtap decode-options --hz 1M --event=4096" 'echo BEGIN\n' "txtap tail 3" 'echo END\n' "txtap tail 0" "txtap tail many" \
    "txtap kernel" "txtap kernel 0x20000000:128K" "txtap kernel 0x20000000" "txtap kernel 0x20000000:64M" \
    "set txtap program $WORK/absent" "txtap tail" "disconnect"
check "a snapshot is the target's memory, byte for byte" cmp "$WORK/one.trx" "$WORK/memory"
check "the program says how much" shows "one.trx: 465 events, 16368 bytes"
check "an existing file is kept" complains "one.trx: file exists: .*--force"
check "and with --force overwritten" is "$(grep -c 'one.trx: 465 events' "$OUT")" 2
check "an expression can give the address" cmp "$WORK/two.trx" "$WORK/memory"
check "another address is no trace buffer" complains "no trace buffer at 0x20000100: give its address"
check "no file is wrong usage" complains "usage: txtap snapshot"
check "before the trace begins, there is no buffer" complains "no trace buffer: _tx_trace_header_ptr is 0"
check "and no file" test ! -e "$WORK/early.trx"
check "no target is an error" complains "GDB has no target: connect with"
"$BUILD/capture/txtap" decode -q --hz 1M --event=4096 "$WORK/memory" "$DEMO" | tail -n 3 >"$WORK/last"
check "tail shows the last events, with the options of decode" cmp "$WORK/last" <(sed -n '/^BEGIN$/,/^END$/{//!p}' "$OUT")
check "these are three" is "$(wc -l <"$WORK/last")" 3
check "0 is no number of events" complains "'0' is no number of events: 1 to 1000000"
check "nor is a word" complains "'many' is no number of events"
check "kernel shows threads with their stacks" shows '^  sampler +4 semaphore +sample ready +[0-9]+ +1024 '
check "also of a given RAM" is "$(grep -c '^  sampler ' "$OUT")" 2
check "a range needs a size" complains "'0x20000000' is no range: give START:SIZE"
check "which is limited" complains "67108864 bytes of RAM: at most 16 MiB"
check "a missing program is an error with the next step" complains "absent.*No such file.*set txtap program PATH"
stop_all

echo "# OpenOCD"
start_board --set demo_stop_after=3000 "$DEMO"
start_openocd
await_stopped "$DEMO"
run_txtap snapshot --tcl "$TCL_PORT" -q -o "$WORK/program.trx" "$DEMO"
ocd halt >"$WORK/ocd"
in_gdb "file $DEMO" "target extended-remote 127.0.0.1:$GDB_PORT" "txtap snapshot $WORK/halted.trx" "txtap tail 2" "txtap kernel" disconnect
check "a snapshot through OpenOCD is that of the program" cmp "$WORK/halted.trx" "$WORK/program.trx"
check "tail and kernel work, too" shows '^  reporter +16 '
ocd resume >"$WORK/ocd"
in_gdb "file $DEMO" "set txtap server --tcl $TCL_PORT" "txtap snapshot $WORK/server.trx" "txtap tail 2" "txtap kernel" \
    "set txtap server --tcl 1" "txtap tail 2" "set txtap server '" "txtap tail 2"
check "through a server, the target may run" cmp "$WORK/server.trx" "$WORK/program.trx"
check "for kernel, too" shows '^  reporter +16 '
check "a server that is absent is an error" complains "no server at 127.0.0.1:1"
check "so is a quote without end" complains "No closing quotation: 'set txtap server --tcl 6666'"
audit_now
check "nothing was written, and only this test has halted the target" is "$(audit \
    '[.halts, .steps, .resets, .writes.ram.count, .writes.flash.count, .writes.peripheral.count, .writes.system.count] | map(tostring) | join(" ")')" \
    "1 0 0 0 0 0 0"
e2e_end
