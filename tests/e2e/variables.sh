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

# Prints the number in a column of all lines of variables_check.
sum_of() { awk -v column="$1" -F'[:,] *' '{ for (i = 2; i <= NF; i++) if ($i ~ column "$") sum += $i + 0 } END { print sum + 0 }' "$WORK/checked"; }
each_has_samples() { ! grep ': [0-9] samples' "$WORK/checked" | grep -q . && is "$(wc -l <"$WORK/checked")" 20; }
no_writes() { audit_now && is "$(audit '.writes | length') $(audit .halts)" "0 0"; }

start_board --set demo_hold=1 "$ELF"
start_openocd
start_txtap record --tcl "$TCL_PORT" --strict --force --stats-json "$STATS" --limit "$EVENTS_WANTED" --watch "$WATCH" \
    -o "$REC" "$ELF"
attached "$TXTAP_PID" "$ERR"
release "$ELF"
end_txtap
check "no loss is unreported" no_unreported_loss
check "each sample fits the events around it" "$BUILD/tests/variables_check" "$REC" >"$WORK/checked"
sed 's/^/# /' "$WORK/checked"
sed -n 's/^txtap: /# /p' "$ERR"
e2e_end
