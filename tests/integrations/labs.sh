#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the job for LAVA in docs/user/labs.md with LAVA's schema, and runs its steps and integrations/lava with a virtual
# board.   usage: labs.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
e2e_begin "$@"

PAGE=$E2E_ROOT/docs/user/labs.md
PYTHON=/usr/bin/python3
cd "$WORK"
mkdir bin
ln -s "$BUILD/capture/txtap" bin/txtap
ln -s "$E2E_ROOT/integrations/lava/lava-txtap" bin/lava-txtap
printf '#!/bin/sh\nprintf "%%s|" "$@" >>"%s/cases"; echo >>"%s/cases"\n' "$WORK" "$WORK" >bin/lava-test-case
printf '#!/bin/sh\nprintf "%%s|" "$@" >"%s/flashed"\n' "$WORK" >bin/openocd
chmod +x bin/*
# The first block of the page that is YAML.
sed -n '/^```yaml$/,/^```$/{/^```/d;p}' "$PAGE" >job.yaml
check "the page has a job" grep -q '^job_name:' job.yaml

if "$PYTHON" -c 'import lava_common.schemas' 2>/dev/null; then
    validates() { "$PYTHON" -c 'import sys, yaml; from lava_common.schemas import validate; validate(yaml.safe_load(sys.stdin))'; }
    check "LAVA accepts the job" validates <job.yaml
    check "and refuses another action" eval '! sed "s/^- deploy:/- deplay:/" job.yaml | validates 2>/dev/null'
    check "and an action without steps" eval '! sed "s/ steps:/ stops:/" job.yaml | validates 2>/dev/null'
else
    skip "LAVA accepts the job" "no schema of LAVA (Debian: lava-common)"
fi
if ! "$PYTHON" -c 'import yaml' 2>/dev/null; then
    skip "the steps of the job" "no yaml (Debian: python3-yaml)"
    e2e_end
    exit
fi
"$PYTHON" -c 'import sys, yaml
for action in yaml.safe_load(sys.stdin)["actions"]:
    for definition in action.get("test", {}).get("definitions", []):
        print("\n".join(definition["repository"]["run"]["steps"]))' <job.yaml >steps

cp "$FIRMWARE/demo_large.elf" firmware.elf
VBOARD_PROGRAM=$VBOARD "$E2E_ROOT/tests/integrations/rested_board" --port 0 --port-file port firmware.elf >board.log 2>&1 &
BOARD=$!
E2E_PIDS+=("$BOARD")
await "$BOARD" test -s port || die "the board did not start: $(<board.log)"

# step COMMANDS: runs them like LAVA, with the virtual board in place of the probe. Sets STATUS.
step() {
    STATUS=0
    rm -f cases
    PATH=$WORK/bin:$PATH TXTAP_STLINK_SERVER=127.0.0.1:$(<port) timeout "$E2E_RUN_S" sh -e -c "$1" >out 2>err </dev/null || STATUS=$?
}
case_is() { grep -qxE -- "$1" cases || { sed 's/^/# /' cases err; return 1; }; }

step "$(sed "s|^cd /lava-downloads$|cd '$WORK'|; s|--seconds 10 |--seconds 1 |" steps)"
check "the steps succeed" is "$STATUS" 0
check "the board is flashed" grep -q 'program firmware.elf verify reset exit|' flashed
check "each check is a test case" is "$(wc -l <cases)" 2
check "with a count as measurement" case_is 'lost-0\|--result\|pass\|--measurement\|0\|--units\|count\|'
check "and with a time as measurement" case_is 'response-control-\.max-10s\|--result\|pass\|--measurement\|[0-9.]+\|--units\|[um]?s\|'
check "the log has the lines of txtap" grep -q '^ok  *response(control).max < 10s ' out

step 'lava-txtap --hz 1M --seconds 1 --check "response(control).max < 1us" --check "response(nobody).max < 1us" --check "cpu(control) < 90%" firmware.elf'
check "a failed check is no failed step" is "$STATUS" 0
check "but a failed test case" case_is 'response-control-\.max-1us\|--result\|fail\|--measurement\|[0-9.]+\|--units\|[um]?s\|'
check "an undecided check is unknown, without a measurement" case_is 'response-nobody-\.max-1us\|--result\|unknown\|'
check "a share is a percentage" case_is 'cpu-control-90\|--result\|pass\|--measurement\|[0-9.e-]+\|--units\|percent\|'

step 'lava-txtap --seconds 1 --check "lost == 0; touch pwned" firmware.elf'
check "an invalid check is a failed step" is "$STATUS $(<cases)" "2 txtap|--result|fail|"
check "and evaluates nothing" test ! -e pwned
kill "$BOARD"
wait "$BOARD" || true
forget "$BOARD"
step 'lava-txtap --seconds 1 --check "lost == 0" firmware.elf'
check "so is a board that is absent" is "$STATUS $(<cases)" "4 txtap|--result|fail|"
e2e_end
