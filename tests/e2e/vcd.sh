#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks value change dumps of the sample traces. The times of each thread must equal those of the report, to the
# tick, and other programs must read the same times in the dumps.
#   usage: vcd.sh BUILD_DIRECTORY   (TXTAP_E2E_SAMPLES: longer traces are not given to sigrok, 300000)
set -euo pipefail
export LC_ALL=C
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
HERE=$E2E_ROOT/tests/e2e
DATA=$E2E_ROOT/tests/data
SAMPLES=${TXTAP_E2E_SAMPLES:-300000}

dump() { # FORMAT TRACE: writes the trace as FORMAT to $WORK/dump.FORMAT
    "$BUILD/capture/txtap" decode -q -f "$1" "$2" >"$WORK/dump.$1"
}

# sums FILE: prints the sums of the wires that belong to threads.
sums() { awk -f "$HERE/vcd_sums.awk" "$1" | grep -vE '^(interrupt|lost_events) ' | sort; }

sums_are_the_reports() {
    "$BUILD/capture/txtap" report -q -f json "$1" >"$WORK/report.json"
    jq -r -f "$HERE/vcd_report.jq" "$WORK/report.json" | sort >"$WORK/want"
    sums "$WORK/dump.vcd" >"$WORK/got"
    [[ -s $WORK/want ]] && diff "$WORK/want" "$WORK/got"
}
interrupts_are_the_reports() {
    local want got
    want=$(jq '[.figures[] | select(.name == "interrupts_ticks") | .stats.value.value] | add // 0' "$WORK/report.json")
    got=$(awk -f "$HERE/vcd_sums.awk" "$WORK/dump.vcd" | sed -n 's/^interrupt //p')
    is "${got:-0}" "$want"
}

# Compares the wires of the two formats. The format vcd also has comments on the past, which this comparison leaves
# out.
same_wires() { diff <(grep -v '^\$comment .* was ' "$WORK/dump.vcd" | sums -) <(sums "$WORK/dump.vcd-wires"); }

fst_has_the_same_changes() { # FORMAT
    vcd2fst "$WORK/dump.$1" "$WORK/dump.fst" >"$WORK/fst.log" 2>&1 && [[ -s $WORK/dump.fst ]]
}

sigrok_counts_the_same() {
    sigrok-cli -i "$WORK/dump.vcd-wires" -I vcd -O csv:label=channel:header=false 2>"$WORK/sigrok.log" |
        awk -f "$HERE/vcd_samples.awk" | sort >"$WORK/samples"
    diff "$WORK/samples" <(awk -f "$HERE/vcd_sums.awk" "$WORK/dump.vcd-wires" | sort)
}

for trace in "$DATA"/*.trx "$DATA"/analysis/*.trx "$BUILD/tests/data/demo_rec.trx"; do
    name=$(basename "$trace" .trx)
    dump vcd "$trace"
    dump vcd-wires "$trace"
    check "$name: running and ready times are the report's" sums_are_the_reports "$trace"
    check "$name: the wires alone are the same" same_wires
    [[ $name == smp* ]] || check "$name: the time of interrupts is the report's" interrupts_are_the_reports
    if command -v vcd2fst >/dev/null; then
        check "$name: vcd2fst takes it" fst_has_the_same_changes vcd
        check "$name: vcd2fst takes the wires" fst_has_the_same_changes vcd-wires
    fi
    # sigrok makes a sample for each unit of time.
    if command -v sigrok-cli >/dev/null && (($(sed -n 's/^#//p' "$WORK/dump.vcd-wires" | tail -n 1) <= SAMPLES)); then
        check "$name: sigrok counts as many samples" sigrok_counts_the_same
    fi
done
demo=$DATA/analysis/demo_live.trx
{ head -c 9000 "$demo"; head -c 2048 /dev/zero; tail -c +11049 "$demo"; } >"$WORK/gap.trx"
dump vcd "$WORK/gap.trx"
dump vcd-wires "$WORK/gap.trx"
lost_is_the_gap() {
    is "$(awk -f "$HERE/vcd_sums.awk" "$WORK/dump.vcd" | sed -n 's/^lost_events //p')" \
        "$(jq '.window_ticks - .observed_ticks' "$WORK/report.json")"
}
check "with a gap: running and ready times are the report's" sums_are_the_reports "$WORK/gap.trx"
check "with a gap: the wires alone are the same" same_wires
check "with a gap: the time of lost events is what the report did not observe" lost_is_the_gap

# Gives three threads names with control characters, quotes, invalid UTF-8 and keywords of the format.
hostile() { perl -pe 's/sampler\0/\xff\n\x1b"};x\0/g; s/filter\0/\$end \n\0/g; s/logger\0/\xe2\x82\xac#1!\0/g' "$demo"; }
hostile >"$WORK/hostile.trx"
names_are_inert() {
    dump vcd "$WORK/hostile.trx" && dump vcd-wires "$WORK/hostile.trx" && same_wires &&
        [[ $(sums "$WORK/dump.vcd" | grep -o '[0-9]*$' | sort -n) == "$(sums "$WORK/plain" | grep -o '[0-9]*$' | sort -n)" ]] &&
        ! grep -q '[^ -~]' "$WORK/dump.vcd"
}
dump vcd "$demo"
cp "$WORK/dump.vcd" "$WORK/plain"
check "hostile names are inert" names_are_inert

command -v vcd2fst >/dev/null || skip "vcd2fst takes all of them" "gtkwave is not installed"
command -v sigrok-cli >/dev/null || skip "sigrok counts as many samples" "sigrok-cli is not installed"
e2e_end
