#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that a recording on the virtual board has the same events as a tail, also if it is divided into files, if the
# disk is full, or if it is cut off.
# usage: record.sh BUILD_DIRECTORY   (TXTAP_E2E_KILLS: number of killed recordings, 10)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
KILLS=${TXTAP_E2E_KILLS:-10}
TXTAP=$BUILD/capture/txtap
STATS=$WORK/stats.json
EVENTS=$WORK/events.jsonl

# Checks that exactly one line matches, not counting the lines about the target that txtap is attached to, a halted
# core, lost events, wraps of the clock in a pause, the rate of the time stamps, and times that use a measured rate.
one_line_matching() {
    [[ $(grep -cvE '^txtap: (attached to|halted:|running:|losing events:|before some events|time stamps:|times use a measured rate:) ' "$1") == 1 ]] && grep -q -- "$2" "$1" && return
    sed 's/^/# stderr: /' "$1"
    return 1
}

# decodes FILE...: checks that the recording decodes completely and without a message, that its events are complete and
# in order, and that --strict reports a loss. --hz: decode would say that a rate is measured.
decodes() {
    local status=0
    "$TXTAP" decode --hz 1M --format jsonl --strict "$@" >"$EVENTS" 2>"$ERR" || status=$?
    [[ ! -s $ERR ]] && ledger "$EVENTS" && is "$status" $((STREAM_LOST > 0 ? 5 : 0)) && return
    sed 's/^/# stderr: /' "$ERR"
    return 1
}

every_ledger_number_is_there() { # or in a gap
    is $((LEDGER_COUNT + LEDGER_MISSING)) $((LEDGER_LAST - LEDGER_FIRST + 1))
}

stat_is() {
    is "$(jq -r "$1" "$STATS")" "$2"
}

record() { # ARGUMENT...
    run_txtap record --tcl "$TCL_PORT" "$@" "$DEMO"
}

record_all() { # ARGUMENT...
    record --strict --force --stats-json "$STATS" "$@"
    check "nothing is lost unreported" no_unreported_loss
}

start_board "$DEMO"
start_openocd
await "$OPENOCD_PID" has_risen "$(symbol "$DEMO" demo_events_written)" 1000 || die "the firmware does not run"

echo "# five seconds"
record_all --seconds 5 -o "$WORK/plain"
check "a summary, and what was written" grep -q 'plain: [0-9]* events in 1 file, [0-9]* bytes$' "$ERR"
check "the recording decodes, whole and in order" decodes "$WORK/plain"
check "every ledger number is there exactly once, or in a gap" every_ledger_number_is_there
check "it has as many events as were read" stat_is .events "$STREAM_EVENTS"
check "it has what the ring held, and more" test "$STREAM_EVENTS" -gt 465
check "threads are named" test "$(grep -c '"thread":"sampler"' "$EVENTS")" -gt 0
check "no permanent thread is shown as a number after it was named" stays_named "$EVENTS"
PLAIN_BYTES=$(stat -c %s "$WORK/plain")
echo "# $PLAIN_BYTES bytes for $STREAM_EVENTS events"
check "a recording is hardly larger than its events" test "$PLAIN_BYTES" -lt $((STREAM_EVENTS * 33 + 8000))
"$TXTAP" decode "$WORK/plain" >"$WORK/text"
stdin_decodes() { "$TXTAP" decode - <"$WORK/plain" | cmp - "$WORK/text"; }
# The rate at the end of a pipe comes too late for the first line.
pipe_decodes() { cat "$WORK/plain" | "$TXTAP" decode --hz 1M /dev/stdin | cmp - <("$TXTAP" decode --hz 1M "$WORK/plain"); }
check "standard input decodes like the file" stdin_decodes
check "and so does a pipe, by the same rate" pipe_decodes
filter_counts() {
    is "$("$TXTAP" decode --event tx_queue_send "$WORK/plain" | event_lines)" \
        "$(grep -c '"event":"tx_queue_send"' "$EVENTS")"
}
check "events are chosen as always" filter_counts
run_txtap decode --address 0x20000000 "$WORK/plain"
check "an address is refused" is "$STATUS" 2

