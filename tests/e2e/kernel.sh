#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap kernel on the virtual board: threads, stacks and other objects of the demo firmware, compared with its
# source, with OpenOCD's own knowledge of ThreadX, and with its stacks in memory.   usage: kernel.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
OBJCOPY=arm-none-eabi-objcopy
CONSEQUENCES='[.halts, .resumes, .steps, .resets, .register_writes,
    (.writes | [.ram, .flash, .peripheral, .system, .fault] | map(.count) | add)] | add'
LISTS='[.threads, .timers, .queues, .semaphores, .mutexes, .event_flags, .block_pools]'

one_line_matching() { is "$(wc -l <"$1")" 1 && grep -q -- "$2" "$1"; }
found() { is_true "$OUT" "$1"; }
lines() { is_true "$OUT" "$1" -s; }
shown() { is "$(jq -rc "$1" "$OUT")" "$2"; }

# ---- at rest: all values are certain ----

echo "# at rest"
start_board --set demo_stop_after=3000 "$DEMO"
start_openocd
await_stopped "$DEMO"
run_txtap kernel --tcl "$TCL_PORT" "$DEMO"
check "it succeeds" is "$STATUS" 0
check "without a message" test ! -s "$ERR"
check "a thread is a row" grep -q '^  sampler  *4 semaphore  *sample ready  *[0-9]* *1024 ' "$OUT"
check "a queue is a row" grep -q '^  samples  *0  *8  *1  *1$' "$OUT"
run_txtap kernel --tcl "$TCL_PORT" -f json --strict "$DEMO"
check "JSON succeeds, with --strict too" is "$STATUS" 0
check "its head names the schema" found '[.tool, .schema, .schema_version] == ["txtap", "txtap-kernel", 1]'
check "it is one line" is "$(wc -l <"$OUT")" 1
check "all lists are complete" found "$LISTS | all(.complete and .created == (.list | length))"
check "the firmware has no byte pools" found '.byte_pools | .created == null and .list == []'
check "threads are in the order of their creation" shown '[.threads.list[].name] | join(" ")' \
    "System Timer Thread sampler control filter logger reporter housekeeper"
check "with the priorities of the source" shown '[.threads.list[] | .priority, .own_priority] | map(tostring) | join(" ")' \
    "0 0 4 4 6 6 8 8 12 12 16 16 20 20"
check "and their functions" shown '[.threads.list[1:][] | .entry == .name + "_entry"] | all' true
check "other objects have their names" shown \
    '[.timers, .queues, .semaphores, .mutexes, .event_flags, .block_pools] | map(.list[].name | select(. != "temporary")) | join(",")' \
    "heartbeat,samples,sample ready,refresh,model,results,sample pool"
