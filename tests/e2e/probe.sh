#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From a probe that is plugged in to its events: txtap finds it on an emulated USB, starts OpenOCD for it, unmodified, and
# goes on after it was unplugged.   usage: probe.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
source "$(dirname "${BASH_SOURCE[0]}")/usb_lib.sh"
if [[ ! -x $USBPROBE || $(ldd "$BUILD/capture/txtap") != *libusb* ]]; then
    echo "SKIP: libumockdev-dev or libusb-1.0-0-dev is not installed: nothing of this was tested"
    exit 77
fi
# A sanitizer has to be loaded before umockdev. In OpenOCD, which it gets into as well, leaks are not looked for.
SANITIZER=$(ldd "$BUILD/capture/txtap" | sed -n 's/.*libasan[^ ]* => \([^ ]*\) .*/\1/p')
export ASAN_OPTIONS=detect_leaks=0
ELF=$FIRMWARE/demo.elf
EVENTS=$WORK/events.jsonl
STATS=$WORK/stats.json

on_usb() {
    UNDER=("${OPENOCD_UNDER[@]}")
    if [[ $SANITIZER ]]; then UNDER=("${UNDER[@]/#LD_PRELOAD=/LD_PRELOAD=$SANITIZER:}"); fi
}
reports() { grep -q -E -- "$1" "$ERR"; }
# run_probe ARGUMENT...: txtap on the emulated USB, to its end.
run_probe() {
    OUT=$WORK/out ERR=$WORK/err STATUS=0
    "${UNDER[@]}" timeout -k 5 200 "$BUILD/capture/txtap" "$@" >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
}
start_tail() {
    OUT=$WORK/out ERR=$WORK/err
    rm -f "$ERR" "$EVENTS"
    "${UNDER[@]}" "$BUILD/capture/txtap" tail "$@" -f jsonl --force -o "$EVENTS" "$ELF" >"$OUT" 2>"$ERR" </dev/null &
    TXTAP_PID=$!
    E2E_PIDS+=("$TXTAP_PID")
    await_lines "$EVENTS" 500
}
matches() { [[ $1 =~ ^($2)$ ]] || { printf "# got '%s'\n" "$1"; return 1; }; }
marks() { jq -r 'select(.type | IN("event", "gap", "header", "object") | not) | .type' "$EVENTS" | tr '\n' ' '; }

for kind in stlink-v2-1 stlink-v3 cmsis-dap; do
    echo "# $kind"
    start_usb_board "$kind" --rate 500 "$ELF"
    start_usb_probe "$kind"
    on_usb
    run_probe tail --probe --limit 300 --strict --stats-json "$STATS" "$ELF"
    check "$kind: --probe alone is enough" is "$(jq .events "$STATS")" 300
    # On a slow host the target may seem to be gone for a moment: then it says "at least".
    check "$kind: no loss is unreported" is "$STATUS" \
        "$(jq 'if .lost > 0 or .resets > 0 or .lost_unseen then 5 else 0 end' "$STATS")"
    check "$kind: it says for which probe" reports 'attached to txtap.cpu, OpenOCD [0-9.]+ started for (ST-?L|Rasp)'
    start_tail --probe --speed 1000
    for turn in 1 2; do
        unplug
        await_marks detached "$turn"
        plug
        await_marks attached "$turn"
        await_more 500
    done
    end_txtap INT
    check "$kind: unplugged twice, it goes on by itself" matches "$STATUS $(marks)" '0 (detached attached ){2,}'
    check "$kind: nothing twice, torn or missing unreported" ledger "$EVENTS"
    audit_now
    check "$kind: no halt, resume, step or reset" is "$(audit '[.halts, .resumes, .steps, .resets] | add')" 0
    check "$kind: no write but OpenOCD's own to the debug unit" is \
        "$(audit '.writes | [.ram, .flash, .peripheral, .system, .fault] | map(.count) | add')" 0
    if [[ $kind == stlink-v2-1 ]]; then
        run_probe info --seconds 0.05 "$ELF"
        check "no option at all: the only probe" is "$STATUS $(grep -c '^server .*, started by txtap, target' "$OUT")" "0 1"
        run_probe info --tcl 1 "$ELF"
        check "a server that was named is not replaced by a probe" is "$STATUS $(grep -c 'no server at 127.0.0.1:1' "$ERR")" "4 1"
        run_probe info --probe=v2-1 --chip stm32f4x --target stm32f4x.cpu --seconds 0.05 "$ELF"
        check "--chip is OpenOCD's file" is "$STATUS $(grep -c '^server .* target stm32f4x.cpu' "$OUT")" "0 1"
        run_probe info --probe=nothing "$ELF"
        check "a probe that is not there" is "$STATUS $(<"$ERR")" \
            "4 txtap: no probe on USB has the serial or the name 'nothing': see 'txtap probes'"
        unplug
        run_probe info --wait=300ms --probe "$ELF"
        check "no probe" is "$STATUS $(grep -c '^txtap: gave up after 0.3 s: ' "$ERR")" "4 1"
    fi
    stop_usb_probe
    stop_board
done
e2e_end
