#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks an OpenOCD that txtap starts. This OpenOCD uses its own ports, inherits none of txtap's files, does not
# receive Ctrl-C, and ends with txtap, however txtap ends. txtap restarts it if OpenOCD ends or the probe is lost.
#   usage: openocd_child.sh BUILD_DIRECTORY
# TXTAP_E2E_ENDINGS: how often txtap is ended at a random moment.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
source "$(dirname "${BASH_SOURCE[0]}")/child_lib.sh"
ENDINGS=${TXTAP_E2E_ENDINGS:-10}
SEED=${TXTAP_SEED:-$((RANDOM << 15 | RANDOM))}
RANDOM=$SEED
ELF=$FIRMWARE/demo.elf
EVENTS=$WORK/events.jsonl
STATS=$WORK/stats.json
TXTAP=$BUILD/capture/txtap
WIRE=""

control() {
    local answer
    printf '%s\n' "$1" >&"$WIRE"
    IFS= read -r -t "$E2E_PATIENCE_S" answer <&"$WIRE" || return 1
    printf '%s\n' "$answer"
}
make() { [[ $(control "fault $1") == ok ]] || die "the board refuses the fault $1"; }
reports() { grep -q -E -- "$1" "$ERR"; }
started() { wc -l <"$PIDS"; }
newest() { tail -n 1 "$PIDS"; }
is_gone() { ! kill -0 "$1" 2>/dev/null; } # fails for a zombie, which still exists
begin_tail() {
    rm -f "$EVENTS"
    start_txtap tail "${OWN[@]}" --format jsonl --force -o "$EVENTS" "$@" "$ELF"
    await_lines "$EVENTS" 3500 # after so many events the target's uptime is known
}
# ends SENTENCE MARKS WORDS: checks that events arrive again, and that each missing event is reported.
ends() {
    await_more 2000
    end_txtap INT
    check "$1: it continues by itself" is "$STATUS" 0
    check "$1: marks" matches \
        "$(jq -r 'select(.type | IN("event", "gap", "header", "object") | not) | .type' "$EVENTS" | tr '\n' ' ')" "$2"
    check "$1: is reported" reports "$3"
    check "$1: nothing twice, torn or missing unreported" ledger "$EVENTS"
    check "$1: no OpenOCD is left" nothing_left
    sed 's/^/#   /' "$ERR"
}
matches() { [[ $1 =~ ^($2)$ ]] || { printf "# got '%s'\n" "$1"; return 1; }; }

start_board --control-port 0 --control-port-file "$WORK/control" "$ELF"
exec {WIRE}<>"/dev/tcp/127.0.0.1/$(<"$WORK/control")"
CONFIGURATION="-c 'set VBOARD_PORT $BOARD_PORT' -f \"$E2E_ROOT/openocd-cfg/vboard.cfg\""
# On a busy host OpenOCD may answer late, so the time limit is long. Only the test of a half-open connection waits for
# that limit.
OWN=(--openocd "$CONFIGURATION" --openocd-program "$PROGRAM" --timeout 1min)

echo "# the first event; what it does to the target"
run_txtap tail --openocd "$CONFIGURATION" --timeout 1min --limit 20 -f csv "$ELF"
check "the OpenOCD in PATH: events" is "$STATUS $(grep -c '^event,' "$OUT")" "0 20"
check "it reports what it started" reports 'attached to txtap.cpu, OpenOCD [0-9.]+ started for it: '
run_txtap tail "${OWN[@]}" --limit 5000 --strict --stats-json "$STATS" "$ELF"
check "no loss is unreported" no_unreported_loss
check "nothing is left" nothing_left
run_txtap info "${OWN[@]}" --seconds 0.05 "$ELF"
check "info names it" grep -q '^server     OpenOCD [0-9.]*, started by txtap, target txtap.cpu (running), adapter' "$OUT"
run_txtap tail "${OWN[@]}" --target no.cpu "$ELF"
check "--target chooses" is "$STATUS $(grep -c 'no such target .*: txtap.cpu' "$ERR")" "2 1"
audit_now
check "no halt, resume, step or reset" is "$(audit '[.halts, .resumes, .steps, .resets] | add')" 0
check "only OpenOCD's own writes to the debug unit, at most 14 each time" is \
    "$(audit ".writes | ([.ram, .flash, .peripheral, .system, .fault] | map(.count) | add),
        (.debug.count <= $((1 + $(started))) * 14)" | tr '\n' ' ')" "0 true "
check "OpenOCD does not poll the core for each read" is \
    "$(audit '.commands | .READDEBUGREG * 5 < .READMEM_32BIT')" true

echo "# files and terminal are not shared"
for closed in "<&-" ">&-" "2>&-" "<&- >&- 2>&-"; do
    rm -f "$EVENTS"
    : >"$WORK/err"
    eval 'exec "$TXTAP" tail "${OWN[@]}" -f jsonl -o "$EVENTS" "$ELF"' '</dev/null >"$WORK/out" 2>"$WORK/err"' "$closed" &
    TXTAP_PID=$!
    E2E_PIDS+=("$TXTAP_PID")
    await_lines "$EVENTS" 500
    child=/proc/$(newest)/fd
    check "$closed: it gets no input, and its output goes only to txtap" is \
        "$(readlink "$child/0" "$child/1" "$child/2" | tr '\n' ' ')" \
        "/dev/null /memfd:child (deleted) /memfd:child (deleted) "
    check "$closed: it has no file of txtap" is "$(readlink "$child"/* | grep -c "$WORK" || true)" 0
    end_txtap TERM
    check "$closed: a normal end" is "$STATUS $(wc -c <"$WORK/out")" "0 0"
