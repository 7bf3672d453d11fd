#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The kernel event logger's ring, followed by txtap while firmware fills and empties it: does every event of the
# application arrive, or is it counted?   usage: kernel_event_logger.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

ELF=$FIRMWARE/demo_event_logger.elf
[[ -f $ELF ]] || die "no $ELF: build the target firmware first"
LOGGER=(--kernel-event-logger)
EVENTS=$WORK/events.jsonl
LEDGER=4104 # type 8: a number that counts, and its complement

value() { word "$(symbol "$ELF" "$1")"; }
total() { word $(($(symbol "$ELF" txtap_event_logger_totals) + $1)); }
said() { grep -q -- "$1" "$ERR"; }
fails() { is "$STATUS" "$1" && is "$(wc -l <"$ERR")" 1 && said "$2"; }
shows() { grep -Eq -- "$1" "$OUT"; }

passes() {
    local turn
    for ((turn = 0; turn < E2E_PATIENCE; turn++)); do
        if (($(value "$1") >= $2)); then return 0; fi
        sleep 0.05
    done
    die "$1 stays at $(value "$1"), below $2; demo_fault is $(value demo_fault)"
}

# Between two marks of resets: numbers of events and gaps follow each other, each ledger event is whole, and of those
# between two that arrived no more are missing than gaps count, or than a gap of unknown size may.
holds() {
    jq -sc --argjson ledger "$LEDGER" '
        reduce .[] as $line ({ok: true, events: 0, ledger: 0, lost: 0, gap: 0};
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
            else . end)' "$1" >"$WORK/sums"
    is "$(jq .ok "$WORK/sums")" true
}
sum() { jq ".$1" "$WORK/sums"; }


echo "# from the first event to the last"
start_board --set demo_stop_after=9000 "$ELF"
start_openocd
start_txtap tail --wait --tcl "$TCL_PORT" "${LOGGER[@]}" --format jsonl -o "$EVENTS" --stats-json "$WORK/stats" "$ELF"
passes demo_logger_saturated 1
await_stopped "$ELF"
# The threads have ended, and nobody collects: what still comes is dropped, unless there is room.
passes demo_stopped 1
sleep 2.5
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
check "every event is there, whole and once, or counted" holds "$EVENTS"
check "the sizes of all losses are known" is "$(jq -c 'select(.type == "gap" and (.exact | not))' "$EVENTS" | wc -l)" 0
check "many ledger events are there" test "$(sum ledger)" -gt 100
check "drops beyond what a header can say are counted" \
    test "$(jq -s 'map(select(.type == "gap") | .lost) | max' "$EVENTS")" -gt 255
check "a ring that stands is told" test "$(jq -s 'last | .type' "$EVENTS")" = '"gap"'
check "the summary agrees" is "$(jq -c '[.events, .lost, .lost_exact]' "$WORK/stats")" \
    "[$(sum events),$(sum lost),true]"
check "events of all kinds are there" is "$(jq -sc 'map(.id // empty) | unique' "$EVENTS")" \
    '[4097,4098,4099,4104,4105,4106]'
check "a thread has its name" is "$(jq -r 'select(.id == 4097) | .thread' "$EVENTS" | grep -c '^author$')" \
    "$(jq -r 'select(.id == 4097) | .fields.from' "$EVENTS" | grep -c '^author$')"
check "an event of twelve words is one line" \
    is "$(jq -c 'select(.id == 4106 and (.info | length) == 12) | .info[11] - .info[0]' "$EVENTS" | sort -u)" 11
check "sleep says how long and until what" is "$(jq -c 'select(.id == 4099) | .fields | [.unit, .interrupt < 60]' \
    "$EVENTS" | sort -u)" '["cycles",true]'
check "time never goes back" is "$(jq -s 'map(.ticks // empty) as $t | all(range(1; $t | length); $t[.] >= $t[. - 1])' \
    "$EVENTS")" true

echo "# a ring at rest: info, snapshot, text, another format, a memory image"
run_txtap info --tcl "$TCL_PORT" "${LOGGER[@]}" --seconds 0.2 "$ELF"
check "info is a success" is "$STATUS" 0
check "info says where it is" shows "^logger  *$(symbol "$ELF" sys_k_event_logger), found by symbol, ring structure at \+16"
check "info says how large it is" shows "128 words; head [0-9]+, tail [0-9]+: [0-9]+ words not collected; mask 0x7f"
check "info knows the counts" shows "events put, [0-9]+ words; [0-9]+ events dropped; loss is exact"
check "info knows the types" shows '^types  *mask 0xffffffff: 1 2 3 4'
check "info names the collector" shows '^collector  *0x[0-9a-f]* collector'
run_txtap snapshot --tcl "$TCL_PORT" "${LOGGER[@]}" -o "$WORK/ring.trx" "$ELF"
check "snapshot is a success" is "$STATUS" 0
count=$(word $(($(symbol "$ELF" sys_k_event_logger) + 8)))
run_txtap decode --definitions "$E2E_ROOT/capture/event_logger.events" --format jsonl "$WORK/ring.trx"
check "it holds what was not collected" is "$(jq -c 'select(.type == "event" and .id != 4096)' "$OUT" | wc -l)" "$count"
check "and the names of threads" grep -q '"object":"thread"' "$OUT"
ocd "dump_image $WORK/sram 0x20000000 0x20000" >/dev/null
run_txtap decode "${LOGGER[@]}" --elf "$ELF" --base 0x20000000 --format jsonl "$WORK/sram"
check "a memory image holds the same" is "$(jq -c 'select(.type == "event")' "$OUT" | wc -l)" "$count"
run_txtap tail --image "$WORK/sram@0x20000000" "${LOGGER[@]}" --seconds 0.2 --format jsonl "$ELF"
check "followed, it does too" is "$(jq -c 'select(.type == "event")' "$OUT" | wc -l)" "$count"
run_txtap decode "${LOGGER[@]}" --elf "$ELF" --base 0x20000000 --event interrupt --fields event,fields "$WORK/sram"
check "filters choose" is "$(grep -vc '^interrupt  *[0-9]*$\|events\? lost$' "$OUT")" 0
printf 'event 4104 "ledger" "number {0=number} of {1=check:x}"\n' >"$WORK/own.events"
run_txtap tail --tcl "$TCL_PORT" "${LOGGER[@]}" --definitions "$WORK/own.events" --seconds 0.2 "$ELF"
check "definitions of one's own are taken beside those built in" is "$STATUS" 0
run_txtap decode "${LOGGER[@]}" --elf "$ELF" --base 0x20000000 -f trx -o "$WORK/decoded.trx" "$WORK/sram"
run_txtap decode --format jsonl "$WORK/decoded.trx"
check "decode makes a file for TraceX, too" is "$(jq -c 'select(.type == "event" and .id != 4096)' "$OUT" | wc -l)" "$count"

