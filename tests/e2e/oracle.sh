#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compares txtap report on sample traces (unchanged, without names, and from their middle on) with the same figures from
# an SQL engine that gets only the events.   usage: oracle.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
source "$E2E_ROOT/tests/e2e/oracle_lib.sh"

if ! command -v sqlite3 >/dev/null; then
    echo "SKIP: sqlite3 is not installed: nothing of this was tested"
    exit 77
fi
DATA=$E2E_ROOT/tests/data
TXTAP=$BUILD/capture/txtap
DEMO=$DATA/analysis/demo_live.trx

for trace in "$DATA"/*.trx "$DATA"/analysis/*.trx "$BUILD"/tests/data/*.trx; do
    name=${trace##*/}
    check "$name: both agree" figures_agree "$trace"
    [[ $name != demo_rec.trx ]] || continue # this trace has 20,000 events, so it is compared only once
    last=$(tail -n 1 "$WORK/events.jsonl" | jq .ticks)
    "$TXTAP" decode -q --format trx --from $((last / 2)) "$trace" >"$WORK/half-$name"
    check "and on its second half" figures_agree "$WORK/half-$name"
done

# Without a registry a thread is known only from its first event on.
ring=$("$TXTAP" decode -q --format jsonl "$DEMO" | head -n 1 | jq '.ring_start - .base')
{ head -c 48 "$DEMO"; head -c $((ring - 48)) /dev/zero; tail -c +$((ring + 1)) "$DEMO"; } >"$WORK/nameless.trx"
check "a trace without names: both agree" figures_agree "$WORK/nameless.trx"

# Checks the oracle itself: it must notice a figure that is one tick too large.
figures_agree "$DEMO"
jq -c '(.figures[] | select(.name == "cpu_ticks") | .stats.value.value) += 1' "$WORK/report.json" >"$WORK/wrong.json"
mv "$WORK/wrong.json" "$WORK/report.json"
check "one tick more of each thread is noticed" is \
    "$(cd "$WORK" && sqlite3 :memory: <"$E2E_ROOT/tests/e2e/oracle/oracle.sql" | grep -c '^cpu_ticks ')" 7
e2e_end
