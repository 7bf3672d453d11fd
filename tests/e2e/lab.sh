#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap lab with three virtual boards: state, metrics, alarms, a recorder that is killed, SIGHUP, and the end.
# usage: lab.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
TXTAP=$BUILD/capture/txtap
ELF=$FIRMWARE/demo.elf
LAB=$WORK/lab
CONF=$LAB/lab.conf
STATE=$WORK/state.json
LAB_ERR=$WORK/lab.log
mkdir "$LAB"

# conf BOARD...: writes the file of the lab.
conf() {
    local board
    printf '[lab]\nelf = %s\nlisten = 127.0.0.1:0\ntimeout = 1min\ncheck = wake(*) <= 1us\n' "$ELF" >"$CONF.new"
    for board in "$@"; do printf '[board %s]\nstlink-server = %s\n' "$board" "${PORTS[$board]}" >>"$CONF.new"; done
    mv "$CONF.new" "$CONF"
}
start_lab() {
    "$TXTAP" lab "$CONF" 2>"$LAB_ERR" </dev/null &
    TXTAP_PID=$!
    E2E_PIDS+=("$TXTAP_PID")
}
state() { "$TXTAP" lab status -f json "$CONF" >"$STATE" && jq -e "$@" "$STATE" >"$WORK/jq"; }
recorder() { ps -o pid=,args= --ppid "$TXTAP_PID" | awk -v store="--store=$LAB/$1" 'index($0, store " ") || $0 ~ store "$" { print $1 }'; }
is_gone() { ! kill -0 "$1" 2>/dev/null || [[ $(ps -o state= -p "$1") == Z* ]]; }
await_state() { await "$TXTAP_PID" state "$@" || die "the state is not reached: $(cat "$STATE" "$LAB_ERR")"; }
# ended BOARD: the last recording of a board is complete.
ended() { is "$("$TXTAP" info -f json "$LAB/$1" | jq '.files[-1].ended')" true; }

declare -A PORTS
for board in b1 b2 b3; do
    start_board "$ELF"
    PORTS[$board]=$BOARD_PORT
done

echo "# two boards"
conf b1 b2
check "without a lab, status says so" txtap_fails 4 'no lab runs there: start it' lab status "$CONF"
start_lab
await_state '[.boards[] | select(.state == "recording" and .events > 1000 and .checks_violated > 0)] | length == 2'
check "the state names its schema" is_true "$STATE" '[.tool, .schema, .schema_version] == ["txtap", "txtap-lab", 1]'
check "both boards have their rows" is "$(jq -c '[.boards[].board]' "$STATE")" '["b1","b2"]'
"$TXTAP" lab status "$CONF" >"$WORK/table"
check "the table has 80 columns at most" is "$(awk 'length > 80' "$WORK/table" | wc -l) $(wc -l <"$WORK/table")" "0 3"
check "a row shows the state" grep -Eq '^b2 +recording +[0-9]+[sm].* (>=)?[0-9]+ +0 ' "$WORK/table"
check "the socket is only for its user" is "$(stat -c %a "$LAB/.txtap-lab.sock")" 600
check "a folder has one lab" txtap_fails 1 "another 'txtap lab' records there" lab "$CONF"

echo "# top"
# A recording is read from its last part on, and grows.
"$TXTAP" top --rows -n 4 -d 500ms "$LAB" >"$WORK/top"
check "a row for each board in each screen" is "$(grep -cE '^b[12] ' "$WORK/top") $(grep -c '^BOARD ' "$WORK/top")" "8 4"
# A busy host may not know the rate of the stamps yet, and may not have written a block for a while.
check "a row has a state and the failed checks" grep -Eq '^b1 +(recording|silent [0-9]+s) +[0-9-]+ +(>=)?[0-9]+ +[0-9.-]+ +[1-9][0-9]* +0 +- ' "$WORK/top"
check "a row has 80 columns at most" is "$(awk 'length > 80' "$WORK/top" | wc -l)" 0
mkdir "$WORK/empty"
check "a folder without recordings is refused" txtap_exits 2 top --rows "$WORK/empty"

echo "# metrics"
URL=$(sed -n 's/^txtap: metrics: //p' "$LAB_ERR")
curl -sf -D "$WORK/head" "$URL" >"$WORK/metrics"
check "their type is OpenMetrics" grep -qi '^content-type: application/openmetrics-text; version=1.0.0' "$WORK/head"
for PYTHON in python3 /usr/bin/python3 ""; do
    if [[ ! $PYTHON ]] || "$PYTHON" -c 'import prometheus_client' 2>"$WORK/python"; then break; fi
done
if [[ $PYTHON ]]; then
    check "a parser of OpenMetrics reads them" "$PYTHON" - "$WORK/metrics" <<'END'
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
found = {(s.name, s.labels["board"]): s.value for f in parse(open(sys.argv[1]).read()) for s in f.samples}
assert found["txtap_board_events_total", "b1"] > 1000 and found["txtap_board_recording", "b2"] == 1, found
assert len(found) == 16, found
END
else
    skip "a parser of OpenMetrics reads them" "no module prometheus_client (Debian: python3-prometheus-client)"
fi
check "nothing else is served" is "$(curl -s -o "$WORK/nothing" -w '%{http_code}' "${URL%metrics}")" 404

