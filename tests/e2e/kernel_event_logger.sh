#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Follows the kernel event logger's ring with txtap while firmware fills and empties it. Checks that every event of the
# application is delivered or counted.   usage: kernel_event_logger.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

ELF=$FIRMWARE/demo_event_logger.elf
[[ -f $ELF ]] || die "no $ELF: build the target firmware first"
LOGGER=(--kernel-event-logger)
EVENTS=$WORK/events.jsonl
LEDGER=4104 # id of a ledger event: type 8, with a running number and its complement

total() { word $(($(symbol "$ELF" txtap_event_logger_totals) + $1)); }
shows() { grep -Eq -- "$1" "$OUT"; }

# Checks the lines between two reset marks. The numbers of events and gaps are consecutive, and each ledger event is
# complete. Between two ledger events no more ledger events are missing than the gaps count. A gap of unknown size may
# hide any number. Prints the first line that breaks a rule.
holds() {
    jq -sc --argjson ledger "$LEDGER" '
        reduce .[] as $line ({ok: true, wrong: null, events: 0, ledger: 0, lost: 0, gap: 0};
            if $line.type == "reset" then .next = null | .number = null | .gap = 0
            elif $line.type == "gap" then
                .ok = (.ok and (.next == null or $line.seq == .next)) | .next = $line.seq + $line.lost |
                .lost += $line.lost | .gap += if $line.exact then $line.lost else 4294967295 end
            elif $line.type == "event" then
                .ok = (.ok and (.next == null or $line.seq == .next)) | .next = $line.seq + 1 | .events += 1 |
                if $line.id == $ledger then
                    .ok = (.ok and ($line.info | length) == 2 and $line.info[0] + $line.info[1] == 4294967295 and
                        (.number == null or ($line.info[0] > .number and $line.info[0] - .number - 1 <= .gap))) |
                    .number = $line.info[0] | .gap = 0 | .ledger += 1
                else . end
            else . end | if .ok or .wrong then . else .wrong = $line end)' "$1" >"$WORK/sums"
    is "$(jq -c .wrong "$WORK/sums")" null
}
sum() { jq ".$1" "$WORK/sums"; }
inexact() { jq -c 'select(.type == "gap" and (.exact | not))' "$EVENTS" | wc -l; }
ledgers() { (($(grep -c "\"id\":$LEDGER," "$EVENTS") >= $1)); }
has() { grep -Eq "$1" "$EVENTS"; }

# Succeeds if the stream has everything that is checked below: events of each kind, an event of twelve words, and a gap
# that is larger than a header's count.
has_everything() {
    ledgers 100 && has '"id":4097,' && has '"id":4098,' && has '"id":4099,' && has '"id":4105,' &&
        has '"id":4106,.*"info":\[([0-9]+,){11}[0-9]+\]' && has '^.{5,}"gap".*"lost":([3-9][0-9]{2}|[0-9]{4,}),'
}
ends_with_gap() { tail -n 1 "$EVENTS" | grep_all '"type":"gap"'; }
all_exact() { [[ $(inexact) == 0 ]] && echo true || echo false; }
# Checks the ledger numbers after the last delivered ledger event: the gaps at the end must count all of them.
up_to_the_last() { is_true "$WORK/sums" '.ok and $next - 1 - .number <= .gap' --argjson next "$1"; }

echo "# from the first event to the last"
start_board "$ELF"
start_openocd
start_txtap tail --wait --tcl "$TCL_PORT" "${LOGGER[@]}" --format jsonl --force -o "$EVENTS" --stats-json "$WORK/stats" "$ELF"
await "$TXTAP_PID" has_everything || die "a kind of event is missing"
end_load "$ELF"
# The threads have ended, so no thread collects events. Once the ring is full, the target drops new events.
await "$TXTAP_PID" ends_with_gap || die "drops into a full ring are not reported"
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
check "every event is there once and complete, or counted" holds "$EVENTS"
check "up to the last one" up_to_the_last "$(value demo_logger_ledger_next)"
check "no more is counted than was written" \
    test "$(jq -s 'map(select(.seq)) | last | .seq + (.lost // 1)' "$EVENTS")" -le $(($(total 8) + $(total 4)))