done
# Like Ctrl-C, the signal is sent to a whole process group. txtap and OpenOCD run in a new group, so that no other
# process gets the signal.
rm -f "$EVENTS"
set -m
"$TXTAP" tail "${OWN[@]}" -f jsonl -o "$EVENTS" "$ELF" >"$WORK/out" 2>"$WORK/err" </dev/null &
set +m
TXTAP_PID=$! ERR=$WORK/err
E2E_PIDS+=("$TXTAP_PID")
await_lines "$EVENTS" 1000
session=$(cut -d" " -f6 "/proc/$(newest)/stat")
kill -INT -- "-$TXTAP_PID"
end_txtap
check "Ctrl-C: a normal end" is "$STATUS" 0
check "Ctrl-C: it does not reach OpenOCD, which has its own session" is "$session" "$(newest)"
check "Ctrl-C: OpenOCD ran until the last event was read" is "$(grep -c 'closed the connection' "$ERR" || true)" 0
check "Ctrl-C: and is gone" nothing_left

echo "# OpenOCD is killed, the probe unplugged, the target without power, a server that hangs"
GONE='(detached attached )+'
begin_tail
first=$(newest)
kill -KILL "$first"
await_marks attached 1
check "killed: no zombie" is_gone "$first"
check "killed: another one" test "$(newest)" != "$first"
ends "killed" "$GONE" 'detached: .*closed the connection'
for fault in drop unplug:0.7; do
    begin_tail
    make "$fault"
    ends "${fault%:*}" "$GONE" 'detached: '
done
begin_tail --timeout 3s
make half-open
ends "half-open" "$GONE" 'detached: .*answer'
begin_tail
make power-cycle:1
ends "power-cycle" '(detached attached )?(disabled )?(detached attached )?(enabled )?(reset|moved) ' 'reset|moved'
check "no advice to start OpenOCD" is "$(grep -c 'start OpenOCD' "$ERR" || true)" 0

echo "# events that OpenOCD's own polling would notice"
begin_tail
make halt:100
await_marks halted 1
[[ $(control 'end halt') == ok ]] || die "the halt cannot be ended"
ends "halt" 'halted running ' 'halted: the core is halted'
begin_tail
before=$(started)
make warm-reset
ends "warm-reset" '(detached attached )?reset ' 'reset: '
echo "# OpenOCD was started $(($(started) - before)) times more"
begin_tail --no-reconnect
kill -KILL "$(newest)"
end_txtap
check "--no-reconnect: the end" is "$STATUS" 4

echo "# $ENDINGS random ends, TXTAP_SEED=$SEED"
WAYS=(KILL TERM INT HUP PIPE)
for ((i = 0; i < ENDINGS; i += ${#WAYS[@]})); do
    batch=()
    from=$( ((i % 2 == 0)) && echo openocd || echo start)
    for way in "${WAYS[@]}"; do
        printf -v seconds '0.%03d' $((RANDOM % 700 + 1))
        (trap - EXIT ERR; set +e; PIDS+=.$i.$way; ending "$seconds" "$from" "$way" tail "${OWN[@]}" -q "$ELF") 2>/dev/null &
        batch+=("$!")
    done
    wait "${batch[@]}" || true
done
# In every second batch, four of five runs end only after txtap has started OpenOCD: two fifths of all runs.
check "two of five had started OpenOCD, at least" test "$(ls "$PIDS".* | wc -l)" -ge "$((ENDINGS * 2 / 5))"
check "none left its OpenOCD behind" nothing_left

echo "# errors: one clear line each"
fails() { # STATUS TEXT ARGUMENTS [OPTION]...: txtap must end with STATUS and one line with TEXT
    local status=$1 text=$2 arguments=$3
    shift 3
    run_txtap info --openocd "$arguments" "$@" "$ELF"
    check "${arguments:-nothing}${1:+ $*}: $text" \
        is "$STATUS $(wc -l <"$ERR") $(grep -c -- "$text" "$ERR" || true)" "$status 1 1"
}
VBOARD="-f '$E2E_ROOT/openocd-cfg/vboard.cfg'"
fails 4 'the ST-Link server does not run' "-c 'set VBOARD_PORT 1' $VBOARD"
fails 4 'a file of the configuration is missing' "-f nosuch.cfg"
fails 4 'the probe does not have that transport' "-f interface/stlink.cfg -c 'transport select swd'"
fails 4 'no transport and no target' "-f interface/stlink.cfg"
fails 4 'no probe is configured' "-f target/stm32f4x.cfg"
fails 4 'a command that OpenOCD does not know' "-c 'foo bar'"
fails 4 "could not start: 'shutdown command invoked'" "-c shutdown"
fails 1 'cannot be run: No such file' "-f x.cfg" --openocd-program "$WORK/nosuch"
fails 4 'is not OpenOCD.s' "-f x.cfg" --openocd-program echo
make power-cycle:100
fails 4 'the target has no power\|no target answers' "$CONFIGURATION"
run_txtap info --wait=300ms "${OWN[@]}" "$ELF"
check "--wait tries again" is "$STATUS $(grep -c 'gave up after 0.3 s: OpenOCD' "$ERR")" "4 1"
[[ $(control 'end power-cycle') == ok ]] || die "power cannot be switched on"
check "nothing is left" nothing_left
exec {WIRE}>&-
e2e_end
