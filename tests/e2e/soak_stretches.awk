# SPDX-License-Identifier: MIT
# Compares what was delivered and reported lost in each stretch between two resets with what the firmware wrote in it.
# Input, in this order and each with increasing times in microseconds since 1970:
#   written TIME EVENTS LEDGER CAUSE       a life of the firmware that ended at TIME (the last one, at rest: 0)
#   first SEQ                              how many events were written before the first one delivered
#   TYPE TIME EVENTS LOST INEXACT LEDGER   as ledger.awk notes marks
# A stretch belongs to the life that began last before its mark. What was written between the last look and a reset is
# not known: there a stretch may have less than its life, and nowhere more. That it lacks the end and nothing else, the
# ledger tells: about each fourth event is one of its entries, so as much of it must be missing at the end. An entry may
# have been written and not yet counted. A gap that says "at least" may hide a reset that nobody could see; then the
# stretch ends in a later life. And after other firmware was flashed, memory still holds what the life before has left:
# it may be read only then, but whole.

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

# The life that a stretch is of, which ends in front of life next_life (0: at rest); 0 if there is none.
function life_of(got, next_number, next_life,   i, last) {
    if (!next_life) return is_whole(lives, got, next_number) ? lives : 0
    last = inexact < $5 ? next_life - 1 : life
    for (i = life; i <= last && life < next_life; i++)
        if (lacks_only_the_end(i, got, next_number)) return i
    for (i = life - 1; i > fitted; i--)
        if (cause[i] == "reflash" && is_whole(i, got, next_number)) return i
    return 0
}

function end_stretch(next_life,   got, unknown) {
    got = $3 + $4 - before + skipped
    fitted = life_of(got, $6, next_life)
    if (!fitted) {
        fitted = life
        violated(sprintf("stretch %d: %d delivered or lost, next of the ledger %d; life %d has %d and %d", stretches,
            got, $6, life, written[life], ledger[life]))
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
    SLACK_US = 5000   # between the clocks of the two
    START_EVENTS = 64 # before the first of the ledger there are some 36 others
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