# A gap is "at least" only if the target changed the counts during every read.
check "the summary agrees, and says whether all sizes are known" is \
    "$(jq -c '[.events, .lost, .lost_exact]' "$WORK/stats")" "[$(sum events),$(sum lost),$(all_exact)]"
check "events of all kinds are there" is "$(jq -sc 'map(.id // empty) | unique' "$EVENTS")" \
    '[4097,4098,4099,4104,4105,4106]'
check "a thread has its name" is "$(jq -r 'select(.id == 4097) | .thread' "$EVENTS" | grep -c '^author$')" \
    "$(jq -r 'select(.id == 4097) | .fields.from' "$EVENTS" | grep -c '^author$')"
check "an event of twelve words is one line" \
    is "$(jq -c 'select(.id == 4106 and (.info | length) == 12) | .info[11] - .info[0]' "$EVENTS" | sort -u)" 11
check "a sleep event has its duration and the interrupt that ended it" is "$(jq -c 'select(.id == 4099) | .fields | [.unit, .interrupt < 60]' \
    "$EVENTS" | sort -u)" '["cycles",true]'
check "time never goes back" is "$(jq -s 'map(.ticks // empty) as $t | all(range(1; $t | length); $t[.] >= $t[. - 1])' \
    "$EVENTS")" true

echo "# a ring at rest: info, snapshot, text, another format, a memory image"
check "info succeeds" txtap_exits 0 info --tcl "$TCL_PORT" "${LOGGER[@]}" --seconds 0.2 --stats-json "$WORK/stats" "$ELF"
check "info says where it is" shows "^logger  *$(symbol "$ELF" sys_k_event_logger), found by symbol, ring structure at \+16"
check "info says how large it is" shows "128 words; head [0-9]+, tail [0-9]+: [0-9]+ words not collected; mask 0x7f"
check "info knows the counts" shows "events put, [0-9]+ words; [0-9]+ events dropped; loss is exact"
check "stats-json has null for rates that cannot be measured" is "$(jq -c '[.byte_rate, .ring_seconds,
    .probe_events_per_second, .headroom, .objects, .laps_counted, .probe_bytes_per_second > 0]' "$WORK/stats")" \
    '[0,null,null,null,null,true,true]'
check "info knows the types" shows '^types  *mask 0xffffffff: 1 2 3 4'
check "info names the collector" shows '^collector  *0x[0-9a-f]* collector'
check "snapshot succeeds" txtap_exits 0 snapshot --tcl "$TCL_PORT" "${LOGGER[@]}" -o "$WORK/ring.trx" "$ELF"
count=$(word $(($(symbol "$ELF" sys_k_event_logger) + 8)))
# No thread collects events, and the ring is full, so the target drops events of interrupts.
await "$OPENOCD_PID" has_risen $(($(symbol "$ELF" sys_k_event_logger) + 24)) 1 || die "nothing is dropped"
check "with --strict it is 5: the target has dropped events" txtap_exits 5 snapshot --tcl "$TCL_PORT" "${LOGGER[@]}" -o "$WORK/ring.trx" --force -q --strict --stats-json "$WORK/stats" "$ELF"
check "and says how many, with -q too" failed 5 "ring.trx: .*$(jq .lost "$WORK/stats") events* .* missing"
run_txtap decode --definitions "$E2E_ROOT/capture/ring/event_logger.events" --format jsonl "$WORK/ring.trx"
check "it has the events that were not collected" is "$(jq -c 'select(.type == "event" and .id != 4096)' "$OUT" | wc -l)" "$count"
check "and the names of threads" grep -q '"object":"thread"' "$OUT"
ocd "dump_image $WORK/sram 0x20000000 0x20000" >/dev/null
run_txtap decode "${LOGGER[@]}" --elf "$ELF" --base 0x20000000 --format jsonl "$WORK/sram"
check "a memory image has the same" is "$(jq -c 'select(.type == "event")' "$OUT" | wc -l)" "$count"
run_txtap tail --image "$WORK/sram@0x20000000" "${LOGGER[@]}" --seconds 0.2 --format jsonl "$ELF"
check "tail on it has the same" is "$(jq -c 'select(.type == "event")' "$OUT" | wc -l)" "$count"
jq -c 'select(.type == "event" or .type == "gap")' "$OUT" >"$WORK/followed"
run_txtap record --image "$WORK/sram@0x20000000" "${LOGGER[@]}" --seconds 0.2 -o "$WORK/rest.rec" "$ELF"
check "a recording has as many" said "rest.rec: $count events in 1 file"
run_txtap decode --format jsonl "$WORK/rest.rec"
check "and decode prints what tail printed, without an ELF file" is \
    "$(jq -c 'select(.type == "event" or .type == "gap")' "$OUT" | cmp - "$WORK/followed" 2>&1)" ""
