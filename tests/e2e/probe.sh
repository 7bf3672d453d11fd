#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the way from plugging in a probe to its events: txtap finds the probe on an emulated USB, drives it or starts
# an unmodified OpenOCD for it, and continues after it was unplugged.   usage: probe.sh BUILD_DIRECTORY [PROBE]...
# PROBE: stlink-v2-1, stlink-v3, cmsis-dap (through OpenOCD), the same with -directly, and cmsis-dap-v1-directly,
# jlink-directly; all if none is given. For a longer test: TXTAP_E2E_PROBE_SECONDS of reading without a loss,
# TXTAP_E2E_UNPLUGS times unplugged, TXTAP_E2E_PROBE_ENDINGS random ends, for each probe. With TXTAP_E2E_QUIET=1 the
# first event must come within 2 s.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
PROBES=("${@:2}")
((${#PROBES[@]})) || PROBES=({stlink-v2-1,stlink-v3,cmsis-dap}{,-directly} {cmsis-dap-v1,jlink}-directly)
source "$(dirname "${BASH_SOURCE[0]}")/usb_lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/child_lib.sh"
if [[ ! -x $USBPROBE || $(ldd "$BUILD/capture/txtap") != *libusb* ]]; then
    echo "SKIP: libumockdev-dev or libusb-1.0-0-dev is not installed: nothing of this was tested"
    exit 77
fi
# A sanitizer must be loaded before umockdev. It is loaded into OpenOCD too, where leaks are not checked.
SANITIZER=$(ldd "$BUILD/capture/txtap" | sed -n 's/.*libasan[^ ]* => \([^ ]*\) .*/\1/p')
export ASAN_OPTIONS=detect_leaks=0
READ_S=${TXTAP_E2E_PROBE_SECONDS:-}
UNPLUGS=${TXTAP_E2E_UNPLUGS:-2}
ENDINGS=${TXTAP_E2E_PROBE_ENDINGS:-2}
SEED=${TXTAP_SEED:-$((RANDOM << 15 | RANDOM))}
RANDOM=$SEED
ELF=$FIRMWARE/demo.elf
EVENTS=$WORK/events.jsonl
STATS=$WORK/stats.json
FIRST_S=2 # limit of the time from the start to the first event
PATIENT=(--timeout 1min) # on a busy host OpenOCD, and the emulated probe, may take seconds for an answer

on_usb() {
    UNDER=("${OPENOCD_UNDER[@]}")
    if [[ $SANITIZER ]]; then UNDER=("${UNDER[@]/#LD_PRELOAD=/LD_PRELOAD=$SANITIZER:}"); fi
}
reports() { grep -q -E -- "$1" "$ERR"; }
# run_probe ARGUMENT...: runs txtap on the emulated USB until it ends.
run_probe() {
    OUT=$WORK/out ERR=$WORK/err STATUS=0
    "${UNDER[@]}" timeout --foreground -k 5 "$E2E_RUN_S" "$BUILD/capture/txtap" "$@" >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
    ((STATUS != 4)) || sed 's/^/#   /' "$ERR"
}
start_tail() {
    OUT=$WORK/out ERR=$WORK/err
    rm -f "$ERR" "$EVENTS"
    "${UNDER[@]}" "$BUILD/capture/txtap" tail "${PATIENT[@]}" "$@" -f jsonl --force -o "$EVENTS" "$ELF" >"$OUT" 2>"$ERR" </dev/null &
    TXTAP_PID=$!
    E2E_PIDS+=("$TXTAP_PID")
    await_lines "$EVENTS" 200
}
matches() { [[ $1 =~ ^($2)$ ]] || { printf "# got '%s'\n" "$1"; return 1; }; }
marks() { jq -r 'select(.type | IN("event", "gap", "header", "object") | not) | .type' "$EVENTS" | tr '\n' ' '; }

# Runs txtap without any option, like the commands in README, unless the test must force the use of OpenOCD. The
# printed time until the first event is meaningful only on an idle host.
first_event() {
    local begin=${EPOCHREALTIME/./} us
    run_probe tail "${PATIENT[@]}" "${VIA[@]}" --limit 1 "$ELF"
    us=$((${EPOCHREALTIME/./} - begin))
    echo "# the first event after $((us / 1000)) ms"
    check "$1: no option is needed" is "$STATUS" 0
    if ((${#VIA[@]} == 0)); then check "$1: it says which way it took" reports "attached to .*\\(--way=direct: the only probe on USB"; fi
    ! is_quiet || check "$1: the first event comes within $FIRST_S s" test "$us" -le $((FIRST_S * 1000000))
}

# Checks that no event was lost. On a slow host the target may seem to be gone for a moment. Then the size of a loss is
# "at least".
no_loss() {
    local limit=(--limit 600) wanted
    [[ ! $READ_S ]] || limit=(--seconds "$READ_S")
    run_probe tail "${PATIENT[@]}" --probe "${VIA[@]}" "${limit[@]}" --strict -f jsonl --force -o "$EVENTS" --stats-json "$STATS" "$ELF"
    wanted=$(jq 'if .lost > 0 or .resets > 0 or .lost_unseen then 5 else 0 end' "$STATS")
    check "$1: no loss is unreported" is "$STATUS" "$wanted"
    check "$1: every ledger number is there exactly once, or in a gap" ledger "$EVENTS"
    if [[ $READ_S ]]; then check "$1: nothing is lost in $READ_S s" is "$(jq .lost "$STATS") $LEDGER_MISSING" "0 0"; fi
    check "$1: it names the probe" reports "attached to $ATTACHED (ST-?L|Rasp|DAPLink|J-Link)"
    echo "# $(sed -n 's/^txtap: \([0-9]* events in .*\)/\1/p' "$ERR")"
}

# Checks that another probe of the same model at the same place is recognised as another probe, and is not used.
other_probe() {
    local attached opened transfers
    attached=$(count_of attached)
    unplug
    await_marks detached $((attached + 1))
    transfers=$(usb_state transfers)
    plug 0ABCDEF0
    opened=$(usb_state opened)
    check "$1: another probe in its place is identified" await "$TXTAP_PID" has_opened $((opened + 3))
    check "$1: and not used" is "$(count_of attached) $(usb_state transfers)" "$attached $transfers"
    unplug
    plug "$2"
    await_marks attached $((attached + 1))
    await_more 100
}
has_opened() { (($(usb_state opened) >= $1)); }

goes_on() {
    local turn
    start_tail --probe "${VIA[@]}" --speed 1000
    for ((turn = 1; turn <= UNPLUGS; turn++)); do
        unplug
        await_marks detached "$turn"
        plug
        await_marks attached "$turn"
        await_more 200
    done
    check "$1: it says which probe was unplugged" reports 'detached: (ST|Rasp|DAPLink|J-Link).* [0-9A-F]{12,24} was unplugged: plug it in again'
    if [[ $1 == stlink-v2-1* ]]; then other_probe "$1" "$(sed -n 's/.* \([0-9A-F]*\) was unplugged.*/\1/p;T;q' "$ERR")"; fi
    end_txtap INT
    check "$1: unplugged and plugged in again, it continues by itself" matches "$STATUS $(marks)" \
        "0 (detached attached ){$UNPLUGS,}"
    check "$1: nothing twice, torn or missing unreported" ledger "$EVENTS"
    echo "# $(sed -n 's/^txtap: \([0-9]* events in .*\)/\1/p' "$ERR")"
}

# Ends txtap at random moments; no OpenOCD may remain. If txtap drives the probe directly, nothing can remain: the
# kernel releases the claim of the interface.
ends() {
    local i way seconds ways=(KILL TERM INT PIPE)
    rm -f "$PIDS".*
    for ((i = 0; i < ENDINGS; i++)); do
        await "$USB_PID" usb_is_free
        way=${ways[RANDOM % ${#ways[@]}]}
        printf -v seconds '0.%03d' $((RANDOM % 700 + 1))
        (
            trap - EXIT ERR
            set +e
            PIDS+=.$i.$way
            ending "$seconds" "$([[ $DIRECT ]] || ((i % 2)) && echo start || echo openocd)" "$way" \
                tail --probe "${BY[@]}" -q "$ELF"
        ) 2>/dev/null
    done
    if [[ $DIRECT ]]; then
        check "$1: after $ENDINGS random ends it is free" await "$USB_PID" usb_is_free
        run_probe tail "${PATIENT[@]}" --probe --limit 20 -f csv "$ELF"
        check "$1: and can be read through again, whatever it was just asked" is "$STATUS $(grep -c '^event,' "$OUT")" "0 20"
        return
    fi
    check "$1: $ENDINGS random ends, at least half of them had started OpenOCD" \
        test "$(ls "$PIDS".* | wc -l)" -ge "$((ENDINGS / 2))"
    check "$1: none left its OpenOCD behind" nothing_left
    await "$USB_PID" usb_is_free
}

no_serial() {
    start_usb_probe cmsis-dap --serial ''
    on_usb
    start_tail "${VIA[@]}"
    unplug
    await_marks detached 1
    plug
    await_marks attached 1
    check "without a serial number it continues too" await_more 100
    end_txtap INT
    check "and ends normally" is "$STATUS" 0
    stop_usb_probe
}

other_options() {
    run_probe info --tcl 1 "$ELF"
    check "a server that was named is not replaced by a probe" is "$STATUS $(grep -c 'no server at 127.0.0.1:1' "$ERR")" "4 1"
    run_probe info "${PATIENT[@]}" --probe=v2-1 --chip stm32f4x --target stm32f4x.cpu --seconds 0.05 "$ELF"
    check "--chip is OpenOCD's file" is "$STATUS $(grep -c '^server .*, started by txtap, target stm32f4x.cpu' "$OUT")" "0 1"
    run_probe info --probe=nothing "$ELF"
    check "a missing probe" is "$STATUS $(<"$ERR")" \
        "4 txtap: no probe on USB has the serial or the name 'nothing': see 'txtap probes'"
    unplug
    run_probe info --wait=300ms --probe "$ELF"
    check "no probe" is "$STATUS $(grep -c '^txtap: gave up after 0.3 s: ' "$ERR")" "4 1"
}

echo "# TXTAP_SEED=$SEED"
for name in "${PROBES[@]}"; do
    kind=${name%-directly} DIRECT="" VIA=(--openocd) BY=(--openocd-program "$PROGRAM")
    ATTACHED='txtap.cpu, OpenOCD [0-9.]+ started for'
    if [[ $name == *-directly ]]; then DIRECT=yes VIA=() BY=() ATTACHED='access port 0, directly through'; fi
    echo "# $name"
    start_usb_board "$kind" --rate "$([[ $kind =~ ^(cmsis-dap|jlink) ]] && echo 300 || echo 500)" "$ELF"
    start_usb_probe "$kind"
    on_usb
    first_event "$name"
    no_loss "$name"
    goes_on "$name"
    ends "$name"
    audit_now
    check "$name: no halt, resume, step or reset" is "$(audit '[.halts, .resumes, .steps, .resets] | add')" 0
    if [[ $DIRECT ]]; then
        check "$name: no write at all, debug unit included" is "$(audit '.writes | map(.count) | add')" 0
    else
        check "$name: only OpenOCD's own writes to the debug unit" is \
            "$(audit '.writes | [.ram, .flash, .peripheral, .system, .fault] | map(.count) | add')" 0
    fi
    if [[ $name == stlink-v2-1 ]]; then other_options; fi
    stop_usb_probe
    if [[ $kind == cmsis-dap ]]; then no_serial; fi
    stop_board
done
e2e_end
