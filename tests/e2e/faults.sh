#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks faults on demand with a real OpenOCD: makes each kind once. The fault must have its effect and be recorded,
# and OpenOCD must react as described in the virtual board's README.   usage: faults.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

ELF=$FIRMWARE/demo.elf
MOVED=$FIRMWARE/demo_moved.elf
[[ -f $ELF && -f $MOVED ]] || die "no $ELF or $MOVED: build the target firmware first"
COUNTER=$(symbol "$ELF" demo_events_written)
HEADER=$(symbol "$ELF" _tx_trace_header_ptr)
MOVED_HEADER=$(symbol "$MOVED" _tx_trace_header_ptr)
FREE_RAM=0x2001C000 # an address above the variables of both firmwares and below the stack
DBGMCU_CR=0xE0042004
TXTB=$((0x54585442))
WIRE=""

start_faulty() {
    start_board --control-port 0 --control-port-file "$WORK/control" "$@"
    exec {WIRE}<>"/dev/tcp/127.0.0.1/$(<"$WORK/control")"
}

stop_faulty() {
    exec {WIRE}>&-
    stop_board
    check "the board survives everything, and ends with status 0" is "$BOARD_STATUS" 0
}

# Sends one command to the control port; prints the answer.
control() {
    local answer
    printf '%s\n' "$1" >&"$WIRE"
    IFS= read -r -t "$E2E_PATIENCE_S" answer <&"$WIRE" || return 1
    printf '%s\n' "$answer"
}

make() {
    is "$(control "fault $1")" ok
}

nothing_active() {
    [[ $(control active) == ok ]]
}

await_over() {
    await "$BOARD_PID" nothing_active || die "a fault does not end: $(control active)"
}

# Duration in seconds of a fault that must affect an access. over() ends the fault as soon as it has affected one.
LONG=100
over() {
    control "end $1" >"$WORK/ended"
    await_over
}

fails() {
    [[ $(ocd_try "$1") == "1 "* ]]
}

succeeds() {
    [[ $(ocd_try "$1") == "0 "* ]]
}

await_read() {
    await "$OPENOCD_PID" succeeds "read_memory $COUNTER 32 1"
}

said() {
    grep -q "$1" "$OPENOCD_LOG"
}

counter_passes() {
    (($(word "$COUNTER") > $1))
}

# Succeeds if the counter's value is not $1. Call it twice to check that the counter runs. The counter need not rise:
# after a reset it keeps its old value until the firmware clears RAM.
counter_differs() {
    (($(word "$COUNTER") != $1))
}
counter_moves() {
    await "$OPENOCD_PID" counter_differs "$(word "$COUNTER")" && await "$OPENOCD_PID" counter_differs "$(word "$COUNTER")"
}

# Applies a jq filter to the last recorded fault.
last() {
    audit_now
    audit ".faults[-1] | $1"
}

recorded() {
    is "$(last '"\(.kind) \(.by) \(.done) \(.end_us != null)"')" "$1 control true true"
}

was_hit() {
    (($(last .hits) > 0))
}

# Stops OpenOCD's polling, so that a fault affects the test's requests and not OpenOCD's own requests.
quiet() {
    ocd 'poll off' >/dev/null
}

aloud() {
    ocd 'poll on' >/dev/null
}

echo "# one access"
start_faulty --rate 100 "$ELF" # at this rate the counter needs a long time to reach its old value after a reset
start_openocd
quiet
for kind in swd-fault swd-parity; do
    check "$kind is made" make "$kind"
    check "the next read fails, and OpenOCD says where" fails "read_memory $FREE_RAM 32 4"
    check "  by address" said "read_memory: read at $(printf 0x%08x "$FREE_RAM") with width=32 and count=4 failed"
    check "the read after it succeeds" succeeds "read_memory $FREE_RAM 32 4"
    check "$kind is recorded" recorded "$kind"
    check "with one access hit" is "$(last .hits)" 1