run_txtap tail --image "$WORK/sram@0x20000000" "${LOGGER[@]}" --seconds 0.2 "$ELF"
cp "$OUT" "$WORK/followed"
run_txtap decode "$WORK/rest.rec"
check "line by line" cmp "$WORK/followed" "$OUT"
run_txtap decode "${LOGGER[@]}" --elf "$ELF" --base 0x20000000 --event interrupt --fields event,fields "$WORK/sram"
check "filters choose" is "$(grep -vc '^interrupt  *[0-9]*$\|events\? lost$' "$OUT")" 0
printf 'event 4104 "ledger" "number {0=number} of {1=check:x}"\n' >"$WORK/own.events"
run_txtap decode "${LOGGER[@]}" --elf "$ELF" --base 0x20000000 -f trx -o "$WORK/decoded.trx" "$WORK/sram"
run_txtap decode --format jsonl "$WORK/decoded.trx"
check "decode also makes a file for TraceX" is "$(jq -c 'select(.type == "event" and .id != 4096)' "$OUT" | wc -l)" "$count"

echo "# each error is one clear line"
check "another firmware's ELF file" txtap_fails 3 'no symbol sys_k_event_logger .*CONFIG_KERNEL_EVENT_LOGGER' tail --tcl "$TCL_PORT" "${LOGGER[@]}" "$FIRMWARE/demo.elf"
cp "$ELF" "$WORK/other.elf"
arm-none-eabi-objcopy --change-section-address .bss+0x100 "$WORK/other.elf" 2>/dev/null
check "an ELF file whose symbols are elsewhere" txtap_fails 3 'not initialised yet, or this is not the ELF file' tail --tcl "$TCL_PORT" "${LOGGER[@]}" "$WORK/other.elf"
check "no ELF file" txtap_exits 2 tail --tcl "$TCL_PORT" "${LOGGER[@]}"
check "an invalid search" txtap_exits 2 tail --tcl "$TCL_PORT" "${LOGGER[@]}" --scan "$ELF"
check "an image without an address" txtap_fails 2 '\-\-base' decode "${LOGGER[@]}" --elf "$ELF" "$WORK/sram"
head -c 4096 "$WORK/sram" >"$WORK/cut"
check "a truncated image" txtap_fails 3 'does not hold the memory' decode "${LOGGER[@]}" --elf "$ELF" --base 0x20000000 "$WORK/cut"

audit_now
check "nothing was halted" is "$(audit .halts)" 0
check "nothing was written but the word that ended the load" is "$(audit '[.register_writes, (.writes |
    [.ram, .flash, .peripheral, .system, .fault] | map(.count) | add)] | add')" 1
stop_openocd
stop_board

