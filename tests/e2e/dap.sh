#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks a CMSIS-DAP probe or a J-Link that txtap drives itself, on an emulated USB: the commands, their cost compared
# with OpenOCD, faults of USB and of the wire, unplugging, and that the target is never written.
# usage: dap.sh BUILD_DIRECTORY [KIND]   KIND: cmsis-dap (default), cmsis-dap-v1 or jlink
# TXTAP_E2E_DAP_SECONDS (10): how long faults are made. TXTAP_SEED chooses them.
set -euo pipefail
E2E_LIMIT_S=$((1800 + ${TXTAP_E2E_DAP_SECONDS:-10}))
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
source "$(dirname "${BASH_SOURCE[0]}")/usb_lib.sh"
if [[ ! -x $USBPROBE || $(ldd "$BUILD/capture/txtap") != *libusb* ]]; then
    echo "SKIP: libumockdev-dev or libusb-1.0-0-dev is not installed: nothing of this was tested"
    exit 77
fi
# A sanitizer must be loaded before umockdev. It is loaded into OpenOCD too, where leaks are not checked.
SANITIZER=$(ldd "$BUILD/capture/txtap" | sed -n 's/.*libasan[^ ]* => \([^ ]*\) .*/\1/p')
export ASAN_OPTIONS=detect_leaks=0
FAULTS_S=${TXTAP_E2E_DAP_SECONDS:-10}
SEED=${TXTAP_SEED:-$((RANDOM << 15 | RANDOM))}
RANDOM=$SEED
ELF=$FIRMWARE/demo.elf
EVENTS=$WORK/events.jsonl
STATS=$WORK/stats.json
TABLE=$E2E_ROOT/capture/probe/dap/dap_permitted.def
KIND=${2:-cmsis-dap}
NAME="Raspberry Pi Debug Probe" NODE=bus/usb/001/ CONFIGURATION=cmsis-dap.cfg COMMANDS=DAP_COMMAND REQUESTS=(DAP_REGISTER) FAULTS=(merge stall short wrong twice timeout)
ADAPTER=".*, driven directly, SWD at 4000 kHz, 4 packets of PACKET bytes in"
if [[ $KIND == cmsis-dap-v1 ]]; then NAME=DAPLink NODE=hidraw; fi
if [[ $KIND == jlink ]]; then
    # The J-Link has its own commands, and more transfers on the wire. No answer of its begins with a status, so 'wrong'
    # has no effect.
    TABLE+=" $E2E_ROOT/capture/probe/jlink/jlink_permitted.def"
    NAME=J-Link CONFIGURATION=jlink.cfg COMMANDS=JLINK_COMMAND REQUESTS=(DAP_REGISTER JLINK_TRANSFER) FAULTS=(merge stall short twice timeout)
    ADAPTER="J-Link, firmware J-Link V9, driven directly, SWD at 4000 kHz"
fi

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
    "${UNDER[@]}" "$BUILD/capture/txtap" tail "$@" -f jsonl --force -o "$EVENTS" --stats-json "$STATS" "$ELF" \
        >"$OUT" 2>"$ERR" </dev/null &
    TXTAP_PID=$!
    E2E_PIDS+=("$TXTAP_PID")
    await_lines "$EVENTS" 100
}
start_dap_board() {
    start_board --control-port 0 --control-port-file "$WORK/control" "$@" "$ELF"
    exec {WIRE}<>"/dev/tcp/127.0.0.1/$(<"$WORK/control")"
}
control() {
    local answer
    printf '%s\n' "$1" >&"$WIRE"
    IFS= read -r -t "$E2E_PATIENCE_S" answer <&"$WIRE" || return 1
    printf '%s\n' "$answer"
}
reports() { grep -q -E -- "$1" "$ERR"; }
shows() { grep -q -E -- "$1" "$OUT"; }
writes() { audit '.writes | map(.count) | add'; }
ends_well() {
    end_txtap INT
    check "$1: it ends normally" is "$STATUS" 0
    check "$1: nothing twice, torn or missing unreported" ledger "$EVENTS"
    echo "# $(sed -n 's/^txtap: \([0-9]* events in .*\)/\1/p' "$ERR")"
}
untouched() {
    audit_now
    check "$1: the target's memory was never written, debug unit included" is "$(writes)" 0
    check "$1: no halt, resume, step or reset" is "$(audit '[.halts, .resumes, .steps, .resets] | add')" 0
}

# ---- what is sent ----

# listed MACRO...: prints the numbers of the macros' rows in the tables, one per line.
# shellcheck disable=SC2086
listed() { for macro; do sed -n "s/^$macro(0x\([0-9A-F]*\), .*/\1/p" $TABLE; done | tr A-F a-f | sort -u; }
# sent SIDE: prints the numbers on one side of the bar in the probe's list: 1: commands, 2: requests.
sent() { usb commands | awk -F'|' -v side="$1" '{ print $side }' | tr ' ' '\n' | sed -n 's/:.*//p' | sort; }
only_listed() {
    local unlisted
    unlisted=$(comm -13 <(listed "$COMMANDS") <(sent 1); comm -13 <(listed "${REQUESTS[@]}") <(sent 2))
    [[ ! $unlisted ]] || { echo "# not listed: $unlisted"; return 1; }
}
all_listed_sent() { # but for TARGETSEL
    local unsent
    unsent=$(comm -23 <(listed "$COMMANDS") <(sent 1); comm -23 <(listed "${REQUESTS[@]}") <(sent 2))
    is "$unsent" "$([[ $KIND == jlink ]] && echo 0c || echo 1d)"
}

