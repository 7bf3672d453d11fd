#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks emulated probes on USB with an unmodified OpenOCD and OpenOCD's own configurations. OpenOCD must find each
# probe, and a tail must work, even if the probe is unplugged and plugged in again meanwhile. Busy and forbidden
# probes are refused.   usage: usbprobe.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)
source "$(dirname "${BASH_SOURCE[0]}")/usb_lib.sh"
[[ -x $USBPROBE ]] || die "no $USBPROBE: install libumockdev-dev, and build again"
DEMO=$FIRMWARE/demo.elf
ELF=$DEMO
EVENTS=$WORK/events.jsonl
STATS=$WORK/stats.json

said() { grep -q -- "$1" "$2"; }

# Checks that only OpenOCD's own writes occurred. When OpenOCD connects, it writes DHCSR, DEMCR and 12 comparators. It
# writes them again if the host delays it for seconds.
only_own_writes() {
    is "$(audit '[.write_list[] | .class] | unique | join(" ")') $(audit '[.write_list[] | .address] | unique | length')" "debug 14"
}
left_alone() { is "$(audit '[.halts, .resumes, .steps, .resets] | add')" 0; }

# carries COUNT: runs a tail of COUNT events. Each event must be in the stream, or a gap must count it.
carries() {
    run_txtap tail --tcl "$TCL_PORT" --limit "$1" --format jsonl --force -o "$EVENTS" --stats-json "$STATS" --strict "$DEMO"
    check "a tail through it ends at its limit" is "$STATUS $(jq .events "$STATS")" \
        "$(jq 'if .lost > 0 or .lost_unseen then 5 else 0 end' "$STATS") $1"
    check "the stream is whole, in order, and the ledger in it" ledger "$EVENTS"
    check "every ledger number is there exactly once, or in a gap" is $((LEDGER_COUNT + LEDGER_MISSING)) \
        $((LEDGER_LAST - LEDGER_FIRST + 1))
    echo "# $(sed -n 's/^txtap: \([0-9]* events in .*\)/\1/p' "$ERR")"
}

is_detached() { (($(count_of detached) == $(count_of attached) + 1)); }

# goes UNPLUGGING OPENOCD_SAYS: unplugs the probe; txtap must report that and continue after the probe is back.
# UNPLUGGING is a command of the probe's control port.
goes() {
    rm -f "$EVENTS"
    start_txtap tail --tcl "$TCL_PORT" --format jsonl --force -o "$EVENTS" "$DEMO"
    await_lines "$EVENTS" 300
    usb 'fault wrong@5' >/dev/null
    await "$TXTAP_PID" usb_hit wrong 1 || die "no answer was changed"
    check "after a wrong reply it continues" await_more 100
    usb "$1" >/dev/null
    await "$TXTAP_PID" is_detached || die "the tail does not report that the probe is gone"
    check "$1 is reported as detached" said '^txtap: detached: ' "$ERR"
    check "OpenOCD reports it too" await "$OPENOCD_PID" said "$2" "$OPENOCD_LOG"
    if [[ $1 != *replug* ]]; then
        await "$USB_PID" eval '[[ $(usb_state plugged) == 0 ]]' || die "it is not unplugged"
        plug
    fi
    await "$USB_PID" eval '[[ $(usb_state plugged) == 1 ]]' || die "it is not plugged in again"
}

# ---- one kind after the other ----

# try KIND CONFIGURATION RATE EVENTS UNPLUGGING FOUND OPENOCD_SAYS: runs all tests with one kind of probe.
try() {
    local kind=$1 configuration=$E2E_ROOT/openocd-cfg/$2 attached
    echo "# $kind"
    start_usb_board "$kind" --rate "$3" "$DEMO"
    start_usb_probe "$kind"
    free_port
    start_openocd -f "$configuration" -c "tcl_port $PORT"
    check "OpenOCD finds it" said "$6" "$OPENOCD_LOG"
    check "it is claimed" is "$(usb_state claimed)" 1
    carries "$4"
    audit_now
    check "only OpenOCD's own writes were made" only_own_writes
    check "and nothing halted, resumed, stepped or reset" left_alone
    goes "$5" "$7"
    stop_openocd
    attached=$(count_of attached)
    start_openocd -f "$configuration" -c "tcl_port $PORT"
    await_marks attached $((attached + 1)) || die "the tail does not continue"
    await_more 100
    end_txtap INT
    check "with a new OpenOCD it continues" is "$STATUS" 0
    check "all events are there, or counted" ledger "$EVENTS"
    audit_now
    check "still nothing halted, resumed, stepped or reset" left_alone
    stop_openocd
    stop_usb_probe
    check "the probe ends normally" is "$USB_STATUS $(find "$WORK" -name 'umockdev.*' | wc -l)" "0 0"
    stop_board
}

