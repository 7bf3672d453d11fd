#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the values of the running kernel in info, report, check, record and top.   usage: kernel_values.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

ELF=$FIRMWARE/demo.elf
[[ -f $ELF ]] || die "no $ELF: build the target firmware first"
THREADS="control,filter,logger,reporter,sampler,System Timer Thread"

start_board "$ELF"
start_openocd
LIVE=(--tcl "$TCL_PORT" -q)
rises_to demo_events_written 1000

# Prints the names of threads whose deepest use comes from the kernel and is at least the use that the events showed. The
# demo creates and deletes its housekeeper, which is left out.
of_kernel() {
    jq -r '.figures as $all
        | ([$all[] | select(.name == "stack_seen_bytes" and .subject.name) | {(.subject.name): .stats.value.value}] | add) as $seen
        | [$all[] | select(.name == "stack_used_bytes" and .detail == "kernel" and .subject.name != "housekeeper"
            and .stats.value.value >= ($seen[.subject.name] // 0)) | .subject.name] | sort_by(ascii_downcase)
        | join(",")' "$1"
}

run_txtap info --seconds 0.2 "${LIVE[@]}" "$ELF"
check "info counts the kernel's objects" grep -qE '^kernel +thread [67], timer 1, queue 1, semaphore [23], ' "$OUT"
check "the registry has all of them" is "$(grep -c 'registry, which is full\|not in the trace' "$OUT")" 0

run_txtap report --seconds 1 -f json "${LIVE[@]}" "$ELF"
check "report has the deepest use of each stack from the kernel" is "$(of_kernel "$OUT")" "$THREADS"
run_txtap report --seconds 0.5 --section stack "${LIVE[@]}" "$ELF"
check "and shows it beside the use at events" grep -qE '^ +sampler +[0-9]+ +1024 +[0-9.]+% kernel +[>=0-9]+$' "$OUT"

run_txtap check --seconds 0.5 --check 'stack(sampler).used <= 1%' --junit "$WORK/junit.xml" "${LIVE[@]}" "$ELF"
check "a check fails, and names the kernel" is "$STATUS $(grep -c 'were used, according to the kernel' "$OUT")" "6 1"
check "so does JUnit's file" grep -q 'failure.*were used, according to the kernel' "$WORK/junit.xml"

run_txtap record --limit 2000 -o "$WORK/a.rec" "${LIVE[@]}" "$ELF"
run_txtap report -f json "$WORK/a.rec"
check "a recording keeps the values" is "$(of_kernel "$OUT")" "$THREADS"
run_txtap report -f json --from 10 --hz 1M "$WORK/a.rec"
check "but a part of its time does not have them" is "$(of_kernel "$OUT")" ""

echo "# without a trace"
objcopy=objcopy
if command -v arm-none-eabi-objcopy >/dev/null; then objcopy=arm-none-eabi-objcopy; fi
"$objcopy" -N _tx_trace_header_ptr "$ELF" "$WORK/untraced.elf"
run_txtap top -b -n 2 -d 1s "${LIVE[@]}" "$WORK/untraced.elf"
check "top shows the kernel alone" is "$STATUS $(grep -c '^txtap top - untraced.elf - ThreadX.*\[LIVE\]$' "$OUT")" "0 2"
check "it says which figures need the trace" is "$(grep -c "^CPU%, times and interrupts need the trace" "$OUT")" 2
check "with states and true stacks of all threads" is \
    "$(grep -cE '^[0-9/]+ +(control|filter|logger|reporter|sampler|System Timer Thread) .* =[0-9]+%' "$OUT")" 12
check "runs per second come with the second walk" grep -qE '^4 +sampler .* +[0-9.]+k? +=[0-9]+% ' "$OUT"
run_txtap top -b -n 1 -d 1s --check 'stack(*).used <= 1%' "${LIVE[@]}" "$WORK/untraced.elf"
check "checks of stacks are judged" is "$STATUS" 6
run_txtap top -b -n 1 --stats-json "$WORK/stats" "${LIVE[@]}" "$WORK/untraced.elf"
check "an option that needs the trace is not ignored" is "$STATUS" 3

audit_now
check "the target was not written to, stopped or reset" is "$(audit '[.halts, .resumes, .steps, .resets, .register_writes,
    (.writes | [.ram, .flash, .peripheral, .system, .fault] | map(.count) | add)] | add')" 0
e2e_end
