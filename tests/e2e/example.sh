#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks docs/example/tail.c on the virtual board: an embedder's program follows the ring of a running target, with
# names.
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
e2e_end
