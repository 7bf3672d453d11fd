# SPDX-License-Identifier: MIT
# Compares, for each stretch between two resets, the events delivered and reported lost with the events that the
# firmware wrote. Input, in this order; times are in microseconds since 1970 and increase:
#   written TIME EVENTS LEDGER CAUSE       a life of the firmware (from start to reset) that ended at TIME (the last
# one, at rest: 0)
#   first SEQ                              number of events written before the first one delivered
#   TYPE TIME EVENTS LOST INEXACT LEDGER   as ledger.awk notes marks
# A stretch belongs to the last life that began before the stretch's mark. txtap cannot read events that were written
# between the last poll and a reset. So a stretch may have fewer events than its life, but never more. The ledger
# proves that only events at the end are missing: about every fourth event is a ledger entry, so about a quarter of
# the missing events must be ledger entries at the end. The firmware may have written an entry but not yet counted it.
# A gap that says "at least" may hide a reset; then the stretch ends in a later life. A stretch may also belong to an
# earlier life, for two reasons. The host may have stopped between the read that showed the reset and the mark. After
# other firmware was flashed, memory still has the events of the earlier life.

function violated(what) {
    print "# " what
    failed = 1
}

function life_at(time,   i) {
    for (i = 1; i < lives && ended[i] <= time + SLACK_US; i++) ;
    return i
}

function is_whole(i, got, next_number) {
    return (got == written[i] || got == written[i] + 1) && next_number == ledger[i]
}

function lacks_only_the_end(i, got, next_number) {
    return got <= written[i] + 1 && written[i] - got <= 8 * (ledger[i] - next_number) + START_EVENTS
}

# Returns the life of a stretch that ends before life next_life (0: at rest). Returns 0 if there is no such life.
function life_of(got, next_number, next_life,   i, last) {
    if (!next_life) {
        last = lives
        if (written[last] == 0) last--
        return is_whole(last, got, next_number) ? last : 0
    }
    last = inexact < $5 ? next_life - 1 : life
    for (i = life; i <= last && life < next_life; i++)
        if (lacks_only_the_end(i, got, next_number)) return i
    for (i = life - 1; i > fitted; i--)
        if (lacks_only_the_end(i, got, next_number)) return i
    return 0
}

function end_stretch(next_life,   got, unknown) {
    got = $3 + $4 - before + skipped
    fitted = life_of(got, $6, next_life)
    if (!fitted) {
        fitted = life
        violated(sprintf("stretch %d: %d delivered or lost, next of the ledger %d; life %d has %d and %d, the last one, %d, %d",
            stretches, got, $6, life, written[life], ledger[life], lives, written[lives]))
    }
    seen[fitted] = 1
    unknown = written[fitted] > got ? written[fitted] - got : 0
    unknown_sum += unknown
    if (unknown > unknown_max) unknown_max = unknown
    printf "stretch %d: life %d, written %d, delivered %d, lost %d, inexact gaps %d, unknown at its end %d, %s\n",
        stretches, fitted, written[fitted], $3 - events, $4 - lost, $5 - inexact, unknown, cause[fitted] >"/dev/stderr"
    before = $3 + $4
    events = $3
    lost = $4
    inexact = $5
    skipped = 0
    stretches++
    life = next_life
}

BEGIN {
    SLACK_US = 5000   # difference of the two clocks
    START_EVENTS = 64 # about 36 events come before the first of the ledger
    life = 1
}

$1 == "written" {
    lives++
    ended[lives] = $2
    written[lives] = $3
    ledger[lives] = $4
    cause[lives] = $5
    written_sum += $3
}
$1 == "first" { skipped = $2 }
$1 == "restarted" { end_stretch(life_at($2)) }
$1 == "end" { end_stretch(0) }
$1 == "attached" { attached++ }

END {
    for (i = 1; i <= lives; i++) {
        if (seen[i]) continue
        unseen++
        unseen_written += written[i]
    }
    printf "SOAK_LIVES=%d SOAK_UNSEEN=%d SOAK_UNSEEN_WRITTEN=%d SOAK_WRITTEN=%d ", lives, unseen, unseen_written,
        written_sum
    printf "SOAK_STRETCHES=%d SOAK_UNKNOWN=%d SOAK_UNKNOWN_MAX=%d SOAK_ATTACHED=%d\n", stretches, unknown_sum,
        unknown_max, attached
    exit failed
}
