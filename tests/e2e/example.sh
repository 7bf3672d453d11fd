#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the examples on the virtual board. docs/example/tail.c, an embedder's program, follows the ring of a running
# target, with names. target/recorder/example, a bare-metal firmware, is built by the command of the recorder's README.
#   usage: example.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

DEMO=$FIRMWARE/demo.elf
LINES=$WORK/lines ERR=$WORK/err
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
start_board "$DEMO"
start_openocd

"$BUILD/tests/example_tail" "$(word "$(symbol "$DEMO" _tx_trace_header_ptr)")" "$TCL_PORT" >"$LINES" 2>"$ERR" &
EXAMPLE=$!
E2E_PIDS+=("$EXAMPLE")
names_threads() { grep -qE '^ +[0-9]+  sampler  .*tx_queue_send +queue=samples' "$LINES"; }
check "events of the running target have names" await "$EXAMPLE" names_threads
audit_now
check "it is not halted, and nothing is written to its memory" is \
    "$(audit '[.halts, .resumes, .steps, .resets, (.writes | .ram, .peripheral, .system | .count)] | add')" 0

ocd 'reset run' >"$WORK/ocd"
STATUS=0
wait "$EXAMPLE" || STATUS=$?
forget "$EXAMPLE"
check "a reset ends it with an error" is "$STATUS" 1
check "which has a reason" grep -q '^tail: .' "$ERR"
sed 's/^/# /' "$ERR"

STATUS=0
"$BUILD/tests/example_tail" 2>"$ERR" || STATUS=$?
check "without an address it says how it is called" is "$STATUS $(<"$ERR")" "2 usage: tail ADDRESS [PORT]"

cp -r "$E2E_ROOT/target/recorder" "$WORK/recorder"
cd "$WORK/recorder/example"
read -ra COMMAND < <(grep '^arm-none-eabi-gcc ' ../README.md)
check "the example of the recorder is built without a warning" is "$("${COMMAND[@]}" -Wall -Wextra -Wshadow 2>&1; echo $?)" 0
start_board firmware.elf
check "its events arrive" txtap_exits 0 tail --timeout 1min "--stlink-server=127.0.0.1:$BOARD_PORT" --wait=100 --wide --limit 6 firmware.elf
check "its interrupt has the name of its handler" grep_all "Enter ISR .*isr=systick_handler" "$OUT"
check "its main loop has a name" grep_all "isr:main loop .*user event 4096" "$OUT"
e2e_end
