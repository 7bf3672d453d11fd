#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap probes on an emulated bus (umockdev): ten devices as text and as JSON, access, probes in use, hotplug,
# hostile strings, and an empty bus.   usage: probes.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
e2e_begin "$@"

BUS=$BUILD/tests/usb_bus
PRELOAD=libumockdev-preload.so.0
LIBRARIES=$(ldd "$BUILD/capture/txtap")
if [[ $LIBRARIES != *libusb* ]]; then
    check "without libusb it says so, and what to install" is "$("$BUILD/capture/txtap" probes 2>&1; echo $?)" "txtap: this txtap\
 was built without libusb and cannot access USB: install libusb-1.0-0-dev and build it again
1"
    e2e_end
    exit
fi
if [[ ! -x $BUS || $(LD_PRELOAD=$PRELOAD true 2>&1) ]]; then
    echo "SKIP: umockdev or libumockdev-dev is not installed: nothing of this was tested"
    exit 77
fi
# A sanitizer must be loaded before umockdev.
SANITIZER=$(sed -n 's/.*libasan[^ ]* => \([^ ]*\) .*/\1/p' <<<"$LIBRARIES")
ON_BUS=(env "LD_PRELOAD=${SANITIZER:+$SANITIZER:}$PRELOAD")
# root may open a node of any mode, unless root drops the capability for that.
AS_USER=()
if ((EUID == 0)); then
    AS_USER=(setpriv --inh-caps=-dac_override,-dac_read_search --bounding-set=-dac_override,-dac_read_search)
fi

# start_bus: starts an empty bus; sets UMOCKDEV_DIR, its folder.
start_bus() {
    E2E_STARTS=$((E2E_STARTS + 1))
    local to=$WORK/bus.$E2E_STARTS.to from=$WORK/bus.$E2E_STARTS.from
    mkfifo "$to" "$from"
    LD_PRELOAD=$PRELOAD "$BUS" <"$to" >"$from" 2>"$WORK/bus.$E2E_STARTS.log" &
    BUS_PID=$!
    E2E_PIDS+=("$BUS_PID")
    exec {TO_BUS}>"$to" {FROM_BUS}<"$from"
    read -r UMOCKDEV_DIR <&"$FROM_BUS"
    export UMOCKDEV_DIR
}

stop_bus() {
    exec {TO_BUS}>&- {FROM_BUS}<&-
    wait "$BUS_PID" || true
    forget "$BUS_PID"
}

bus() {
    local answer
    echo "$*" >&"$TO_BUS"
    read -r answer <&"$FROM_BUS" && [[ $answer == ok ]] || die "the bus refuses: $*"
}

plug() {
    local name
    for name in "$@"; do bus plug "$name"; done
}

# probes OPTION...: runs txtap probes until it ends; sets STATUS, OUT, ERR.
probes() {
    OUT=$WORK/out ERR=$WORK/err STATUS=0
    timeout --foreground -k 5 "$E2E_RUN_S" "${AS_USER[@]}" "${ON_BUS[@]}" "$BUILD/capture/txtap" probes "$@" >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
}

# watch OPTION...: runs txtap probes in the background; returns after the first list.
watch() {
    OUT=$WORK/out ERR=$WORK/err
    rm -f "$OUT" "$ERR"
    "${ON_BUS[@]}" "$BUILD/capture/txtap" probes "$@" >"$OUT" 2>"$ERR" </dev/null &
    TXTAP_PID=$!
    E2E_PIDS+=("$TXTAP_PID")
    await "$TXTAP_PID" grep -q 'Ctrl-C ends it' "$ERR" || die "txtap probes does not watch: $(cat "$ERR")"
}

says() { grep -qF -- "$1" "$2" || { sed 's/^/# /' "$2"; return 1; }; }
is_line() { # FILE: succeeds if FILE has exactly one line, not counting the line about udev
    local lines
    lines=$(grep -v '^txtap: udev does not run here' "$1" || true)
    [[ $(wc -l <<<"$lines") == 1 && $lines == "txtap: "* ]] || { sed 's/^/# /' "$1"; return 1; }
}
of() { jq -r --arg name "$1" '.probes[] | select(.name == $name) | '"$2" "$OUT"; }
block_of() { awk -v RS= -v name="$1" '$1 == "probe" && $2 == name' "$OUT"; }
narrow() { awk 'length > 80 { print "# " $0; bad = 1 } END { exit bad }' "$OUT"; }
# Checks that no control character was printed. C1 control characters have two bytes in UTF-8.
harmless() { ! LC_ALL=C grep -aqP '[\x00-\x1f\x7f]|\xc2[\x80-\x9f]' "$OUT" "$ERR"; }

