# SPDX-License-Identifier: MIT
# Compares two recordings of a board, made by two recorders that may have lost different events. Input: events and gaps
# in JSON Lines, without "seconds". The keys of each line have a fixed order, so no JSON parser is needed.
#   awk -v a=NAME -v b=NAME -v written=EVENTS -v other=FILE_OF_B -f same_events.awk FILE_OF_A
# In each recording, the numbers of events and gaps must follow one another, from the same first number to the last of
# the EVENTS that the firmware has written, and the last must be an event. So an event that a recording lacks is in a
# gap of this recording. An event that both have must be equal. Its texts may differ after a gap, because a name may be
# lost in it, but its stamp, its kind and its words may not. Prints the counts; on a violation prints a sentence, and
# ends with status 1. Reads 2 million events in seconds, and needs no memory for them.

function violated(what) {
    print "# " what
    failed = 1
    exit 1
}

function number_after(line, key,   at) {
    at = index(line, "\"" key "\":")
    if (at == 0) violated("no " key ": " line)
    return substr(line, at + length(key) + 3) + 0
}

# Takes the next line of recording r: 1 is A, 2 is B. It is an event or a gap, and ends before the number `next_seq`. At
# the end of the recording, `ended` is 1.
function take(r,   got, seq) {
    if (r == 1) got = getline text[1]
    else got = getline text[2] <other
    if (got < 0) violated("cannot read " other)
    if (got == 0) {
        ended[r] = 1
        return
    }
    seq = number_after(text[r], "seq")
    if (!(r in first)) first[r] = seq
    else if (seq != next_seq[r]) violated(name[r] ": want the number " next_seq[r] ": " text[r])
    is_gap[r] = text[r] ~ /^[{]"type":"gap"/
    if (is_gap[r]) {
        if (index(text[r], "\"exact\":true") == 0)
            violated(name[r] ": numbers after this gap cannot be compared, because its size is not known: " text[r])
        next_seq[r] = seq + number_after(text[r], "lost")
        if (next_seq[r] <= seq) violated(name[r] ": an empty gap: " text[r])
        gaps[r]++
        lost[r] += next_seq[r] - seq
    } else {
        next_seq[r] = seq + 1
        events[r]++
    }
}

# Returns an event's stamp, kind and words.
function raw(line,   at, words) {
    at = index(line, "\"info\":[")
    words = substr(line, at)
    return number_after(line, "ticks") " " number_after(line, "id") " " substr(words, 1, index(words, "]"))
}

function compare() {
    both++
    if (text[1] == text[2]) return
    if (gaps[1] + gaps[2] == 0 || raw(text[1]) != raw(text[2]))
        violated("the same event is not equal:\n#   " name[1] ": " text[1] "\n#   " name[2] ": " text[2])
    named++
}

function show(r) {
    printf "# %s: %d events, %d of them only here; %d gaps with %d events\n", name[r], events[r], events[r] - both,
        gaps[r], lost[r]
}

BEGIN {
    name[1] = a
    name[2] = b
    take(1)
    take(2)
    if (ended[1] || ended[2]) violated("no event in " (ended[1] ? a : b))
    if (first[1] != first[2]) violated("they begin at " first[1] " and " first[2])
    while (!ended[1] && !ended[2]) {
        if (!is_gap[1] && !is_gap[2]) compare()
        # Goes on in the recording whose event or gap ends first; in both, if they end together.
        if (next_seq[1] < next_seq[2]) take(1)
        else if (next_seq[2] < next_seq[1]) take(2)
        else {
            for (r = 1; r <= 2; r++) last_is_gap[r] = is_gap[r]
            take(1)
            take(2)
        }
    }
    for (r = 1; r <= 2; r++) {
        if (next_seq[r] != written) violated(name[r] ": ends before the number " next_seq[r] ", want " written)
        if (last_is_gap[r]) violated(name[r] ": ends with a gap")
    }
    printf "# %d events in both, %d of them with other names after a gap\n", both, named
    show(1)
    show(2)
    exit
}
END { exit failed }