# cost NAME OPTION...: prints the USB transfers, polls and bytes of a tail; sets TRANSFERS.
cost() {
    local before polls
    before=$(usb_state transfers)
    rm -f "$STATS"
    run_on_usb tail "${@:2}" --timeout 1min --limit 200 -f jsonl --force -o "$EVENTS" --stats-json "$STATS" "$ELF"
    [[ -f $STATS ]] || die "$1: it did not end by itself: $(tail -3 "$ERR")"
    polls=$(jq .polls "$STATS")
    TRANSFERS=$((($(usb_state transfers) - before) * 1000 / $(jq .bytes_read "$STATS")))
    echo "# $1: $(jq .bytes_read "$STATS") bytes in $polls polls, $TRANSFERS transfers of USB per 1000 bytes"
}

for packet in 64 512; do
    echo "# packets of $packet bytes"
    start_dap_board --rate 300
    start_usb_probe "$KIND" --packet-bytes "$packet"
    on_usb
    run_on_usb probes
    check "$packet: 'probes' says that it is driven directly" shows '^use +directly, or with --openocd through OpenOCD: interface/'"$CONFIGURATION"
    run_on_usb info --probe --seconds 0.1 "$ELF"
    check "$packet: info describes it" shows "^adapter +${ADAPTER/PACKET/$packet}"
    check "$packet: and the target" shows '^target +DPIDR 0x2ba01477, access port 0 with IDR 0x24770011, core running'
    check "$packet: and that the cycle counter stands still" shows '^cycles +DWT->CYCCNT does not count, because DEMCR.TRCENA is not set'
    run_on_usb tail --limit 500 --strict -f jsonl --force -o "$EVENTS" --stats-json "$STATS" "$ELF"
    check "$packet: without any option, nothing is lost unreported" no_unreported_loss
    check "$packet: every ledger number is there exactly once, or in a gap" ledger "$EVENTS"
    check "$packet: it says so" reports "attached to access port 0, directly through $NAME"
    check "$packet: it does not warn about time stamps, which move" is "$(grep -c CYCCNT "$ERR" || true)" 0
    run_on_usb kernel --probe "$ELF"
    check "$packet: the kernel's threads are shown, too" shows '^ +sampler +4 '
    check "$packet: only what the table lists was sent" only_listed
    check "$packet: and all that it lists" all_listed_sent
    untouched "$packet"
    await "$USB_PID" usb_is_free
    cost "$packet directly" --probe
    directly=$TRANSFERS
    await "$USB_PID" usb_is_free
    cost "$packet through OpenOCD" --probe --openocd
    check "$packet: --openocd forces OpenOCD" reports "attached to txtap.cpu, OpenOCD .* started for $NAME"
    check "$packet: which needs more transfers of USB" test "$directly" -lt "$TRANSFERS"
    stop_usb_probe
    stop_board
done

# ---- faults ----

echo "# faults, TXTAP_SEED=$SEED"
start_dap_board --rate 200
start_usb_probe "$KIND"
on_usb
start_tail --probe
for fault in "${FAULTS[@]}"; do
    usb "fault $fault@$((RANDOM % 8))" >/dev/null
    await "$TXTAP_PID" usb_hit "$fault" 1
    check "after '$fault' it continues" await_more 50
done
for fault in swd-wait swd-fault swd-parity; do
    check "a fault '$fault' of the wire" is "$(control "fault $fault")" ok
    check "after '$fault' it continues" await_more 50
done
unplug
await_marks detached $(($(count_of attached) + 1))
plug
await_marks attached "$(count_of detached)"
check "plugged in again, it continues" await_more 50
check "it says which probe was unplugged" reports "detached: $NAME.* [0-9A-F]{12,24} was unplugged: plug it in again"
ends_well "one fault of each kind"
check "still only what the table lists was sent" only_listed
untouched "one fault of each kind"

