#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks --probe=usb:PORT with two emulated probes of the same serial number, each on its own virtual board: txtap reads
# the board at the port, directly and through OpenOCD, and a replaced probe is read again.   usage: ports.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
e2e_begin "$@"
source "$(dirname "${BASH_SOURCE[0]}")/../usb_lib.sh"
if [[ ! -x $USBPROBE || $(ldd "$BUILD/capture/txtap") != *libusb* ]]; then
    echo "SKIP: umockdev or libusb is not installed: nothing of this was tested"
    exit 77
fi
SERIAL=545854415055534200000001
# The rings of the two boards have different sizes, which tell the boards apart.
declare -A ELF_AT=([1]=$FIRMWARE/demo.elf [2]=$FIRMWARE/demo_large.elf) ENTRIES_AT=([1]=465 [2]=2001)

# start_both KIND OPTION...: starts a board at each port.
start_both() {
    local second
    start_usb_board "$1" "${ELF_AT[2]}"
    second=$BOARD_PORT
    start_usb_board "$1" "${ELF_AT[1]}"
    start_usb_probe "$1" --board "$second" "${@:2}"
}
txtap() {
    STATUS=0
    under_usb timeout "$E2E_RUN_S" "$BUILD/capture/txtap" "$@" >"$WORK/out" 2>"$WORK/err" </dev/null || STATUS=$?
}
says() { grep -qE -- "$1" "$WORK/$2" || { sed 's/^/# /' "$WORK/$2"; return 1; }; }
# For await: no program has an interface of one of the probes. A probe notices a closed handle a moment late.
are_free() { [[ $(usb "1 state")$(usb "2 state") != *" claimed 1 "* ]]; }
# reads PORT OPTION...: the board at the port is read.
reads() {
    await "$USB_PID" are_free
    txtap info --timeout 1min "--probe=usb:1-$1" "${@:2}" "${ELF_AT[$1]}"
    [[ $STATUS == 0 ]] || sed "s|^|# |" "$WORK/err"
    is "$STATUS" 0 && says "^ring .* ${ENTRIES_AT[$1]} entries" out
}

echo "# CMSIS-DAP"
start_both cmsis-dap
txtap probes
check "each probe names the probe with the same serial number" says "^serial +$SERIAL; the same as of the probe at usb:1-2$" out
check "its path" says '^usb .* at usb:1-1, speed: full$' out
check "and a command that chooses it" says '^command +txtap tail --probe=usb:1-2 firmware.elf$' out
txtap probes -f json
check "JSON has the paths" is "$(jq -c '[.probes[] | .path, .same_serial]' "$WORK/out")" '["usb:1-1",["usb:1-2"],"usb:1-2",["usb:1-1"]]'
check "the first port is read" reads 1
check "the second port is read" reads 2
txtap info "--probe=$SERIAL" "${ELF_AT[1]}"
check "the serial number is refused" says "2 probes on USB: .* $SERIAL at usb:1-1, .* at usb:1-2: choose one: --probe=usb:PORT" err
check "as wrong usage" is "$STATUS" 2
txtap info --probe=usb:1-3 "${ELF_AT[1]}"
check "an empty port is no probe" is "$STATUS $(<"$WORK/err")" "4 txtap: no probe is plugged in at usb:1-3: see 'txtap probes'"
txtap info --probe=usb:1-1. "${ELF_AT[1]}"
check "an invalid port is wrong usage" is "$STATUS $(head -n 1 "$WORK/err")" \
    "2 txtap info: --probe: 'usb:1-1.' is not a port such as usb:1-4.2"
check "completion offers both paths" is "$(under_usb "$BUILD/capture/txtap" complete -- tail --probe=usb: | cut -f 1 | tr '\n' ' ')" \
    "--probe=usb:1-1 --probe=usb:1-2 "
txtap info --probe=usb:1-1 --openocd "${ELF_AT[1]}"
check "OpenOCD could take the other probe: refused" says 'OpenOCD could take another probe instead of Raspberry Pi Debug Probe' err
check "the target is unreadable" is "$STATUS" 4

echo "# a probe that is replaced"
STREAM=$WORK/stream.jsonl
: >"$STREAM"
"${OPENOCD_UNDER[@]}" "$BUILD/capture/txtap" tail --probe=usb:1-2 -f jsonl --force -o "$STREAM" "${ELF_AT[2]}" 2>"$WORK/tail.err" </dev/null &
TAIL=$!
E2E_PIDS+=("$TAIL")
attachments() { (($(grep -c '^txtap: attached' "$WORK/tail.err") >= $1)); }
check "a tail attaches" await "$TAIL" attachments 1
usb "2 unplug" >/dev/null
check "the unplugging is reported" await "$TAIL" grep -q '^txtap: detached' "$WORK/tail.err"
usb "2 plug 1234" >/dev/null
check "another probe at this port is taken, and not the probe with the old serial number" await "$TAIL" attachments 2
kill -INT "$TAIL"
wait "$TAIL" || true
forget "$TAIL"
check "nothing was lost unseen" ledger "$STREAM"
txtap info --probe=1234 "${ELF_AT[2]}"
check "its serial number now chooses it" is "$STATUS" 0
stop_usb_probe
stop_all

echo "# OpenOCD finds the port of an ST-Link and of a J-Link"
for kind in stlink-v2-1 jlink; do
    start_both "$kind"
    for place in 1 2; do
        check "$kind: directly at port $place" reads "$place"
        check "$kind: through OpenOCD at port $place" reads "$place" --openocd
    done
    stop_usb_probe
    stop_all
done
e2e_end
