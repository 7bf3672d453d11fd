#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap report --batch: the answers, their order, the kept figures, and traces that cannot be read.
#   usage: batch.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
DATA=$E2E_ROOT/tests/data/analysis
RUNS=$WORK/runs
answers() { jq -r '.traces[] | "\(.trace | split("/") | last) \(.answer)"' "$OUT" | tr '\n' ';'; }
kept() { jq .kept "$OUT"; }
batch() { run_txtap report --hz 1M --batch "$RUNS" "$@"; }

mkdir -p "$RUNS/deep"
cp "$DATA/inv_unbounded.trx" "$DATA/demo_live.trx" "$RUNS"
cp "$DATA/inv_inherit.trx" "$RUNS/deep"
echo "# answers"
batch -f json --where 'cpu(mid) > 25%'
check "each trace has an answer, yes first" is "$STATUS $(answers)" "0 inv_unbounded.trx yes;demo_live.trx absent;inv_inherit.trx no;"
check "no figures were kept" is "$(kept)" 0
batch -f json --where 'cpu(*) > 15%'
check "the worst trace comes first" is "$(answers)" "inv_inherit.trx yes;inv_unbounded.trx yes;demo_live.trx no;"
check "the figures were kept" is "$(kept)" 3
check "with the number of the worst thread" is "$(jq '.traces[0].value' "$OUT")" 70
batch -f json --where 'cpu(*) < 15%'
check "the smallest number is the worst for a lower limit" is "$(answers)" "demo_live.trx yes;inv_inherit.trx yes;inv_unbounded.trx yes;"
batch --where 'cpu(mid) > 25%'
check "the last line has the sums" is "$(tail -n 1 "$OUT")" "cpu(mid) > 25%: 1 of 3 traces, not in 1"
check "other traces are not listed" is "$(wc -l <"$OUT")" 3
batch --all --where 'cpu(mid) > 25%'
check "unless --all is given" is "$(wc -l <"$OUT")" 5
run_txtap report --batch "$RUNS" --where 'wake(*).max > 1us' -f json
check "a limit in seconds without a rate is unknown" is "$(jq -r '.traces[0].answer' "$OUT")" unknown

mkdir "$WORK/ends"
cp "$DATA/deadlock.trx" "$DATA/inv_unbounded.trx" "$WORK/ends"
run_txtap report --hz 1M --batch "$WORK/ends" -f json --where 'response(*).max > 10us'
check "a job in a deadlock is worse than a shorter complete job" is "$(answers) $(jq '.traces[0] | .value * 1e6 | round' "$OUT")" \
    "deadlock.trx yes;inv_unbounded.trx yes; 4990"

echo "# kept figures"
batch -f json --where 'cpu(*) > 15%'
cp "$OUT" "$WORK/before"
check "kept figures of other options are replaced" is "$(kept)" 0
batch -f json --where 'cpu(*) > 15%'
check "and give the same answers" is "$(kept) $(jq -c .traces "$OUT")" "3 $(jq -c .traces "$WORK/before")"
mkdir "$WORK/both"
cat "$DATA/demo_live.trx" "$DATA/inv_unbounded.trx" >"$WORK/both/two.trx"
AT=$(stat -c %s "$DATA/demo_live.trx")
has_low() { run_txtap report -q --batch "$WORK/both" -f json --where 'cpu(low) > 0%' "$@"; jq -r '.traces[0].answer' "$OUT"; }
check "so are the figures of another buffer of the file" is "$(has_low --address 0) $(has_low --address "$AT") $(has_low)" "absent yes absent"
ln -s runs "$WORK/latest"
run_txtap report --hz 1M --batch "$WORK/latest" -f json --where 'cpu(*) > 15%'
check "a link to the folder has the same answers" is "$(jq '.traces | length' "$OUT")" 3
HIDDEN=$RUNS/.demo_live.trx.txtap-report
check "the hidden file is JSON" jq -e '.schema == "txtap-report" and .trace_bytes > 1000' "$HIDDEN" >"$WORK/jq"
touch -d '2001-01-01' "$RUNS/demo_live.trx"
batch -f json --where 'cpu(*) > 15%'
check "a trace that was written again is analysed again" is "$(kept)" 2
# damage COMMAND...: changes the hidden file; then all answers must be the same.
damage() {
    "$@" <"$HIDDEN" >"$WORK/damaged"
    cp "$WORK/damaged" "$HIDDEN"
    batch -f json --where 'cpu(*) > 15%'
    is "$STATUS $(kept) $(jq -c .traces "$OUT")" "0 2 $(jq -c .traces "$WORK/before")"
}
check "a cut file is ignored" damage head -c 5000
check "so is an empty file" damage head -c 0
check "so is a file of another program" damage sed 's/"kept":"txtap/"kept":"other/'
check "so is a rate that is no rate" damage sed 's/"kept_rate":\[1,1000000/"kept_rate":[1,-1/'
check "so is a figure list of another form" damage sed 's/"figures":\[/"figures":{"a":[/'
rm "$HIDDEN"
ln -s /dev/zero "$HIDDEN"
batch -f json --where 'cpu(*) > 15%'
check "so is a symbolic link" is "$STATUS $(jq -c .traces "$OUT")" "0 $(jq -c .traces "$WORK/before")"
mkdir -p "$WORK/sealed"
cp "$DATA/demo_live.trx" "$WORK/sealed"
mkdir "$WORK/sealed/.demo_live.trx.txtap-report"
run_txtap report --hz 1M --batch "$WORK/sealed" --where 'load > 50%'
check "figures that cannot be kept give a note" is "$STATUS $(grep -c 'figures are not kept' "$ERR")" "0 1"
check "and an answer" is "$(tail -n 1 "$OUT")" "load > 50%: 0 of 1 traces"

