#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that txtap recognises servers of other projects before it connects: servers that halt their target get no
# connection, the others are used as far as the core is proved to run. usage: servers.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
source "$(dirname "${BASH_SOURCE[0]}")/usb_lib.sh"

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
CONSEQUENCES='[.halts, .resumes, .steps, .resets, .register_writes] | add'

# A server with the given name. It writes a line for each connection and for each byte sequence to $SERVER_LOG. At the
# first byte of a connection it connects to $UPSTREAM, if this is set, and forwards everything in both directions.
FORWARD='
    use strict;
    my ($port_file, $log_file, $upstream) = @ARGV;
    my $listener = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => 0) or die;
    open(my $log, ">", $log_file) or die;
    $log->autoflush(1);
    open(my $f, ">", "$port_file.new") or die;
    print $f $listener->sockport(), "\n";
    close $f;
    rename "$port_file.new", $port_file;
    my $waiting = IO::Select->new($listener);
    my %other;
    while (1) {
        for my $ready ($waiting->can_read()) {
            if ($ready == $listener) {
                $waiting->add($listener->accept());
                print $log "connection\n";
                next;
            }
            my $bytes;
            if (!sysread($ready, $bytes, 65536)) {
                for my $end ($ready, delete $other{$ready}) {
                    next unless $end;
                    $waiting->remove($end);
                    close $end;
                }
                next;
            }
            if (!$other{$ready}) {
                print $log "bytes\n";
                next unless $upstream;
                my $peer = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $upstream) or die;
                $other{$ready} = $peer;
                $other{$peer} = $ready;
                $waiting->add($peer);
            }
            syswrite($other{$ready}, $bytes);
        }
    }'

# serve_as NAME [ARGUMENT]...: starts the server; sets SERVER_PID SERVER_PORT SERVER_LOG.
serve_as() {
    E2E_STARTS=$((E2E_STARTS + 1))
    local port_file=$WORK/server.$E2E_STARTS
    SERVER_LOG=$port_file.log
    (exec -a "$1" perl -MIO::Socket::INET -MIO::Select -e "$FORWARD" "$port_file" "$SERVER_LOG" "${UPSTREAM:-0}" "${@:2}") &
    SERVER_PID=$!
    E2E_PIDS+=("$SERVER_PID")
    await "$SERVER_PID" test -s "$port_file" || die "the server $1 did not start"
    SERVER_PORT=$(<"$port_file")
}

# stop_server [SIGNAL]
stop_server() {
    kill "-${1:-TERM}" "$SERVER_PID" 2>/dev/null || true
    wait "$SERVER_PID" 2>/dev/null || true
    forget "$SERVER_PID"
}

untouched() { audit_now && is "$(audit "$CONSEQUENCES")" 0; }
is_halted() { audit_now && (($(audit .halts) >= 1)); }
has_connections() { [[ $(grep -c connection "$SERVER_LOG") == "$1" ]]; }
no_connection() { is "$(cat "$SERVER_LOG")" ""; }

# refuses NAME PATTERN [ARGUMENT]...: checks that txtap refuses the server that now listens at SERVER_PORT.
refuses() {
    check "$1 is refused by name" txtap_fails 4 "127.0.0.1:$SERVER_PORT is $2: txtap does not connect: " \
        tail --gdb "$SERVER_PORT" "${@:3}" "$DEMO"
    check "$1: no connection was made" no_connection
}

echo "# servers that halt their target, under their names"
HALTS='(process [0-9]*), which halts its target for each client'
for name in "pyocd:pyOCD's gdbserver" "/opt/probe-rs:probe-rs gdb" "st-util:st-util" "cargo-embed:cargo-embed" \
    "blackmagic:Black Magic's GDB server" "/usr/local/LinkServer/LinkServer:LinkServer"; do
    serve_as "${name%%:*}"
    refuses "${name#*:}" "${name#*:} $HALTS"
    refuses "${name#*:} with --trust-gdb" "${name#*:} $HALTS" --trust-gdb
    refuses "${name#*:} with --intrusive" "${name#*:} $HALTS" --intrusive
    stop_server
done
serve_as pyocd server
refuses "pyOCD's remote probe server" "pyOCD's remote probe server (process [0-9]*), which is not a GDB server" --trust-gdb
stop_server
serve_as st-util
check "a port of st-util is not taken for OpenOCD's Tcl port" txtap_fails 4 "is st-util .*, and not OpenOCD's Tcl port" \
    tail --tcl "$SERVER_PORT" "$DEMO"
check "and no connection was made" no_connection
stop_server

echo "# servers that halt under conditions"
serve_as JLinkGDBServerCLExe -device STM32F405RG
refuses JLinkGDBServer "JLinkGDBServer (process [0-9]*), which may halt its target"
check "the message has the option that helps" said "start it with -nohalt"
stop_server
serve_as ST-LINK_gdbserver -p 61234
refuses ST-LINK_gdbserver "ST-LINK_gdbserver (process [0-9]*), which may halt its target"
check "the message recommends to share the probe" said "stlink-server"
stop_server

