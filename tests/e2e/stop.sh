#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that the first SIGINT or SIGTERM ends every command, whatever the command waits for. Messages and the exit
# status, not a clock, prove that the signal ended the command and not a timeout.   usage: stop.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
TXTAP=$BUILD/capture/txtap
SAMPLE=$E2E_ROOT/tests/data/demo_threadx.trx
IMAGE="--image $SAMPLE@0x6ca4 --address 0x6ca4"

# Opens a port on 127.0.0.1 whose connection queue is full, so that connecting to the port never ends. Sets PEER_PORT.
start_full_port() {
    E2E_STARTS=$((E2E_STARTS + 1))
    PEER=$WORK/peer.$E2E_STARTS
    perl -MIO::Socket::INET -e '
        my $s = IO::Socket::INET->new(Listen => 0, LocalAddr => "127.0.0.1", LocalPort => 0) or die;
        my @kept;
        push @kept, IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $s->sockport(), Blocking => 0) for 1 .. 4;
        open(my $f, ">", "$ARGV[0].new") or die;
        print $f $s->sockport(), "\n";
        close $f;
        rename "$ARGV[0].new", $ARGV[0];
        sleep 1000;
    ' "$PEER" &
    E2E_PIDS+=("$!")
    await "$!" test -s "$PEER" || die "the peer did not start"
    PEER_PORT=$(<"$PEER")
}