echo "# the wall clock"
DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
mkdir "$WORK/recorded"
start_board "$DEMO"
start_openocd
start_txtap record --tcl "$TCL_PORT" -q -o "$WORK/recorded/run.rec" "$DEMO"
has_bytes() { (($(stat -c %s "$1" 2>/dev/null || echo 0) >= $2)); }
await "$TXTAP_PID" has_bytes "$WORK/recorded/run.rec" 30000 || die "txtap does not record: $(<"$ERR")"
end_txtap INT
stop_all
run_txtap report --batch "$WORK/recorded" --where 'load > 0%' -f json
BEGUN=$(jq -r '.traces[0].begun' "$OUT")
check "a recording has the time of its first event" test "$(date -d "$BEGUN" +%s)" -gt 1600000000
# events OPTION...: prints the number of events that decode shows.
events() { "$BUILD/capture/txtap" decode -q --hz 1M -f jsonl "$@" "$WORK/recorded/run.rec" | grep -c '^{"type":"event"' || true; }
ALL=$(events)
SPLIT=$(date -u -d "$BEGUN + 1 second" +%Y-%m-%dT%H:%M:%S)
check "there are events" test "$ALL" -gt 100
check "each event is before or after a moment" is "$(($(events --since "$SPLIT.000001Z") + $(events --until "$SPLIT.000000Z")))" "$ALL"
check "all events are after the second of the first" is "$(events --since "$BEGUN")" "$ALL"
check "and none is before the day before" is "$(events --until "$(date -u -d "$BEGUN - 1 day" +%Y-%m-%d)")" 0
run_txtap report -q --since "$BEGUN" -f json "$WORK/recorded/run.rec"
check "report has the same range" is "$(jq .events "$OUT")" "$ALL"
run_txtap report --batch "$WORK/recorded" --since "$BEGUN" --where 'load > 0%' -f json
check "figures of a part are not those that were kept" is "$(kept)" 0
cp "$DATA/demo_live.trx" "$WORK/recorded"
run_txtap report --batch "$WORK/recorded" --since "$BEGUN"
check "a table leaves out a trace without a time, and says so" is \
    "$STATUS $(tail -n 1 "$OUT" | cut -d, -f1) $(cat "$ERR")" \
    "0 1 trace txtap: 1 trace is left out, because only a recording has the host's time"
check "another trace does not have the time" txtap_fails 2 'only a recording' decode --since "$BEGUN" "$DATA/demo_live.trx"
check "a time has a form" txtap_fails 2 'not a time such as' decode --since yesterday "$DATA/demo_live.trx"

echo "# bad input"
echo text >"$RUNS/bad.trx"
: >"$RUNS/empty.rec"
batch -f json --where 'cpu(mid) > 25%'
check "traces that cannot be read are rows: exit code 1" is "$STATUS $(answers)" \
    "1 inv_unbounded.trx yes;bad.trx error;empty.rec error;demo_live.trx absent;inv_inherit.trx no;"
check "a condition needs a folder" txtap_fails 2 '--where needs --batch' report --where 'load > 1%' "$DATA/demo_live.trx"
check "a condition has no table of figures" txtap_fails 2 'the format is text or json' report --batch "$RUNS" --where 'load > 1%' -f csv
check "a condition is a check" txtap_fails 2 'column' report --batch "$RUNS" --where 'wake >'
check "no other file is given" txtap_fails 2 'give no other file' report --batch "$RUNS" --where 'load > 1%' "$DATA/demo_live.trx"
check "a folder must have a trace" txtap_fails 1 'No such file' report --batch "$WORK/absent.trx" --where 'load > 1%' -q
e2e_end
