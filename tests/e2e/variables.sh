#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks --watch: each sample of the demo's variables fits the events around it, and the ring loses no event because of
# the variables. usage: variables.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

source "$(dirname "${BASH_SOURCE[0]}")/variables_lib.sh"

# The test itself writes a word: see release.
undisturbed() {
    audit_now
    is "$(audit '[.halts, .resumes, .steps, .resets, .register_writes] | add') $(audit .writes.ram.count)" "0 1"
}

start_board --set demo_hold=1 "$ELF"
start_openocd
start_txtap record --tcl "$TCL_PORT" --strict --force --stats-json "$STATS" --watch "$WATCH" \
    --check "value($W.sine).max <= 1000" --check "value($W.sine) >= -1000" --check "state($W.state:STOPPED) > 5%" \
    -o "$REC" "$ELF"
attached "$TXTAP_PID" "$ERR"
release "$ELF"
# On a busy host the ring needs most of the time, so samples are rare, and few of them tell the number of events exactly.
has_enough() {
    fits growing >/dev/null && each_has_samples >/dev/null &&
        (($(sed -n "s/^$W.state: \([0-9]*\) samples.*/\1/p" "$WORK/checked") >= 100))
}
await "$TXTAP_PID" has_enough || true
end_txtap INT
check "no loss is unreported" no_unreported_loss
check "checks of values are ok" test "$(grep -c '^ok ' "$ERR")" -eq 3
check "each sample fits the events around it" fits
check "each variable has samples" each_has_samples
check "nothing is written, and the core is never halted" undisturbed
sed 's/^/# /' "$WORK/checked"
sed -n 's/^txtap: /# /p' "$ERR"

run_txtap report --section values "$REC"
check "a report shows the values" grep -q "$W.sine .* -1000 .* 1000" "$OUT"
check "a check of a maximum fails" txtap_exits 6 check --check "value($W.sine) < 1000" "$REC"
check "a check of a variable that is not in the trace is no check" txtap_exits 7 check --check "value(nothing) < 1000" "$REC"

echo "# a trigger"
run_txtap record --tcl "$TCL_PORT" --force --limit 100 --before 10ms --after 10ms --watch "$W.state@1kHz" \
    --trigger "value($W.state) == FAULT" -o "$REC" "$ELF"
check "a value fires a trigger" said "events in 1 file, .*, [1-9][0-9]* trigger"
check "a trigger on another variable" txtap_fails 2 "does not name this variable" record --watch x --trigger 'value(y) > 3' -o "$REC"

run_txtap info --tcl "$TCL_PORT" --seconds 0.3 --watch "$WATCH" "$ELF"
check "info shows the place and the type of each variable" grep -q "^  $W.bits.sign  *0x[0-9a-f]*, 5 bits, signed, at most 100/s$" "$OUT"
check "and reads them" said "samples of 20 variables in"

echo "# mistakes"
check "an unknown variable" txtap_fails 2 "no variable 'demo_wavform': did you mean 'demo_waveform'" tail \
    --tcl "$TCL_PORT" --watch demo_wavform.count "$ELF"
check "a register" txtap_fails 2 "may be a register" tail --tcl "$TCL_PORT" --watch '*0x40004404' "$ELF"
check "a wrong rate" txtap_fails 2 "is no rate" tail --watch 'x@fast' "$ELF"
check "a file has no variables" txtap_fails 2 "works only with a running target" report --watch x "$REC"
e2e_end