echo "# for TraceX"
run_txtap decode --format trx -o "$WORK/plain.trx" "$WORK/plain"
check "one file has all events" is "$STATUS $(ls "$WORK"/plain*.trx | wc -l)" "0 1"
# same_events TRX COUNT: compares TRX with the first COUNT events of the recording. TRX has a single registry, which
# may name fewer threads than the recording's registries.
same_events() {
    "$TXTAP" decode -q --hz 1M --fields time,event,info "$1" | cmp - <("$TXTAP" decode --hz 1M --fields time,event,info "$WORK/plain" |
        grep -v ' events\? lost$' | head -n "$2")
}
check "with the same events" same_events "$WORK/plain.trx" "$STREAM_EVENTS"
COPIES=$((32768 / STREAM_EVENTS + 1)) # together they have more than 32,768 events, the limit of a file
perl -MCompress::Raw::Zlib -0777 -e '
    my ($copies, $shift) = splice(@ARGV, 0, 2);
    my $file = <>;
    my ($number, @blocks) = (0);
    for (my $at = 16; $at < length $file; $at += 20 + length $blocks[-1][1]) {
        my ($type, $flags, $stored) = unpack("vvV", substr($file, $at, 12));
        push @blocks, [$type, substr($file, $at + 20, $stored)];
    }
    print substr($file, 0, 16);
    for my $copy (0 .. $copies - 1) {
        for (@blocks) {
            my ($type, $payload) = @$_;
            my $numbered = $type == 3 || $type == 4; # events and gaps begin with a number
            next if ($copy > 0 && !$numbered) || $type == 6;
            substr($payload, 0, 8) = pack("Q<", unpack("Q<", $payload) + $copy * $shift) if $numbered;
            my $head = pack("vvVVV", $type, 0, length $payload, length $payload, $number++);
            print $head, pack("V", crc32($head . $payload)), $payload;
        }
    }' $COPIES $((LEDGER_LAST + 100000)) "$WORK/plain" >"$WORK/many" # the same events again, with other numbers
run_txtap decode --format trx -o "$WORK/many.trx" "$WORK/many"
check "too many for one file give several files" is "$STATUS $(cd "$WORK" && echo many*.trx)" \
    "0 $(cd "$WORK" && for i in $(seq $(((STREAM_EVENTS * COPIES + 32767) / 32768))); do printf 'many-%04d.trx ' "$i"; done |
        sed 's/ $//')"
check "with all events" is "$(for f in "$WORK"/many-*.trx; do "$TXTAP" decode -q "$f"; done | wc -l)" \
    $((STREAM_EVENTS * COPIES))
run_txtap decode --format trx "$WORK/many"
check "which cannot go into a pipe" is "$STATUS" 1
check "and one line says so" one_line_matching "$ERR" "give -o FILE"

echo "# compressed, rotated"
record_all --limit 5000 --compress -o "$WORK/packed"
check "a compressed recording decodes, whole and in order" decodes "$WORK/packed"
check "every ledger number is there exactly once, or in a gap" every_ledger_number_is_there
PACKED_BYTES=$(stat -c %s "$WORK/packed")
echo "# $((PACKED_BYTES * 100 / (STREAM_EVENTS * 32))) % of the size"
check "it has less than half the size" test "$PACKED_BYTES" -lt $((STREAM_EVENTS * 16))
record_all --limit 6000 -C 50k -o "$WORK/size"
check "rotated by size there are several files" test "$(ls "$WORK"/size* | wc -l)" -ge 3
check "none of them is larger than the limit" test "$(stat -c %s "$WORK"/size* | sort -n | tail -1)" -le 51200
each_decodes() {
    local file
    for file in "$@"; do decodes "$file" || return 1; done
}
check "each decodes by itself" each_decodes "$WORK"/size*
(cd "$WORK" && cat size size? >"$WORK/joined")
check "joined they decode as one" decodes "$WORK/joined"
as_files() { (cd "$WORK" && "$TXTAP" decode size size?) | cmp - <("$TXTAP" decode "$WORK/joined"); }
check "also when all are given" as_files
check "in which nothing is missing" every_ledger_number_is_there
record_all --limit 6000 -C 30k -W 3 -o "$WORK/ring"
check "a ring of files keeps as many as requested" is "$(cd "$WORK" && echo ring*)" "ring0 ring1 ring2"
check "each decodes by itself" each_decodes "$WORK"/ring?
check "in any order they decode as one" decodes "$WORK"/ring1 "$WORK"/ring0 "$WORK"/ring2
record -G 1 -W 3 -o "$WORK/time-%s"
status=0
"$TXTAP" decode "$WORK/ring" >"$OUT" 2>"$ERR" || status=$?
check "their common prefix is not a file, and they are suggested" is \
    "$status $(grep -c 'give all files of the recording: .*ring0 \.\.\.$' "$ERR")" "1 1"
check "rotated by time it ends after 3 files" is "$STATUS $(ls "$WORK"/time-* | wc -l)" "0 3"
check "each decodes by itself" each_decodes "$WORK"/time-*

echo "# triggers"
start_txtap record --tcl "$TCL_PORT" --hz 1000000 --trigger 'event=tx_semaphore_create' --before 5ms --after 5ms \
    -o "$WORK/trigger" "$DEMO"
