#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap tail on the virtual board with an unmodified OpenOCD. Every event must be delivered once or counted,
# the target must not be disturbed, and tail must end normally.
# usage: tail.sh BUILD_DIRECTORY   (TXTAP_E2E_SECONDS: length of the first part, 10)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

DEMO=$FIRMWARE/demo.elf
IDLE=$FIRMWARE/demo_idle.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
SECONDS_LONG=${TXTAP_E2E_SECONDS:-4}
EVENTS=$WORK/events.jsonl
STATS=$WORK/stats.json
CONSEQUENCES='[.halts, .resumes, .steps, .resets] | add'
DISTURBING_WRITES='.writes | [.ram, .flash, .peripheral, .system, .fault] | map(.count) | add'

stat_is() {
    is "$(jq -r "$1" "$STATS")" "$2"
}

stats_agree_with_stream() {
    stat_is '"\(.events) \(.lost) \(.gaps)"' "$STREAM_EVENTS $STREAM_LOST $STREAM_GAPS"
}

# Checks that exactly one line matches, not counting the lines about the target that txtap is attached to, a halted
# core, lost events, wraps of the clock in a pause, and the rate of the time stamps.
one_line_matching() {
    [[ $(grep -cvE '^txtap: (attached to|halted:|running:|losing events:|before some events|time stamps:) ' "$1") == 1 ]] && grep -q -- "$2" "$1" && return
    sed 's/^/# stderr: /' "$1"
    return 1
}

empty() {
    [[ ! -s $1 ]] && return
    head -3 "$1" | sed 's/^/# /'
    return 1
}

# ---- nothing is lost, nothing is disturbed ----

echo "# $SECONDS_LONG s at the default rate"
start_board "$DEMO"
start_openocd
await "$OPENOCD_PID" has_risen "$(symbol "$DEMO" demo_events_written)" 2000 || die "the firmware does not run"
audit_now
READ='.reads | .ram.bytes + .flash.bytes' # txtap reads flash to check that the firmware is that of the ELF file
READ_BEFORE=$(audit "$READ")
BEGUN=$(date +%s%6N)
run_txtap tail --tcl "$TCL_PORT" --seconds "$SECONDS_LONG" --format jsonl --force -o "$EVENTS" --stats-json "$STATS" \
    --strict --host-time "$DEMO"
check "it ends by itself with status 0, --strict or not, if nothing was lost" no_unreported_loss
audit_now
READ_BYTES=$(($(audit "$READ") - READ_BEFORE))
check "the stream is whole, in order, and the ledger in it" ledger "$EVENTS"
check "every ledger number is there exactly once, or in a gap" is $((LEDGER_COUNT + LEDGER_MISSING)) \
    $((LEDGER_LAST - LEDGER_FIRST + 1))
check "it has what the ring held, and more" test "$STREAM_EVENTS" -gt 465 -a "$LEDGER_COUNT" -gt 50
check "stats-json says the same as the stream" stats_agree_with_stream
check "the measured tick rate is the timer's, 1 MHz, if it is known" stat_is \
    '.tick_hz_low == null or (.tick_hz_low <= 1e6 and 1e6 <= .tick_hz_high)' true
# An event has no host time if it may be older than this run, or if the host stood still.
check "events have host times, in this run and never going back" is "$(jq -sc --argjson begun "$BEGUN" \
    --argjson now "$(date +%s%6N)" 'map(select(.type == "event").unix_us | values) |
    [. == sort, .[0] > $begun, .[-1] < $now]' "$EVENTS")" "[true,true,true]"
echo "# $STREAM_EVENTS events, $(jq .polls "$STATS") polls, $READ_BYTES bytes read on the board"
# The watch for faults reads 28 bytes of registers, up to ten times a second.
WATCHED=$(($(jq .bytes_read "$STATS") - READ_BYTES))
check "bytes_read is what the board saw read, to the byte, and fault registers" test $((WATCHED % 28)) = 0 -a "$WATCHED" -ge 0
check "stdout stays empty when -o names a file" empty "$OUT"
check "the summary is one line on stderr" one_line_matching "$ERR" \
    "^txtap: $STREAM_EVENTS events in [0-9.]* s ([0-9]*/s), $STREAM_LOST lost$"
