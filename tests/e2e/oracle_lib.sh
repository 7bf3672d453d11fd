# SPDX-License-Identifier: MIT
# Compares 'txtap report' with figures that an SQL engine computes (oracle/oracle.sql). Source it after e2e_begin.
#
#   figures_agree FILE   for check: both have the same shares, times, waits, switches and interrupts for a trace without
# a gap

figures_agree() {
    local differences
    "$BUILD/capture/txtap" decode -q --format jsonl "$1" >"$WORK/events.jsonl"
    "$BUILD/capture/txtap" report -q --format json "$1" >"$WORK/report.json"
    differences=$(cd "$WORK" && sqlite3 :memory: <"$E2E_ROOT/tests/e2e/oracle/oracle.sql" 2>&1)
    COMPARED=$(sed -n 's/ figures$//p' <<<"$differences")
    [[ $differences == "$COMPARED figures" ]] && ((COMPARED > 0)) || { sed "s/^/# ${1##*/}: /" <<<"$differences"; return 1; }
}