# Succeeds once txtap has been executed and handles signals.
catches_sigterm() {
    local caught
    [[ $(readlink "/proc/$1/exe") == "$(realpath "$TXTAP")" ]] || return 1
    caught=$(sed -n 's/^SigCgt:\t*//p' "/proc/$1/status" 2>/dev/null)
    [[ $caught ]] && ((16#$caught & 16#4000))
}

# stop SENTENCE SIGNAL STATUS WORDS: checks that one signal ends $TXTAP_PID with STATUS. Standard error must match
# WORDS, without a message that a server did not answer in time.
stop() {
    local sentence=$1 problem="" turn begin
    begin=${EPOCHREALTIME/./}
    kill "-$2" "$TXTAP_PID" 2>/dev/null || true
    # txtap should end within half a second, but on a busy machine it may need longer.
    for ((turn = 0; turn < 10 * E2E_PATIENCE_S; turn++)); do
        kill -0 "$TXTAP_PID" 2>/dev/null || break
        pause
    done
    echo "# $(((${EPOCHREALTIME/./} - begin) / 1000)) ms"
    if kill -0 "$TXTAP_PID" 2>/dev/null; then
        kill -KILL "$TXTAP_PID"
        problem+=" [did not end]"
    fi
    end_txtap
    [[ $STATUS == "$3" ]] || problem+=" [status $STATUS, want $3]"
    [[ ! $4 ]] || grep -qE -- "$4" "$ERR" || problem+=" [no '$4']"
    ! grep -q "does not answer within" "$ERR" || problem+=" [waited on]"
    [[ ! $problem ]] || echo "#$problem: $(cut -c-200 "$ERR")"
    check "$sentence" test ! "$problem"
}

# stopped SENTENCE SIGNAL STATUS WORDS ARGUMENT...: starts txtap, and ends it like `stop`.
stopped() {
    local sentence=$1 signal=$2 status=$3 words=$4
    shift 4
    start_txtap "$@"
    await "$TXTAP_PID" catches_sigterm "$TXTAP_PID" || die "$* did not start: $(cat "$ERR")"
    stop "$sentence" "$signal" "$status" "$words"
}

echo "# servers"
silent=''
half='print $c "txtap-probe ";'
for kind in silent half; do
    start_peer "${!kind}"
    stopped "tail, a $kind server" INT 0 "" tail --tcl "$PEER_PORT" "$DEMO"
    stopped "record" TERM 0 "" record --tcl "$PEER_PORT" -o "$WORK/never" "$DEMO"
    stopped "snapshot" TERM 1 "interrupted" snapshot --tcl "$PEER_PORT" -o "$WORK/never" "$DEMO"
    stopped "info" INT 1 "interrupted" info --tcl "$PEER_PORT" "$DEMO"
    stopped "tail --wait" INT 0 "" tail --wait --tcl "$PEER_PORT" "$DEMO"
done
for greeting in '' 'print $c "+\$";'; do
    start_peer "$greeting"
    stopped "tail --gdb, '$greeting'" INT 0 "" tail --gdb "$PEER_PORT" --trust-gdb "$DEMO"
    stopped "info --gdb" TERM 1 "interrupted" info --gdb "$PEER_PORT" --trust-gdb "$DEMO"
done
check "no file was made" test ! -e "$WORK/never"
start_full_port
stopped "a connection that is never accepted" TERM 0 "" tail --tcl "$PEER_PORT" "$DEMO"
stopped "the same with info" INT 1 "interrupted" info --tcl "$PEER_PORT" "$DEMO"
free_port
stopped "--wait without a server" INT 0 "" tail --wait --tcl "$PORT" "$DEMO"

echo "# files"
mkfifo "$WORK/empty" "$WORK/unread" "$WORK/nobody"
sleep 1000 <>"$WORK/empty" >"$WORK/empty" & # a process that opens the pipe for writing and never writes
E2E_PIDS+=("$!")
sleep 1000 <>"$WORK/unread" & # a process that opens the pipe for reading and never reads
E2E_PIDS+=("$!")
stopped "decode of a pipe without data" TERM 1 "Interrupted" decode "$WORK/empty"
# shellcheck disable=SC2086 # $IMAGE has several words
for arguments in "decode -q -o $WORK/unread $SAMPLE" "tail -q $IMAGE -f jsonl -o $WORK/unread"; do
    start_txtap $arguments
    await "$TXTAP_PID" catches_sigterm "$TXTAP_PID"
    stop "${arguments%% *} into a pipe that nobody reads" TERM 1 "unread: (nobody reads it|cannot be written)"
done
stopped "checks from a pipe that nobody writes to" INT 1 "nobody: Interrupted" report --checks "$WORK/nobody" "$SAMPLE"
stopped "checks from a pipe without data" TERM 1 "empty: Interrupted" report --checks "$WORK/empty" "$SAMPLE"
stopped "decode of a pipe that nobody has opened" INT 1 "Interrupted" decode "$WORK/nobody"

echo "# a server that stops in the middle"
start_board "$DEMO"
start_openocd
# Succeeds once OpenOCD has closed all GDB connections. OpenOCD accepts one GDB connection at a time. It refuses the
# next connection until it has noticed that the previous connection is closed.
has_dropped_all() { (($(grep -c "^Info : dropped '" "$OPENOCD_LOG") == $(grep -c "^Info : accepting '" "$OPENOCD_LOG"))); }
for way in "--tcl $TCL_PORT" "--gdb $GDB_PORT --trust-gdb"; do
    for command in "tail -f jsonl" "record -o $WORK/recorded --force"; do
        rm -f "$WORK/recorded"
        # shellcheck disable=SC2086 # $command and $way have several words
        start_txtap $command $way --limit 1000000 "$DEMO"
        if [[ $command == tail* ]]; then
            await_lines "$OUT" 100
        else
            await "$TXTAP_PID" test -s "$WORK/recorded"
        fi
        kill -STOP "$OPENOCD_PID"
        stop "${command%% *} ${way%% *}" INT 0 "events in"
        kill -CONT "$OPENOCD_PID"
        await "$OPENOCD_PID" has_dropped_all || die "OpenOCD keeps a connection"
    done
done
start_txtap tail --tcl "$TCL_PORT" -f jsonl "$DEMO"
await_lines "$OUT" 100
stop_openocd
await "$TXTAP_PID" grep -q detached "$ERR"
stop "while it tries to connect again" TERM 0 "events in"
e2e_end
