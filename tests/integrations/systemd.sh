#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the command of integrations/systemd's unit as systemd does, with the configuration of a board, and kills it three
# times. All recordings together must be whole but for the gaps that they report. TXTAP_UNIT_EVENTS: how many events each
# instance records before it is killed (default 3000).
# usage: systemd.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
e2e_begin "$@"

UNIT=$BUILD/integrations/systemd/txtap-record@.service
DEMO=$FIRMWARE/demo.elf
EVENTS_EACH=${TXTAP_UNIT_EVENTS:-3000}
STATE=$WORK/state
setting() { sed -n "s/^$1=//p" "$UNIT"; }

lab_unit() { sed -n "s/^$1=//p" "$BUILD/integrations/systemd/txtap-lab.service"; }
# The hardening of both units is equal, so that a lab can do no more than a recorder of a single board.
hardening() { sed -n '/^# Only these devices/,/^UMask/p' "$1"; }

if command -v systemd-analyze >/dev/null; then
    mkdir "$WORK/unit"
    sed "s|^ExecStart=[^ ]*|ExecStart=/bin/true|" "$UNIT" >"$WORK/unit/txtap-record@b1.service"
    verified() { systemd-analyze verify --man=no "$WORK/unit/txtap-record@b1.service" >"$WORK/verify" 2>&1 && is "$(<"$WORK/verify")" ""; }
    check "systemd accepts the unit" verified
    sed "s|^ExecStart=[^ ]*|ExecStart=/bin/true|" "$BUILD/integrations/systemd/txtap-lab.service" >"$WORK/unit/txtap-lab.service"
    lab_verified() { systemd-analyze verify --man=no "$WORK/unit/txtap-lab.service" >"$WORK/verify" 2>&1 && is "$(<"$WORK/verify")" ""; }
    check "systemd accepts the unit of a lab" lab_verified
else
    skip "systemd accepts the unit" "there is no systemd-analyze"
fi
check "the units are hardened alike" is "$(hardening "$BUILD/integrations/systemd/txtap-lab.service")" "$(hardening "$UNIT")"
sed "s|^store = .*|store = $WORK/labs|" "$E2E_ROOT/integrations/systemd/lab.conf" >"$WORK/lab.conf"
check "the example of a lab is valid" txtap_fails 4 'no lab runs there\|No such file' lab status "$WORK/lab.conf"
check "the unit of a lab runs txtap lab" is "$(lab_unit ExecStart | cut -d ' ' -f 2-)" "lab /etc/txtap/lab.conf"
check "systemd starts the unit again, however it ended" is "$(setting Restart)" always

start_board "$DEMO"
start_openocd
mkdir -p "$STATE/$(setting StateDirectory | sed 's/%i/b1/')"
echo "TXTAP_RECORD_ARGS=\"--tcl $TCL_PORT --hz 1M $DEMO\"" >"$WORK/b1.conf"
# systemd replaces %i, %S, %% and the variables of the file, whose values it splits at blanks.
TXTAP_RECORD_ARGS=$(source "$WORK/b1.conf" && echo "$TXTAP_RECORD_ARGS")
command=$(setting ExecStart | sed "s|^[^ ]*/txtap |$BUILD/capture/txtap |; s|%%|\x01|g; s|%i|b1|g; s|%S|$STATE|g; s|\x01|%|g")
read -ra COMMAND <<<"${command/\$TXTAP_RECORD_ARGS/$TXTAP_RECORD_ARGS}"
check "the unit runs txtap record" is "${COMMAND[1]}" record

# The names of the recordings have a second: as with RestartSec, the next instance starts in another second.
start_instance() {
    local before=${EPOCHSECONDS}
    await "$BOARD_PID" later_than "$before"
    "${COMMAND[@]}" >"$WORK/instance.log" 2>&1 </dev/null &
    INSTANCE=$!
}
later_than() { ((EPOCHSECONDS > $1)); }
# An instance has enough events when the firmware has written that many since its start and blocks are in the file.
newest() { ls "$STATE/txtap/b1" | tail -n 1; }
events_of() { "$BUILD/capture/txtap" decode -q -f jsonl "$STATE/txtap/b1/$1" 2>/dev/null | grep -c '^{"type":"event"' || true; }
has_enough() { local file; file=$(newest); [[ $file && $file != "$1" ]] && (($(events_of "$file") >= EVENTS_EACH)); }

for ((kills = 0; kills < 3; kills++)); do
    previous=$(newest)
    start_instance
    await "$INSTANCE" has_enough "$previous"
    kill -KILL "$INSTANCE"
    wait "$INSTANCE" 2>/dev/null || true
done
previous=$(newest)
start_instance
await "$INSTANCE" has_enough "$previous"
kill -TERM "$INSTANCE"
check "the last instance ends regularly" wait "$INSTANCE"
check "each instance has a recording" is "$(ls "$STATE/txtap/b1" | wc -l)" 4

whole() { # RECORDING: all its events follow each other, but for the gaps that it reports
    "$BUILD/capture/txtap" decode -q -f jsonl "$STATE/txtap/b1/$1" >"$WORK/events" 2>"$WORK/decode.err" && ledger "$WORK/events"
}
for file in $(ls "$STATE/txtap/b1"); do
    check "$file is whole but for reported gaps" whole "$file"
done
together() { # the folder of a board is an operand like a recording
    "$BUILD/capture/txtap" decode -q -f jsonl "$STATE/txtap/b1" >"$WORK/events" 2>"$WORK/decode.err" || { cat "$WORK/decode.err"; return 1; }
    (($(grep -c '^{"type":"event"' "$WORK/events") >= 4 * EVENTS_EACH))
}
check "the folder has all events" together
e2e_end