done
check "swd-wait is made" make swd-wait
check "OpenOCD retries by itself, and the read succeeds" succeeds "read_memory $FREE_RAM 32 4"
check "swd-wait is recorded" recorded swd-wait
check "and was hit" was_hit

echo "# for a while"
aloud
for kind in swd-fault swd-wait swd-parity; do
    check "$kind is made for a while" make "$kind:$LONG"
    check "a read fails" fails "read_memory $FREE_RAM 32 4"
    if [[ $kind == swd-fault ]]; then
        check "OpenOCD notices, and examines the core again" await "$OPENOCD_PID" \
            said 'Polling target txtap.cpu failed, trying to reexamine'
    fi
    over "$kind"
    check "reads succeed again, without help" await_read
    check "$kind is recorded" recorded "$kind"
done
check "slow is made" make "slow=200:$LONG"
BEGIN=${EPOCHREALTIME/[.,]/}
check "a slow read succeeds" succeeds "read_memory $FREE_RAM 32 4"
check "and takes the time of two commands" test $((${EPOCHREALTIME/[.,]/} - BEGIN)) -ge 400000
over slow
check "slow is recorded" recorded slow
check "and was hit" was_hit

echo "# the target"
check "halt is made" make "halt:$LONG"
check "OpenOCD finds the core halted" await "$OPENOCD_PID" eval '[[ $(ocd "txtap.cpu curstate") == halted ]]'
check "the firmware's counter does not move" is "$(word "$COUNTER")" "$(word "$COUNTER")"
over halt
check "a fault that is over cannot be ended again" is "$(control 'end halt')" "error: no fault halt is under way"
check "the counter moves on" counter_moves
check "halt is recorded" recorded halt
check "on nobody's account" is "$(audit '[.halts, .resumes, .resets, .target_resets] | add')" 0

# Lets the counter reach 10000. After a restart, at its initial rate, the firmware would need 100 seconds to reach this
# number again.
count_far() {
    ocd "mww $(symbol "$ELF" demo_event_rate) 20000" >/dev/null
    await "$OPENOCD_PID" counter_passes 10000
}
count_far

ocd "mww $DBGMCU_CR 7" >/dev/null
check "reset is made" make reset
check "the counter starts again" test "$(word "$COUNTER")" -lt 10000
check "reset is recorded" recorded reset
check "with what the firmware had counted" test "$(audit '.stretches[-1].demo_events_written')" -gt 10000
check "and a quarter of that in the ledger" test "$(audit '.stretches[-1] | .demo_ledger_next * 5')" -gt 10000
check "reset is made, and held" make "reset:$LONG"
check "RAM is empty meanwhile" is "$(word "$COUNTER")" 0
over reset
check "the counter moves" counter_moves

count_far
RING=$(word "$HEADER")
check "warm-reset is made, and held" make "warm-reset:$LONG"
check "the old trace buffer is still there" is "$(word "$RING")" "$TXTB"
audit_now
check "and the counter, as recorded" is "$(word "$COUNTER")" "$(audit '.stretches[-1].demo_events_written')"
check "which has counted enough to show a restart" test "$(word "$COUNTER")" -gt 10000
over warm-reset
check "warm-reset is recorded" recorded warm-reset
has_started_again() {
    audit_now
    (($(audit '.counters.demo_events_written') < 10000))
}
check "the counter has started again" await "$BOARD_PID" has_started_again
check "the counter moves" counter_moves
check "a debug register survives resets" is "$(word $DBGMCU_CR)" 7
check "OpenOCD went on through all of it" is "$(audit .connections)" 1

check "unused RAM is empty before the power fails" is "$(word $FREE_RAM)" 0
quiet
check "power-cycle is made" make "power-cycle:$LONG"
check "reads fail without power" fails "read_memory $COUNTER 32 1"
check "a second fault of the target is refused meanwhile" is "$(control 'fault reset')" \
    "error: fault reset is not possible now: power-cycle"
