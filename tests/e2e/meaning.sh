#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the events that txtap decode shows, and their meaning: filters, fields, definitions, profiles.
#   meaning.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
TXTAP=$BUILD/capture/txtap
SAMPLE=$E2E_ROOT/tests/data/threadx_qemu_wrapped.trx
ALL=$WORK/all
"$TXTAP" decode -f jsonl "$SAMPLE" | jq -c 'select(.type == "event")' >"$ALL"

events() { "$TXTAP" decode -f jsonl "$SAMPLE" "$@" | jq -c 'select(.type != "header" and .type != "object")'; }

# passes FILTER ARGUMENT...: checks that decode with the ARGUMENTs prints exactly the events that the jq filter selects,
# at least one.
passes() {
    local filter=$1
    shift
    events "$@" >"$WORK/got"
    jq -c "select($filter)" "$ALL" >"$WORK/expected"
    [[ -s $WORK/expected ]] && cmp "$WORK/got" "$WORK/expected"
}

# usage_error WORD ARGUMENT...: checks that txtap ends with exit code 2, and that its first line contains WORD.
usage_error() {
    local word=$1 status=0
    shift
    "$TXTAP" decode "$SAMPLE" "$@" >"$WORK/out" 2>"$WORK/err" || status=$?
    [[ $status -eq 2 && ! -s $WORK/out ]] && head -1 "$WORK/err" | grep_all -- "$word"
}

check "a thread by name" passes '.thread == "consumer"' --thread consumer
check "two threads by pattern and address" passes '.thread == "ledger" or .thread == "locker"' --thread 'led*' --thread 0x20000300
check "an event by pattern" passes '.event | startswith("tx_queue_")' --event 'tx_queue_*'
check "events by id and symbol" passes '.id == 1 or .id == 2' --event 1 --event TX_TRACE_THREAD_SUSPEND
check "upper and lower case do not matter" passes '.thread == "consumer"' --thread CONSUMER
check "an object by name" passes '[.fields[]] | index("samples")' --object samples
check "an object by address" passes '.info[0] == 536871260' --object 0x2000015C
check "interrupts" passes '.context == "isr" or .context == "idle"' --context isr
check "different kinds must all match, of one kind any" passes \
    '(.thread == "producer" or .thread == "consumer") and .id == 69' --thread producer --thread consumer --event 69
check "a time in ticks" passes '.ticks >= 6 and .ticks <= 14' --from 6 --to 14

in_seconds() { [[ $("$TXTAP" decode "$SAMPLE" --hz 1000000 --from 0.000006 --to 14e-6 | wc -l) -eq 6 ]]; }
limited() { [[ $(events --event 69 --limit 3 | wc -l) -eq 3 ]] && ! events --limit 3 --event 69 | grep_all gap; }
no_gap() { ! events --event 69 | grep_all '"gap"'; }
chosen() { [[ $(events --limit 1 --fields event,id) == '{"type":"event","id":1,"event":"Internal Thread Resume"}' ]]; }
check "a time in seconds, with --hz" in_seconds
check "a limit counts what is shown" limited
check "filtered events are not a gap" no_gap
check "fields are chosen by name" chosen

check "an empty rule is refused" usage_error "--thread: empty" --thread ''
check "an unknown context is refused" usage_error "unknown 'main': expected" --context main
check "an unknown field is refused" usage_error "'colour' is not a list of" --fields colour
check "an unknown profile is refused" usage_error "unknown 'lwip': expected" --profile lwip
check "an invalid time is refused" usage_error "'soon' is not a number of ticks" --from soon
check "seconds without --hz are refused" usage_error "give --hz" --from 0.5
check "a negative time is refused" usage_error "is not a time such as" --hz 1000 --from=-1
check "an end before the beginning is refused" usage_error "--from 9 is after --to 8" --to 8 --from 9
check "a limit of 0 is refused" usage_error "not a whole number above 0" --limit 0

cat >"$WORK/app.events" <<'END'
# the demo's user event
enum kind 0=none 11547="first of all"
event 1025 "account" "number {0=number} balance {1=balance:d/100 EUR} kind {2=kind:enum kind}"
END
printf 'Start\r\n1025,Account,AC,(1,1,1),(2,2,2),Number,Balance,,Check\r\nfour,bad\r\nEnd\r\n' >"$WORK/app.trxc"
printf '\nevent 4096 "x" "{5}"\n' >"$WORK/bad.events"

defined_text() {
    "$TXTAP" decode "$SAMPLE" --definitions "$WORK/app.events" --event account --limit 1 --fields event,fields |
        grep -q '^account  *number 3849 balance -38.50 EUR kind first of all$'
}
defined_json() {
    [[ $(events --definitions "$WORK/app.events" --event 1025 --limit 1 | jq -c '.fields.balance += 0 | [.event, .fields]') == \
        '["account",{"number":3849,"balance":-38.5,"kind":"first of all","info4":"0x5eed"}]' ]]
}
trxc() {
    [[ $("$TXTAP" decode -f jsonl "$SAMPLE" --definitions "$WORK/app.trxc" --event Account --limit 1 2>"$WORK/err" |
        tail -1 | jq -c '[.event, .fields]') == \
        '["Account",{"Number":"0x00000f09","Balance":"0xfffff0f6","info3":"0x2d1b","Check":"0x00005eed"}]' ]] &&
        grep -q 'app.trxc: 1 line is not understood, the first is line 3: fewer than 13 fields' "$WORK/err"
}
later_wins() {
    events --definitions "$WORK/app.trxc" --definitions "$WORK/app.events" --event account 2>"$WORK/err" | grep_all account
}
# fails WORD ARGUMENT...: checks that txtap ends with exit code 1, prints one line with WORD, the reason, and creates no
# output file.
fails() {
    local word=$1 status=0
    shift
    "$TXTAP" decode "$SAMPLE" -o "$WORK/never" "$@" 2>"$WORK/err" || status=$?
    [[ $status -eq 1 && $(wc -l <"$WORK/err") -eq 1 && ! -e $WORK/never ]] && grep -q -- "$word" "$WORK/err"
}
check "a user event's text is filled in" defined_text
check "its fields have labels, numbers and words" defined_json
check "a .trxc file is read, its bad lines are reported" trxc
check "the later of two files wins" later_wins
check "an invalid definition is reported with its line" fails \
    "bad.events: line 2: a field begins with its word, 0 to 3: '5'" --definitions "$WORK/bad.events"
