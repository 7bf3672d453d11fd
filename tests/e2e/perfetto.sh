#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks -f perfetto: goldens, the schema, and the result of Perfetto's own trace processor.
#   perfetto.sh BUILD_DIRECTORY             check
#   perfetto.sh BUILD_DIRECTORY --update    writes the goldens again
# TXTAP_TRACE_PROCESSOR: a directory that has the trace processor already; see perfetto/engine_lib.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
source "$E2E_ROOT/tests/e2e/perfetto/engine_lib.sh"
TXTAP=$BUILD/capture/txtap
DATA=$E2E_ROOT/tests/data
HERE=$E2E_ROOT/tests/e2e/perfetto

as_perfetto() { "$TXTAP" decode -q -f perfetto "$@" >"$WORK/out.pftrace" 2>"$WORK/err" && [[ ! -s $WORK/err ]]; }
as_golden() { as_perfetto "$DATA/analysis/$1.trx" && cmp "$WORK/out.pftrace" "$DATA/analysis/$1.perfetto.expect"; }

for sample in isr_nested smp2; do
    if [[ ${2:-} == --update ]]; then
        "$TXTAP" decode -q -f perfetto "$DATA/analysis/$sample.trx" >"$DATA/analysis/$sample.perfetto.expect"
    fi
    check "$sample is its golden" as_golden "$sample"
done

# ---- the traces: all samples, a trace with gaps, a trace with hostile names ----

demo=$DATA/analysis/demo_live.trx
{ head -c 9000 "$demo"; head -c 2048 /dev/zero; tail -c +11049 "$demo"; } >"$WORK/gap.trx"
# Replaces two names of the trace by bytes of the same length.
renamed() { LC_ALL=C sed "s/sampler\\x00/$1/; s/control\\x00/$2/" "$demo"; }
renamed '\x1b]0;xy\x07\xff' '"<\/s>\\\xe2\x82' >"$WORK/hostile.trx"
mapfile -t samples < <(ls "$DATA"/*.trx "$DATA"/analysis/*.trx "$BUILD/tests/data/demo_rec.trx" "$WORK"/*.trx)

for sample in "${samples[@]}"; do
    name=$(basename "$sample" .trx)
    "$TXTAP" decode -q -f perfetto "$sample" >"$WORK/$name.pftrace"
    "$TXTAP" report -q --format json "$sample" >"$WORK/$name.json"
    printf '%s\t%s\t%s\n' "$name" "$WORK/$name.pftrace" "$WORK/$name.json"
done >"$WORK/list"

# Fails on a field that the schema does not have: protoc prints such a field as a number.
fits_schema() {
    protoc -I "$HERE" --decode txtap.Trace trace.proto <"$1" >"$WORK/text" &&
        grep -q track_event "$WORK/text" && ! grep -Em1 '^ *[0-9]' "$WORK/text"
}
if command -v protoc >/dev/null; then
    while IFS=$'\t' read -r name trace _; do
        check "$name fits the schema" fits_schema "$trace"
    done <"$WORK/list"
else
    skip "packets fit the schema" "protoc is not installed"
fi

says_how_long_a_tick_is() {
    "$TXTAP" decode -f perfetto "$DATA/analysis/smp2.trx" 2>"$WORK/err" >"$WORK/out.pftrace" &&
        grep -q '1 tick is shown as 1 us' "$WORK/err"
}
check "without --hz it says how long a tick is" says_how_long_a_tick_is
filter_keeps_states() { # events that a filter leaves out still change the states
    as_perfetto --event tx_thread_sleep "$DATA/analysis/inv_inherit.trx" && grep -aq 'blocked: ' "$WORK/out.pftrace"
}
check "events that are left out still count" filter_keeps_states

# ---- the trace processor ----

agrees() { grep -Fxq "ok $1" "$WORK/verdicts" || { grep -F "$1: " "$WORK/verdicts" || tail -n 5 "$WORK/verdicts"; false; }; }
if grep -q __asan_init "$TXTAP"; then
    echo "# the trace processor is asked about the optimised build: this one writes the same bytes"
else
    find_engine
    if [[ $ENGINE ]]; then
        engine "$WORK/list" >"$WORK/verdicts" 2>&1 || true
        while IFS=$'\t' read -r name _; do
            check "the trace processor takes $name, and its sums are the report's" agrees "$name"
        done <"$WORK/list"
    else
        skip "the trace processor agrees with the report" "$NO_ENGINE"
    fi
fi
e2e_end
