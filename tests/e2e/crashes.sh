#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Crashes the firmware crash.elf, and compares txtap's core files with GDB, with OpenOCD's dump and with the firmware's
# sources. With "all" it also causes the faults that take longer.   usage: crashes.sh BUILD_DIRECTORY [all]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)
WHICH=${2:-short}

ELF=$FIRMWARE/crash.elf
[[ -f $ELF ]] || die "no $ELF: build the target crash_firmware first"
GDB=gdb-multiarch
SRAM=0x20000000 SRAM_BYTES=0x20000
CONSEQUENCES='[.halts, .resumes, .steps, .resets, .register_writes] | add'
POINTER=1 STACK=2 DIVISION=3 INSTRUCTION=4 INTERRUPT=5 RESET=6

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

start_running() { # [OPTION]...: starts a board, and waits until all threads have run
    start_board "$@" "$ELF"
    start_openocd
    rises_to demo_events_written 500
}

# The core file has RAM in one segment, at its end.
core_ram() { tail -c $((SRAM_BYTES)) "$1"; }
is_ram_of() { ocd "dump_image $WORK/ram.bin $SRAM $SRAM_BYTES" >"$WORK/ocd" && cmp <(core_ram "$1") "$WORK/ram.bin"; }

# ---- a core file while the firmware runs ----

echo "# running"
start_running
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
start_txtap tail --tcl "$TCL_PORT" --format jsonl -o "$WORK/late.jsonl" "$ELF"
await "$TXTAP_PID" grep -q '"type":"fault"' "$WORK/late.jsonl"
end_txtap INT
check "tail shows a fault from before it started" is "$(jq -r 'select(.type == "fault").text' "$WORK/late.jsonl")" \
    "HardFault, escalated: access failed (PRECISERR) at 0x70000000"
run_txtap decode "$WORK/fault.elf"
check "decode finds the ring in the core file" is "$STATUS" 0
check "its last events are those before the fault" grep -q 'next_thread=crasher' <(tail -n 1 "$OUT")
audit_now
check "the target was not disturbed" is "$(audit "$CONSEQUENCES")" 0
stop_openocd
stop_board

# ---- record --on-fault ----

# The files may be complete before the mark, which waits for all events that were written before it.
await_files() {
    await "$TXTAP_PID" grep -q 'txtap: .*: fault.txt, core.elf' "$ERR"
    await "$TXTAP_PID" grep -q '^txtap: fault: ' "$ERR"
}