# Checks a condition for all lines. A line that is not JSON also fails. The first wrong line is the value of the check.
all_lines() { is_true "$EVENTS" "first((inputs | select(($1) | not)), null) == null" -n; }
check "every line is JSON with a type" all_lines '.type | IN("header", "object", "event", "gap")'
check "every event has the keys promised" all_lines '.type != "event" or (has("seq") and has("ticks") and
    has("context") and has("thread") and has("id") and has("event") and (.info | length == 4))'
check "threads are named" test "$(grep -c '"thread":"sampler"' "$EVENTS")" -gt 0
check "no permanent thread is shown as a number after it was named" stays_named "$EVENTS"
check "interrupts are distinguished from threads" test "$(grep -cE '"context":"(isr|idle)"' "$EVENTS")" -gt 0
check "memory, peripherals and system registers were not written" is "$(audit "$DISTURBING_WRITES")" 0
check "all writes since OpenOCD connected are to debug registers" is \
    "$(audit '[.write_list[] | select(.class != "debug")] | length')" 0
check "nothing was halted, resumed, stepped or reset" is "$(audit "$CONSEQUENCES")" 0
check "no core register was written" is "$(audit .register_writes)" 0

# ---- ends and output of a tail ----

echo "# ends and options"
run_txtap tail --tcl "$TCL_PORT" --limit 1000 -q "$DEMO"
check "--limit 1000 prints 1000 events" is "$(event_lines "$OUT") $STATUS" "1000 0"
check "-q says nothing" empty "$ERR"
run_txtap tail --tcl "$TCL_PORT" --seconds 0.5 -q --format jsonl "$DEMO"
check "--seconds 0.5 ends with events, status 0" test "$STATUS" = 0 -a "$(wc -l <"$OUT")" -gt 0
# Checks the warning about --hz. txtap measures the rate with the host's clock as an interval. It must warn if the
# value of --hz is outside this interval.
hz_is_judged() { # HZ
    local said
    said=$(grep -c -- "^txtap: --hz $1 differs from the rate of the time stamps: [0-9.]* [Mk]Hz +- .* % by this host's clock" "$ERR" || true)
    stat_is "if .tick_hz_high == null or ($1 >= .tick_hz_low * 0.97 and $1 <= .tick_hz_high * 1.03) then 0 else 1 end" "$said"
}
for hz in 8e+06 1e+06; do
    run_txtap tail --tcl "$TCL_PORT" --limit 5000 --hz $hz --stats-json "$STATS" "$DEMO"
    check "--hz $hz is reported as wrong if it is" hz_is_judged $hz
done
for signal in INT TERM; do
    rm -f "$EVENTS" "$STATS"
    start_txtap tail --tcl "$TCL_PORT" --format jsonl --force -o "$EVENTS" --stats-json "$STATS" "$DEMO"
    await_lines "$EVENTS" 1000
    end_txtap $signal
    check "SIG$signal ends it with status 0" is "$STATUS" 0
    check "and a summary" one_line_matching "$ERR" '^txtap: [0-9]* events in '
    check "and all events so far are written" ledger "$EVENTS"
    check "and the statistics" stats_agree_with_stream
done
WRITTEN=$(symbol "$DEMO" demo_events_written)
BEFORE=$(word "$WRITTEN")
run_txtap tail --tcl "$TCL_PORT" --new --limit 200 -q --format jsonl "$DEMO"
check "--new prints only what came after the start" test \
    "$(sed -n 's/^{"type":"event","seq":\([0-9]*\).*/\1/p' "$OUT" | head -1)" -ge "$BEFORE"
"$BUILD/capture/txtap" tail --tcl "$TCL_PORT" "$DEMO" 2>"$ERR" | head -3 >"$OUT" && STATUSES=("${PIPESTATUS[@]}") ||
    STATUSES=("${PIPESTATUS[@]}")
