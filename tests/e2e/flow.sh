#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap report --flow on sample traces: all formats, equal sums in the report, a part of the trace, bad input.
#   usage: flow.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
MADE=$E2E_ROOT/tests/data/analysis
LIVE=$MADE/demo_live.trx
FULL=$MADE/queue_full.trx

# flow ARGUMENT...: runs txtap report --flow.
flow() { run_txtap report -q --flow "$@"; }
# row FROM ACTION TO: prints the numbers of a row of the table.
row() { awk -v from="$1" -v action="$2" -v to="$3" '$1 == from && $2 == action && $3 == to { $1 = $2 = $3 = ""; print }' "$OUT" | xargs; }

flow --hz 1M "$LIVE"
check "a row has calls, waits, failures, timeouts and a rate" is "$STATUS $(row sampler send samples)" "0 19 0 0 0 80.21"
check "a receiver is on the right, its queue on the left" is "$(row samples receive filter)" "20 14 0 0 84.43"
check "the table is at most 80 columns wide" awk 'length > 80 { exit 1 }' "$OUT"
check "the most frequent row is first" awk '/^ *from/ { on = 1; last = 1e9; next } NF == 0 { on = 0 }
    on { if ($(NF - 4) > last) exit 1; last = $(NF - 4) }' <(sed 's/sample ready/sample_ready/; s/sample pool/sample_pool/; s/interrupt 22/interrupt_22/' "$OUT")
check "a queue has its largest number of messages and its capacity" is "$(awk '$1 == "samples" && $2 == "queue" { print $3, $5 }' "$OUT")" "3 8"
flow "$LIVE"
check "without a rate of the time stamps there is no rate" is "$(row sampler send samples)" "19 0 0 0"

flow -f json --hz 1M "$LIVE"
mv "$OUT" "$WORK/flow"
run_txtap report -q -f json --hz 1M "$LIVE"
check "JSON names the nodes of each edge" jq -e '.nodes as $nodes | [.edges[] | select(.action == "send") |
    [$nodes[.from].subject.name, $nodes[.to].subject.kind, .calls.value, (.rate.value * 1000 | round)]] ==
    [["sampler", "queue", 19, 80207]]' "$WORK/flow" >"$WORK/jq"
# sums ACTION SECTION FIGURE LEVEL: compares the sum of an action of each object with the report, and a level.
sums() {
    jq -n -e --slurpfile flow "$WORK/flow" --slurpfile report "$OUT" --arg action "$1" --arg section "$2" --arg figure "$3" --arg level "$4" '
        def address(side): . as $edge | $flow[0].nodes[$edge[side]].subject.address;
        def figures(name): [$report[0].figures[] | select(.section == $section and .name == name)];
        [$flow[0].edges[] | select(.action == $action)] as $edges |
        figures($figure) as $sums | ($sums | length) > 0 and
        ($sums | all(. as $sum | ([$edges[] | select(([address("from"), address("to")] | index($sum.subject.address)) != null) | .calls.value] | add // 0) == $sum.stats.n.value)) and
        (figures($level) | all(. as $one | $flow[0].nodes | map(select(.subject.address == $one.subject.address)) | .[0][$level].value == $one.stats.value.value))' >"$WORK/jq"
}
check "sends of a queue" sums send queues sends depth
check "receives of a queue, and its capacity" sums receive queues receives capacity
check "puts of a semaphore" sums put semaphores puts count
check "allocations of a pool" sums allocate pools allocations available

flow "$FULL"
check "a send to a full queue fails, another waits" is "$(row producer send q)" "6 1 1 0"
flow --from 100 --to 200 -f csv "$FULL"
check "a part of the trace has fewer calls" is "$STATUS $(grep -c . "$OUT")" "0 $(($(run_txtap report -q --flow -f json --from 100 --to 200 "$FULL" && jq '.edges | length' "$OUT") + 1))"
flow --thread filter -f json "$LIVE"
check "a thread has its own objects only" jq -e '([.nodes[] | select(.subject.kind == "thread") | .subject.name] == ["filter"]) and
    (.edges | length) == 4 and (.nodes | length) == 5' "$OUT" >"$WORK/jq"

# Names of the target are text, not DOT.
LC_ALL=C sed 's/sampler/s"\\N<}x/' "$LIVE" >"$WORK/names.trx"
flow --hz 1M -f dot "$WORK/names.trx"
check "Graphviz reads the graph" dot -Tdot -o "$WORK/dot" "$OUT"
check "with all its nodes and edges" is "$(dot -Tplain "$OUT" | awk '{ print $1 }' | sort | uniq -c | xargs)" \
    "14 edge 1 graph $(jq '.nodes | length' "$WORK/flow") node 1 stop"
check "and with the name of each node" grep_all -F 's\&quot;\\N&lt;}x' <(dot -Tsvg "$OUT")

flow -f html -o "$WORK/flow.html" "$LIVE"
if ((STATUS == 0)); then
    check "the page opens with its panel Flow" grep_all '"panel":"flow"' "$WORK/flow.html"
else
    check "without the page a line says so" said "built without"
fi

check "DOT only for a flow" txtap_fails 2 "needs --flow" report -f dot "$LIVE"
check "no other figures" txtap_fails 2 "shows only the flow" report --flow --section cpu "$LIVE"
check "no comparison" txtap_fails 2 "shows only the flow" report --flow --baseline x "$LIVE"
check "no checks" txtap_fails 2 "--check does not work with --flow" report --flow --check 'load < 1%' "$LIVE"
check "a thread that does not exist" txtap_fails 2 "did you mean 'filter'" report --flow --thread filtr "$LIVE"
check "a format that does not exist" txtap_fails 2 "--format" report --flow -f svg "$LIVE"
e2e_end
