#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Crashes the firmware crash.elf, and compares txtap's core files with GDB, with OpenOCD's dump and with the firmware's
# sources. With "all" it also causes the faults that take longer.   usage: crashes.sh BUILD_DIRECTORY [all]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
WHICH=${2:-short}

ELF=$FIRMWARE/crash.elf
[[ -f $ELF ]] || die "no $ELF: build the target crash_firmware first"
GDB=gdb-multiarch
SRAM=0x20000000 SRAM_BYTES=0x20000
CONSEQUENCES='[.halts, .resumes, .steps, .resets, .register_writes] | add'
POINTER=1 STACK=2 DIVISION=3 INSTRUCTION=4 INTERRUPT=5

in_gdb() { # CORE COMMAND...: prints what GDB prints
    local core=$1 commands=() command
    shift
    for command in "$@"; do
        commands+=(-ex "$command")
    done
    "$GDB" -q -batch -nx "${commands[@]}" "$ELF" "$core" >"$WORK/gdb.out" 2>"$WORK/gdb.err" </dev/null
    cat "$WORK/gdb.out"
}
gdb_says() { in_gdb "$1" "$2" | grep -qE -- "$3" || { tail -n 5 "$WORK/gdb.out"; return 1; }; }
crash() { ocd "mww $(symbol "$ELF" crash_kind) $1" >"$WORK/ocd"; }
has_fault() { (($(value demo_fault) != 0)); } # the firmware's handler has noted the fault

# The core file has RAM in one segment, at its end.
core_ram() { tail -c $((SRAM_BYTES)) "$1"; }
is_ram_of() { ocd "dump_image $WORK/ram.bin $SRAM $SRAM_BYTES" >"$WORK/ocd" && cmp <(core_ram "$1") "$WORK/ram.bin"; }

# ---- a core file while the firmware runs ----

echo "# running"
start_board "$ELF"
start_openocd
run_txtap snapshot --core --tcl "$TCL_PORT" -o "$WORK/running.elf" "$ELF"
check "snapshot --core succeeds" is "$STATUS" 0
check "and says what it wrote" said 'running.elf: 131072 bytes of RAM, registers of [0-9]* thread'
check "it does not overwrite a file" txtap_fails 1 'running.elf: .*exist' snapshot --core --tcl "$TCL_PORT" \
    -o "$WORK/running.elf" "$ELF"
check "it needs an ELF file" txtap_fails 2 "needs the firmware's ELF file" snapshot --core --tcl "$TCL_PORT" -o "$WORK/no.elf"
if command -v "$GDB" >/dev/null; then
    check "GDB shows the callers of a thread that sleeps" gdb_says "$WORK/running.elf" 'thread apply all bt' \
        'worker_entry \(argument=0x7\) at .*main.c'
    check "and a variable" gdb_says "$WORK/running.elf" 'print crash_number' '= 4711$'
else
    skip "core files in GDB" "$GDB is not installed"
fi

# ---- a core file in a fault handler ----

echo "# in a fault handler"
crash $POINTER
await "$BOARD_PID" has_fault
run_txtap snapshot --core --tcl "$TCL_PORT" -o "$WORK/fault.elf" "$ELF"
check "snapshot --core succeeds" is "$STATUS" 0
check "its RAM is the target's, byte for byte" is_ram_of "$WORK/fault.elf"
check "it says which registers are unknown" grep -aq "^LWP 1: thread 'crasher'; .*unknown and shown as 0: r4-r11" \
    "$WORK/fault.elf"
if command -v "$GDB" >/dev/null; then
    check "GDB shows the function that failed, and its arguments" gdb_says "$WORK/fault.elf" bt \
        '^#0 .*crash_write \(where=.*0x70000000, value=4711\) at .*main.c'
    check "and its caller" gdb_says "$WORK/fault.elf" bt 'crasher_entry'
    check "pc is the instruction that the handler has noted" gdb_says "$WORK/fault.elf" \
        'print $pc == demo_fault_address' '= 1$'
    check "all threads are there" is "$(in_gdb "$WORK/fault.elf" 'info threads' | grep -c '^[* ] [0-9] .*LWP')" 4
fi
run_txtap decode "$WORK/fault.elf"
check "decode finds the ring in the core file" is "$STATUS" 0
check "its last events are those before the fault" grep -q 'next_thread=crasher' <(tail -n 1 "$OUT")
audit_now
check "the target was not disturbed" is "$(audit "$CONSEQUENCES")" 0
e2e_end