echo "# what is wrong is one clear line"
run_txtap tail --tcl "$TCL_PORT" "${LOGGER[@]}" "$FIRMWARE/demo.elf"
check "another firmware's ELF file" fails 3 'no symbol sys_k_event_logger .*CONFIG_KERNEL_EVENT_LOGGER'
cp "$ELF" "$WORK/other.elf"
arm-none-eabi-objcopy --change-section-address .bss+0x100 "$WORK/other.elf" 2>/dev/null
run_txtap tail --tcl "$TCL_PORT" "${LOGGER[@]}" "$WORK/other.elf"
check "an ELF file whose symbols are elsewhere" fails 3 'not initialised yet, or this is not the ELF file'
run_txtap tail --tcl "$TCL_PORT" "${LOGGER[@]}"
check "no ELF file" is "$STATUS" 2
run_txtap tail --tcl "$TCL_PORT" "${LOGGER[@]}" --scan "$ELF"
check "a search that is none" is "$STATUS" 2
run_txtap decode "${LOGGER[@]}" --elf "$ELF" "$WORK/sram"
check "an image without an address" fails 2 '\-\-base'
head -c 4096 "$WORK/sram" >"$WORK/cut"
run_txtap decode "${LOGGER[@]}" --elf "$ELF" --base 0x20000000 "$WORK/cut"
check "an image that is cut" fails 3 'does not hold the memory'

audit_now
check "nothing was halted" is "$(audit .halts)" 0
check "nothing was written" is "$(audit '[.register_writes, (.writes | [.ram, .flash, .peripheral, .system, .fault] |
    map(.count) | add)] | add')" 0
stop_openocd
stop_board

echo "# resets, and a server that goes and comes back"
start_board "$ELF"
start_openocd
port=$TCL_PORT
start_txtap tail --tcl "$TCL_PORT" "${LOGGER[@]}" --format jsonl -o "$EVENTS" "$ELF"
passes demo_logger_customs 100
ocd 'reset run' >"$WORK/ocd"
passes demo_logger_customs 100
stop_openocd
sleep 0.5
start_openocd -c "tcl_port $port"
passes demo_logger_customs 200
ocd 'reset run' >"$WORK/ocd"
passes demo_logger_customs 60
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
check "the firmware found nothing wrong" is "$(value demo_fault)" 0
check "every event is there, or counted, between the resets" holds "$EVENTS"
check "the resets are told" is "$(jq -c 'select(.type == "reset")' "$EVENTS" | wc -l)" 2
check "so is the server's absence" is "$(jq -r 'select(.type == "detached" or .type == "attached") | .type' "$EVENTS" |
    tr '\n' ' ')" 'detached attached '
check "ledger events came after the last reset" is \
    "$(jq -sc --argjson ledger $LEDGER '(map(.type) | rindex("reset")) as $at | .[$at:] | any(.id == $ledger)' "$EVENTS")" true

echo "# the same ring, of a logger that keeps no counts, as Zephyr's own"
arm-none-eabi-objcopy --strip-symbol=txtap_event_logger_totals "$ELF" "$WORK/uncounted.elf"
run_txtap info --tcl "$TCL_PORT" "${LOGGER[@]}" --seconds 0.2 "$WORK/uncounted.elf"
check "info says that nothing counts" shows '^counts  *none beside the ring'
start_txtap tail --tcl "$TCL_PORT" "${LOGGER[@]}" --format jsonl -o "$EVENTS" "$WORK/uncounted.elf"
passes demo_logger_customs $(($(value demo_logger_customs) + 150))
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
check "every event is there, whole and once, or may be in a gap" holds "$EVENTS"
check "many ledger events are there" test "$(sum ledger)" -gt 20
check "what was dropped at once is at least so much" \
    test "$(jq -c 'select(.type == "gap" and (.exact | not))' "$EVENTS" | wc -l)" -gt 0

audit_now
check "nothing was halted" is "$(audit .halts)" 0
stop_openocd
stop_board
e2e_end