has_trigger() { (($("$TXTAP" decode --format jsonl "$WORK/trigger" | grep -c '"type":"trigger"') > 0)); }
await "$TXTAP_PID" has_trigger || true
end_txtap INT
check "it waits until a semaphore is created" is "$STATUS" 0
"$TXTAP" decode --format jsonl "$WORK/trigger" >"$EVENTS"
check "it has each trigger" is "$(grep -c '"type":"trigger".*"text":"event=tx_semaphore_create"' "$EVENTS")" \
    "$(grep -c '"event":"tx_semaphore_create"' "$EVENTS")"
check "there was one" grep -q '"type":"trigger"' "$EVENTS"
near_a_trigger() { # all events are within 5 ms of an event that is a trigger
    is_true "$EVENTS" '[.[] | select(.type == "event")] | ([.[] | select(.event == "tx_semaphore_create") | .ticks]) as $at |
        length > ($at | length) and
        map(.ticks as $t | select(any($at[]; $t - . <= 5000 and . - $t <= 5000) | not)) == []' -s
}
check "and nothing outside of the requested time around it" near_a_trigger
printf 'event 4096 "entry of the ledger" "number {0=number}"\n' >"$WORK/app.events"
record --definitions "$WORK/app.events" --trigger 'event="entry of the *"' --before 0s --after 0s --limit 100 \
    -o "$WORK/named"
named() { # each recorded event of this name has a trigger before it
    "$TXTAP" decode --format jsonl "$WORK/named" >"$EVENTS" && grep -q '"type":"trigger"' "$EVENTS" &&
        is "$(grep -c '"type":"trigger"' "$EVENTS")" "$(grep -c '"type":"event".*"id":4096,' "$EVENTS")"
}
check "a trigger may have a name from --definitions" named
record --definitions "$WORK/nowhere.events" --trigger event=x -o "$WORK/undefined"
check "a missing definitions file: status 1" is "$STATUS" 1
check "and one line that says so" one_line_matching "$ERR" "nowhere.events: No such file"
check "and no recording" test ! -e "$WORK/undefined"
record --profile netx -o "$WORK/undefined"
check "a profile without a trigger is refused" is "$STATUS $(grep -c "needs --trigger: it names the trigger's events$" "$ERR")" "2 1"
record --trigger 'event=1 thread=nobody' --seconds 0.5 -o "$WORK/none"
check "a trigger that never comes leaves a recording without events" is "$STATUS $("$TXTAP" decode "$WORK/none" | wc -l)" "0 0"

echo "# ends"
record --limit 1000 -q -o "$WORK/limit"
check "--limit 1000 records 1000 events, and -q says nothing" is \
    "$STATUS $("$TXTAP" decode "$WORK/limit" | event_lines) $(wc -c <"$ERR")" "0 1000 0"
larger() { (($(cat "$1"* | wc -c) >= $2)); }
for signal in INT TERM HUP; do
    rm -f "$WORK/signal"
    start_txtap record --tcl "$TCL_PORT" -o "$WORK/signal" "$DEMO"
    await "$TXTAP_PID" larger "$WORK/signal" 2000 || true
    end_txtap $signal
    check "SIG$signal ends it with status 0" is "$STATUS" 0
    check "and a complete recording" decodes "$WORK/signal"
done
rm -f "$WORK/signal"
start_txtap record --tcl "$TCL_PORT" -o "$WORK/signal" "$DEMO"
await "$TXTAP_PID" larger "$WORK/signal" 2000 || true
kill -USR1 "$TXTAP_PID"
await "$TXTAP_PID" grep -q '^txtap: [0-9]* events in .* lost$' "$ERR" || true
check "SIGUSR1 prints the summary so far" one_line_matching "$ERR" '^txtap: [1-9][0-9]* events in .* lost$'
# Waits until more data arrives than was waiting at the time of the signal.
await "$TXTAP_PID" larger "$WORK/signal" $(($(stat -c %s "$WORK/signal") + 40000)) || true
end_txtap INT
cp "$ERR" "$WORK/err.signal"
check "and the recording continues, to a normal end" is "$STATUS" 0
check "which is complete" decodes "$WORK/signal"
more_at_the_end() { # than when it was asked
    local counts
    mapfile -t counts < <(sed -n 's/^txtap: \([0-9]*\) events in .*/\1/p' "$WORK/err.signal")
    is "${#counts[@]}" 2 && ((counts[1] > counts[0]))
}
check "and said more at the end" more_at_the_end
record -o "$WORK/limit"
check "an existing file is not changed: status 1" is "$STATUS $("$TXTAP" decode "$WORK/limit" | event_lines)" "1 1000"
check "and one line that says so" one_line_matching "$ERR" "file exists: .*--force"
"$TXTAP" record --tcl "$TCL_PORT" --limit 1000 -q -o - "$DEMO" | "$TXTAP" decode - >"$OUT" &&
    STATUSES=("${PIPESTATUS[@]}") || STATUSES=("${PIPESTATUS[@]}")
