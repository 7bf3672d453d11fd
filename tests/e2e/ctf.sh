#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks CTF of the sample traces: babeltrace2 reads it and finds each event and each gap. Threads run at the same
# times as in the report.
#   usage: ctf.sh BUILD_DIRECTORY
set -euo pipefail
export LC_ALL=C
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
HERE=$E2E_ROOT/tests/e2e
DATA=$E2E_ROOT/tests/data
TXTAP=$BUILD/capture/txtap

babeltrace_reads() { # TRACE
    rm -rf "$WORK/ctf"
    "$TXTAP" decode -q -f ctf -o "$WORK/ctf" "$1" && babeltrace2 --clock-cycles "$WORK/ctf" >"$WORK/lines" 2>"$WORK/said"
}
has_each_event() {
    is "$(grep -cE '^\[[0-9]*\] .* (threadx|user):' "$WORK/lines")" "$("$TXTAP" decode -q -f jsonl "$1" | grep -c '"type":"event"')"
}
sums_are_the_reports() {
    "$TXTAP" report -q -f json "$1" | jq -r -f "$HERE/ctf_report.jq" | sort >"$WORK/want"
    diff "$WORK/want" <(awk -f "$HERE/ctf_sums.awk" "$WORK/lines" | sort)
}
lost() { sed -n 's/.*Tracer discarded \([0-9]*\) event.*/\1/p' "$WORK/said" | awk '{ n += $1 } END { print n + 0 }'; }

# Compares only the times with the report, not the names: after a gap, the thread of some events is not certain.
times_are_the_reports() {
    sums_are_the_reports "$1" >"$WORK/diff" || diff <(grep -o '[0-9]*$' "$WORK/want" | sort -n) \
        <(awk -f "$HERE/ctf_sums.awk" "$WORK/lines" | grep -o '[0-9]*$' | sort -n)
}

for trace in "$DATA"/*.trx "$DATA"/analysis/*.trx "$BUILD/tests/data/demo_rec.trx"; do
    name=$(basename "$trace" .trx)
    check "$name: babeltrace2 reads it" babeltrace_reads "$trace"
    check "$name: it has each event" has_each_event "$trace"
    check "$name: who has a core is the same as in the report" sums_are_the_reports "$trace"
    check "$name: nothing is lost" is "$(lost)" 0
done

# Two damaged buffers that have lost events: 64 entries in the middle are 0, or the buffer ends early.
demo=$DATA/analysis/demo_live.trx
{ head -c 9000 "$demo"; head -c 2048 /dev/zero; tail -c +11049 "$demo"; } >"$WORK/gap.trx"
head -c 9000 "$DATA/threadx_qemu_wrapped.trx" >"$WORK/cut.trx"
gaps_are_told() {
    local want
    want=$("$TXTAP" decode -q -f jsonl "$1" | jq -s '[.[] | select(.type == "gap") | .lost] | add')
    ((want > 0)) && is "$(lost)" "$want"
}
# Checks that the gap ends at the next event. For this reason the packet after a gap must have only one event.
gap_ends_with_the_next_event() {
    local from to
    read -r from to < <(sed -n 's/.* between \[00:00:00\.0*\([0-9]*\)000\] and \[00:00:00\.0*\([0-9]*\)000\].*/\1 \2/p' "$WORK/said")
    "$TXTAP" decode -q -f jsonl "$WORK/gap.trx" >"$WORK/gap.jsonl" && is_true "$WORK/gap.jsonl" 'map(select(.type | IN("event", "gap"))) |
        (map(.type == "gap") | index(true)) as $i |
        (.[:$i] | map(select(.type == "event")) | last.ticks) == $from and .[$i + 1].ticks == $to' \
        -s --argjson from "$from" --argjson to "$to"
}
for name in gap cut; do
    check "$name: babeltrace2 reads it" babeltrace_reads "$WORK/$name.trx"
    check "$name: it has each event" has_each_event "$WORK/$name.trx"
    check "$name: threads have a core as long as in the report" times_are_the_reports "$WORK/$name.trx"
    check "$name: as many events are discarded as are lost" gaps_are_told "$WORK/$name.trx"
    [[ $name == cut ]] || check "a gap is between its neighbours" gap_ends_with_the_next_event
done

# Fills the disk in the middle of the stream: the file must consist of whole packets.
full_disk() {
    rm -rf "$WORK/ctf"
    STATUS=0
    (trap '' XFSZ && ulimit -f 400 && "$TXTAP" decode -q -f ctf -o "$WORK/ctf" "$BUILD/tests/data/demo_rec.trx") 2>"$ERR" || STATUS=$?
    [[ $STATUS -eq 1 ]] && grep -q 'channel0_0: cannot be written' "$ERR" && [[ -s $WORK/ctf/channel0_0 ]] &&
        babeltrace2 "$WORK/ctf" >"$WORK/lines" && [[ $(wc -l <"$WORK/lines") -gt 1000 ]]
}
# Gives three threads names with control characters, quotes, invalid UTF-8 and keywords of the format.
hostile() { perl -pe 's/sampler\0/\xff\n\x1b"};x\0/g; s/filter\0/\$end \n\0/g; s/logger\0/\xe2\x82\xac#1!\0/g' "$demo"; }
hostile >"$WORK/hostile.trx"
names_are_inert() {
    babeltrace_reads "$WORK/hostile.trx" && has_each_event "$WORK/hostile.trx" && ! grep -q $'\x1b' "$WORK/lines" &&
        grep -qF 'next_comm = "\\xff\\x0a\\x1b\\\"};x"' "$WORK/lines" && grep -qaF 'next_comm = "€#1!"' "$WORK/lines"
}
check "hostile names are inert" names_are_inert

refuses_standard_output() {
    run_txtap decode -f ctf "$DATA/analysis/smp2.trx"
    [[ $STATUS -eq 2 ]] && grep -q 'DIRECTORY' "$ERR"
}
keeps_what_is_there() {
    run_txtap decode -q -f ctf -o "$WORK/ctf" "$DATA/analysis/smp2.trx"
    [[ $STATUS -eq 1 || $STATUS -eq 2 ]] && cmp -s "$WORK/ctf/channel0_0" "$WORK/before"
}
check "without a directory it is not written" refuses_standard_output
cp "$WORK/ctf/channel0_0" "$WORK/before"
check "a trace that exists is kept" keeps_what_is_there
ERR=$WORK/err
check "a full disk leaves whole packets" full_disk
e2e_end
