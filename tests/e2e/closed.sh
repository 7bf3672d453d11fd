#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap with standard input, output or error closed. No file of txtap may get the free descriptor, because
# output would then reach the server. A command with output must fail with a message.   usage: closed.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
TXTAP=$BUILD/capture/txtap
TRX=$E2E_ROOT/tests/data/demo_threadx.trx
CONSEQUENCES='[.halts, .resumes, .steps, .resets, .register_writes] | add'
WRITES='.writes | [.ram, .flash, .peripheral, .system, .fault] | map(.count) | add'
COMBINATIONS=("<&-" ">&-" "2>&-" "<&- >&-" "<&- 2>&-" ">&- 2>&-" "<&- >&- 2>&-")

# start_relay PORT PATTERN: starts a relay to the server at PORT of 127.0.0.1. For data from a client that matches the
# pattern completely, the relay adds a line to $WIRE.whole; for all other data from a client, a line to $WIRE.foreign.
# Sets RELAY_PID RELAY_PORT WIRE.
start_relay() {
    E2E_STARTS=$((E2E_STARTS + 1))
    WIRE=$WORK/wire.$E2E_STARTS
    perl -MIO::Socket::INET -e '
        use strict;
        $SIG{PIPE} = "IGNORE";
        $SIG{CHLD} = "IGNORE";
        my ($port, $pattern, $wire) = @ARGV;
        my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => 0) or die;
        open(my $f, ">", "$wire.new") or die;
        print $f $s->sockport(), "\n";
        close $f;
        rename "$wire.new", $wire;
        while (my $client = $s->accept()) {
            next if fork();
            note("begun", "");
            my ($sent, $bytes) = ("", "");
            my $server = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $port) or exit 1;
            for (my $open = 1; $open;) {
                my $ready = "";
                vec($ready, fileno($_), 1) = 1 for $client, $server;
                select($ready, undef, undef, undef);
                for my $way ([$client, $server], [$server, $client]) {
                    next unless vec($ready, fileno($way->[0]), 1);
                    if (!sysread($way->[0], $bytes, 65536)) { $open = 0; last }
                    $sent .= $bytes if $way->[0] == $client;
                    for (my $at = 0; $at < length $bytes;) {
                        my $put = syswrite($way->[1], $bytes, length($bytes) - $at, $at);
                        if (!$put) { $open = 0; last }
                        $at += $put;
                    }
                }
            }
            my $kind = $sent =~ /\A(?:$pattern)*\z/ ? "whole" : "foreign";
            note($kind, unpack("H*", substr($sent, -60)));
            exit 0;
        }
        sub note {
            open(my $log, ">>", "$wire.$_[0]") or die;
            syswrite($log, "$_[1]\n");
        }
    ' "$1" "$2" "$WIRE" &
    RELAY_PID=$!
    E2E_PIDS+=("$RELAY_PID")
    await "$RELAY_PID" test -s "$WIRE" || die "the relay did not start"
    RELAY_PORT=$(<"$WIRE")
}

# run_closed ARGUMENT...: runs txtap with closed standard files; sets STATUS OUT ERR.
run_closed() {
    OUT=$DESK/out ERR=$DESK/err STATUS=0
    : >"$OUT" >"$ERR"
    eval 'timeout --foreground -k 5 "$E2E_RUN_S" "$TXTAP" "$@"' '<"$TRX" >"$OUT" 2>"$ERR"' "$COMBINATION" || STATUS=$?
}

reports_closed_output() {
    [[ $COMBINATION == *"2>&-"* ]] || grep -q '^txtap: standard output is closed: ' "$ERR"
}

# silent WANT ARGUMENT...: runs txtap with $COMBINATION in the folder $DESK, and prints any failure. WANT is the
# expected status if standard output is closed. If standard output is open, the expected status is 0.
silent() {
    local want=$1 problem=""
    shift
    [[ " $COMBINATION" == *" >&-"* ]] || want=0
    rm -f "$DESK/written"
    run_closed "$@"
    [[ $STATUS == "$want" ]] || problem+=" [status $STATUS, want $want]"
    [[ $want == 0 ]] || reports_closed_output || problem+=" [it says: $(head -1 "$ERR")]"
    [[ ! $problem ]] || echo "# $* $COMBINATION:$problem"
}

without_a_server() {
    silent 1 decode -q "$TRX"
    silent 0 decode -q -o "$DESK/written" "$TRX"
    silent 1 --help
    silent 1 tail --help
    silent 1 --version
}

