#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks --watch: each sample of the demo's variables fits the events around it, and the ring loses no event because of
# the variables. usage: variables.sh BUILD_DIRECTORY   (TXTAP_E2E_EVENTS: events of each run)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

ELF=$FIRMWARE/demo.elf
EVENTS_WANTED=${TXTAP_E2E_EVENTS:-6000}
REC=$WORK/values.rec
STATS=$WORK/stats.json
W=demo_waveform
WATCH="demo_events_written@1kHz,$W.count@2kHz,$W.sine!mV,$W.half,$W.small,$W.flag,$W.ratio,$W.precise,$W.wide"
WATCH+=",$W.state,$W.bits.low,$W.bits.middle,$W.bits.sign,$W.list[0],$W.list[3],$W.grid[1][2],$W.current->count"
WATCH+=",waveform.c:demo_waveform.list[1]:hex,$W.list[2]:signed,*$(symbol "$ELF" demo_events_written):u32"

each_has_samples() { ! grep ': [0-9] samples' "$WORK/checked" | grep -q . && is "$(wc -l <"$WORK/checked")" 20; }
# The test itself writes a word: see release.
undisturbed() {
    audit_now
    is "$(audit '[.halts, .resumes, .steps, .resets, .register_writes] | add') $(audit .writes.ram.count)" "0 1"
}

start_board --set demo_hold=1 "$ELF"
start_openocd
start_txtap record --tcl "$TCL_PORT" --strict --force --stats-json "$STATS" --limit "$EVENTS_WANTED" --watch "$WATCH" \
    --check "value($W.sine).max <= 1000" --check "value($W.sine) >= -1000" --check "state($W.state:STOPPED) > 5%" \
    -o "$REC" "$ELF"
attached "$TXTAP_PID" "$ERR"
release "$ELF"
end_txtap
check "no loss is unreported" no_unreported_loss
check "checks of values are ok" test "$(grep -c '^ok ' "$ERR")" -eq 3
fits() { "$BUILD/tests/variables_check" "$REC" >"$WORK/checked"; }
check "each sample fits the events around it" fits
check "each variable has samples" each_has_samples
check "nothing is written, and the core is never halted" undisturbed
sed 's/^/# /' "$WORK/checked"
sed -n 's/^txtap: /# /p' "$ERR"

run_txtap report --section values "$REC"
check "a report shows the values" grep -q "$W.sine .* -1000 .* 1000" "$OUT"
check "a check of a maximum fails" txtap_exits 6 check --check "value($W.sine) < 1000" "$REC"
check "a check of a variable that is not in the trace is no check" txtap_exits 7 check --check "value(nothing) < 1000" "$REC"

echo "# mistakes"
check "an unknown variable" txtap_fails 2 "no variable 'demo_wavform': did you mean 'demo_waveform'" tail \
    --tcl "$TCL_PORT" --watch demo_wavform.count "$ELF"
check "a register" txtap_fails 2 "may be a register" tail --tcl "$TCL_PORT" --watch '*0x40004404' "$ELF"
check "a wrong rate" txtap_fails 2 "is no rate" tail --watch 'x@fast' "$ELF"
check "a file has no variables" txtap_fails 2 "works only with a running target" report --watch x "$REC"
e2e_end
