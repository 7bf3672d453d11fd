#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Records the virtual board with --store, while two programs follow its folder. The recorder is killed and started
# again. All readers must have the same events, each event once.
# usage: store.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
TXTAP=$BUILD/capture/txtap
BOARD=$WORK/lab/board
start_board "$DEMO"
start_openocd

start_recorder() {
    start_txtap record --tcl "$TCL_PORT" --store "$BOARD" -C 100k "$DEMO"
    attached "$TXTAP_PID" "$ERR"
    RECORDER=$TXTAP_PID
}
has_recording() { compgen -G "$BOARD/*.rec*" >"$WORK/found"; }
FOLLOWERS=()
follow() { # NAME OPTION...: follows the folder in the background
    "$TXTAP" tail --hz 1M -f jsonl "${@:2}" "$BOARD" >"$WORK/$1" 2>"$WORK/$1.err" </dev/null &
    FOLLOWERS+=($!)
    E2E_PIDS+=($!)
}
has_events() { (($(grep -c '"type":"event"' "$WORK/$1") >= $2)); }
has_mark() { grep -q 'another recording begins' "$WORK/$1"; }
data() { grep -E '"type":"(event|gap)"' "$@"; }
last_of() { data "$@" | tail -n 1 | sed 's/.*"seq":\([0-9]*\).*/\1/'; }
decode() { "$TXTAP" decode -q --hz 1M -f jsonl "$@"; }
has_last() { [[ $(last_of "$WORK/$1") == "$LAST" ]]; }

start_recorder
await "$RECORDER" has_recording || die "no recording begins"
follow first
follow second
await "$RECORDER" has_events first 8000 || die "no events come"
kill -KILL "$RECORDER"
wait "$RECORDER" 2>/dev/null || true
cp "$DEMO" "$BOARD/firmware.elf" # neither of these is the next recording
cp "$(find "$BOARD" -name '*.rec' | head -n 1)" "$BOARD/copy.rec"
rm "$BOARD/copy.rec"
start_recorder
for name in first second; do
    await "$RECORDER" has_mark $name || die "$name does not go on"
done
COUNT=$(grep -c '"type":"event"' "$WORK/second")
await "$RECORDER" has_events second $((COUNT + 4000)) || die "no events of the second recorder come"
follow late --new
await "$RECORDER" has_events late 10 || die "no new events come"
"$TXTAP" top --follow --rows -d 500ms --hz 1M "$BOARD" >"$WORK/top" 2>"$WORK/top.err" &
TOP=$!
E2E_PIDS+=("$TOP")
check "top follows the board, and shows its threads" await "$TOP" grep -Eq '^4 +sampler ' "$WORK/top"
STATUS=0
kill -INT "$TOP"
wait "$TOP" || STATUS=$?
forget "$TOP"
check "until Ctrl-C" is "$STATUS" 0
check "each screen says so" is "$(grep -c '^txtap top ' "$WORK/top")" "$(grep -c 'FOLLOW\]$' "$WORK/top")"
STATUS=0
"$TXTAP" top --follow "$DEMO" 2>"$WORK/top.err" || STATUS=$?
check "it needs a board" eval 'is "$STATUS" 2 && grep -q "needs a board" "$WORK/top.err"'
if [[ $("$TXTAP" --version) == *"with "*view* ]]; then
    "$TXTAP" view --follow --no-open "$BOARD" >"$WORK/url" 2>"$WORK/view.err" </dev/null &
    VIEW=$!
    E2E_PIDS+=("$VIEW")
    await "$VIEW" test -s "$WORK/url" || die "no page of the board: $(cat "$WORK/view.err")"
    shows() { (($(curl -sf "$(<"$WORK/url")state" | jq .events) > $1)); }
    await "$VIEW" shows 4000 || die "the page does not follow the board"
    check "a page has the names of its interrupts" grep -q 'sensor_handler' <(curl -sf "$(<"$WORK/url")state")
    STATUS=0
    kill -INT "$VIEW"
    wait "$VIEW" || STATUS=$?
    check "Ctrl-C ends it" is "$STATUS" 0
else
    skip "a page follows the board" "this txtap was built without view"
fi
end_txtap INT
check "the recorder names the store" is "$STATUS $(grep -c "^txtap: $BOARD: [0-9]* events in [0-9]* files" "$ERR")" "0 1"

decode "$BOARD" >"$WORK/all"
LAST=$(last_of "$WORK/all")
for name in first second; do
    await "${FOLLOWERS[0]}" has_last $name || die "$name has not the last event $LAST, but $(last_of "$WORK/$name")"
done
# Numbers and times count from the first recording that a reader has read.
same() { jq -c 'select(.type == "event") | del(.seq, .ticks, .seconds)' "$@"; }
last_is_same() { [[ $(tail -n 1 "$WORK/late" | same) == "$(data "$WORK/all" | tail -n 1 | same)" ]]; }
await "${FOLLOWERS[2]}" last_is_same || die "the late follower has not the last event: $(tail -n 1 "$WORK/late"), but $(data "$WORK/all" | tail -n 1)"
for i in 0 1 2; do
    STATUS=0
    kill -INT "${FOLLOWERS[$i]}"
    wait "${FOLLOWERS[$i]}" || STATUS=$?
    check "a follower ends with Ctrl-C" is "$STATUS" 0
done
echo "# $(data "$WORK/all" | wc -l) events and gaps in $(find "$BOARD" -name '*.rec*' | wc -l) files"
check "a follower has the same events and gaps as decode" cmp <(data "$WORK/first") <(data "$WORK/all")
check "and so has another" cmp <(data "$WORK/second") <(data "$WORK/all")
check "no event comes twice" is "$(grep '"type":"event"' "$WORK/all" | sed 's/.*"seq":\([0-9]*\).*/\1/' | uniq -d | wc -l)" 0
# After a gap names may be unknown until they are read again.
check "threads are named from the first new event on" is "$(sed '/"type":"gap"/,$d' "$WORK/late" | head -n 200 | grep -c '"thread":"0x')" 0
check "a follower of new events has no old event" test "$(data "$WORK/late" | wc -l)" -lt "$(data "$WORK/all" | wc -l)"
same "$WORK/late" >"$WORK/late.events"
same "$WORK/all" >"$WORK/all.events"
check "its events are the last" cmp "$WORK/late.events" <(tail -n "$(wc -l <"$WORK/late.events")" "$WORK/all.events")
check "the row of the board is that of its newest part" grep -Eq '^board +ended ' <("$TXTAP" top --rows -n 1 "$WORK/lab")
check "report reads the board" is "$("$TXTAP" report -q -f json "$BOARD" | jq '.events > 10000')" true
e2e_end