with_a_server() { # ADDRESS...
    # Seven run at once, so on a busy host an answer may take longer than txtap's default time limit.
    set -- "$@" --wait=180s
    silent 1 tail "$@" --limit 30 "$DEMO"
    silent 0 tail "$@" --limit 30 --fields thread -o "$DESK/written" "$DEMO"
    silent 0 record "$@" --limit 30 -o "$DESK/written" "$DEMO"
    silent 1 record "$@" --limit 30 -o - "$DEMO"
    silent 0 snapshot "$@" -o "$DESK/written" "$DEMO"
    silent 1 snapshot "$@" -o - "$DEMO"
    silent 1 info "$@" --seconds 0.05 "$DEMO"
}

# all_silent FUNCTION ARGUMENT...: calls the function for every combination, in parallel.
all_silent() {
    local pids=() pid
    for COMBINATION in "${COMBINATIONS[@]}"; do
        DESK=$(mktemp -d "$WORK/desk.XXXXXX")
        "$@" >"$DESK/problems" &
        pids+=("$!")
    done
    for pid in "${pids[@]}"; do wait "$pid"; done
    cat "$WORK"/desk.*/problems
    [[ ! $(cat "$WORK"/desk.*/problems) ]] || return 1
    rm -r "$WORK"/desk.*
}

all_connections_ended() {
    (($(wc -l <"$WIRE.begun") == $(cat "$WIRE.whole" "$WIRE.foreign" 2>/dev/null | wc -l)))
}

# Checks that the server received txtap's requests and nothing else.
nothing_foreign() {
    await "$RELAY_PID" all_connections_ended || return 1
    [[ ! -s $WIRE.foreign ]] || sed 's/^/# foreign: /' "$WIRE.foreign" | head -5
    [[ ! -s $WIRE.foreign && -s $WIRE.whole ]]
}

check "commands without a server: output to a closed standard output is an error" all_silent without_a_server
COMBINATION="<&-" DESK=$WORK
run_closed decode -
check "a closed standard input is an error" is "$STATUS $(<"$ERR")" "1 txtap: standard input is closed: give FILE"
for option in --help --version "tail --help" "decode -q $TRX"; do
    STATUS=0
    # shellcheck disable=SC2086 # $option has several words
    "$TXTAP" $option >/dev/full 2>"$WORK/err" || STATUS=$?
    check "${option%% /*} on a full disk is an error" is "$STATUS $(cut -c-66 "$WORK/err")" \
        "1 txtap: standard output: cannot be written: No space left on device"
done

start_board "$DEMO"
start_openocd -c '[target current] configure -gdb-max-connections 20'
procedures=$(perl -0pe 's/\s*\z//; $_ = quotemeta' "$E2E_ROOT/openocd-cfg/txtap.tcl")
start_relay "$TCL_PORT" \
    '\nlist txtap-probe \[catch version v\] \$v\n\n\x1a|'"(?:$procedures)?"'\s*txtap_quietly \w+ \[txtap_[\w .]+\]\s*\x1a'
check "OpenOCD's Tcl port: commands end as they should" all_silent with_a_server --tcl "$RELAY_PORT"
check "not a byte of output reached it" nothing_foreign
check "OpenOCD got no unknown command" is "$(grep -c 'invalid command' "$OPENOCD_LOG" || true)" 0
start_relay "$GDB_PORT" '\+|\$(?:qSupported|QStartNoAckMode|\?|m[0-9a-f]+,[0-9a-f]+|qqemu\.sstepbits)#[0-9a-f]{2}'
check "OpenOCD's GDB port: the same" all_silent with_a_server --gdb "$RELAY_PORT" --trust-gdb
check "not a byte of output reached it" nothing_foreign
audit_now
check "the target was not disturbed" is "$(audit "$CONSEQUENCES") $(audit "$WRITES")" "0 0"
stop_all

# If the board used the descriptors of closed standard files for its sockets, its messages would go to the debugger.
PORT_FILE=$WORK/closed.port
"$VBOARD" --port 0 --port-file "$PORT_FILE" --verbose "$DEMO" <&- >&- 2>&- &
BOARD_PID=$!
E2E_PIDS+=("$BOARD_PID")
check "a board with all three closed starts" await "$BOARD_PID" test -s "$PORT_FILE"
check "none of these descriptors is one of its sockets" is \
    "$(readlink "/proc/$BOARD_PID/fd/0" "/proc/$BOARD_PID/fd/1" "/proc/$BOARD_PID/fd/2" | sort -u)" /dev/null
e2e_end