check "it records into a pipe" is "${STATUSES[*]}" "0 0"
check "which is decoded at the other end" test "$(wc -l <"$OUT")" -gt 500
record -o "$WORK/nowhere/file"
check "a file that cannot be created: status 1" is "$STATUS" 1
check "and one line that says so" one_line_matching "$ERR" "nowhere/file: cannot be written: No such file"
record -q -o /dev/full
check "a full device: status 1" is "$STATUS" 1
check "and one line that says so" one_line_matching "$ERR" "^txtap: /dev/full: cannot be written: No space left"
run_limited() {
    ulimit -f 100
    record -q -o "$WORK/full"
}
STATUS=0
(run_limited; exit "$STATUS") || STATUS=$?
check "a disk that fills up meanwhile: status 1" is "$STATUS" 1
check "and one line that says so" one_line_matching "$WORK/err" "full: cannot be written: File too large: what was"
run_txtap decode --format jsonl "$WORK/full"
cp "$OUT" "$EVENTS"
check "what was written before decodes" is "$STATUS" 0
check "completely and in order" ledger "$EVENTS"
check "and one line says that it has no end" one_line_matching "$ERR" "has no end"
run_txtap decode -q --strict "$WORK/full"
check "--strict makes that status 5" is "$STATUS" 5

echo "# $KILLS recordings that are killed"
# Makes a recording and kills it. Five of them run in parallel on one board. Some are compressed, and some are rotated.
killed() { # NUMBER
    local options=() pid
    if (($1 % 2)); then options+=(--compress); fi
    if (($1 % 3 == 0)); then options+=(-C 20k); fi
    "$TXTAP" record --tcl "$TCL_PORT" -q "${options[@]}" -o "$WORK/kill$1-" "$DEMO" 2>"$WORK/killerr$1" &
    pid=$!
    await "$pid" larger "$WORK/kill$1-" $((4000 + RANDOM)) || true
    sleep "0.$(printf '%03d' $((RANDOM % 300)))" # some kills occur during a write, most between two writes
    kill -9 "$pid"
    wait "$pid" 2>/dev/null || true
}
# Checks that a killed recording is readable up to its last whole block. If the file is still empty, decode must
# report this. --hz: decode would say that a rate is measured.
to_the_last_block() { # FILE
    local status=0 size
    size=$(stat -c %s "$1")
    "$TXTAP" decode --hz 1M --format jsonl "$1" >"$EVENTS" 2>"$ERR" || status=$?
    if ((size == 0)); then
        is "$status" 3
        return
    fi
    is "$status" 0 && ledger "$EVENTS" || return 1
    EVENTS_IN_ALL=$((EVENTS_IN_ALL + STREAM_EVENTS))
    if [[ -s $ERR ]]; then # otherwise the file was closed, and is complete
        CUT=$((CUT + 1))
        is "$(sed -n 's/.*read up to byte \([0-9]*\), [0-9]* whole blocks$/\1/p' "$ERR")" "$size" ||
            one_line_matching "$ERR" "cut within a block"
    fi
}
for ((number = 0; number < KILLS; number += 5)); do
    KILLERS=()
    for ((one = number; one < number + 5 && one < KILLS; one++)); do
        killed "$one" &
        KILLERS+=("$!")
    done
    wait "${KILLERS[@]}" || true
done
FILES=0 WRONG=0 CUT=0 EVENTS_IN_ALL=0
echo "# recordings one after the other, of which two are killed, as one"
mkdir "$WORK/board"
for number in 100 101; do
    killed "$number"
    mv "$WORK/kill$number-"* "$WORK/board"
done
record -q --limit 3000 -o "$WORK/board/last"
check "the recordings of a board decode as one" decodes "$WORK/board"
check "every ledger number is there exactly once, or in a gap" every_ledger_number_is_there
check "with a mark between two recordings" is "$(jq -r 'select(.type == "attached") | .text' "$EVENTS")" \
    $'another recording begins\nanother recording begins'

for file in "$WORK"/kill[0-9]*-*; do
    FILES=$((FILES + 1))
    to_the_last_block "$file" || { WRONG=$((WRONG + 1)); echo "# ${file##*/}: $(cat "$ERR")"; }
done
echo "# $FILES files, $CUT of them without an end, $EVENTS_IN_ALL events"
check "every file decodes up to its last whole block" is "$WRONG" 0
check "and there were such files" test "$CUT" -ge $((KILLS / 2)) -a "$EVENTS_IN_ALL" -gt $((KILLS * 100))

audit_now
check "after all that the target was not written to" is \
    "$(audit '.writes | [.ram, .flash, .peripheral, .system, .fault] | map(.count) | add')" 0
stop_all
e2e_end
