#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks an ST-Link that txtap shares with a debugger through stlink-server: the virtual board speaks the server's
# protocol, and an unmodified OpenOCD is the debugger. txtap alone enters and leaves debug mode; beside OpenOCD it changes
# nothing.   usage: stlink_server.sh BUILD_DIRECTORY
# TXTAP_E2E_SHARED_SECONDS (2): how long txtap reads beside OpenOCD without a loss.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
ELF=$FIRMWARE/demo.elf
EVENTS=$WORK/events.jsonl
STATS=$WORK/stats.json
READ_S=${TXTAP_E2E_SHARED_SECONDS:-2}
# Commands that enter or leave a mode, set a clock, write a register, or open or close an access port.
CHANGES='EXIT ENTER SWD_SET_FREQ SET_COM_FREQ INIT_AP CLOSE_AP_DBG WRITE_DAP_REG DFU SWIM'

start_server_board() {
    start_board --control-port 0 --control-port-file "$WORK/control" "$@" "$ELF"
    exec {WIRE}<>"/dev/tcp/127.0.0.1/$(<"$WORK/control")"
    VIA=(--stlink-server="$BOARD_PORT" --timeout 1min)
}
control() {
    local answer
    printf '%s\n' "$1" >&"$WIRE"
    IFS= read -r -t "$E2E_PATIENCE_S" answer <&"$WIRE"
    [[ $answer == ok* ]]
}
make() { control "fault $1"; }
sent() { audit_now; audit "[.commands.$1 // 0] | add"; }
# changes: prints how often each of CHANGES was sent.
changes() {
    audit_now
    audit "[.commands | .$(sed 's/ /, ./g' <<<"$CHANGES")] | map(. // 0) | join(\" \")"
}
writes() { audit_now; audit '.writes | map(.count) | add'; }
disturbed() { audit_now; audit '[.halts, .resumes, .steps, .resets] | add'; }
tcl() {
    local answer wire
    exec {wire}<>"/dev/tcp/127.0.0.1/$TCL_PORT"
    printf '%s\x1a' "$1" >&"$wire"
    IFS= read -r -t "$E2E_PATIENCE_S" -d $'\x1a' answer <&"$wire"
    exec {wire}>&-
    printf '%s\n' "$answer"
}
was_busy() { audit_now; (($(audit '[.faults[] | select(.kind == "busy") | .hits] | add // 0') > 1)); }
reports() { grep -q -E -- "$1" "$ERR"; }
start_tail() {
    rm -f "$EVENTS"
    start_txtap tail "${VIA[@]}" "$@" -f jsonl --force -o "$EVENTS" --stats-json "$STATS" "$ELF"
    await_lines "$EVENTS" 100
}
ends_well() {
    end_txtap INT
    check "$1: it ends normally" is "$STATUS" 0
    check "$1: nothing twice, torn or missing unreported" ledger "$EVENTS"
    echo "# $(sed -n 's/^txtap: \([0-9]* events in .*\)/\1/p' "$ERR")"
}

echo "# alone"
start_server_board --rate 500
run_txtap info "${VIA[@]}" --seconds 0.2 "$ELF"
check "info succeeds" is "$STATUS" 0
check "it names the server" eval "tr -s ' \n' ' ' <\"\$OUT\" | grep_all 'adapter the ST-Link of stlink-server at 127.0.0.1:$BOARD_PORT, firmware V2J37M26, driven directly'"
check "the core runs" eval "tr -s ' \n' ' ' <\"\$OUT\" | grep_all 'access port 0, core running'"
check "it entered debug mode once, and left it" is "$(sent ENTER) $(sent EXIT)" "1 1"
check "it wrote nothing, debug unit included" is "$(writes)" 0
start_tail
make busy:0.3
check "while the ST-Link is busy it asks again" await "$TXTAP_PID" was_busy
check "and goes on when the ST-Link is free" await_more 300
check "without losing the connection" is "$(count_of detached)" 0
ends_well alone
check "alone: no halt, resume, step or reset" is "$(disturbed)" 0
check "alone: no write at all" is "$(writes)" 0