try stlink-v2-1 stlink.cfg 1000 2000 unplug 'STLINK V2J37M26 (API v2) VID:PID 0483:374B' \
    'Examination failed'
try stlink-v3 stlink.cfg 1000 2000 'fault replug@20' 'STLINK V3J10M3B2 (API v3) VID:PID 0483:374F' \
    'Examination failed'
try cmsis-dap cmsis-dap.cfg 300 1200 'fault unplug@20' \
    'Using CMSIS-DAPv2 interface with VID:PID=0x2e8a:0x000c, serial=545854415055534200000001' \
    'No such device (it may have been disconnected)'

# ---- refused uses ----

echo "# busy, forbidden, stalled, gone"
start_usb_board stlink-v2-1 "$DEMO"
start_usb_probe stlink-v2-1 --serial 0123456789ABCDEF01234567 --unplugged

# Runs programs as a user to whom permissions apply, if such a user can access this folder.
AS=() PERMISSIONS=yes
if ((UID == 0)); then
    AS=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    chmod 711 "$WORK"
    "${AS[@]}" test -x "$WORK" || AS=() PERMISSIONS=""
fi
find_probe() {
    under_usb timeout "$E2E_RUN_S" "${AS[@]}" openocd -f interface/stlink.cfg -f target/stm32f4x.cfg "$@" \
        -c 'tcl_port disabled; gdb_port disabled; telnet_port disabled; init; shutdown' >"$WORK/found" 2>&1
}

check "unplugged, it is not found" eval '! find_probe'
check "and OpenOCD says so" said 'Error: open failed' "$WORK/found"
plug
check "plugged in, it is" find_probe
check "by its serial number" find_probe -c 'adapter serial 0123456789ABCDEF01234567'
check "but not by another one" eval '! find_probe -c "adapter serial 99"'
if [[ $PERMISSIONS ]]; then
    usb deny >/dev/null
    check "forbidden, it is not" eval '! find_probe'
    check "and OpenOCD says why" said 'LIBUSB_ERROR_ACCESS' "$WORK/found"
    usb allow >/dev/null
else
    skip "forbidden, it is not" "nobody but root can enter $WORK"
fi
usb busy >/dev/null
check "busy, it is not" eval '! find_probe'
usb free >/dev/null
check "free and allowed, it is" find_probe
usb 'fault stall@2' >/dev/null
check "a stall ends OpenOCD" eval '! find_probe'
check "the next one resets the halted endpoint" find_probe
usb 'fault short@2' >/dev/null
check "a short reply is accepted" eval 'find_probe || true; usb_hit short 1'
check "an unknown command is refused" eval '! usb stop >/dev/null'
check "and an unknown fault" eval '! usb "fault stop" >/dev/null'
refuses() {
    local status=0
    "$USBPROBE" "${@:3}" >"$WORK/refused" 2>&1 || status=$?
    is "$status" "$1" && said "$2" "$WORK/refused"
}
check "a board that is another ST-Link is refused" refuses 1 "product 374b, not 374f" stlink-v3 --board "$BOARD_PORT"
check "and an unknown kind" refuses 2 "unknown kind of probe" j-trace --board "$BOARD_PORT"
check "and no kind" refuses 2 "no kind of probe given" --board "$BOARD_PORT"
check "and no board" refuses 2 "--board is missing" cmsis-dap
check "and a packet size for an ST-Link" refuses 2 "is for cmsis-dap" --packet-bytes 512 stlink-v3 --board "$BOARD_PORT"
stop_board
check "and a board that does not answer" refuses 1 "no board answers on" cmsis-dap --board "$BOARD_PORT"
check "without a board it is unplugged" await "$USB_PID" eval '[[ $(usb_state plugged) == 0 ]]'
check "and cannot be plugged in" eval '! usb plug >/dev/null'
stop_usb_probe
e2e_end
