# SPDX-License-Identifier: MIT
# Copies of txtap snapshot, for the tests of snapshot: sourced after e2e_begin. SHOT is the file of a copy.

mkdir "$WORK/shots"
SHOT=$WORK/shots/one.trx
STATS=$WORK/stats.json
EVENTS=$WORK/events.jsonl
TOTAL=16368 # header, 30 objects, 465 entries
HEADER_AND_REGISTRY=$((48 + 30 * 48))

decoded_events() { # FILE [ELF]
    "$BUILD/capture/txtap" decode "$@" -q --format jsonl | grep '"type":"event"'
}

alone_in_its_directory() {
    is "$(ls -A "$WORK/shots")" "$1"
}

one_line_matching() {
    [[ $(wc -l <"$1") == 1 ]] && grep -q -- "$2" "$1" && return
    sed 's/^/# stderr: /' "$1"
    return 1
}

# Checks that the copy is the whole ring. If the host was too slow, the copy is a part of the ring, and a message must
# report this.
whole_or_reported() {
    local size faster="^txtap: the target writes faster than it can be copied"
    size=$(stat -c %s "$SHOT")
    if ((size < TOTAL)); then one_line_matching "$ERR" "$faster"; else is "$size $(grep -c "$faster" "$ERR")" "$TOTAL 0"; fi
}
