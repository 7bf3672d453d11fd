#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Reads 20 variables beside 2,000 events per second (300 for a CMSIS-DAP) through the emulated probes, and compares with runs without
# variables: the ring must not lose more events. Each sample must fit the events around it.
# usage: variables_probes.sh BUILD_DIRECTORY [PROBE]...   PROBE: see probe.sh; TXTAP_E2E_EVENTS: events of each run
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
source "$(dirname "${BASH_SOURCE[0]}")/usb_lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/child_lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/variables_lib.sh"
if [[ ! -x $USBPROBE || $(ldd "$BUILD/capture/txtap") != *libusb* ]]; then
    echo "SKIP: libumockdev-dev or libusb-1.0-0-dev is not installed: nothing of this was tested"
    exit 77
fi
SANITIZER=$(ldd "$BUILD/capture/txtap" | sed -n 's/.*libasan[^ ]* => \([^ ]*\) .*/\1/p')
export ASAN_OPTIONS=detect_leaks=0
PROBES=("${@:2}")
((${#PROBES[@]})) || PROBES=(stlink-v2-1 stlink-v2-1-directly stlink-v3-directly cmsis-dap-directly)

record_events() { # ARGUMENT...
    OUT=$WORK/out ERR=$WORK/err STATUS=0
    "${UNDER[@]}" timeout --foreground -k 5 "$E2E_RUN_S" "$BUILD/capture/txtap" record --timeout 1min "${VIA[@]}" --strict --force \
        --stats-json "$STATS" --limit "$EVENTS_WANTED" -o "$REC" "$@" "$ELF" >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
}

for name in "${PROBES[@]}"; do
    kind=${name%-directly} VIA=(--openocd --openocd-program "$PROGRAM")
    if [[ $name == *-directly ]]; then VIA=(); fi
    rate=${TXTAP_E2E_RATE:-$([[ $kind == cmsis-dap ]] && echo 300 || echo 2000)} # the emulated USB is slow
    start_usb_board "$kind" --rate "$rate" "$ELF"
    start_usb_probe "$kind"
    UNDER=("${OPENOCD_UNDER[@]}")
    if [[ $SANITIZER ]]; then UNDER=("${UNDER[@]/#LD_PRELOAD=/LD_PRELOAD=$SANITIZER:}"); fi
    EVENTS_WANTED=${TXTAP_E2E_EVENTS:-$((rate * 5))}
    record_events
    check "$name: without variables, no loss is unreported" no_unreported_loss
    alone=$(jq .lost "$STATS")
    record_events --watch "$WATCH"
    check "$name: with variables, no loss is unreported" no_unreported_loss
    with=$(jq .lost "$STATS")
    echo "# $name: $alone events lost without variables, $with with variables"
    sed -n 's/^txtap: \(.* events\? in .*\|.* samples of .*\|  demo_events_written.*\|  .*count: .*\|  .*\.sine: .*\)/# \1/p' "$ERR"
    if is_quiet; then check "$name: variables cost no event" test "$with" -le "$alone"; fi
    if (($(sed -n 's/^txtap: \([0-9]*\) samples of .*/\1/p' "$ERR") >= 1000)); then
        check "$name: each sample fits the events around it" fits
        check "$name: each variable has samples" each_has_samples
    else
        skip "$name: each sample fits the events around it" "the ring needed almost all time of this host"
    fi
    audit_now
    check "$name: nothing is written, and the core is never halted" is \
        "$(audit '[.halts, .resumes, .steps, .resets, (.writes | .ram, .flash, .peripheral | .count)] | add')" 0
    stop_usb_probe
    stop_board
done
e2e_end
