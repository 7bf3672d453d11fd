#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Attaches through a slow probe at random positions of the writer: with a recorder that counts no laps, like plain
# ThreadX, it must not deliver much less.   usage: attach.sh BUILD_DIRECTORY
#   TXTAP_E2E_ATTACHES: how many for each of two firmwares, which are otherwise equal (4)
#   TXTAP_SEED: the seed of the positions; random and printed without it
#
# The firmware writes 600 events per second into a ring of 64 KiB; an imitated ST-Link V2 can carry about 1,600. Each attach
# lasts 2 s. It could deliver what was in the ring when it began and what was written until it ended, by the firmware's
# own count, but no more bytes than it read: a host that is stopped reads nothing. The part of that which it delivered
# is its share.
#
# Checked at any speed: both streams are complete, that is, their ledgers have no hole without a gap.
# Checked for two attaches at the same time and position: the share without laps is at least 80 % of the share with
# laps. This needs a host that is fast enough. A pair is not judged if the ring outran even the reader that counts laps,
# which then says how much it lost, if one of the two could read less than three quarters of what there was, or if only
# one of the two rings had wrapped when it was attached to. If no pair could be judged, the shares are reported as
# skipped.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

COUNTING=$FIRMWARE/demo_large.elf
PLAIN=$FIRMWARE/demo_large_no_laps.elf
[[ -f $COUNTING && -f $PLAIN ]] || die "no $PLAIN: build the target firmware first"
ATTACHES=${TXTAP_E2E_ATTACHES:-4}
SEED=${TXTAP_SEED:-$((SRANDOM % 30000 + 1))}
AT_ONCE=2     # for each firmware
ENTRIES=2001  # of the ring
MOMENTS=6003  # three laps of it
ENTRY_BYTES=32
RATE=600
FILL_RATE=6000 # until that position is reached

# attach ELF NAME MOMENT: "delivered, could have, written before, lost, slow" to $WORK/NAME.figures. Runs in a process of
# its own, with its own board and server.
attach() {
    local figures=$WORK/$2.figures before after there read
    trap 'exit 143' TERM
    trap 'stop_all' EXIT
    ELF=$1 WORK=$WORK/$2 E2E_PIDS=()
    mkdir "$WORK"
    start_board --probe stlink-v2 --rate $RATE "$ELF"
    start_openocd
    ocd "mww $(symbol "$ELF" demo_event_rate) $FILL_RATE" >/dev/null
    rises_to demo_events_written "$3"
    ocd "mww $(symbol "$ELF" demo_event_rate) $RATE" >/dev/null
    before=$(value demo_events_written)
    run_txtap tail --tcl "$TCL_PORT" --seconds 2 --format jsonl -o "$WORK/events" --stats-json "$WORK/stats" "$ELF"
    after=$(value demo_events_written)
    is "$STATUS $(value demo_fault)" "0 0"
    ledger "$WORK/events"
    there=$((after - before + (before < ENTRIES ? before : ENTRIES - 1)))
    read=$(($(jq .bytes_read "$WORK/stats") / ENTRY_BYTES))
    jq -r "\"\\(.events) $((there < read ? there : read)) $before \\(.lost) $((4 * read < 3 * there))\"" "$WORK/stats" >"$figures"
}

# pairs FIRST COUNT: that many attaches to each firmware, in parallel.
pairs() {
    local i moment pid
    for ((i = $1; i < $1 + $2; i++)); do
        moment=$(((RANDOM << 15 | RANDOM) % MOMENTS))
        attach "$COUNTING" "$i.counting" $moment &
        E2E_PIDS+=($!)
        attach "$PLAIN" "$i.plain" $moment &
        E2E_PIDS+=($!)
    done
    for pid in "${E2E_PIDS[@]}"; do
        wait "$pid" || WHOLE=false
    done
    E2E_PIDS=()
}

# Prints a line for each pair, and at the end the shares. Status 1: a pair delivered too little; 2: no pair could be judged.
judge() {
    awk -v ring="$ENTRIES" '
    function percent(share) { return sprintf("%5.1f %%", 100 * share) }
    {
        counting = $1 / $2
        plain = $6 / $7
        slow = $4 > 0.2 * $2 || $5 || $10 || ($3 < ring) != ($8 < ring)
        low = !slow && plain < 0.8 * counting
        bad += low
        printf "# at %4d and %4d events: %s with laps (%d of %d, %d lost), %s without (%d of %d, at least %d lost)%s\n",
            $3, $8, percent(counting), $1, $2, $4, percent(plain), $6, $7, $9, slow ? ": the host was too slow, not judged" : low ? ": TOO LITTLE" : ""
        if (slow) next
        judged++
        sum_counting += counting
        sum_plain += plain
        if (judged == 1 || counting < worst_counting) worst_counting = counting
        if (judged == 1 || plain < worst_plain) worst_plain = plain
        if (judged == 1 || plain / counting < worst) worst = plain / counting
    }
    END {
        if (judged == 0) exit 2
        printf "# %d pairs: with laps worst %s, average %s; without worst %s, average %s; worst of one by the other %s\n",
            judged, percent(worst_counting), percent(sum_counting / judged), percent(worst_plain),
            percent(sum_plain / judged), percent(worst)
        exit bad > 0
    }' "$1"
}

echo "# seed $SEED"
RANDOM=$SEED
WHOLE=true
for ((done = 0; done < ATTACHES; done += AT_ONCE)); do
    pairs $done $((ATTACHES - done < AT_ONCE ? ATTACHES - done : AT_ONCE))
done
check "every attach ends normally, with a complete stream" is "$WHOLE" true
for ((i = 0; i < ATTACHES; i++)); do
    [[ -s $WORK/$i.counting.figures && -s $WORK/$i.plain.figures ]] || continue # reported above
    paste -d ' ' "$WORK/$i.counting.figures" "$WORK/$i.plain.figures"
done >"$WORK/figures"
JUDGED=0
judge "$WORK/figures" || JUDGED=$?
SHARES="no attach without laps delivers less than 80 % of the share with laps"
if ((JUDGED == 2)); then
    skip "$SHARES" "the host was too slow for all $ATTACHES pairs"
else
    check "$SHARES" is "$JUDGED" 0
fi
e2e_end
