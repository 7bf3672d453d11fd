# SPDX-License-Identifier: MIT
# Twenty variables of the demo, for tests of --watch; sourced after e2e_begin.
#
#   WATCH              for --watch
#   REC, STATS, ELF    the recording, the file of --stats-json, the demo
#   fits [growing]     for check: each sample of $REC fits the events around it; sets $WORK/checked. growing: the recording
#                      is still being written
#   each_has_samples   for check, after fits: at least ten samples of each variable

ELF=$FIRMWARE/demo.elf
REC=$WORK/values.rec
STATS=$WORK/stats.json
W=demo_waveform
WATCH="demo_events_written@1kHz,$W.count@2kHz,$W.sine!mV,$W.half,$W.small,$W.flag,$W.ratio,$W.precise,$W.wide"
WATCH+=",$W.state,$W.bits.low,$W.bits.middle,$W.bits.sign,$W.list[0],$W.list[3],$W.grid[1][2],$W.current->count"
WATCH+=",waveform.c:demo_waveform.list[1]:hex,$W.list[2]:signed,*$(symbol "$ELF" demo_events_written):u32"

fits() { "$BUILD/tests/variables_check" "$REC" "$@" >"$WORK/checked" || { sed "s/^/# /" "$WORK/checked"; return 1; }; }
each_has_samples() { ! grep ': [0-9] samples' "$WORK/checked" | grep -q . && is "$(wc -l <"$WORK/checked")" 20; }