# ---- nothing there ----

echo "# nothing there"
start_bus
mkdir -p "$UMOCKDEV_DIR/dev/bus/usb" # so that the folder exists even if this machine has no USB
probes
check "nothing on the bus: one line says so" is "$STATUS $(<"$ERR")" \
    "4 txtap: nothing is plugged into USB: plug in the probe, or try another cable: some only charge"
watch --watch --format json
check "--watch says so too" is "$(grep -c 'nothing is plugged into USB' "$ERR")" 1
plug stlink
check "and waits until there is a probe" await "$TXTAP_PID" grep -q '"event":"added"' "$OUT"
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0 "$STATUS" 0
bus unplug stlink
plug root hub
probes
check "nothing but hubs: one line says so" is_line "$ERR"
check "and says that there are hubs" says "only hubs are plugged into USB" "$ERR"
plug keyboard stick
probes --format json
check "no probe among two devices: one line says so" is_line "$ERR"
check "and says how many" says "no debug probe among the 2 devices on USB" "$ERR"
check "as JSON the list is empty, the status 4" is "$STATUS $(jq -c .probes "$OUT")" "4 []"
stop_bus
start_bus
mkdir -p "$UMOCKDEV_DIR/dev/bus"
echo "no folder" >"$UMOCKDEV_DIR/dev/bus/usb"
probes
check "no /dev/bus/usb: one line says so" is_line "$ERR"
check "and names it" says "there is no /dev/bus/usb" "$ERR"
stop_bus

# ---- wrong options ----

echo "# options"
for wrong in --format=jsonl --watch=0 --watch=2h --watch=x probe; do
    probes "$wrong"
    check "$wrong is wrong usage" is "$STATUS $(wc -c <"$OUT")" "2 0"
done

# ---- ten devices ----

echo "# ten devices"
start_bus
plug root hub stlink stlink-raw stlink-v3 dap-v1 dap-v2 jlink ftdi keyboard stick
chmod 000 "$UMOCKDEV_DIR/dev/bus/usb/001/004"
bus claim stlink-v3 usbfs
bus claim jlink jlink-driver
sleep 1000 3<>"$UMOCKDEV_DIR/dev/bus/usb/001/005" &
HOLDER=$!
E2E_PIDS+=("$HOLDER")
await "$HOLDER" grep -qx sleep "/proc/$HOLDER/comm" # once the process has become sleep, the node is open
probes
check "the list succeeds" is "$STATUS" 0
check "seven of them are probes" is "$(grep -c '^probe ' "$OUT")" 7
check "no line is wider than 80 columns" narrow
check "an ST-Link, with its use" is "$(block_of ST-Link/V2-1)" "probe      ST-Link/V2-1
serial     066DFF343339415043184719
usb        0483:374b \"STM32 STLink\" at usb:1-1.1, speed: high
state      ready
use        directly, or with --openocd through OpenOCD: interface/stlink.cfg,
           transport hla_swd
command    txtap tail --probe=066DFF343339415043184719 firmware.elf"
check "the one that is in use, with the process" is "$(block_of STLINK-V3SET/V3S | grep '^state')" \
    "state      in use by sleep (process $HOLDER)"
probes --format json
check "JSON has the same seven" is "$STATUS $(jq '.probes | length' "$OUT")" "0 7"
check "in the order of their addresses" is "$(jq -c '.probes | map(.address)' "$OUT")" "[3,4,5,6,7,8,9]"
check "an ST-Link that is ready" is "$(of ST-Link/V2-1 '"\(.state) \(.serial) \(.interface) \(.transport)"')" \
    "ready 066DFF343339415043184719 interface/stlink.cfg hla_swd"
check "one without access: node, owner, mode" is "$(of ST-Link/V2 '"\(.state) \(.node) \(.owner.mode)"')" \
    "no_access /dev/bus/usb/001/004 0000"
