#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs txtap tail for a long time, on a board that breaks in every way. Checks that the events delivered and reported
# lost are those that the firmware wrote, for each stretch between two resets, and that neither memory nor descriptors
# grow.
#   soak.sh BUILD_DIRECTORY [SECONDS]
# SECONDS (or TXTAP_SOAK_SECONDS): 60 if not given. TXTAP_SEED: seed of the faults. TXTAP_SOAK_KEEP: a folder for the
# files that help after a failure.
set -euo pipefail
E2E_LIMIT_S=$((1800 + ${2:-${TXTAP_SOAK_SECONDS:-60}}))
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
DURATION=${2:-${TXTAP_SOAK_SECONDS:-60}}
SEED=${TXTAP_SEED:-$((RANDOM << 15 | RANDOM))}
EVERY=2.5 WARM_UP=20
if ((DURATION >= 300)); then EVERY=6.5 WARM_UP=60; fi
DEMO=$FIRMWARE/demo.elf
OTHER=$FIRMWARE/demo_moved.elf
ELF=$WORK/firmware.elf # the ELF file for txtap; like a developer's build, it is replaced when the target is flashed
MARKS=$WORK/marks
STREAM=$WORK/stream
KINDS=swd-fault,swd-wait,swd-parity,drop,half-open,slow,unplug,halt,reset,warm-reset,power-cycle
KEEP=${TXTAP_SOAK_KEEP:-}
WIRE="" RESTARTS=0 HANGS=0

# Sends one command to the board's control port; prints the answer.
control() {
    local answer
    printf '%s\n' "$1" >&"$WIRE"
    IFS= read -r -t "$E2E_PATIENCE_S" answer <&"$WIRE" || return 1
    printf '%s\n' "$answer"
}

# ---- imitates a user who restarts OpenOCD ----

server_is_up() { grep -q 'Listening on port [0-9]* for gdb' "$OPENOCD_LOG"; }
server_answers() ( # runs in a subshell, because SIGPIPE may end it
    exec {wire}<>"/dev/tcp/127.0.0.1/$TCL_PORT" || exit 1
    printf 'expr 1\032' >&"$wire"
    IFS= read -r -t 5 -d $'\032' answer <&"$wire"
    [[ $answer == 1 ]]
) 2>/dev/null

end_server() {
    [[ $OPENOCD_PID ]] || return 0
    kill "-$1" "$OPENOCD_PID" 2>/dev/null || true
    local turn
    for ((turn = 0; turn < 40; turn++)); do
        kill -0 "$OPENOCD_PID" 2>/dev/null || break
        sleep 0.05
    done
    kill -KILL "$OPENOCD_PID" 2>/dev/null || true
    wait "$OPENOCD_PID" || true
    forget "$OPENOCD_PID"
    OPENOCD_PID=""
} 2>/dev/null # suppresses bash's messages about killed processes

# Starts OpenOCD on the same port as before. This may fail, because the probe may be unplugged.
try_server() {
    local turn
    OPENOCD_LOG=$WORK/openocd.log
    openocd -c "set VBOARD_PORT $BOARD_PORT; set TXTAP_TCL_PORT $TCL_PORT; set TXTAP_GDB_PORT 0" \
        -f "$E2E_ROOT/openocd-cfg/vboard.cfg" >"$OPENOCD_LOG" 2>&1 &
    OPENOCD_PID=$!
    E2E_PIDS+=("$OPENOCD_PID")
    RESTARTS=$((RESTARTS + 1))
    for ((turn = 0; turn < 100; turn++)); do
        if server_is_up; then return 0; fi
        kill -0 "$OPENOCD_PID" 2>/dev/null || break
        sleep 0.05
    done
    end_server KILL
    return 1
}

# Restarts OpenOCD after a dropped connection and after silence, as the README of the virtual board advises.
look_after_server() {
    if [[ $OPENOCD_PID ]]; then
        if ! kill -0 "$OPENOCD_PID" 2>/dev/null || grep -q 'failed to send USB CMD' "$OPENOCD_LOG"; then
            end_server TERM
        elif ! server_answers; then
            HANGS=$((HANGS + 1))
            end_server KILL
        fi
    fi
    [[ $OPENOCD_PID ]] || try_server || true
}

# ---- imitates a user who builds and flashes ----

