#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the shares of txtap profile more exactly: at 10,000 samples, with a core that sleeps, and with interrupts.
#   usage: profile_long.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)
source "$(dirname "${BASH_SOURCE[0]}")/profile_lib.sh"
[[ -f $PROFILE ]] || die "no $PROFILE: build the target profile_firmware first"

found() { jq -e "$1" "$OUT" >"$WORK/jq"; }

# profile_board SETTING...: starts a board with these settings, and takes 10,000 samples, and again 20,000 if the
# intervals are wide: on a busy host the board stands still at times.
profile_board() {
    local before
    start_board "${@/#/--set=}" "$PROFILE"
    start_openocd
    before=$(counts)
    run_txtap profile --timeout 1min --tcl "$TCL_PORT" --samples 10000 -f json "$PROFILE"
    if found '[.functions[] | .high - .low] | max > 4'; then
        before=$(counts)
        run_txtap profile --timeout 1min --tcl "$TCL_PORT" --samples 20000 -f json "$PROFILE"
    fi
    TRUTH=$(true_shares "$before" "$(counts)")
    stop_all
}

profile_board
check "10,000 samples succeed" is "$STATUS" 0
check_exactly "the shares are right to within 3 points" 3 "$TRUTH"

profile_board profile_sleep_ticks=3
check "the core sleeps" found '.asleep > 0.02 * .samples'
# The virtual board answers reads sooner while its core sleeps, so the samples are not evenly spaced in its time.
printf '# beside sleep: %s\n' "$(jq -c '[.functions[] | {(.function): .percent}] | add' "$OUT")"

profile_board profile_interrupt_units=600
# On a busy host the board does not run whenever txtap reads, and interrupts suffer most: on one processor for six tests at
# once, a handler with half of the time had a quarter of the samples.
if is_quiet; then check "with interrupts the shares are right to within 3 points" shares_are 3 "$TRUTH"; fi
printf '# true: %s, profile: %s\n' "$TRUTH" "$(jq -c '[.functions[] | {(.function): .percent}] | add' "$OUT")"
check "interrupts have time of their own" found '[.threads[] | select(.interrupt == "interrupt 15")][0].percent > 1'
# On a busy host a whole interrupt may run between two reads of the running thread.
if is_quiet; then LIMIT=0.01; else LIMIT=0.3; fi
check "the handler's function runs in the interrupt" found '
    . as $all | [.functions_by_thread[] | select(.function == "interrupt_work" and .thread != null) | .samples]
    | add // 0 | . < '$LIMIT' * $all.samples'
e2e_end