check "a reader that closes the pipe ends it with status 0" is "${STATUSES[0]} $(wc -l <"$OUT")" "0 3"
check "and the usual summary" one_line_matching "$ERR" '^txtap: [0-9]* events in '
run_txtap tail --tcl "$TCL_PORT" -q -o /dev/full "$DEMO"
check "a full device: status 1" is "$STATUS" 1
check "and one line that says so" one_line_matching "$ERR" '^txtap: /dev/full: cannot be written: No space left'
run_txtap tail --tcl "$TCL_PORT" -o "$WORK/none/events" "$DEMO"
check "an output that cannot be created: status 1" is "$STATUS" 1
check "and one line with the reason" one_line_matching "$ERR" "none/events: cannot be written: No such file"
run_txtap tail --tcl "$TCL_PORT" --limit 10 -q --scan "$DEMO"
check "with a buffer found by searching RAM, it prints the same lines" is "$(event_lines "$OUT") $STATUS" "10 0"
run_txtap tail --tcl "127.0.0.1:$TCL_PORT" --limit 10 -q --ram 0x20000000:128K
check "without the ELF file, too" is "$(event_lines "$OUT") $STATUS" "10 0"
stop_openocd
audit_now
check "meanwhile nothing was written" is "$(audit "$DISTURBING_WRITES")" 0
check "and nothing halted, resumed, stepped or reset" is "$(audit "$CONSEQUENCES")" 0
stop_board

# ---- a ring at rest: the same events in every format, and the cost of an idle poll ----

echo "# a ring at rest"
start_board --set demo_stop_after=3000 "$DEMO"
start_openocd
await_stopped "$DEMO"
tail_rest 464 --tcl "$TCL_PORT" -q --format jsonl "$DEMO"
cp "$OUT" "$EVENTS"
tail_rest 464 --tcl "$TCL_PORT" -q "$DEMO"
# Compares ticks, context and event of each line. From line to line the column of event names may only move to the
# right, to make room for a longer name.
text_matches_jsonl() {
    jq -r 'select(.type == "event") | [.ticks, if .context == "thread" then .thread elif .context == "isr" then
        "isr:" + .thread elif .context == "idle" then "isr" else .context end,
        .event + if .event == "user event" then " \(.id)" else "" end] | @tsv' "$EVENTS" |
        paste -d '\t' - "$OUT" | awk -F '\t' '
            {
                split($4, word, " ")
                at = index($4, "  " $2 "  ")
                column = index($4, "  " $3 " ")
                if (word[1] != $1 || at != 13 || column < before || column > 40) {
                    print "# line " NR ": " $0
                    bad = 1
                    exit
                }
                before = column
            }
            END { exit bad || NR < 400 }'
}
check "text and jsonl have the same number of events" is "$(wc -l <"$OUT")" "$(grep -c '"type":"event"' "$EVENTS")"
check "and the same events, in columns" text_matches_jsonl
check "text has no escape sequences in a file" is "$(grep -c $'\033' "$OUT")" 0
ram_reads() {
    audit_now
    audit .reads.ram.count
}
has_read() { (($(ram_reads) >= $1)); }
# idle_run NAME READS: runs a tail until the board has counted READS more reads of its RAM.
idle_run() {
    local before bytes_before
    before=$(ram_reads) bytes_before=$(audit .reads.ram.bytes)
    start_txtap tail --tcl "$TCL_PORT" --new --stats-json "$STATS" --force -o "$EVENTS.$1" "$DEMO"
    await "$TXTAP_PID" has_read $((before + $2)) || die "tail does not poll"
    end_txtap INT
    RAM_COUNT=$(($(ram_reads) - before)) RAM_BYTES=$(($(audit .reads.ram.bytes) - bytes_before))
    read -r POLLS REQUESTS BYTES < <(jq -r '"\(.polls) \(.requests) \(.bytes_read)"' "$STATS")
}
idle_run short 1 # measures the cost of a start and of an end
POLLS_0=$POLLS REQUESTS_0=$REQUESTS BYTES_0=$BYTES RAM_BYTES_0=$RAM_BYTES
BEGUN=$SECONDS
idle_run long $((RAM_COUNT + 100))
TIME=$((SECONDS - BEGUN + 1)) # at least the time that the run took
check "--new on a ring at rest prints nothing" empty "$EVENTS.long"
POLLS_ALL=$POLLS
POLLS=$((POLLS - POLLS_0)) REQUESTS=$((REQUESTS - REQUESTS_0)) BYTES=$((BYTES - BYTES_0))
RAM_BYTES=$((RAM_BYTES - RAM_BYTES_0))
echo "# idle: $POLLS polls in $TIME s, $REQUESTS requests, $BYTES bytes"
check "it polls while idle" test "$POLLS" -ge 1
LOOKS=$((REQUESTS - POLLS)) # number of reads of the firmware's three variables, which txtap reads once a second
check "one request a poll, and one a second" test "$LOOKS" -le $((TIME + 1))
check "at most 28 bytes of RAM a poll, and 12 bytes a second" test "$RAM_BYTES" -le $((28 * POLLS + 12 * LOOKS))
WATCHED=$((BYTES - RAM_BYTES)) # bytes of fault registers: 28 at most ten times a second
check "the rest is fault registers" is $((WATCHED % 28)) 0
check "which are read at most ten times a second" test "$WATCHED" -le $((28 * (10 * TIME + 2)))
check "it polls slowly when nothing comes" test "$POLLS_ALL" -le $((42 * TIME))
stop_board
stop_openocd

