#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs txtap tail with each fault of the virtual board. Checks that tail reports the fault and continues, that no
# event is repeated or torn, and that each loss is reported. docs/user/faults.md has the list of faults.
#   survive.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
EVENTS=$WORK/events.jsonl
ELF=$WORK/firmware.elf
WIRE=""
cp "$FIRMWARE/demo.elf" "$ELF"

control() {
    local answer
    printf '%s\n' "$1" >&"$WIRE"
    IFS= read -r -t "$E2E_PATIENCE_S" answer <&"$WIRE" || return 1
    printf '%s\n' "$answer"
}
make() { [[ $(control "fault $1") == ok ]] || die "the board refuses the fault $1"; }
marks() { jq -r 'select(.type | IN("event", "gap", "header", "object") | not) | .type' "$EVENTS" | tr '\n' ' '; }
begin_tail() { # OPTION...
    rm -f "$EVENTS"
    start_txtap tail "$@" --tcl "$TCL_PORT" --format jsonl --force -o "$EVENTS" "$ELF"
    await_lines "$EVENTS" 3500 # after so many events the target's uptime is known
}
# ends SENTENCE MARKS WORDS: checks that events arrive again, that the marks match MARKS, and that a message matches
# WORDS
ends() {
    await_more 2000
    end_txtap INT
    check "$1: it continues" is "$STATUS" 0
    check "$1: marks" matches "$(marks)" "$2"
    check "$1: is reported" grep -q -E -- "$3" "$ERR"
    check "$1: nothing twice, torn or missing unreported" ledger "$EVENTS"
    sed 's/^/#   /' "$ERR"
}
matches() { [[ $1 =~ ^($2)$ ]] || { printf "# got '%s'\n" "$1"; return 1; }; }
restart_openocd() { # SIGNAL
    kill "-$1" "$OPENOCD_PID" 2>/dev/null || true
    wait "$OPENOCD_PID" 2>/dev/null || true
    start_openocd -c "tcl_port $PORT"
}

start_board --control-port 0 --control-port-file "$WORK/control" "$ELF"
exec {WIRE}<>"/dev/tcp/127.0.0.1/$(<"$WORK/control")"
free_port
start_openocd -c "tcl_port $PORT"

GONE='detached attached '
is_plugged() { (exec 3<>"/dev/tcp/127.0.0.1/$BOARD_PORT"); }
for fault in swd-fault swd-wait swd-parity; do
    begin_tail
    make "$fault:100" # the fault lasts until it is noticed: a short fault could occur between two reads
    await_marks detached 1
    [[ $(control "end $fault") == ok ]] || die "$fault cannot be ended"
    ends "$fault" "$GONE" 'detached: '
done
begin_tail
make slow=30:1.5
ends "slow" '()' '[0-9]+ events'
begin_tail
make halt:1
ends "halt" '(halted running )?' '[0-9]+ events' # a halt of one second is hardly long enough to be noticed
begin_tail
make reset
ends "reset" '(detached attached )?reset ' 'reset: '
begin_tail
make warm-reset
ends "warm-reset" '(detached attached )?reset ' 'reset: '
begin_tail
make power-cycle:1
ends "power-cycle" '(detached attached )?(disabled )?(detached attached )?(enabled )?(reset|moved) ' 'reset|moved'
for fault in drop unplug:0.7; do
    begin_tail --timeout 1min # OpenOCD's answer names the fault, and takes its time on a busy host
    make "$fault"
    await_marks detached 1
    await "$BOARD_PID" is_plugged
    restart_openocd TERM
    ends "${fault%:*}" "$GONE" 'detached: .*start OpenOCD again: txtap continues by itself'
done
begin_tail
make half-open
await_marks detached 1
restart_openocd KILL
ends "half-open" "$GONE" 'detached: '
begin_tail
cp "$FIRMWARE/demo_moved.elf" "$WORK/new.elf"
mv "$WORK/new.elf" "$ELF"
make "reflash=$ELF"
ends "reflash" '(detached attached )?(disabled )?(enabled )?moved ' 'moved'
exec {WIRE}>&-
e2e_end
