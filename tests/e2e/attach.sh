#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Attaches through a slow probe at random positions of the writer, with a recorder that counts laps, and with a
# recorder that counts none, like plain ThreadX.   usage: attach.sh BUILD_DIRECTORY
#   TXTAP_E2E_ATTACHES: number of attaches to each of two firmwares, which differ only in the count of laps (4)
#   TXTAP_SEED: the seed of the positions; random and printed without it
#
# The firmware writes 600 events per second into a ring of 64 KiB; an imitated ST-Link V2 can carry about 1,600. Each
# attach lasts 2 s. It could have delivered the events that were in the ring at its beginning, and the events that the
# firmware's own count shows until its end, but no more bytes than it read (a stopped host reads nothing). The
# delivered part of these events is the attach's share.
#
# Checks that each stream is complete: its ledger has no hole without a gap. Shows the shares, but does not judge
# them, because they depend on the host. unit.txtb_saturation compares them on a scripted target.
set -euo pipefail
E2E_LIMIT_S=$((1800 + 5 * ${TXTAP_E2E_ATTACHES:-4}))
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

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
FILL_RATE=6000 # event rate until the position MOMENT is reached

# attach ELF NAME MOMENT: writes four figures to $WORK/NAME.figures: the numbers of events that were delivered, that
# could have been delivered, that were written before the attach, and that were lost. Runs in a process of its own, with
# its own board and server.
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
    jq -r "\"\\(.events) $((there < read ? there : read)) $before \\(.lost)\"" "$WORK/stats" >"$figures"
}

# pairs FIRST COUNT: makes COUNT attaches to each firmware, in parallel, numbered from FIRST on.
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

# Prints a line for each pair.
show() {
    awk '
    function percent(share) { return sprintf("%5.1f %%", 100 * share) }
    { printf "# at %4d and %4d events: %s with laps (%d of %d, %d lost), %s without (%d of %d, at least %d lost)\n",
          $3, $7, percent($1 / $2), $1, $2, $4, percent($5 / $6), $5, $6, $8 }' "$1"
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
show "$WORK/figures"
e2e_end