echo "# resets, and a server that goes and comes back"
start_board "$ELF"
free_port
start_openocd -c "tcl_port $PORT"
rm -f "$EVENTS"
start_txtap tail --tcl "$TCL_PORT" "${LOGGER[@]}" --format jsonl --force -o "$EVENTS" "$ELF"
await_lines "$EVENTS" 20
# txtap sees a reset because the count of words decreases. It would not decrease if the firmware wrote more words
# between two polls after the reset than in all the time before. So first let the firmware write for a while.
rises_to _tx_timer_system_clock 3000
reset_target
await_more 100
stop_openocd
await_marks detached 1
start_openocd -c "tcl_port $PORT"
await_marks attached 1
await_more 100
rises_to _tx_timer_system_clock 3000
reset_target
has_ledger_of_now() {
    awk -v id="\"id\":$LEDGER," '/^{"type":"reset"/ { now = 0 } index($0, id) { now = 1 } END { exit !now }' "$EVENTS"
}
await "$TXTAP_PID" has_ledger_of_now
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
check "the firmware found nothing wrong" is "$(value demo_fault)" 0
check "every event is there, or counted, between the resets" holds "$EVENTS"
check "the resets are reported" resets_reported 2
check "and the loss of the server" is "$(jq -r 'select(.type == "detached" or .type == "attached") | .type' "$EVENTS" |
    tr '\n' ' ')" 'detached attached '
check "ledger events came after the last reset" has_ledger_of_now

echo "# recorded, to files of limited size, and around a trigger"
check "the limit is a normal end" txtap_exits 0 record --tcl "$TCL_PORT" "${LOGGER[@]}" -C 16K --limit 1500 -o "$WORK/live.rec" "$ELF"
check "no file is larger than the limit" is "$(find "$WORK" -name 'live.rec*' -size +16384c)" ""
check "there are several" test "$(find "$WORK" -name 'live.rec*' | wc -l)" -gt 2
run_txtap decode --format jsonl --stats-json "$WORK/stats" "$WORK"/live.rec*
check "they are complete" is "$STATUS:$(cat "$ERR")" 0:
cp "$OUT" "$EVENTS"
check "decode has all of them" is "$(jq .events "$WORK/stats")" 1500
check "every event is there once and complete, or counted" holds "$EVENTS"
check "an event of twelve words has them all" is "$(jq -c 'select(.id == 4106 and (.info | length) == 12) |
    .info[11] - .info[0]' "$EVENTS" | sort -u)" 11
# On a busy host the ring may have had no event of an interrupt.
check "an event of fewer than four words has no more" is "$(jq -c 'select(.id == 4098) | .info | length' "$EVENTS" | grep -vx 1)" ""
# The formats that show changes use the same translator as the report. So each thread must run as long as in the
# report.
TXTAP=$BUILD/capture/txtap
"$TXTAP" report -q --format json "$WORK"/live.rec* >"$WORK/report"
jq -r '.figures[] | select(.name == "cpu_ticks" and .subject.kind == "thread") |
    "\(.subject.name // .subject.address) \(.stats.value.value)"' "$WORK/report" | grep -v ' 0$' | sort >"$WORK/ran"
shows_who_ran() { # COMMAND...
    rm -rf "$WORK/shown"
    "$@" -q -f ctf -o "$WORK/shown" --definitions "$WORK/own.events" &&
        babeltrace2 --clock-cycles "$WORK/shown" >"$WORK/lines" 2>"$WORK/said" && [[ -s $WORK/ran ]] &&
        diff "$WORK/ran" <(awk -f "$E2E_ROOT/tests/e2e/ctf_sums.awk" "$WORK/lines" | sort)
}
waves_of_who_ran() { # FORMAT
    "$TXTAP" decode -q -f "$1" "$WORK"/live.rec* >"$WORK/waves" &&
        diff <(grep -o '[0-9]*$' "$WORK/ran" | sort -n) <(awk -f "$E2E_ROOT/tests/e2e/vcd_sums.awk" "$WORK/waves" |
            sed -n 's/^.*_running //p' | sort -n)
}
reads_target() {
    rm -rf "$WORK/shown"
    "$TXTAP" tail -q --tcl "$TCL_PORT" "${LOGGER[@]}" --limit 500 -f ctf -o "$WORK/shown" "$ELF" &&
        babeltrace2 "$WORK/shown" >"$WORK/lines" 2>"$WORK/said" && grep -q ' sched_switch: .*author' "$WORK/lines"
}
events_of() { jq -c "select(.type == \"event\" and .id $1)" "$EVENTS" | wc -l; }
if command -v babeltrace2 >/dev/null; then
    check "CTF of a recording" shows_who_ran "$TXTAP" decode "$WORK"/live.rec*
    check "has the application's events, by their definitions" is "$(grep -c ' user:' "$WORK/lines")" "$(events_of '> 4099')"
    check "with their words" is "$(sed -n 's/.* user:ledger: .* number = \([0-9]*\), .*/\1/p' "$WORK/lines")" \
        "$(jq 'select(.id == 4104) | .info[0]' "$EVENTS")"
    check "and interrupts" is "$(grep -c ' txtap:interrupt:' "$WORK/lines")" "$(events_of '== 4098')"
    check "CTF of a target" reads_target
