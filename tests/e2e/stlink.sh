#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks an ST-Link that txtap drives itself, on an emulated USB: the commands, faults of USB and of the wire, a target
# that loses power, and that the target is never written.   usage: stlink.sh BUILD_DIRECTORY [KIND]...
# KIND: stlink-v2-1, stlink-v3; both if none is given. TXTAP_E2E_STLINK_FAULTS (2): how often each fault is made.
# TXTAP_SEED chooses their places.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
KINDS=("${@:2}")
((${#KINDS[@]})) || KINDS=(stlink-v2-1 stlink-v3)
source "$(dirname "${BASH_SOURCE[0]}")/usb_lib.sh"
if [[ ! -x $USBPROBE || $(ldd "$BUILD/capture/txtap") != *libusb* ]]; then
    echo "SKIP: libumockdev-dev or libusb-1.0-0-dev is not installed: nothing of this was tested"
    exit 77
fi
# A sanitizer must be loaded before umockdev.
SANITIZER=$(ldd "$BUILD/capture/txtap" | sed -n 's/.*libasan[^ ]* => \([^ ]*\) .*/\1/p')
export ASAN_OPTIONS=detect_leaks=0
TIMES=${TXTAP_E2E_STLINK_FAULTS:-2}
SEED=${TXTAP_SEED:-$((RANDOM << 15 | RANDOM))}
RANDOM=$SEED
ELF=$FIRMWARE/demo.elf
EVENTS=$WORK/events.jsonl
TABLE=$E2E_ROOT/capture/probe/stlink/stlink_permitted.def

on_usb() {
    UNDER=("${OPENOCD_UNDER[@]}")
    if [[ $SANITIZER ]]; then UNDER=("${UNDER[@]/#LD_PRELOAD=/LD_PRELOAD=$SANITIZER:}"); fi
}
run_on_usb() {
    OUT=$WORK/out ERR=$WORK/err STATUS=0
    "${UNDER[@]}" timeout --foreground -k 5 "$E2E_RUN_S" "$BUILD/capture/txtap" "$@" >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
}
start_tail() {
    OUT=$WORK/out ERR=$WORK/err
    rm -f "$ERR" "$EVENTS"
    "${UNDER[@]}" "$BUILD/capture/txtap" tail --timeout 1min --probe -f jsonl --force -o "$EVENTS" "$ELF" >"$OUT" 2>"$ERR" </dev/null &
    TXTAP_PID=$!
    E2E_PIDS+=("$TXTAP_PID")
    await_lines "$EVENTS" 100
}
control() {
    local answer
    printf '%s\n' "$1" >&"$WIRE"
    IFS= read -r -t "$E2E_PATIENCE_S" answer <&"$WIRE"
    [[ $answer == ok* ]]
}
text_of() { tr -s ' \n' ' ' <"$1"; }

# Prints the commands that the board received and the table does not list. The table has other names for two commands.
unlisted() {
    audit_now
    comm -23 <(audit '.commands | keys[]' | sort) \
        <(sed -n 's/^STLINK_COMMAND(0x.., 0x.., \([A-Z0-9_]*\), .*/\1/p' "$TABLE" | sed 's/^\(DFU\|SWIM\)_EXIT$/\1/' | sort)
}

# usb_faults KIND: each fault of USB from which txtap must recover without a word.
usb_faults() {
    local fault i hits
    for fault in stall short timeout wrong; do
        for ((i = 0; i < TIMES; i++)); do
            hits=$(usb_state "$fault")
            usb "fault $fault@$((RANDOM % 40))" >/dev/null
            await "$TXTAP_PID" usb_hit "$fault" $((hits + 1)) || die "no answer was changed"
            check "$1: after $fault it continues" await_more 50
        done
    done
    check "$1: all that without losing the connection" is "$(count_of detached)" 0
}

wire_faults() {
    local fault
    for fault in swd-wait swd-parity; do
        control "fault $fault"
        await "$TXTAP_PID" was_hit "$fault"
        check "$1: after $fault it continues" await_more 50
    done
    check "$1: without losing the connection" is "$(count_of detached)" 0
    outage swd-fault
    check "$1: after faults on the wire it continues" await_more 50
    outage power-cycle
    check "$1: after the target lost power it continues" await_more 50
    check "$1: it said why" grep -q 'detached: no target answers on SWD' "$ERR"
}
was_hit() { audit_now; (($(audit "[.faults[] | select(.kind == \"$1\") | .hits] | add // 0") > 0)); }

echo "# TXTAP_SEED=$SEED"
for kind in "${KINDS[@]}"; do
    echo "# $kind"
    [[ $kind == stlink-v3 ]] && rate=300 || rate=500
    start_usb_board "$kind" --rate "$rate" --control-port 0 --control-port-file "$WORK/control.$kind" "$ELF"
    exec {WIRE}<>"/dev/tcp/127.0.0.1/$(<"$WORK/control.$kind")"
    start_usb_probe "$kind"
    on_usb
    run_on_usb info --timeout 1min --probe --seconds 0.1 "$ELF"
    check "$kind: info says how it reads" eval '[[ "$(text_of "$OUT")" == *"driven directly, SWD at "*" kHz "*"supply 3.30 V at the target target DPIDR 0x2ba01477, access port 0, core running"* ]]'
    check "$kind: TRCENA is not set, and info says so" grep -q '^cycles ' "$OUT"
    run_on_usb info --timeout 1min --chip stm32h745 --target stm32h7x.cpu1 "$ELF"
    check "$kind: a chip whose core is behind port 3 has no such port here" is "$STATUS $(<"$ERR")" \
        "4 txtap: access port 3 of the target cannot be opened: is --chip right?"
    start_tail
    usb_faults "$kind"
    wire_faults "$kind"
    end_txtap INT
    check "$kind: it ends normally" is "$STATUS" 0
    check "$kind: nothing twice, torn or missing unreported" ledger "$EVENTS"
    echo "# $(sed -n 's/^txtap: \([0-9]* events in .*\)/\1/p' "$ERR")"
    check "$kind: only listed commands were sent" is "$(unlisted)" ""
    check "$kind: ENTER and EXIT are among them" is "$(audit '[.commands.ENTER, .commands.EXIT] | all(. > 0)')" true
    check "$kind: the target's memory was never written, debug unit included" is "$(audit '.writes | map(.count) | add')" 0
    check "$kind: no halt, resume, step or reset" is "$(audit '[.halts, .resumes, .steps, .resets] | add')" 0
    exec {WIRE}>&-
    stop_usb_probe
    start_usb_probe "$kind" --access-port 3
    on_usb
    run_on_usb tail --timeout 1min --chip stm32h745 --target stm32h7x.cpu1 --limit 100 -f jsonl --force -o "$EVENTS" "$ELF"
    check "$kind: through access port 3 it reads, too" is "$STATUS $(grep -c 'attached to stm32h7x.cpu1, directly through ST' "$ERR")" "0 1"
    check "$kind: and every event is right" ledger "$EVENTS"
    run_on_usb info --timeout 1min --probe "$ELF"
    check "$kind: without --chip it says that port 0 is missing" is "$STATUS $(<"$ERR")" \
        "4 txtap: access port 0 of the target cannot be opened: is --chip right?"
    stop_usb_probe
    stop_board
done
e2e_end
