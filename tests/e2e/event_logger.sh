#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the event logger in running firmware: its collector gets the recorded events, and its memory is as described in
# target/event_logger/README.md.   usage: event_logger.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

ELF=$FIRMWARE/demo_event_logger.elf
[[ -f $ELF ]] || die "no $ELF: build the target firmware first"
LOGGER=$(symbol "$ELF" sys_k_event_logger)
RING=$((LOGGER + 16))
BUFFER=$(symbol "$ELF" _sys_k_event_logger_buffer)
TOTALS=$(symbol "$ELF" txtap_event_logger_totals)
COUNT=128

# words ADDRESS COUNT: prints COUNT words from ADDRESS on, in decimal, on one line
words() {
    local list=() item
    for item in $(ocd "read_memory $1 32 $2"); do list+=("$((item))"); done
    echo "${list[*]}"
}

# address_passes ADDRESS COUNT, passes SYMBOL COUNT: wait until the firmware's counter at this place has reached COUNT
address_passes() {
    await "$OPENOCD_PID" has_risen "$1" "$2"
}

passes() {
    address_passes "$(symbol "$ELF" "$1")" "$2"
}

below() {
    (($1 < $2)) && return
    printf '# %s is not below %s\n' "$1" "$2"
    return 1
}

# Walks the items from head to tail of the ring in HEAD, TAIL and ITEMS. Sets KNOWN (items of known types and lengths),
# UNKNOWN, USED (words) and END (where the last item ends).
walk() {
    local at=$HEAD header id length
    KNOWN=0 UNKNOWN=0 USED=0
    while ((at != TAIL && USED < COUNT)); do
        header=${ITEMS[at]}
        id=$((header & 0xFFFF)) length=$((header >> 16 & 0xFF))
        case $id:$length in
        1:2 | 2:2 | 3:3 | 8:2 | 9:1 | 10:[1-9] | 10:1[0-2]) KNOWN=$((KNOWN + 1)) ;;
        *) UNKNOWN=$((UNKNOWN + 1)) ;;
        esac
        USED=$((USED + length + 1))
        at=$(((at + length + 1) % COUNT))
    done
    END=$at
}

start_board "$ELF"
start_openocd

check "events of the application arrive" passes demo_logger_customs 20
check "context switches arrive" passes demo_logger_switches 20
check "interrupts arrive" passes demo_logger_interrupts 20
check "sleep arrives" passes demo_logger_sleeps 20
check "an event too long for the buffer is got with a larger one" passes demo_logger_too_small 3
check "waiting ends without an event" passes demo_logger_timeouts 3
check "more than 255 drops arrive as 255" passes demo_logger_saturated 1
check "drops arrived" passes demo_logger_dropped 255
check "the collector registered itself" passes _collector_coop_thread 1

end_load "$ELF"
check "the firmware found nothing wrong" is "$(value demo_fault)" 0
# The threads have ended, but ticks and sleep continue to write events. So the ring fills up, and then no longer
# changes.
check "a full ring drops new events" address_passes $((RING + 8)) 1
before=$(words "$BUFFER" $COUNT)
check "more events come" address_passes $((TOTALS + 4)) $(($(word $((TOTALS + 4))) + 100))
read -r -a SYNC <<<"$(words "$LOGGER" 4)"
read -r -a FIELDS <<<"$(words $RING 6)"
read -r -a ITEMS <<<"$(words "$BUFFER" $COUNT)"
check "what is in the ring stays" is "${ITEMS[*]}" "$before"
HEAD=${FIELDS[0]} TAIL=${FIELDS[1]}
check "the head is an index" below "$HEAD" $COUNT
check "the tail is an index" below "$TAIL" $COUNT
check "the events dropped since are at +8" below 0 "${FIELDS[2]}"
check "the size is at +12" is "${FIELDS[3]}" $COUNT
check "the buffer's address is at +16" is "${FIELDS[4]}" $((BUFFER))
check "the mask is at +20" is "${FIELDS[5]}" $((COUNT - 1))
walk
check "the items end at the tail" is "$END" "$TAIL"
check "all have known types and lengths" is "$UNKNOWN" 0
check "the count before the ring is right" is "${SYNC[2]}" "$KNOWN"
check "its limit comes after it" is "${SYNC[3]}" $((0xFFFFFFFF))
check "not all words are used" below "$USED" $COUNT
check "fewer are free than the longest new event needs" below 123 "$USED"
check "the tail agrees with the count of words" is "$TAIL" $(($(word "$TOTALS") % COUNT))
check "no drop is missing from the total" below "$(($(value demo_logger_dropped) - 1))" "$(word $((TOTALS + 4)))"

audit_now
check "nothing was halted" is "$(audit .halts)" 0
stop_openocd
stop_board
e2e_end