else
    skip "CTF of a recording" "babeltrace2 is not installed"
fi
for format in vcd vcd-wires; do check "$format of a recording" waves_of_who_ran "$format"; done
check "perfetto of a recording names the threads" grep -qa 'author' <("$TXTAP" decode -q -f perfetto "$WORK"/live.rec* | cat)
check "the user's definitions are used in addition to those built in" txtap_exits 0 tail --tcl "$TCL_PORT" "${LOGGER[@]}" --definitions "$WORK/own.events" --seconds 0.2 "$ELF"
check "kinds and threads have their names" test "$(grep -c '"event":"context switch".*"thread":"author"\|"thread":"author".*"event":"context switch"' "$EVENTS")" -gt 0
check "a trigger is one of its events, by name" txtap_exits 0 record --tcl "$TCL_PORT" "${LOGGER[@]}" --trigger 'event=sleep' --before 50ms --after 0 --limit 1000 -o "$WORK/sleep.rec" "$ELF"
run_txtap decode --format jsonl "$WORK/sleep.rec"
check "and the mark comes before the event" is "$(jq -sc '[. as $all | range(length - 1) | select($all[.].type == "trigger") |
    $all[. + 1].id] | unique' "$OUT")" '[4099]'

echo "# analysed"
# A thread that is switched out has run since the previous switch, the first event or the last gap. The time of a sleep
# is idle time.
cat >"$WORK/turns.awk" <<'END'
BEGIN { OFMT = CONVFMT = "%.0f" }
$1 == "gap" { begun = 0; next }
!begun { begun = 1; since = $3 }
$2 == 4098 { interrupts++ }
$2 == 4097 || $2 == 4099 { ran[$2 == 4099 || $4 == 0 ? "idle" : sprintf("0x%08x", $4)] += $3 - since; since = $3 }
END { if (interrupts) print "interrupts", interrupts; for (who in ran) print who, ran[who] }
END
run_txtap decode --format jsonl "$WORK"/live.rec*
jq -r 'select(.type == "event" or .type == "gap") | [.type, .id, .ticks, .info[0]?] | join(" ")' "$OUT" |
    awk -f "$WORK/turns.awk" | sort >"$WORK/turns"
run_txtap report --format json "$WORK"/live.rec*
check "a report is a success without a word" is "$STATUS:$(cat "$ERR")" 0:
jq -r '.figures[] | select(.name == "cpu_ticks" or .name == "idle_ticks" or .name == "isr_entered") |
    [{cpu_ticks: .subject.address, idle_ticks: "idle", isr_entered: "interrupts"}[.name], .stats.value.value] |
    join(" ")' "$OUT" | sort >"$WORK/reported"
