#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Silence has a reason, and txtap tells it: nobody there yet, a halted core, another firmware's ELF file.
#   silence.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
DEMO=$FIRMWARE/demo.elf

# How often the words stand on standard error.
count() { grep -c -- "$1" "$ERR" || true; }
said() { grep -q -- "$1" "$ERR"; }

echo "# nobody is there, and the waiting has an end"
free_port
nobody=$PORT
for command in "tail" "record -o $WORK/none.rec" "info"; do
    # shellcheck disable=SC2086
    run_txtap $command --wait --seconds 0.3 --tcl "$nobody" "$DEMO"
    check "${command%% *} --wait --seconds ends with 4" is "$STATUS $(count '^txtap: gave up after 0.3 s: no server at')" "4 1"
done
run_txtap snapshot --wait=0.3 -o "$WORK/none.trx" --tcl "$nobody" "$DEMO"
check "snapshot --wait=SECONDS ends with 4" is "$STATUS $(count '^txtap: gave up after 0.3 s: no server at')" "4 1"
run_txtap tail --wait=0.3 --seconds 60 --stats-json "$WORK/none.json" --tcl "$nobody" "$DEMO"
check "a number of --wait's own goes before --seconds" is "$STATUS $(wc -l <"$ERR")" "4 2"
run_txtap tail --wait=never --tcl "$nobody" "$DEMO"
check "which has to be one" is "$STATUS" 2

e2e_end