echo "# an alarm"
head -n 1 "$LAB/b1/alarms.jsonl" >"$WORK/alarm"
check "an alarm names its board" is_true "$WORK/alarm" '.kind == "check" and .board == "b1" and (.text | startswith("wake(*) <= 1us: "))'
OPEN=$(jq -r .open "$WORK/alarm") SEQ=$(jq .seq "$WORK/alarm") FILE=$(jq -r .file "$WORK/alarm")
check "its file has the event" grep_all "\"seq\":$SEQ," < <("$TXTAP" decode -q -f jsonl "$FILE")
if [[ $("$TXTAP" --version) == *"with "*view* ]]; then
    (cd / && PATH=$BUILD/capture:$PATH TXTAP_NO_OPEN=yes exec bash -c "exec $OPEN") >"$WORK/url" 2>"$WORK/view.log" &
    VIEW=$!
    E2E_PIDS+=("$VIEW")
    await "$VIEW" test -s "$WORK/url" || die "the command of the alarm does not open it: $(cat "$WORK/view.log")"
    check "its command opens the event" grep -q "/#e=$SEQ$" "$WORK/url"
    kill "$VIEW"
    wait "$VIEW" || true
fi

echo "# a recorder is killed"
FIRST=$(recorder b1) OTHER=$(recorder b2)
kill -9 "$FIRST"
await_state '.boards[0] | .restarts == 1 and .state == "recording"'
check "the state has the signal" is_true "$STATE" '.boards[0].signal == 9 and .boards[1].restarts == 0'
check "and the log" grep -q '^txtap: b1: the recorder ended with signal 9 ' "$LAB_ERR"
await_state '.boards[0].checks_violated >= 2'
check "counts of the killed recorder stay" is_true "$STATE" '.boards[0].events > 1000'

echo "# SIGHUP"
echo 'spelling = 1' >>"$CONF"
kill -HUP "$TXTAP_PID"
await "$TXTAP_PID" grep -q "lab.conf:[0-9]*: 'spelling' is no setting" "$LAB_ERR" || die "the mistake is not reported"
SECOND=$(recorder b1)
sed -e '/^spelling/d' -e 's/^\[lab\]/&\nstore = elsewhere/' -i "$CONF"
kill -HUP "$TXTAP_PID"
await "$TXTAP_PID" grep -q "it has another 'store' of .lab., and changes nothing" "$LAB_ERR" || die "the store is not refused"
conf b1 b3
kill -HUP "$TXTAP_PID"
await_state '[.boards[] | select(.state == "recording")] | map(.board) == ["b1", "b3"]'
await "$TXTAP_PID" is_gone "$OTHER" || die "the recorder of b2 does not end"
check "the recorder of a board that stays is not disturbed" is "$(recorder b1)" "$SECOND"
check "the recording of a removed board is complete" ended b2

echo "# the end"
end_txtap TERM
check "SIGTERM is a normal end" is "$STATUS" 0
check "no recorder stays" is_gone "$SECOND"
check "the recordings are complete" ended b3
check "the socket is gone" test ! -e "$LAB/.txtap-lab.sock"
check "the recordings of b1 are read as one" txtap_exits 0 report "$LAB/b1"
start_lab
await_state '.boards[0].state == "recording"'
FIRST=$(recorder b1)
end_txtap KILL
await $$ is_gone "$FIRST" || die "a recorder outlives its lab"
check "recorders of a lab that was killed complete their recordings" ended b1

echo "# NATS"
SERVER=$(PATH=$PATH:/usr/sbin command -v nats-server) || SERVER=""
if [[ $SERVER ]] && [[ $("$TXTAP" --version) == *"with "*NATS* ]]; then
    free_port
    "$SERVER" -js -sd "$WORK/nats" -a 127.0.0.1 -p "$PORT" >"$WORK/nats.log" 2>&1 &
    SERVER=$!
    E2E_PIDS+=("$SERVER")
    await "$SERVER" grep -q 'Server is ready' "$WORK/nats.log" || die "nats-server does not start"
    # A reader of all alarms, in NATS's own protocol.
    exec {wire}<>"/dev/tcp/127.0.0.1/$PORT"
    printf 'CONNECT {"verbose":false}\r\nSUB lab.*.alarm 1\r\nPING\r\n' >&"$wire"
    PLACE=nats://me:secret@127.0.0.1:$PORT/lab
    conf b2
    sed -i "s|^listen.*|publish = $PLACE|" "$CONF"
    start_lab
    while IFS= read -r -t "$E2E_PATIENCE_S" line <&"$wire" && [[ $line != *'"kind":"check"'* ]]; do :; done
    exec {wire}>&-
    printf '%s\n' "$line" >"$WORK/alarm"
    check "an alarm is a message at SUBJECT.alarm" is_true "$WORK/alarm" '.board == "b2" and (.file | endswith("/lab.b2"))'
    check "without the password" is "$(grep -c secret "$WORK/alarm" "$LAB/b2/alarms.jsonl" | cut -d : -f 2 | sort -u)" 0
    SEQ=$(jq .seq "$WORK/alarm")
    # The message may come before the block with the event.
    has_event() {
        "$TXTAP" decode -q -f jsonl --limit $((SEQ + 100)) "$PLACE.b2" >"$WORK/place" 2>"$WORK/place.err" || true
        grep -q "\"seq\":$SEQ," "$WORK/place"
    }
    check "its place has the event" await "$TXTAP_PID" has_event
    end_txtap TERM
    check "a lab that publishes ends normally" is "$STATUS" 0
else
    skip "alarms on NATS" "no nats-server, or txtap was built without libnats"
fi
e2e_end