echo "# beside OpenOCD"
start_openocd
BEFORE=$(changes) WRITTEN=$(writes)
run_txtap tail "${VIA[@]}" --seconds "$READ_S" --strict -f jsonl --force -o "$EVENTS" --stats-json "$STATS" "$ELF"
check "no loss is unreported" no_unreported_loss
check "every ledger number is there exactly once, or in a gap" ledger "$EVENTS"
echo "# $(sed -n 's/^txtap: \([0-9]* events in .*\)/\1/p' "$ERR")"
check "nothing was entered, left or set" is "$(changes)" "$BEFORE"
check "nothing was written" is "$(writes)" "$WRITTEN"
run_txtap info "${VIA[@]}" --speed 100 --seconds 0.1 "$ELF"
check "info says that it changed nothing" eval "tr -s ' \n' ' ' <\"\$OUT\" | grep_all 'the clock of the program that shares it: nothing was entered or set'"
check "the clock was not set" is "$(changes)" "$BEFORE"

start_tail
check "OpenOCD can halt the core" eval '[[ $(tcl "halt; wait_halt 60000; txtap.cpu curstate") == *halted* ]]'
check "read a register" eval '[[ $(tcl "reg pc") == *0x* ]]'
check "step" eval '[[ $(tcl "step; txtap.cpu curstate") == *halted* ]]'
tcl "resume; txtap.cpu curstate" >/dev/null
check "and after it resumes the core the events continue" await_more 200
audit_now
check "only OpenOCD halted the core" is "$(audit '[.halts, .resumes, .steps, .resets] | join(" ")')" "1 1 1 0"
check "it is still connected" is "$(count_of detached)" 0
BEFORE=$(changes)
stop_openocd
check "when OpenOCD has ended, it continues" await_more 200
start_openocd
check "when another OpenOCD begins, it continues" await_more 200
ends_well "beside OpenOCD"
stop_openocd

echo "# interruptions"
start_tail
make drop
await_marks attached 1
check "after a lost connection it continues" await_more 100
check "it says what is gone" reports 'detached: the ST-Link of stlink-server at 127.0.0.1:[0-9]* .*is gone: stlink-server ended, or the ST-Link was unplugged'
outage unplug
check "after the server ended and began again, it continues" await_more 100
outage power-cycle
check "after the target was switched off and on, it continues" await_more 100
ends_well interruptions
audit_now
check "interruptions: no write at all, but OpenOCD's" is "$(audit '[.write_list[] | .class] | unique | join(" ")')" debug
stop_board

echo "# a V3"
start_server_board --probe stlink-v3 --swd-khz 0 --command-us 0 --rate 500
run_txtap info "${VIA[@]}" --speed 10000 --seconds 0.1 "$ELF"
check "the fastest clock up to --speed is set" eval "tr -s ' \n' ' ' <\"\$OUT\" | grep_all 'firmware V3J10M3B2, driven directly, SWD at 8000 kHz'"
run_txtap tail "${VIA[@]}" --limit 500 --strict -f jsonl --force -o "$EVENTS" --stats-json "$STATS" "$ELF"
check "no loss is unreported" no_unreported_loss
check "every ledger number is there exactly once, or in a gap" ledger "$EVENTS"
check "short pieces are read with lists" test "$(sent RW_MISC_IN)" -gt 0
check "no write at all" is "$(writes)" 0
stop_board

echo "# without a server"
run_txtap info "${VIA[@]}" "$ELF"
check "it says that no server is there" is "$STATUS $(grep -c '^txtap: no stlink-server at 127.0.0.1:[0-9]*: Connection refused: start stlink-server' "$ERR")" "4 1"
run_txtap info --stlink-server=x/ --tcl 6666 "$ELF"
check "two servers exclude each other" is "$STATUS" 2
e2e_end