echo "# bursts and silence, objects that are created and deleted"
# On a slow machine the firmware may create the first object before the tail starts. Then the tail shows the next
# object.
start_board "$IDLE"
start_openocd
rm -f "$EVENTS"
start_txtap tail --timeout 1min --tcl "$TCL_PORT" --strict --format jsonl --force -o "$EVENTS" --stats-json "$STATS" "$IDLE"
await_lines "$EVENTS" 20
created_and_deleted() {
    grep -q '"event":"tx_semaphore_create".*"semaphore":"temporary"' "$EVENTS" &&
        grep -q '"event":"tx_semaphore_delete".*"semaphore":"temporary"' "$EVENTS"
}
await "$TXTAP_PID" created_and_deleted || true
end_txtap INT
check "an object created at run time has its name, also when deleted" created_and_deleted
check "the bursts are complete" ledger "$EVENTS"
check "nothing is lost unreported" no_unreported_loss
check "every ledger number is there, or in a gap" is $((LEDGER_COUNT + LEDGER_MISSING)) $((LEDGER_LAST - LEDGER_FIRST + 1))
stop_all

# ---- more than can be read ----

# overload ELF EVENTS BOARD_OPTION...: starts a tail on a halted board, and runs it until the load of EVENTS events
# has ended. Sets $FIRST_WRITTEN: the number of events that the firmware wrote before the event with sequence number
# 0. This number does not come from txtap.
overload() {
    local elf=$1 events=$2 written stop
    shift 2
    start_board "$@" "$elf"
    start_openocd
    written=$(symbol "$elf" demo_events_written)
    stop=$(symbol "$elf" demo_stop_after)
    await "$OPENOCD_PID" has_risen "$written" 1000 || die "the firmware does not run"
    ocd halt >/dev/null
    AT_START=$(word "$written")
    ocd "mww $stop $((AT_START + events))" >/dev/null
    rm -f "$EVENTS" "$STATS"
    start_txtap tail --tcl "$TCL_PORT" --format jsonl --force -o "$EVENTS" --stats-json "$STATS" --strict "$elf"
    # The ring is full and does not change, but the writer may be using one slot. txtap prints held-back events after
    # a later poll.
    await "$TXTAP_PID" ring_is_out || die "tail did not print what the ring held"
    FIRST_WRITTEN=$((AT_START - $(sed -n '$s/.*"seq":\([0-9]*\).*/\1/p' "$EVENTS") - 1))
    # The halt may hit a thread and an interrupt, each after it has moved the ring's pointer and before it has counted
    # its event. So the count may be up to 2 too low.
    if ((FIRST_WRITTEN == -1 || FIRST_WRITTEN == -2)); then FIRST_WRITTEN=0; fi
    ocd resume >/dev/null
    await_stopped "$elf"
    await "$TXTAP_PID" has_read $(($(ram_reads) + 20)) || die "tail does not read to the end"
    end_txtap INT
    WRITTEN=$(word "$written")
}
ring_is_out() {
    local count
    count=$(grep -c '"type":"event"' "$EVENTS") && ((count >= 464))
}
account_is_exact() {
    is "$((STREAM_EVENTS + STREAM_LOST))" "$((WRITTEN - FIRST_WRITTEN - STREAM_FIRST))"
}

for probe in ideal stlink-v2; do
    echo "# overload, $probe"
    overload "$FIRMWARE/demo_overload.elf" 100000 --probe $probe
    check "--strict makes loss status 5" is "$STATUS" 5
    check "every ledger number is there, whole, or in a gap at its place" ledger "$EVENTS"
    echo "# $STREAM_EVENTS delivered, $STREAM_LOST lost in $STREAM_GAPS gaps; $LEDGER_MISSING ledger numbers in them"
    check "there was loss" test "$STREAM_LOST" -gt 0 -a "$LEDGER_MISSING" -gt 0
    check "sequence numbers are the firmware's own" is "$FIRST_WRITTEN" 0
    check "delivered + lost is what the firmware wrote" account_is_exact
    check "to the last event" is "$STREAM_END" "$WRITTEN"
    check "all gaps are exact" is "$STREAM_EXACT" "$STREAM_GAPS"
    check "stats-json agrees" stats_agree_with_stream
    check "and says exact" stat_is .lost_exact true
    check "the summary says how many" grep -q ", $STREAM_LOST lost$" "$ERR"
    stop_all