check "its figures are what the events say" cmp "$WORK/turns" "$WORK/reported"
check "it names what is not recorded" is "$(jq '.not_recorded | test("become ready.*interrupts end.*priorities")' "$OUT")" true
run_txtap top -b --replay-speed 0 --hz 1M "$WORK"/live.rec* # on a busy host the replay may print several screens
check "top replays it" is "$STATUS,$(grep -c '^?  *author ' <(tac "$OUT" | sed '/^txtap top/q'))" 0,1
start_txtap top -b -d 1 --tcl "$TCL_PORT" "${LOGGER[@]}" "$ELF"
check "and shows the target" await "$TXTAP_PID" grep -q '^PRIO ' "$OUT"
end_txtap INT
check "until Ctrl-C" is "$STATUS" 0
run_txtap report --tcl "$TCL_PORT" "${LOGGER[@]}" --seconds 0.5 --format json "$ELF"
check "so does report" is "$STATUS,$(jq '.events == 0 or (.not_recorded | length) > 0' "$OUT")" 0,true
run_txtap report --check 'stack(*) > 5%' "$WORK"/live.rec*
check "a check of what is not recorded does not pass" is "$STATUS,$(cut -c 1-7 "$OUT")" "7,unknown"
check "and one of a figure that there never is says why" txtap_fails 2 "nothing in this trace has deadlock: 'txtap report' says what such a trace does not record" report --check 'deadlock == 0' "$WORK"/live.rec*
rm -f "$EVENTS"
start_txtap tail --tcl "$TCL_PORT" "${LOGGER[@]}" --format jsonl --force -o "$EVENTS" --check 'switches < 2' --check 'stack(*) > 5%' "$ELF"
await "$TXTAP_PID" grep -q '"type":"check".*switches < 2: >= ' "$EVENTS"
end_txtap INT
check "a check also fails while the target is followed, between the events" is "$STATUS,$(grep -c '"type":"check"' "$EVENTS")" 6,1
check "one of what is not recorded is not decided" grep -q '^unknown  *stack' "$ERR"
start_txtap record --tcl "$TCL_PORT" "${LOGGER[@]}" --trigger 'check=switches < 2' -o "$WORK/check.rec" "$ELF"
has_trigger() { "$BUILD/capture/txtap" decode -q --format jsonl "$WORK/check.rec" | grep_all '"type":"trigger".*switches < 2: >= '; }
await "$TXTAP_PID" has_trigger
end_txtap INT
check "as a trigger of record it decides no exit status" is "$STATUS" 0
check "and fires once" said 'check.rec: .* 1 trigger$'

echo "# the same ring, of a logger that keeps no counts, like Zephyr's own"
arm-none-eabi-objcopy --strip-symbol=txtap_event_logger_totals "$ELF" "$WORK/uncounted.elf"
run_txtap info --tcl "$TCL_PORT" "${LOGGER[@]}" --seconds 0.2 --stats-json "$WORK/stats" "$WORK/uncounted.elf"
check "info says that nothing counts" shows '^counts  *none beside the ring'
check "stats-json has the same rate, and that nothing counts" is "$(jq -c '[(.event_rate | round), .laps_counted]' "$WORK/stats")" \
    "[$(sed -nE 's/^rate +([0-9]+) events per second.*/\1/p' "$OUT"),false]"
check "and the figures are consistent, or null" is "$(jq 'if .byte_rate > 0 and .event_rate > 0 then
    (.headroom * .event_rate / .probe_events_per_second - 1 | fabs) < 0.01 and
    (.headroom * .byte_rate / .probe_bytes_per_second - 1 | fabs) < 0.01 and
    (.ring_seconds * .byte_rate / 512 - 1 | fabs) < 0.01 else .probe_events_per_second == null end' "$WORK/stats")" true
rm -f "$EVENTS"
start_txtap tail --tcl "$TCL_PORT" "${LOGGER[@]}" --format jsonl --force -o "$EVENTS" "$WORK/uncounted.elf"
says_at_least() { ledgers 5 && (($(inexact) > 0)); }
await "$TXTAP_PID" says_at_least || die "no gap says 'at least'"
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
check "every event is there once and complete, or may be in a gap" holds "$EVENTS"
check "the size of drops is a lower bound" test "$(inexact)" -gt 0
check "and no gap has an estimate" is "$(jq -sc 'map(select(.type == "gap" and .estimate)) | length' "$EVENTS")" 0

audit_now
check "nothing was halted" is "$(audit .halts)" 0
stop_openocd
stop_board
e2e_end