over power-cycle
check "and with power, until SWD is entered again" fails "read_memory $COUNTER 32 1"
aloud
check "OpenOCD does that by itself when it polls" await_read
check "and says so" said 'Previous state query failed, trying to reconnect'
check "RAM is random after power-on" test "$(word $FREE_RAM)" -ne 0
check "the counter moves" counter_moves
check "power-cycle is recorded" recorded power-cycle
check "with a stretch" is "$(audit '.stretches[-1].cause')" power-cycle
check "and debug registers as after power-on" is "$(word $DBGMCU_CR)" 0

check "the core is halted" succeeds halt
check "a reset of a halted core is caught at the first instruction" make warm-reset:0
check "so nothing is counted in the new stretch" is "$(control counters)" \
    "ok demo_events_written 0 demo_ledger_next 0"
ocd resume >/dev/null
check "the counter moves" counter_moves

RING=$(word "$HEADER")
check "reflash is made" make "reflash=$MOVED:0"
header_points_to_ring() { [[ $(word "$(word "$MOVED_HEADER")") == "$TXTB" ]]; } # RAM is random until then
await "$OPENOCD_PID" header_points_to_ring || die "the new firmware has set up no buffer"
NEW_RING=$(word "$MOVED_HEADER")
check "reflash is recorded" recorded reflash
check "with the firmware before and after" is "$(audit '.stretches[-1].elf + " " + .elf')" "$ELF $MOVED"
check "the new firmware has its buffer elsewhere" is "$(word "$NEW_RING")" "$TXTB"
check "  than the old one" test "$NEW_RING" -ne "$RING"
check "the old buffer is still there" is "$(word "$RING")" "$TXTB"
counters_rise() { (($(control counters | cut -d' ' -f3) > 0)); }
check "counters of the new firmware are reported" await "$BOARD_PID" counters_rise
check "a missing firmware is refused" is "$(control "fault reflash=$WORK/none.elf")" \
    "error: fault reflash is not possible now: see the message before"
check "with the reason" grep -q "cannot open firmware $WORK/none.elf" "$BOARD_LOG"
check "and the old one keeps running" await "$OPENOCD_PID" succeeds "read_memory $NEW_RING 32 1"
check "an unknown command is refused" is "$(control 'fault dorp' | cut -d: -f1)" error
check "and so is a time" is "$(control 'fault drop@3' | cut -d: -f1)" error
stop_openocd
stop_faulty

echo "# the connection"
start_faulty "$ELF"
start_openocd
check "drop is made" make drop
check "reads fail" fails "read_memory $COUNTER 32 1"
check "OpenOCD reports that nothing came" said 'failed to receive USB CMD response'
check "and still runs, but does not connect again" fails "read_memory $COUNTER 32 1"
check "drop is recorded" recorded drop
stop_openocd
start_openocd
check "a new OpenOCD is served" await_read
check "unplug is made" make "unplug:$LONG"
check "the port refuses" eval '! (exec 3<>"/dev/tcp/127.0.0.1/$BOARD_PORT") 2>/dev/null'
check "reads fail" fails "read_memory $COUNTER 32 1"
over unplug
check "unplug is recorded" recorded unplug
check "OpenOCD does not come back by itself" fails "read_memory $COUNTER 32 1"
stop_openocd
start_openocd
check "a new OpenOCD is served on the same port" await_read
check "half-open is made" make "half-open:$LONG"
# Makes OpenOCD wait forever for an answer. Then not even SIGTERM ends OpenOCD.
exec {STUCK}<>"/dev/tcp/127.0.0.1/$TCL_PORT"
printf 'read_memory %s 32 1\032' "$COUNTER" >&"$STUCK"
await "$BOARD_PID" was_hit || die "half-open hits nothing"
over half-open
check "half-open is recorded" recorded half-open
check "and was hit" was_hit
check "OpenOCD does not answer, not even afterwards" eval '! IFS= read -r -t 2 -d $'"'\\032'"' _ <&"$STUCK"'
{
    kill -KILL "$OPENOCD_PID"
    wait "$OPENOCD_PID" || true
} 2>/dev/null
forget "$OPENOCD_PID"
exec {STUCK}>&-
start_openocd
check "a new OpenOCD is served" await_read

