#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap profile on the virtual board: shares of functions whose time is known, threads, inlined functions, all
# formats, and a core that does not sample.   usage: profile.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)
source "$(dirname "${BASH_SOURCE[0]}")/profile_lib.sh"
[[ -f $PROFILE ]] || die "no $PROFILE: build the target profile_firmware first"

found() { jq -e "$1" "$OUT" >"$WORK/jq"; }

start_board "$PROFILE"
start_openocd
before=$(counts)
run_txtap profile --tcl "$TCL_PORT" --samples 3000 -f json "$PROFILE"
check "it succeeds" is "$STATUS" 0
check "without a message" test ! -s "$ERR"
check "the head names the schema" found '[.tool, .schema, .schema_version] == ["txtap", "txtap-profile", 1]'
check_exactly "the shares are right to within 4 points" 4 "$(true_shares "$before" "$(counts)")"
check "each function runs in its thread" threads_are_right
check "inlined functions are a chain" found '[.inlined[] | select(.functions == ["step", "work", "sixty"])] | length == 1'
check "a line has its file" found '[.lines[] | select(.function == "step" and (.file | endswith("profile/main.c")) and .line > 0)] | length > 0'
check "the samples of all levels are the same" found '
    . as $all | [.threads, .functions, .functions_by_thread, .lines, .inlined] | all((map(.samples) | add) == $all.samples)'

run_txtap profile --tcl "$TCL_PORT" --samples 200 "$PROFILE"
check "text has the functions" grep -qE '^  sixty +[0-9.]+ % +[0-9.]+ to [0-9.]+ +[0-9]+$' "$OUT"
check "and the number of samples" grep -qE '^200 samples in [0-9.]+ s, worth ' "$OUT"
run_txtap profile --tcl "$TCL_PORT" --samples 200 -f folded "$FIRMWARE/profile_symbols.elf"
check "folded stacks have the function after the thread" grep -qE '^compute;sixty [0-9]+$' "$OUT"
check "without debug information it says so" said 'no debug information: compile with -g'
run_txtap profile --tcl "$TCL_PORT" --samples 200 -f pprof -o "$WORK/p.gz" "$PROFILE"
check "pprof's file is compressed" gzip -t "$WORK/p.gz"
if command -v protoc >/dev/null; then
    gzip -dc "$WORK/p.gz" | protoc --decode_raw >"$WORK/raw"
    check "and a message of its format" grep -q '^6: "sixty"$' "$WORK/raw"
fi
check "an existing file stays" txtap_fails 1 'exists' profile --tcl "$TCL_PORT" -f pprof -o "$WORK/p.gz" "$PROFILE"
check "another file is refused" txtap_fails 1 'not a recording' profile "$WORK/raw" "$PROFILE"
run_txtap record --tcl "$TCL_PORT" --pc=2000 --seconds 1 -o "$WORK/pc.rec" "$PROFILE"
check "a recording takes samples beside the events" is "$STATUS" 0
check "and tells their number and rate" said ' samples of the program counter, [0-9.]*/s of 2000/s$'
run_txtap profile -f json "$WORK/pc.rec" "$PROFILE"
check "a profile of the recording succeeds" is "$STATUS" 0
check "it has functions" found '[.functions[] | select(.function == "sixty" and .samples > 0)] | length == 1'
check "and threads, from the events and the samples" threads_are_right
all=$(jq .samples "$OUT")
middle=$("$BUILD/capture/txtap" decode -q -f jsonl "$WORK/pc.rec" | jq -s 'map(select(.type == "sample") | .ticks) | .[length / 2 | floor]')
run_txtap profile --from "$middle" -f json "$WORK/pc.rec" "$PROFILE"
later=$(jq .samples "$OUT")
run_txtap profile --to "$((middle - 1))" -f json "$WORK/pc.rec" "$PROFILE"
check "two parts of the time have all samples" is "$((later + $(jq .samples "$OUT")))" "$all"
check "a time without samples is a failure" txtap_fails 1 'contains no samples of the program counter in this time' \
    profile --from 9000000000000 "$WORK/pc.rec" "$PROFILE"
check "a recording needs its firmware" txtap_fails 2 'give the firmware, too' profile "$WORK/pc.rec"

# A run that ends early shows the samples so far.
debug_reads() {
    audit_now
    audit .reads.debug.count
}
has_read() { (($(debug_reads) >= $1)); }
start_txtap profile --tcl "$TCL_PORT" --seconds 3000 "$PROFILE"
await "$TXTAP_PID" has_read "$(($(debug_reads) + 300))"
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
check "with the samples so far" grep -q '^  sixty ' "$OUT"
start_txtap profile --tcl "$TCL_PORT" --seconds 3000 "$PROFILE"
await "$TXTAP_PID" has_read "$(($(debug_reads) + 300))"
stop_openocd
end_txtap
check "a lost server is a failure" is "$STATUS" 4
check "with a message" grep -q '^txtap: OpenOCD' "$ERR"
check "the samples so far are shown" grep -q '^  sixty ' "$OUT"

audit_now
check "nothing was written or halted" is "$(jq '[.halts, .resumes, .steps, .resets, .register_writes,
    (.writes | [.ram, .flash, .peripheral, .system, .fault] | map(.count) | add)] | add' "$BOARD_AUDIT")" 0
stop_all

start_board --trcena off "$PROFILE"
start_openocd
check "a core that does not sample is a failure" txtap_fails 1 'DEMCR.TRCENA is not set.*connect through OpenOCD' \
    profile --tcl "$TCL_PORT" "$PROFILE"
e2e_end
