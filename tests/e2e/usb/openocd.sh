#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the OpenOCD that txtap starts for an emulated probe: with a serial number of any bytes, with a core at
# another access port, and with one of several debug ports on a wire.
# usage: [TXTAP_OPENOCD=PATH] openocd.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
e2e_begin "${1:-}"
source "$(dirname "${BASH_SOURCE[0]}")/../usb_lib.sh"
if [[ ! -x $USBPROBE || $(ldd "$BUILD/capture/txtap") != *libusb* ]]; then
    echo "SKIP: libumockdev-dev or libusb-1.0-0-dev is not installed: nothing of this was tested"
    exit 77
fi
# A sanitizer must be loaded before umockdev. It is loaded into OpenOCD too, where leaks are not checked.
SANITIZER=$(ldd "$BUILD/capture/txtap" | sed -n 's/.*libasan[^ ]* => \([^ ]*\) .*/\1/p')
export ASAN_OPTIONS=detect_leaks=0
ELF=$FIRMWARE/demo.elf
OPENOCD=${TXTAP_OPENOCD:-openocd}

# on_usb ARGUMENT...: runs txtap on the emulated USB until it ends.
on_usb() {
    OUT=$WORK/out ERR=$WORK/err STATUS=0
    "${OPENOCD_UNDER[@]/#LD_PRELOAD=/LD_PRELOAD=${SANITIZER:+$SANITIZER:}}" timeout --foreground -k 5 "$E2E_RUN_S" "$BUILD/capture/txtap" "$@" \
        >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
}
# reads ARGUMENT...: checks that events arrive. The time limit is long enough for OpenOCD on a busy host.
reads() {
    on_usb tail --timeout 1min --limit 20 --openocd-program "$OPENOCD" "$@" "$ELF"
    [[ $STATUS == 0 && $(wc -l <"$OUT") -ge 20 ]] || { sed 's/^/# /' "$ERR"; return 1; }
}
# refuses WORDS ARGUMENT...: checks that no event arrives, and that the only message contains WORDS.
refuses() {
    on_usb tail --limit 20 --openocd-program "$OPENOCD" "${@:2}" "$ELF"
    [[ $STATUS != 0 && $(wc -l <"$ERR") == 1 && $(<"$ERR") == *"$1"* ]] || { sed 's/^/# /' "$ERR"; return 1; }
}
harmless() { ! LC_ALL=C grep -aqP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$OUT" "$ERR"; }
restart_probe() {
    stop_usb_probe
    start_usb_probe "$@"
}

echo "# a serial of any bytes"
start_usb_board stlink-v2-1 --rate 500 "$ELF"
start_usb_probe stlink-v2-1 --raw-serial 571B5B324A00FF9B0007220A
for format in text json; do
    on_usb probes --format "$format"
    check "$format: its twelve bytes, two digits each" is "$STATUS $(grep -o '571B5B32[0-9A-F]*' "$OUT" | sort -u)" "0 571B5B324A00FF9B0007220A"
    check "$format: none of them reaches the terminal" harmless
done
check "OpenOCD finds it by these digits" reads --probe=571b5b324a00ff9b0007220a
restart_probe stlink-v2-1 --raw-serial 00571B5B324A00FF9B000722
on_usb probes --format json
check "one that begins with a zero, which Linux does not show" is "$(jq -r '.probes[].serial' "$OUT")" 00571B5B324A00FF9B000722
check "OpenOCD finds it too" reads --probe
stop_usb_probe
stop_board

echo "# another access port"
start_usb_board cmsis-dap --rate 500 "$ELF"
start_usb_probe cmsis-dap --access-port 1
check "OpenOCD finds the first AHB-AP by itself" reads --probe
check "with --chip it looks only there" reads --probe --chip stm32h7rsx
check "the second core of a chip" reads --probe --chip stm32wl55 --target stm32wlx.cpu1
check "a missing core is not examined" refuses 'psoc6.cpu.cm4 is not examined' --probe --chip psoc6
check "a core that the chip does not have" refuses 'give --target psoc6.cpu.cm4, or --target psoc6.cpu.cm0' --probe --chip psoc6 --target x

echo "# several debug ports on one wire"
restart_probe cmsis-dap --target-select 11002927
if [[ $("$OPENOCD" --version 2>&1) == *" 0.11."* ]]; then
    check "OpenOCD 0.11 cannot name one" refuses 'too old for the chip' --probe --chip rp2040
else
    check "the selected one answers" reads --probe --chip rp2040 --target rp2040.core1
    check "another one does not answer" refuses 'no target answers' --probe --chip rp2040
fi
check "without a selection none answers" refuses 'no target answers' --probe
stop_usb_probe
stop_board
e2e_end