check "a missing definitions file is reported" fails "none: No such file" --definitions "$WORK/none"

# Changes the id of the sample's second event, which is 32 bytes after the ring's oldest slot.
with_id() { # ID
    cp "$SAMPLE" "$WORK/id.trx"
    chmod u+w "$WORK/id.trx"
    printf "$(printf '\\x%02x\\x%02x' $(($1 & 255)) $(($1 >> 8)))" |
        dd of="$WORK/id.trx" bs=1 seek=$((0x20009CF8 - 0x20006308 + 32 + 8)) conv=notrunc status=none
}
is_called() { # ID NAME ARGUMENT...
    local id=$1 name=$2
    shift 2
    with_id "$id"
    "$TXTAP" decode "$WORK/id.trx" --event "$id" --fields event "$@" | grep_all -x "$name"
}
check "441 is NetX Duo's by default" is_called 441 nx_ip_static_route_enable
check "441 is NetX's with its profile" is_called 441 nx_ip_static_route_add --profile netx
check "the last profile of a kind counts" is_called 441 nx_ip_static_route_enable --profile netx --profile netxduo
check "950 is today's USBX's" is_called 950 UX_TRACE_DEVICE_CLASS_PIMA_GET_OBJECT_PROP_DESC --profile netx
check "950 is old USBX's with its profile" is_called 950 UX_TRACE_DEVICE_CLASS_RNDIS_ACTIVATE --profile usbx-legacy
check "869 is one lower until USBX 6.1.7" is_called 869 UX_TRACE_DEVICE_STACK_TRANSFER_REQUEST --profile usbx-6.1.7
check "both kinds of profile can be combined" is_called 950 UX_TRACE_DEVICE_CLASS_RNDIS_ACTIVATE \
    --profile usbx-legacy --profile netx

# Semaphores are created one after another at the same address. The registry has the name of the last semaphore.
address_first() {
    "$TXTAP" decode -f jsonl "$SAMPLE" --object 0x20000104 | jq -c 'select(.type == "event")' >"$WORK/got"
    local created
    created=$(jq -s 'map(select(.id == 81).seq) | max' "$WORK/got")
    is_true "$WORK/got" 'any(.seq < $created) and all((.fields.semaphore == "0x20000104") == (.seq < $created))' \
        -s --argjson created "$created"
}
check "events before the last creation at an address show the address: more is not known" address_first
none_is_said() {
    "$TXTAP" decode --thread nobody "$SAMPLE" >"$WORK/out" 2>"$WORK/err" && [[ ! -s $WORK/out ]] &&
        grep -qx "txtap: no thread has the name 'nobody' so far (it may be created later)" "$WORK/err" &&
        grep -qx 'txtap: no event matched: 474 were read' "$WORK/err"
}
check "a selection that matches no event is reported" none_is_said

# says_with STATUS TEXT ARGUMENT...: checks that txtap ends with STATUS and prints TEXT.
says_with() {
    local want=$1 text=$2 status=0
    shift 2
    "$TXTAP" "$@" >"$WORK/out" 2>"$WORK/err" || status=$?
    is "$status" "$want" && grep -qF -e "$text" "$WORK/err"
}
check "a misspelt event is a usage error, with a suggestion" says_with 2 \
    "--event: no event has the name 'tx_queue_sned': did you mean 'tx_queue_send'?" decode --event tx_queue_sned "$SAMPLE"
check "also in a trigger, before anything is read" says_with 2 \
    "--trigger: no event has the name 'tx_queue_sned': did you mean 'tx_queue_send'?" \
    record --wait --trigger event=tx_queue_sned -o "$WORK/none.rec"
check "a pattern that matches no event, with one that does" says_with 2 "'*queue*' would match" \
    decode --event 'queue*' "$SAMPLE"
check "several names in one option" says_with 2 "repeat the option" decode --event tx_queue_send,2 "$SAMPLE"
check "a number that is not an event id" says_with 2 "ids are 0 to 16777215" decode --event 4294967295 "$SAMPLE"
check "suggestions include names from definitions" says_with 2 "did you mean 'account'?" \
    decode --definitions "$WORK/app.events" --event acount "$SAMPLE"
check "a misspelt thread is reported with a suggestion" says_with 0 "did you mean 'consumer'?" \
    decode --thread consumre "$SAMPLE"
check "and an object" says_with 0 "did you mean 'samples'?" decode --object smaples "$SAMPLE"
check "a thread called isr is not found: --context isr is suggested" says_with 0 "give --context isr" \
    decode --thread isr "$SAMPLE"
nothing_said() { "$TXTAP" decode -q --thread consumre "$SAMPLE" >"$WORK/out" 2>"$WORK/err" && [[ ! -s $WORK/err ]]; }
check "none of it with -q" nothing_said
e2e_end