FLASHED=0
look_after_elf() {
    local flashed
    flashed=$(grep -c 'fault reflash$' "$BOARD_LOG" || true)
    if ((flashed == FLASHED)); then return; fi
    FLASHED=$flashed
    cp "$( ((flashed % 2)) && echo "$OTHER" || echo "$DEMO")" "$ELF.new"
    mv "$ELF.new" "$ELF"
}

# ---- txtap's memory and descriptors ----

KIB_WARM="" KIB_MAX=0 FDS_FIRST="" FDS_MAX=0 FDS=0 KIB=0
count_descriptors() {
    local all=("/proc/$TXTAP_PID/fd/"*)
    FDS=${#all[@]}
    if ((FDS > FDS_MAX)); then FDS_MAX=$FDS; fi
}
sample() {
    KIB=$(memory_kib "$TXTAP_PID")
    count_descriptors
    if ((SECONDS - BEGUN < WARM_UP)); then return; fi
    : "${KIB_WARM:=$KIB}"
    if ((KIB > KIB_MAX)); then KIB_MAX=$KIB; fi
}

keep() {
    if [[ $KEEP ]]; then cp "$BOARD_AUDIT" "$ERR" "$BOARD_LOG" "$KEEP"; fi
}
given_up() {
    kill -0 "$BOARD_PID" 2>/dev/null && audit_now
    keep
    die "$@"
}
lives() { kill -0 "$TXTAP_PID" 2>/dev/null; }
turn() {
    lives || given_up "txtap has ended: $(tail -3 "$ERR"); $(cat "$WORK/sums" 2>/dev/null)"
    kill -0 "$BOARD_PID" 2>/dev/null || given_up "the board has ended: $(tail -3 "$BOARD_LOG")"
    sample
    look_after_elf
    look_after_server
    sleep 0.5
}

# said_bytes: prints the number of bytes that txtap has written so far. reading: succeeds if txtap is attached.
said_bytes() { sed -n 's/^wchar: //p' "/proc/$TXTAP_PID/io"; }
delivers() { (($(said_bytes) > 20000)); }
reading() { [[ $(grep -E '^txtap: (de|at)tached' "$ERR" | tail -n 1) != *detached* ]]; }

echo "# seed $SEED, $DURATION seconds"
cp "$DEMO" "$ELF"
start_board -v --control-port 0 --control-port-file "$WORK/control" --faults-seed "$SEED" --faults-every "$EVERY" \
    --faults-kinds "$KINDS,reflash=$OTHER" \
    "$DEMO"
exec {WIRE}<>"/dev/tcp/127.0.0.1/$(<"$WORK/control")"
free_port
TCL_PORT=$PORT
mkfifo "$STREAM"
if [[ $KEEP ]]; then
    mkdir -p "$KEEP"
    tee "$KEEP/stream.jsonl" <"$STREAM" | awk -v marks="$MARKS" -f "$E2E_ROOT/tests/e2e/ledger.awk" >"$WORK/sums" &
else
    awk -v marks="$MARKS" -f "$E2E_ROOT/tests/e2e/ledger.awk" <"$STREAM" >"$WORK/sums" &
fi
CHECKER=$!
try_server || true
BUFFER_MIB=4 # limit of the data that waits for the reader of the stream, which may be slow
start_txtap tail --wait --buffer "${BUFFER_MIB}M" --tcl "$TCL_PORT" --format jsonl --stats-json "$WORK/stats" --force -o "$STREAM" "$ELF"
# Finds the number of descriptors that txtap needs while it is connected. On most hosts this is done before the first
# fault.
BEGUN=$SECONDS
for ((i = 0; ; i++)); do
    if delivers && reading; then break; fi
    ((i < 2 * E2E_PATIENCE_S)) || die "txtap delivers nothing: $(tail -3 "$ERR")"
    turn
done
count_descriptors
FDS_FIRST=$FDS
BEGUN=$SECONDS
while ((SECONDS - BEGUN < DURATION)); do
    turn
done

# Makes another debugger halt the core: then the ring no longer changes, without a command to the firmware, and txtap
# can read all of it.
while [[ $(control 'fault halt:3600') != ok ]]; do turn; done
before=""
quiet=0
for ((i = 0; quiet < 6; i++)); do
    ((i < 120)) || given_up "the stream does not come to rest: $(tail -3 "$ERR")"
    turn
    now=$(said_bytes)
    if [[ $now == "$before" && $(control active) == 'ok halt' ]] && reading; then quiet=$((quiet + 1)); else quiet=0; fi
    before=$now
done
count_descriptors
audit_now
end_txtap INT
wait "$CHECKER" || true

start_us=$(($(stat -c %.6Y "$BOARD_AUDIT" | tr -d .) - $(audit '.seconds * 1000000 | round')))
{
    counters='\(.demo_events_written // 0) \(.demo_ledger_next // 0)'
    audit ".stretches[] | \"written \(.time_us + $start_us) $counters \(.cause)\""
    audit ".counters | \"written 0 $counters rest\""
    echo "first $(sed -n 's/.*STREAM_FIRST=\([0-9]*\).*/\1/p' "$WORK/sums")"
    cat "$MARKS"
} >"$WORK/compare"
keep
if [[ $KEEP ]]; then cp "$WORK/compare" "$WORK/sums" "$WORK/stats" "$KEEP"; fi

check "the end is a regular one" is "$STATUS" 0
check "nothing comes twice or torn, what is missing is in a gap, marks are in order, time never goes back" \
    grep '^STREAM_EVENTS' "$WORK/sums"
eval "$(grep '^STREAM_EVENTS' "$WORK/sums" || cat "$WORK/sums" >&2)"
compare() { awk -f "$E2E_ROOT/tests/e2e/soak_stretches.awk" "$WORK/compare" >"$WORK/soak"; }
check "the events delivered and reported lost are those that the firmware wrote, in each stretch" compare
grep '^#' "$WORK/soak" || true
eval "$(grep '^SOAK' "$WORK/soak")"
echo "$SOAK_WRITTEN written in $SOAK_LIVES lives, $SOAK_UNSEEN of them unseen ($SOAK_UNSEEN_WRITTEN written);" \
    "unknown at resets: $SOAK_UNKNOWN, at most $SOAK_UNKNOWN_MAX"
of_stats() { jq -r "$1" "$WORK/stats"; }
check "the statistics say the same" is "$(of_stats '"\(.events) \(.lost) \(.gaps) \(.resets) \(.reconnections)"')" \
    "$STREAM_EVENTS $STREAM_LOST $STREAM_GAPS $STREAM_RESETS $SOAK_ATTACHED"
# A life of the firmware is the time between two resets. If OpenOCD needs longer to start than a life lasts, txtap
# sees no event of this life.
check "of the lives that it saw, most events are accounted for" \
    test $((2 * (STREAM_EVENTS + STREAM_LOST))) -gt $((SOAK_WRITTEN - SOAK_UNSEEN_WRITTEN))

echo "# faults"
audit '[.faults[] | select(.by == "seed")] | group_by(.kind)[] | "\(length)\t\(.[0].kind)"'
FAULTS=$(audit '[.faults[] | select(.by == "seed" and .done)] | length')
MADE=$(audit '[.faults[] | select(.by == "seed" and .done) | .kind] | unique | length')
echo "$FAULTS faults; OpenOCD was started $RESTARTS times, and did not answer $HANGS times"
check "there were enough faults for the time" test "$FAULTS" -ge $((DURATION / 9))
if ((DURATION >= 60)); then check "of every kind" is "$MADE" 12; fi
# When OpenOCD examines the core again, a fault may hit its write to a debug register. Then the write has no effect.
check "no write that disturbs the target" is \
    "$(audit '(.writes | [.ram, .flash, .peripheral, .system] | map(.count) | add) + .register_writes')" 0
check "only the faults halted, stepped or reset it" is "$(audit '[.halts, .resumes, .steps, .resets] | add')" 0

echo "# size"
echo "memory: $KIB_WARM KiB after $WARM_UP s, at most $KIB_MAX KiB, $KIB KiB at the end"
echo "descriptors: $FDS_FIRST at first, at most $FDS_MAX, $FDS at the end"
if grep -q __asan_init "$BUILD/capture/txtap"; then
    echo "a sanitizer keeps freed memory: its size is not checked"
else
    check "memory does not grow: within 1 MiB, and the output buffer, after the warm-up" \
        test $((KIB_MAX - KIB_WARM)) -le $((1024 * (1 + BUFFER_MIB)))
fi
# Before it connects, txtap looks in /proc for the process of the server: a directory of processes, a directory of their
# files, and a file are open for a moment.
check "no descriptor is left open" is "$FDS $((FDS_MAX <= FDS_FIRST + 3))" "$FDS_FIRST 1"
e2e_end