done

echo "# four times what the probe can carry"
overload "$DEMO" 20000 --probe stlink-v2 --rate 6000
check "every ledger number is there, whole, or in a gap" ledger "$EVENTS"
echo "# $STREAM_EVENTS delivered, $STREAM_LOST lost in $STREAM_GAPS gaps"
check "it is reported once that the probe is too slow, with advice" is \
    "$(grep -cE '^txtap: losing events: read [0-9]+ of [0-9]+ per second: record fewer' "$ERR")" 1
check "events come after the ring's first content" test "$STREAM_EVENTS" -gt 465
check "delivered + lost is what the firmware wrote" account_is_exact
check "all gaps are exact" is "$STREAM_EXACT" "$STREAM_GAPS"
stop_all

echo "# overload, a recorder that does not count laps"
overload "$FIRMWARE/demo_overload_no_laps.elf" 100000
check "loss is status 5" is "$STATUS" 5
check "every ledger number is there, whole, or in a gap" ledger "$EVENTS"
echo "# $STREAM_EVENTS delivered, at least $STREAM_LOST of $((WRITTEN - FIRST_WRITTEN - STREAM_EVENTS)) lost"
check "no more is reported lost than was lost" test $((STREAM_EVENTS + STREAM_LOST)) -le $((WRITTEN - FIRST_WRITTEN))
check "gaps of unknown size are reported as such" test "$STREAM_EXACT" -lt "$STREAM_GAPS"
check "stats-json agrees" stats_agree_with_stream
check "and says that it is a lower bound" stat_is .lost_exact false
ESTIMATE=$(jq .lost_estimate "$STATS") REALLY=$((WRITTEN - FIRST_WRITTEN - STREAM_EVENTS))
echo "# estimated $ESTIMATE, really $REALLY lost"
check "the estimate of the total is within a factor of two, or not given" \
    stat_is ".lost_estimate | . == null or (. * 2 >= $REALLY and . <= $REALLY * 2)" true
# A second line may estimate the rate: this depends on how fast the host read.
check "the summary says what is known" grep -q ", at least $STREAM_LOST lost$" "$ERR"
stop_all

echo "# time stamps that stand still, without a lap count"
start_board "$FIRMWARE/demo_still.elf"
start_openocd
await "$OPENOCD_PID" has_risen "$(symbol "$FIRMWARE/demo_still.elf" demo_events_written)" 1000 # its ring has wrapped
run_txtap tail --tcl "$TCL_PORT" --seconds 1 --strict --format jsonl --force -o "$EVENTS" --stats-json "$STATS" \
    "$FIRMWARE/demo_still.elf"
check "losses may go unseen: with --strict status 5, lost or not" is "$STATUS" 5
check "a mark in the stream says so, once" is "$(grep -c '^{"type":"unsure","seq":[0-9]*,"unix_us":[0-9]*,"text":"' \
    "$EVENTS")" 1
check "no gap is exact" is "$(grep -c '"exact":true' "$EVENTS")" 0
check "stats-json says so" stat_is '[.lost_exact, .lost_unseen] | tostring' '[false,true]'
check "standard error says so" grep -q '^txtap: unsure: the time stamps stand still and no laps are counted: ' "$ERR"
check "and so does the summary" grep -q '^txtap: .*time stamps stand still: events may be lost undetected' "$ERR"
check "and why" grep -q '^txtap: all time stamps are equal: ' "$ERR"
run_txtap record --tcl "$TCL_PORT" --limit 1000 -o "$WORK/still.rec" "$FIRMWARE/demo_still.elf"
check "record says it, too" grep -q '^txtap: all time stamps are equal: ' "$ERR"
run_txtap tail --tcl "$TCL_PORT" --seconds 0.2 --new --strict -q "$FIRMWARE/demo_still.elf"
check "also in a run with very few events" is "$STATUS" 5
stop_all

e2e_end