# crash_and_record KIND [NAME=VALUE]...: starts a board with these variables and a recording, causes the fault, and waits
# until its files are written. Sets FAULT to their directory.
crash_and_record() {
    local kind=$1 set=()
    shift
    for variable in "$@"; do
        set+=(--set "$variable")
    done
    rm -rf "$WORK/faults" "$WORK/run.rec"
    start_running "${set[@]}"
    start_txtap record --tcl "$TCL_PORT" -o "$WORK/run.rec" --on-fault "$WORK/faults" --fault-limit 1 \
        --check 'faults == 0' "$ELF"
    attached "$TXTAP_PID" "$ERR"
    crash "$kind"
    await_files
    FAULT=$(echo "$WORK"/faults/*)
}
end_recording() {
    end_txtap INT
    check "the check 'faults == 0' has failed" is "$STATUS" 6
    audit_now
    check "the target was not disturbed" is "$(audit "$CONSEQUENCES")" 0
    stop_openocd
    stop_board
}
says() { grep -qE -- "$1" "$FAULT/fault.txt" || { cat "$FAULT/fault.txt"; return 1; }; }
mark_says() { grep -q "^txtap: fault: $1" "$ERR"; }

echo "# record --on-fault: a bad pointer"
crash_and_record $POINTER
check "the mark has the cause" mark_says 'HardFault, escalated: access failed (PRECISERR) at 0x70000000$'
check "the directory has the fault's time" grep -qE '/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}\.[0-9]{3}Z$' <<<"$FAULT"
check "it has three files" is "$(ls "$FAULT" | tr '\n' ' ')" "core.elf events.trx fault.txt "
check "fault.txt names the function and its line" says 'pc   0x0800[0-9a-f]* crash_write.* \(main.c:[0-9]*\)'
check "and its caller" says 'lr   0x0800[0-9a-f]* crasher_entry.* \(main.c:[0-9]*\)'
check "and says why it is this frame" says 'its instruction explains the fault.*stack of thread .crasher.'
check "and which registers are unknown" says 'unknown: r4-r11'
check "and lists the other threads" says "'worker' at 0x.*, (sleep|ready), used at most"
check "the core file's RAM is the target's, byte for byte" is_ram_of "$FAULT/core.elf"
check "the limit is told" said 'faults: 1 directory, the limit'
end_recording
run_txtap decode "$FAULT/events.trx"
check "the last event is the last before the fault" grep -q 'next_thread=crasher' <(tail -n 1 "$OUT")
run_txtap decode "$WORK/run.rec"
check "the recording has the mark" grep -q -- '---  fault: HardFault' "$OUT"
check "after the last event" is "$(sed '1,/---  fault: HardFault/d' "$OUT" | event_lines)" 0
[[ $WHICH == all ]] || { e2e_end; exit; }

for fault in "$STACK crash_escalates=1 HardFault, escalated: .*(MSTKERR|DACCVIOL)" \
    "$DIVISION crash_escalates=0 UsageFault: division by 0 \(DIVBYZERO\)$" \
    "$INSTRUCTION crash_escalates=0 UsageFault: undefined instruction \(UNDEFINSTR\)$" \
    "$INTERRUPT crash_escalates=0 BusFault: access failed \(PRECISERR\) at 0x70000000$"; do
    read -r kind variable text <<<"$fault"
    echo "# record --on-fault: $text"
    crash_and_record "$kind" "$variable"
    check "the mark has the cause" grep -qE "^txtap: fault: $text" "$ERR"
    case $kind in
    "$STACK")
        check "no frame is claimed" says 'not found: no stack has a frame'
        check "but the callers are shown" says '^    0x0800[0-9a-f]* crash_recurse'
        ;;
    "$DIVISION") check "the function is found" says 'pc   0x0800[0-9a-f]* crash_divide' ;;
    "$INSTRUCTION") check "the function is found" says 'pc   0x0800[0-9a-f]* crasher_entry|pc   0x0800[0-9a-f]* crash' ;;
    "$INTERRUPT")
        check "the handler is found" says 'pc   0x0800[0-9a-f]* crash_write'
        check "it ran on the main stack" says 'stack of no thread'
        ;;
    esac
    check "the core file's RAM is the target's, byte for byte" is_ram_of "$FAULT/core.elf"
    end_recording
done

echo "# a reset by the firmware, and a fault after it"
start_running
start_txtap record --tcl "$TCL_PORT" -o "$WORK/reset.rec" --on-fault "$WORK/after" "$ELF"
attached "$TXTAP_PID" "$ERR"
crash $RESET
await "$TXTAP_PID" grep -q '^txtap: reset: ' "$ERR"
check "a reset by software is no fault" is "$(grep -c '^txtap: fault' "$ERR")" 0
crash $POINTER
await_files
check "the fault after it is reported once" is "$(grep -c '^txtap: fault: HardFault' "$ERR")" 1
check "and has one directory" is "$(ls "$WORK/after" | wc -l)" 1
end_txtap INT
check "the recording ends well" is "$STATUS" 0
stop_openocd
stop_board

echo "# a disk without room for core.elf"
start_running
ulimit -S -f 64
start_txtap record --tcl "$TCL_PORT" -o /dev/null --on-fault "$WORK/full" "$ELF"
ulimit -S -f unlimited
attached "$TXTAP_PID" "$ERR"
crash $POINTER
await "$TXTAP_PID" grep -q 'core.elf: .*File too large' "$ERR"
end_txtap INT
check "the recording continues and ends well" is "$STATUS" 0
check "the other files are complete" is "$(ls "$WORK"/full/* | tr '\n' ' ')" "events.trx fault.txt "
run_txtap decode "$WORK"/full/*/events.trx
check "with the last event" grep -q 'next_thread=crasher' <(tail -n 1 "$OUT")
check "a directory that cannot be created is an error" txtap_fails 1 '.*on-fault' record --tcl "$TCL_PORT" -o "$WORK/no.rec" \
    --on-fault /proc/none "$ELF"
check "so is memory in a file" txtap_fails 2 'needs a target that runs' record --image "$WORK/ram.bin@$SRAM" \
    -o "$WORK/no.rec" --on-fault "$WORK/no" "$ELF"
check "--on-fault needs an ELF file" txtap_fails 2 "needs the firmware's ELF file" record --tcl "$TCL_PORT" \
    -o "$WORK/no.rec" --on-fault "$WORK/no"
e2e_end
