#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks -f perfetto of a running target: the output of a killed tail can be opened, SIGHUP starts a file that can be
# opened by itself, and a recording with gaps has the sums of its report.
#   usage: perfetto_live.sh BUILD_DIRECTORY   (TXTAP_E2E_KILLS: how often tail is killed, 3)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)
source "$E2E_ROOT/tests/e2e/perfetto/engine_lib.sh"
HERE=$E2E_ROOT/tests/e2e/perfetto
DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
RANDOM=${TXTAP_SEED:-$RANDOM}
echo "# TXTAP_SEED=$RANDOM"
: >"$WORK/list"

is_larger() { (($(stat -c %s "$1" 2>/dev/null || echo 0) > $2)); }
# Checks that a file can be opened, except for a packet at the end that a kill may have cut, and adds it to the list for
# the trace processor. A file of a run that was killed early may not contain the state of a thread yet.
opens() { # NAME FILE
    perl "$HERE/whole_packets.pl" "$2" >"$WORK/whole" || return 1
    if command -v protoc >/dev/null; then
        protoc -I "$HERE" --decode txtap.Trace trace.proto <"$WORK/whole" >"$WORK/text" || return 1
    fi
    is_larger "$2" 10000 || return 0
    if [[ -f $WORK/text ]]; then
        (($(grep -c '^  first: true' "$WORK/text") == 1)) && grep -q task_state "$WORK/text" || return 1
    fi
    printf '%s\t%s\t%s\n' "$1" "$2" "${3:-}" >>"$WORK/list"
}

start_board "$DEMO"
start_openocd
for ((turn = 1; turn <= ${TXTAP_E2E_KILLS:-3}; turn++)); do
    killed=$WORK/killed$turn.pftrace
    start_txtap tail --tcl "$TCL_PORT" -q --hz 1M -f perfetto -o "$killed" "$DEMO"
    await "$TXTAP_PID" is_larger "$killed" $((RANDOM)) || die "the file does not grow: $(cat "$ERR")"
    sleep "0.0$((RANDOM % 100))"
    end_txtap KILL
    check "killed at $(stat -c %s "$killed") bytes, it opens" opens "killed$turn" "$killed"
done

# After each flush the compressed file is complete, until txtap writes more data.
packed=$WORK/packed.pftrace.gz
unpacks() { gzip -dc "$1" >"$WORK/unpacked" && opens "$2" "$WORK/unpacked" && printf '%s\t%s\t\n' "$2.gz" "$1" >>"$WORK/list"; }
start_txtap tail --tcl "$TCL_PORT" -q --hz 1M -f perfetto -o "$packed" "$DEMO"
await "$TXTAP_PID" is_larger "$packed" 5000
kill -STOP "$TXTAP_PID"
cp "$packed" "$WORK/between.gz"
kill -CONT "$TXTAP_PID"
await "$TXTAP_PID" is_larger "$packed" 8000
end_txtap TERM
check "a compressed trace is whole while it grows" unpacks "$WORK/between.gz" between
check "and at its end" unpacks "$packed" packed

live=$WORK/live.pftrace
start_txtap tail --tcl "$TCL_PORT" -q --hz 1M -f perfetto -o "$live" "$DEMO"
await "$TXTAP_PID" is_larger "$live" 10000
mv "$live" "$live.1"
kill -HUP "$TXTAP_PID"
await "$TXTAP_PID" is_larger "$live" 20000
end_txtap TERM
check "SIGHUP starts a new file: the status is 0" is "$STATUS" 0
check "the first one opens" opens first "$live.1"
check "the second one opens by itself" opens second "$live"
stop_openocd
stop_board

# ---- a recording that lost events ----

start_board "$FIRMWARE/demo_overload.elf"
start_openocd
run_txtap record --tcl "$TCL_PORT" --seconds 0.4 -o "$WORK/lossy.rec" "$FIRMWARE/demo_overload.elf"
"$BUILD/capture/txtap" decode -q -f perfetto "$WORK/lossy.rec" >"$WORK/lossy.pftrace"
"$BUILD/capture/txtap" report -q --format json "$WORK/lossy.rec" >"$WORK/lossy.json"
echo "# $(jq -r '"\(.events) events, \(.lost) lost in \(.gaps) gaps"' "$WORK/lossy.json")"
check "a recording that lost events opens" opens lossy "$WORK/lossy.pftrace" "$WORK/lossy.json"
stop_openocd
stop_board

# ---- all files ----

agrees() { grep -Fxq "ok $1" "$WORK/verdicts" || { grep -F "$1: " "$WORK/verdicts" || tail -n 5 "$WORK/verdicts"; false; }; }
if ! grep -q __asan_init "$BUILD/capture/txtap"; then find_engine; else NO_ENGINE="it is asked about the optimised build"; fi
if [[ $ENGINE ]]; then
    engine "$WORK/list" >"$WORK/verdicts" 2>&1 || true
    while IFS=$'\t' read -r name _; do check "the trace processor takes $name" agrees "$name"; done <"$WORK/list"
else
    echo "# the trace processor was not asked: $NO_ENGINE"
fi
e2e_end