# Makes many faults, one after another: the tail must continue, and neither its memory nor its descriptors may grow.
# Does not count sockets: umockdev has a socket for each open node, and may keep it if the node disappears.
descriptors() { find "/proc/$TXTAP_PID/fd" -type l ! -lname 'socket:*' 2>/dev/null | wc -l; }
hits() { usb state | awk '{ for (i = 12; i <= NF; i += 2) sum += $i; print sum + 0 }'; }
some_fault() {
    local kinds=("${FAULTS[@]}" replug swd-wait:0.05 swd-wait:0.5 swd-fault
        swd-parity swd-parity:0.2) kind
    kind=${kinds[RANDOM % ${#kinds[@]}]}
    if [[ $kind == swd* ]]; then
        control "fault $kind" >/dev/null || true
    else
        usb "fault $kind@$((RANDOM % 40)):$((RANDOM % 3 + 1))" >/dev/null || true
    fi
}
await "$USB_PID" usb_is_free
start_tail --probe
memory=$(memory_kib "$TXTAP_PID") open=$(descriptors) before=$(hits)
until=$((SECONDS + FAULTS_S))
while ((SECONDS < until)); do
    some_fault
    await_more 20
done
await "$USB_PID" eval '[[ $(usb_state plugged) == 1 ]]'
await_more 50
check "after $(($(hits) - before)) faults of USB it continues" await_more 50
# A sanitizer keeps freed memory for a while.
[[ $SANITIZER ]] || check "its memory has not grown" test "$(memory_kib "$TXTAP_PID")" -le $((memory + 2048))
is_calm() { (($(descriptors) <= open)); }
check "nor have its descriptors" await "$TXTAP_PID" is_calm
ends_well "faults"
check "only what the table lists was sent, whatever went wrong" only_listed
untouched "faults"
stop_usb_probe
stop_board

# ---- which core ----

reads() {
    run_on_usb tail --limit 20 "$@" "$ELF"
    [[ $STATUS == 0 && $(wc -l <"$OUT") -ge 20 ]] && reports 'directly through' || { sed 's/^/# /' "$ERR"; return 1; }
}
refuses() {
    run_on_usb tail --limit 20 "${@:2}" "$ELF"
    [[ $STATUS != 0 && $(wc -l <"$ERR") == 1 && $(<"$ERR") == *"$1"* ]] || { sed 's/^/# /' "$ERR"; return 1; }
}
echo "# another access port, several debug ports"
start_dap_board --rate 300
start_usb_probe "$KIND" --access-port 1
on_usb
check "the first AHB-AP is found" reads --probe
check "with --chip it looks only there" reads --probe --chip stm32h7rsx
check "the second core of a chip" reads --probe --chip stm32wl55 --target stm32wlx.cpu1
check "the board holds its core in reset" is "$(control 'fault warm-reset:100')" ok
run_on_usb info --probe --seconds 0.1 "$ELF"
check "which info says" shows '^target +DPIDR .*, core reset$'
check "it lets it go" is "$(control 'end warm-reset')" ok
check "a missing core is refused" refuses 'access port 2 of the target is not one for memory' --probe --chip psoc6
check "a core that the chip does not have" refuses 'give --target psoc6.cpu.cm4, or' --probe --chip psoc6 --target x
stop_usb_probe
start_usb_probe "$KIND" --target-select 11002927
on_usb
check "the selected debug port answers" reads --probe --chip rp2040 --target rp2040.core1
check "which is named" reports "attached to rp2040.core1, directly through $NAME"
check "another one does not answer" refuses 'no target answers on SWD' --probe --chip rp2040
check "without a selection none answers" refuses 'no target answers on SWD' --probe
check "only what the table lists was sent" only_listed
untouched "which core"
stop_usb_probe
start_usb_probe "$KIND" --dpidr 4c013477
on_usb
check "a debug port of ADIv6 is refused" refuses "debug port is ADIv6 (DPIDR 0x4c013477), and txtap itself drives ADIv5 only: read through" --probe
check "as when no target answers" is "$STATUS" 4
check "the same without --probe" refuses 'debug port is ADIv6'
check "nothing of it was written, SELECT included" is "$(sent 2 | tr '\n' ' ')" "02 "
stop_usb_probe
start_usb_probe "$KIND"
on_usb
if [[ $KIND == cmsis-dap-v1 ]]; then
    # Linux lets several programs open a HID device, so another program has its node open.
    coproc HOLDER { exec "${OPENOCD_UNDER[@]}" bash -c 'exec 3<>/dev/hidraw*; echo open; read -r'; }
    read -r -t "$E2E_PATIENCE_S" <&"${HOLDER[0]}" || die "the node of the probe cannot be opened"
    check "a probe that is in use is refused" refuses "$NAME is in use by bash (process $HOLDER_PID)" --probe
    echo >&"${HOLDER[1]}"
    wait "$HOLDER_PID" || true
else
    usb busy >/dev/null
    check "a probe that is in use is refused" refuses 'in use by another program' --probe
    usb free >/dev/null
fi
usb deny >/dev/null
# Root may open every node, unless it gives this capability up.
if ((EUID == 0)); then
    UNDER=(setpriv --inh-caps=-dac_override,-dac_read_search --bounding-set=-dac_override,-dac_read_search "${UNDER[@]}")
fi
check "without permission it names the node, and the next step" refuses "you may not open $NAME (/dev/$NODE" --probe
usb allow >/dev/null
on_usb
run_on_usb tail --limit 5 --probe --chip stm32f4x --target stm32f4x.cpu "$ELF"
check "a chip that only OpenOCD knows is read through OpenOCD" reports 'attached to stm32f4x.cpu, OpenOCD'
stop_usb_probe
stop_board
e2e_end
