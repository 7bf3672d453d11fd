# SPDX-License-Identifier: MIT
# Checks a stream of events in JSON Lines against the demo firmware's ledger (user event 4096: n, ~n, 3n, a fixed
# word; n counts up by one). Sequence numbers must be consecutive over events and gaps. Each ledger entry must be
# complete, and no entry may come twice or out of order. Ledger numbers may be missing only in a gap that is large
# enough or says "at least". After "attached", a gap that says "at least" may also hide a reset: then the ledger may
# begin anywhere. Prints the sums as shell assignments. On a violation it prints a sentence instead, and ends with
# status 1. With -v marks=FILE, writes a line for each mark, and for the end, to FILE: type, unix_us, the number of
# events, lost events and inexact gaps so far, and the next ledger number. The keys of each input line have a fixed
# order, so no JSON parser is needed.

function violated(what) {
    if (!failed) print "line " NR ": " what ": " $0
    failed = 1
    exit 1
}

function number_after(key,   at) {
    at = index($0, "\"" key "\":")
    if (at == 0) violated("no " key)
    return substr($0, at + length(key) + 3) + 0
}

function begin_ledger() {
    ledger_before += ledgers
    ledgers = lost_since_ledger = covers_any = came_back = may_hide_reset = 0
}

function sequence(   seq) {
    seq = number_after("seq")
    if (anything && seq != next_seq) violated("sequence number, want " next_seq)
    if (!anything) first_seq = seq
    anything = 1
    return seq
}

function note(type, unix_us) {
    if (marks == "") return
    printf "%s %.0f %.0f %.0f %d %.0f\n", type, unix_us, events, lost, gaps - exact,
        ledgers ? last + 1 : 0 >marks
}

function note_mark(type) {
    if (anything && number_after("seq") != next_seq) violated("a mark out of place, want " next_seq)
    note(type, number_after("unix_us"))
}

/^[{]"type":"gap"/ {
    seq = sequence()
    lost_here = number_after("lost")
    if (lost_here < 1 && index($0, "\"exact\":true")) violated("an empty gap")
    next_seq = seq + lost_here
    gaps++
    lost += lost_here
    lost_since_ledger += lost_here
    if (index($0, "\"exact\":true")) exact++
    else covers_any = 1
    if (covers_any && came_back) may_hide_reset = 1
    next
}

/^[{]"type":"event"/ {
    next_seq = sequence() + 1
    events++
    ticks = number_after("ticks")
    if (ticks < last_ticks) violated("time runs backwards")
    last_ticks = ticks
    if (number_after("id") != 4096) next
    at = index($0, "\"info\":[")
    split(substr($0, at + 8), info, /[],]/)
    n = info[1]
    if (info[2] != 4294967295 - n || info[3] != (3 * n) % 4294967296 || info[4] != 517399205)
        violated("an incomplete ledger entry")
    if (ledgers && n <= last && may_hide_reset) begin_ledger()
    if (ledgers && n <= last) violated("a ledger number again, or out of order")
    if (ledgers && n - last - 1 > lost_since_ledger && !covers_any)
        violated("ledger numbers missing that no gap covers")
    if (ledgers) missing += n - last - 1
    else first = n
    last = n
    ledgers++
    lost_since_ledger = covers_any = came_back = may_hide_reset = 0
    next
}

/^[{]"type":"(header|object)"/ { next }

/^[{]"type":"(detached|attached)"/ {
    if (detached == ($0 ~ /^[{]"type":"detached"/)) violated("a mark without its counterpart")
    detached = !detached
    came_back = !detached
    note_mark(detached ? "detached" : "attached")
    next
}

/^[{]"type":"(disabled|enabled|halted|running|unsure)"/ {
    note_mark("state")
    next
}

# The same firmware continues in another buffer, and so does its ledger.
/^[{]"type":"moved",.*"text":"the firmware records into another buffer"/ {
    note_mark("restarted")
    resets++
    next
}

# The firmware was restarted: the ledger may begin anywhere.
/^[{]"type":"(reset|moved)"/ {
    note_mark("restarted")
    begin_ledger()
    resets++
    next
}

{ violated("an unknown line") }

END {
    if (failed) exit 1
    note("end", 0)
    printf "STREAM_EVENTS=%d STREAM_LOST=%d STREAM_GAPS=%d STREAM_EXACT=%d ", events, lost, gaps, exact
    printf "STREAM_FIRST=%d STREAM_END=%d ", first_seq, next_seq
    printf "STREAM_RESETS=%d STREAM_DETACHED=%d ", resets, detached
    printf "LEDGER_COUNT=%d LEDGER_FIRST=%d LEDGER_LAST=%d LEDGER_MISSING=%d\n", ledger_before + ledgers, first, last,
        missing
}