check "and a next step" test -n "$(of ST-Link/V2 '.next_step // ""')"
check "its raw serial in hexadecimal" is "$(of ST-Link/V2 '"\(.serial) \(.serial_is_raw)"')" "57FF720672571B5B324A019B true"
check "one that is claimed, and by which process" is "$(of STLINK-V3SET/V3S '"\(.state) \(.holder.pid) \(.holder.name)"')" \
    "busy $HOLDER sleep"
check "a CMSIS-DAP v1, by its hidraw node" is \
    "$(of DAPLink '"\(.generation) \(.node) \(.state) \(.interface) \(.transport) \(.direct)"')" \
    "CMSIS-DAP v1 /dev/hidraw7 ready interface/cmsis-dap.cfg swd true"
check "a CMSIS-DAP v2, and its firmware" is "$(of "Raspberry Pi Debug Probe" '"\(.generation) \(.firmware) \(.transport)"')" \
    "CMSIS-DAP v2 2.2.1 swd"
check "a J-Link; a kernel driver does not count as a user" is "$(of J-Link\ OB/PRO '"\(.state) \(.interface)"')" \
    "ready interface/jlink.cfg"
check "an FTDI chip is perhaps a probe" is "$(of FT2232C/D/H '"\(.use) \(.interface)"')" "perhaps null"
rm "$UMOCKDEV_DIR/dev/bus/usb/001/003"
plug stlink-v3pwr deep
kill "$HOLDER"
wait "$HOLDER" 2>/dev/null || true
forget "$HOLDER"
probes --format json
check "one without a node" is "$(jq -r '.probes[] | select(.address == 3).state' "$OUT")" no_node
check "one that is claimed by an unknown process" is "$(of STLINK-V3SET/V3S '"\(.state) \(.holder)"')" "busy null"
check "one that OpenOCD 0.12 is too old for" is "$(of STLINK-V3PWR .use)" too_new
check "sysfs data of another device is not used" is "$(jq -r '.probes[] | select(.address == 13) | "\(.port) \(.serial)"' "$OUT")" \
    "null null"
stop_bus

# ---- hotplug ----

echo "# watch"
start_bus
plug root hub jlink
event() { await "$TXTAP_PID" jq -se "any(.[]; .event == \"$1\" and .probe.name == \"$2\"$3)" "$OUT" >/dev/null; }
watch --watch --format json
check "the connected probe comes first" event present "J-Link OB/PRO" ""
bus plug stlink quietly
check "a probe appears that udev does not report" event added ST-Link/V2-1 ""
bus claim stlink usbfs
check "it becomes busy" event changed ST-Link/V2-1 ' and .probe.state == "busy"'
bus release stlink
check "it is ready again" event changed ST-Link/V2-1 ' and .probe.state == "ready"'
bus unplug stlink quietly
check "it disappears" event removed ST-Link/V2-1 ""
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
check "without udev it says that changes may be reported late" is "$(grep -c 'udev does not run here' "$ERR" || true)" \
    "$([[ -e /run/udev/control ]] && echo 0 || echo 1)"
check "each event is there once" is "$(jq -rs 'map(.event // empty) | join(" ")' "$OUT")" "present added changed changed removed"
watch --watch=1h
plug stlink
check "a probe that udev reports shows up without waiting for the next check" await "$TXTAP_PID" grep -q '^plugged in ST-Link/V2-1$' "$OUT"
bus unplug stlink
check "and disappears in the same way" await "$TXTAP_PID" grep -q '^unplugged  ST-Link/V2-1$' "$OUT"
end_txtap TERM
check "SIGTERM is a normal end" is "$STATUS" 0
stop_bus

# ---- hostile strings ----

echo "# a crowd"
start_bus
plug root
bus crowd 126
probes
check "126 probes with strings full of escapes" is "$STATUS $(grep -c '^probe ' "$OUT")" "0 126"
check "no control byte reaches the terminal" harmless
probes --format json
check "nor breaks JSON" is "$(jq '.probes | map(select(.product | contains("\u001b"))) | length' "$OUT")" 126
check "and none is in the JSON output" harmless
stop_bus

e2e_end