echo "# the tool"
# Other tests check how txtap handles a fault. This test only checks that txtap ends normally, by itself or by a
# signal.
for fault in "swd-fault:$LONG" warm-reset "power-cycle:$LONG" drop; do
    start_txtap tail --tcl "$TCL_PORT" "$ELF"
    check "the tail runs" await_lines "$OUT" 20
    check "$fault is made" make "$fault"
    check "the tail reports it" await "$TXTAP_PID" grep -qE '^txtap: (detached|attached, reset|reset): ' "$ERR"
    over "${fault%:*}"
    end_txtap INT
    check "and ends normally" is "$STATUS" 0
    [[ $STATUS == 0 ]] || sed 's/^/# /' "$ERR"
    if [[ $fault != drop ]]; then await_read; fi
done
stop_openocd
stop_faulty

echo "# by time and by seed"
start_faulty --fault reset@0.2 --fault "swd-wait@0.1:0.1" --fault drop@0.3 "$ELF"
has_ended() { audit_now && (($(grep -cE '^ *\{"time_us": [0-9]+, "end_us": [0-9]' "$BOARD_AUDIT") >= $1)); }
await "$BOARD_PID" has_ended 3 || die "what was planned does not come"
check "planned faults come in order" is "$(audit '[.faults[] | .kind + " " + .by] | join(", ")')" \
    "swd-wait time, reset time, drop time"
check "and not before their time" is "$(audit '[.faults[].time_us] | .[0] >= 100000 and .[1] >= 200000 and .[2] >= 300000')" \
    true
stop_faulty

# Sets SEQUENCE to the first twelve faults, two of each kind, with their random durations.
by_seed() {
    start_faulty --faults-seed "$1" --faults-every 0.02 \
        --faults-kinds "swd-wait,drop,halt,reset,warm-reset,reflash=$MOVED" "$ELF"
    await "$BOARD_PID" has_ended 12 || die "no twelve faults by seed"
    SEQUENCE=$(audit '[.faults[:12][] | "\(.kind):\(.duration_us)"] | join(" ")')
    stop_faulty
}

by_seed 7
FIRST=$SEQUENCE
echo "# $FIRST"
check "they come by seed" is "$(audit '[.faults[].by] | unique | join(" ")')" seed
check "and are made" is "$(audit '[.faults[] | select(.done | not)] | length')" 0
check "each kind has come twice" is "$(audit '[.faults[:12][].kind] | group_by(.) | map(length) | unique | join(" ")')" 2
check "the firmware is switched back and forth" is \
    "$(audit '[.faults[:12][] | select(.kind == "reflash") | .path] | join(" ")')" "$MOVED $ELF"
by_seed 7
check "the same seed makes the same faults" is "$SEQUENCE" "$FIRST"
by_seed 8
check "another seed makes others" test "$SEQUENCE" != "$FIRST"

refused() {
    local status=0
    "$VBOARD" "$@" "$ELF" >"$WORK/refused" 2>&1 || status=$?
    is "$status" 2 && is "$(grep -c '^txtap-vboard: ' "$WORK/refused")" 1
}

check "a fault without a time is refused" refused --fault reset
check "a fault of an unknown kind is refused" refused --fault rest@1
check "a drop with a duration is refused" refused --fault drop@1:1
check "a seed without an interval is refused" refused --faults-seed 1
check "a reflash without a firmware is refused" refused --faults-seed 1 --faults-every 1 --faults-kinds reflash

e2e_end