check "the timer has its function and period" shown '.timers.list[0] | [.function, .period_ticks]' '["heartbeat_expired",251]'
check "the queue has its size" shown '.queues.list[0] | [.capacity, .message_words, .messages]' '[8,1,0]'
check "the mutex inherits, and is free" shown '.mutexes.list[0] | [.inherits, .owner, .holds]' '[true,null,0]'
check "no block is in use" shown '.block_pools.list[0] | [.blocks, .blocks_free, .block_size]' '[3,3,16]'
check "each waiting thread counts for its object" shown '[.threads.list[] | select(.waits_for) | .waits_for.name] | length' \
    "$(jq "$LISTS | map(.list[].waiters // 0) | add" "$OUT")"
cp "$OUT" "$WORK/rest.json"
run_txtap kernel --tcl "$TCL_PORT" -f json "$DEMO"
check "a second walk finds the same" cmp <(jq -c 'del(.walk)' "$WORK/rest.json") <(jq -c 'del(.walk)' "$OUT")

# Without debug information, the places of a ThreadX without options are assumed. The demo has these places.
if command -v "$OBJCOPY" >/dev/null; then
    "$OBJCOPY" --strip-debug "$DEMO" "$WORK/symbols.elf"
    run_txtap kernel --tcl "$TCL_PORT" -f json "$WORK/symbols.elf"
    check "without debug information it finds the same" cmp <(jq -c 'del(.walk)' "$WORK/rest.json") <(jq -c 'del(.walk)' "$OUT")
    check "and says so" one_line_matching "$ERR" 'no debug information: txtap assumes'
    "$OBJCOPY" --strip-all "$DEMO" "$WORK/stripped.elf"
    check "a stripped file is an error" txtap_fails 3 'stripped, so the kernel' kernel --tcl "$TCL_PORT" "$WORK/stripped.elf"
    "$OBJCOPY" --redefine-sym _tx_thread_created_ptr=other "$DEMO" "$WORK/other.elf"
    check "so is a file without kernel" txtap_fails 3 'contains no ThreadX' kernel --tcl "$TCL_PORT" "$WORK/other.elf"
else
    skip "files without debug information, symbols or kernel" "$OBJCOPY is not installed"
fi
check "no ELF file is wrong usage" txtap_fails 2 "needs the firmware's ELF file" kernel --tcl "$TCL_PORT"
check "other firmware is an error" txtap_fails 3 . kernel --tcl "$TCL_PORT" "$FIRMWARE/demo_moved.elf"
audit_now
check "the target was not disturbed" is "$(audit "$CONSEQUENCES")" 0

# ---- OpenOCD's knowledge ----

# Prints the threads as OpenOCD knows them: "ADDRESS NAME, State: STATE", with txtap's names of the states.
openocd_threads() {
    "$E2E_ROOT/tests/e2e/gdb_threads.pl" "$GDB_PORT" "$WORK/nm" | sed -n 's/\tName: / /p' | grep -v 'Current Execution' |
        sed 's/Waiting - Event flag/event flags/; s/Waiting - //; s/Sleeping/sleep/' |
        awk -F'State: ' '{ print $1 "State: " tolower($2) }'
}
stop_openocd
start_openocd -f "$E2E_ROOT/openocd-cfg/vboard.cfg" -c '[target current] configure -rtos ThreadX'
nm "$DEMO" >"$WORK/nm"
openocd_threads >"$WORK/openocd.threads"
jq -r '.threads.list[] | "\(.address) \(.name), State: \(.state)"' "$WORK/rest.json" >"$WORK/txtap.threads"
check "OpenOCD knows the threads with the same addresses, names and states" cmp "$WORK/openocd.threads" "$WORK/txtap.threads"
ocd halt >"$WORK/ocd"
# stack_peak START SIZE: prints the number of bytes from the first word that is not the fill word to the end.
stack_peak() {
    local words count=0 one
    words=$(ocd "read_memory $1 32 $(($2 / 4))")
    for one in $words; do
        ((one == 0xefefefef)) || break
        count=$((count + 1))
    done
    echo $(($2 - 4 * count))
}
jq -r '.threads.list[] | "\(.name)\t\(.stack_start) \(.stack_size) \(.stack_used_max) \(.stack_used_max_exact) \(.stack_free_min)"' \
    "$WORK/rest.json" >"$WORK/stacks"
while IFS=$'\t' read -r name values; do
    read -r start size peak exact free <<<"$values"
    check "$name: its deepest use is that of the memory" is "$peak $exact $free" "$(stack_peak "$start" "$size") true $((size - peak))"
done <"$WORK/stacks"
stop_all

# ---- in use ----

echo "# in use"
start_board "$DEMO"
free_port
start_openocd -c "tcl_port $PORT"
start_txtap kernel --tcl "$TCL_PORT" --watch=100ms -f json "$DEMO"
await_lines "$OUT" 5
# walks FILTER: what txtap has written so far, without a line that is not complete, passes jq's FILTER.
walks() { sed '/}$/!d' "$OUT" | jq -es "$1" >"$WORK/jq"; }
runs_on() { walks 'map(.threads.list[] | select(.name == "sampler").runs) | .[-1] > .[0]'; }
await "$TXTAP_PID" runs_on || true
end_txtap INT
check "Ctrl-C is a regular end" is "$STATUS" 0
check "without a message" test ! -s "$ERR"
check "each line is complete" is "$(tail -c 1 "$OUT" | od -An -tx1)" " 0a"
check "threads run on between walks" runs_on
check "the threads are the same in each walk" lines 'map([.threads.list[].name] | join(" ")) | unique | length == 1'
check "the deepest use of a stack never shrinks" lines \
    'map(.threads.list[] | select(.name == "sampler").stack_used_max) | . == sort and length == (map(numbers) | length)'
STATUS=0
timeout "$E2E_RUN_S" "$BUILD/capture/txtap" kernel --tcl "$TCL_PORT" --watch=100ms "$DEMO" 2>"$ERR" | head -n 12 >"$OUT" || STATUS=$?
check "if the reader of its output ends, it ends too" is "$STATUS" 0
check "and writes no message" test ! -s "$ERR"
audit_now
check "the target was not disturbed" is "$(audit "$CONSEQUENCES")" 0

echo "# the board dies"
start_txtap kernel --tcl "$TCL_PORT" --watch=100ms -f json "$DEMO"
await_lines "$OUT" 2
kill -KILL "$QEMU_PID"
await "$TXTAP_PID" said 'attaches again'
stop_board
stop_openocd
start_board "$DEMO"
start_openocd -c "tcl_port $PORT"
LINES_BEFORE=$(wc -l <"$OUT")
await_lines "$OUT" $((LINES_BEFORE + 3))
# The firmware creates and deletes a semaphore again and again, so a list that a busy host reads slowly may be incomplete.
lists_are_complete() { walks ".[$LINES_BEFORE:] | any($LISTS | all(.complete))"; }
check "its lists are complete" await "$TXTAP_PID" lists_are_complete
end_txtap INT
check "it continues with the next board" is "$STATUS" 0
check "and said that the connection was lost" said 'txtap attaches again'
stop_all

free_port
check "no server is an error" txtap_fails 4 . kernel --tcl "$PORT" "$DEMO"
e2e_end