start_board "$DEMO"
free_port
start_openocd -c "gdb_port $PORT"
UPSTREAM=$PORT
serve_as JLinkGDBServerCLExe -nohalt -noir
check "JLinkGDBServer is not read with --intrusive" txtap_fails 4 "is JLinkGDBServer, and --intrusive works only with QEMU" \
    tail --gdb "$SERVER_PORT" --intrusive "$DEMO"
check "and no connection was made" no_connection
run_txtap tail --gdb "$SERVER_PORT" --limit 10 "$DEMO"
check "JLinkGDBServer with -nohalt is used" is "$STATUS $(event_lines "$OUT")" "0 10"
check "which was proved" said "JLinkGDBServer 127.0.0.1:$SERVER_PORT: the core runs: DHCSR.S_HALT was 0"
check "the server is named" said "attached to JLinkGDBServer 127.0.0.1:$SERVER_PORT:"
check "nothing was halted" untouched
ocd halt >/dev/null
audit_now
resumes=$(audit .resumes)
exec {second}<>"/dev/tcp/127.0.0.1/$SERVER_PORT"
await "$SERVER_PID" has_connections 2
check "a core that another client may have halted ends the attempt" \
    txtap_fails 4 "the core is halted, by the other client of this server or because txtap connected" \
    tail --gdb "$SERVER_PORT" "$DEMO"
audit_now
check "and stays halted" is "$(ocd 'txtap.cpu curstate') $(audit .resumes)" "halted $resumes"
exec {second}>&-
stop_server
stop_openocd
free_port
start_openocd -c "gdb_port $PORT" -c 'txtap.cpu configure -event gdb-attach {}'
UPSTREAM=$PORT
ocd resume >/dev/null
serve_as ST-LINK_gdbserver -p 61234
check "a server that halts although it is trusted is found out" \
    txtap_fails 4 "has halted its target, or found it halted, and txtap detached" tail --gdb "$SERVER_PORT" --trust-gdb "$DEMO"
stop_server
stop_openocd
UPSTREAM=""
stop_board

# pyOCD waits for a probe that does not exist, so it uses no probe of this machine. It listens only when it has a probe.
# So it inherits a socket that listens, and txtap sees the real process with its interpreter.
echo "# the real programs, as far as they start here"
if command -v pyocd-gdbserver >/dev/null; then
    SERVER_LOG=$WORK/pyocd.log
    perl -MIO::Socket::INET -e '
        $^F = 255;
        my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => 0) or die;
        open(my $f, ">", "$ARGV[0].new") or die;
        print $f $s->sockport(), "\n";
        close $f;
        rename "$ARGV[0].new", $ARGV[0];
        exec "pyocd-gdbserver", "-b", "no-such-probe"' "$WORK/pyocd.port" >"$SERVER_LOG" 2>&1 &
    SERVER_PID=$!
    E2E_PIDS+=("$SERVER_PID")
    await "$SERVER_PID" grep -q "Waiting for a debug probe" "$SERVER_LOG" || die "pyOCD did not start: $(cat "$SERVER_LOG")"
    SERVER_PORT=$(<"$WORK/pyocd.port")
    check "the real pyOCD is refused by name" \
        txtap_fails 4 "is pyOCD's gdbserver $HALTS" tail --gdb "$SERVER_PORT" --trust-gdb "$DEMO"
    stop_server
else
    skip "the real pyOCD is refused by name" "pyocd-gdbserver is not installed"
fi
if command -v st-util >/dev/null && [[ -x $USBPROBE ]]; then
    start_usb_board stlink-v2-1 "$DEMO"
    start_usb_probe stlink-v2-1
    free_port
    SERVER_PORT=$PORT
    "${OPENOCD_UNDER[@]}" st-util -n -p "$SERVER_PORT" >"$WORK/st-util.log" 2>&1 &
    SERVER_PID=$!
    E2E_PIDS+=("$SERVER_PID")
    await "$SERVER_PID" grep -q "Listening at" "$WORK/st-util.log" || die "st-util did not start: $(cat "$WORK/st-util.log")"
    check "the real st-util is refused by name" \
        txtap_fails 4 "is st-util $HALTS" tail --gdb "$SERVER_PORT" --trust-gdb "$DEMO"
    check "it has seen no client" is "$(grep -c "GDB connected" "$WORK/st-util.log")" 0
    check "nothing was halted" untouched
    # Checks the check above: st-util halts the board for a client.
    exec {client}<>"/dev/tcp/127.0.0.1/$SERVER_PORT"
    check "a client would have halted the board" await "$SERVER_PID" is_halted
    exec {client}>&-
    stop_server KILL # its handler for SIGTERM may wait forever for a USB transfer
    stop_usb_probe
    stop_board
else
    skip "the real st-util is refused by name" "st-util or the emulated USB is missing"
fi

e2e_end
