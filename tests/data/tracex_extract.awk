# SPDX-License-Identifier: MIT
# Extracts the data that tests compare with from TraceX's raw trace dump (*.tracex.txt):
#   object ADDRESS TYPE|NAME        one per line of its object list
#   count ID N                      its histogram of services
#   event INDEX TICKS ID CONTEXT NEXT STAMP
# A context is a thread's address, or interrupt, initialization, idle.
#   awk -f tracex_extract.awk SAMPLE.tracex.txt >SAMPLE.tracex.expect

BEGIN { # mawk does not support {8}
    digits = "[0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F][0-9A-F]"
    contexts = "\\(" digits "\\)|Interrupt|Initialization|Idle"
}

# The first context in text, or "". The text after it is left in REST.
function context(text,    at) {
    if (match(text, contexts) == 0)
        return ""
    at = substr(text, RSTART, RLENGTH)
    REST = substr(text, RSTART + RLENGTH)
    gsub(/[()]/, "", at)
    return tolower(at)
}

/Objects in Trace/ { section = "objects"; next }
/Performance Statistics/ { section = "" }
/Popular Services/ { section = "services"; next }
/Trace Events/ { section = "events"; next }

section == "objects" && $1 ~ digits {
    type = substr($0, 14, 12)
    name = substr($0, 26, 37)
    gsub(/^ +| +$/, "", type)
    gsub(/^ +| +$/, "", name)
    print "object", tolower($1), type "|" name
}

section == "services" && match($0, /\( *[0-9]+\)/) {
    id = substr($0, RSTART + 1, RLENGTH - 2)
    print "count", id + 0, $NF
}

section == "events" && match($0, /\( *[0-9]+\)/) {
    id = substr($0, RSTART + 1, RLENGTH - 2)
    ticks = $2
    sub(/^0+/, "", ticks)
    here = context(substr($0, RSTART + RLENGTH))
    there = context(REST)
    stamp = substr($0, index($0, "I4: ") + 12)
    split(stamp, words)
    print "event", $1, ticks + 0, id + 0, here, there, tolower(words[1])
}
