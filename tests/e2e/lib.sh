# SPDX-License-Identifier: MIT
# Shared by the end-to-end tests: starts and stops virtual boards and OpenOCD servers on free ports, and counts
# checks. Sourced by bash scripts that run under `set -euo pipefail`:
#
#   source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
#   e2e_begin BUILD_DIRECTORY       finds the binaries, makes $WORK, cleans up at exit, also a tmux server at
#                                   $WORK/tmux; no other EXIT trap may replace that
#   start_board [OPTION]... ELF     sets BOARD_PID BOARD_PORT BOARD_LOG BOARD_AUDIT QEMU_PID
#   start_openocd [ARGUMENT]...     starts OpenOCD on that board; sets OPENOCD_PID TCL_PORT GDB_PORT OPENOCD_LOG
#   start_peer STATEMENTS           a server in Perl that runs them on each connection $c; sets PEER (its port file)
#                                   PEER_PID PEER_PORT
#   stop_peer
#   ocd COMMAND                     sends one command to the Tcl port; prints the answer
#   ocd_try COMMAND                 prints "0 RESULT" or "1 MESSAGE"
#   symbol ELF NAME                 prints the symbol's address
#   audit_now; audit FILTER         makes the board write its audit; prints what a jq filter finds in it
#   check SENTENCE COMMAND...       ok if the command succeeds; otherwise prints the lines of the script that called it
#   skip SENTENCE REASON            reports a check that is not possible on this machine
#   stop_board [SIGNAL]; stop_openocd; stop_all
#   free_port                       sets PORT, a port reserved for this script; a server that is restarted needs one
#   pause [SECONDS]                 waits; a tenth of a second by default
#   await PID COMMAND...            waits until the command succeeds; fails if process PID ends before
#   memory_kib PID                  a process's own memory
#   rises_to NAME COUNT             waits until the variable NAME of the firmware $ELF is at least COUNT
#   e2e_end                         prints the totals; its status is the script's: 77 if a check was skipped
#   is GOT WANT                     for check: succeeds if GOT equals WANT; otherwise prints both
#   grep_all PATTERN                after a pipe, in place of grep -q: reads the whole input
#   is_true FILE FILTER [OPTION]... for check: succeeds if jq's FILTER, with these options of jq, gives true for FILE; otherwise
#                                   prints the terms that are not true, and their values
#   word ADDRESS                    the target's word there, in decimal, through OpenOCD
#   run_txtap ARGUMENT...           runs txtap to its end; sets STATUS; its output is in $OUT and $ERR
#   said PATTERN                    for check: the last txtap's standard error matches PATTERN
#   failed STATUS PATTERN           for check: the last txtap ended with STATUS and wrote one line to standard error, which matches
#   txtap_exits STATUS ARGUMENT...; txtap_fails STATUS PATTERN ARGUMENT...   for check: run_txtap, and then the same checks
#   start_txtap ARGUMENT...         run_txtap in the background; sets TXTAP_PID
#   end_txtap [SIGNAL]              ends it with a signal, or waits for its end; sets STATUS
#   tail_rest COUNT ARGUMENT...     runs txtap tail on a ring at rest until it has printed COUNT events; sets STATUS
#   await_lines FILE COUNT          waits until a file has COUNT lines; fails if txtap ends before
#   value NAME                      prints a variable of the firmware $ELF
#   await_more COUNT                waits for COUNT more lines in $EVENTS
#   await_marks TYPE COUNT          waits until $EVENTS has COUNT lines of TYPE in total; count_of TYPE prints their number
#   outage FAULT                    makes a fault on the board until the txtap with output $EVENTS has reported it, and waits until txtap has
#                                   attached again; calls the script's function control, which sends a command to the control port
#   reset_target                    resets the target through OpenOCD and waits until $EVENTS shows it; see resets_reported
#   attached PID FILE               waits until a txtap, whose messages go to that file, has attached to the target
#   release ELF                     lets the demo begin its load, on a board of start_board --set demo_hold=1
#   end_load ELF                    lets the demo end its load, and waits until the ring rests
#   await_stopped ELF               waits until the demo has ended its load and the ring rests
#   event_lines [FILE]              prints how many lines of text are events, not gaps
#   no_unreported_loss              for check: a run with --strict and --stats-json $STATS lost nothing, or reported the loss
#   stays_named FILE                for check: no permanent thread in a JSON Lines file is shown as an address
#                                   after it had a name, except after a gap
#   ledger FILE                     checks the stream of a JSON Lines file; sets STREAM_* (see ledger.awk)
#
# PATIENT=(--timeout 1min) before a run adds these options to each command of run_txtap and start_txtap that reads through
# OpenOCD. By default txtap detaches after three seconds without an answer, and an event waits a second for names. On a
# busy host both may take longer.
#
# Processes are ended by the process ids noted when they were started, never by name. A script that ends before e2e_end
# prints the command that failed, and the last lines of its logs. A script that has not ended after E2E_LIMIT_S seconds
# (1800; 0: no limit; set it before you source lib.sh) is ended with all its processes, and prints the same.
# What a test may assert: docs/developer/testing.md.

E2E_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
PASSED=0 FAILED=0 SKIPPED=0
BOARD_PID="" OPENOCD_PID="" QEMU_PID=""
OPENOCD_UNDER=() # command prefix for OpenOCD, such as env with variables
E2E_PIDS=()
E2E_STARTS=0
PATIENT=()
# Longest wait for an event. A busy host may delay a process for a minute. So an event that takes longer never occurs.
E2E_PATIENCE_S=300
E2E_PORTS=${TMPDIR:-/tmp}/txtap-ports.$UID
E2E_ENDED=""
: "${E2E_LIMIT_S:=1800}"
# Longest run of a single program. It is the last resort if the program hangs.
E2E_RUN_S=600
E2E_GRACE_S=30

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

e2e_begin() {
    BUILD=$(cd "${1:?usage: ${0##*/} BUILD_DIRECTORY}" && pwd)
    VBOARD=$BUILD/target/vboard/txtap-vboard
    FIRMWARE=$BUILD/firmware
    [[ -x $VBOARD ]] || die "no $VBOARD: build the target txtap-vboard first"
    local tool
    for tool in openocd qemu-system-arm jq od cmp; do
        command -v "$tool" >/dev/null || die "$tool is not installed"
    done
    [[ $WORK ]] || WORK=$(mktemp -d)
    set -E
    trap 'e2e_stopped $? "$BASH_COMMAND"' ERR
    trap 'e2e_cleanup' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

# Prints the lines of the scripts at which the caller of this function was called.
e2e_places() {
    local i
    for ((i = 2; i < ${#FUNCNAME[@]}; i++)); do
        printf ' %s:%s' "${BASH_SOURCE[i]##*/}" "${BASH_LINENO[i - 1]}"
    done
}

# Prints the command that failed unexpectedly, and its callers.
e2e_stopped() {
    [[ $- == *e* ]] || return 0 # without -e, in a command substitution, a failed command does not end the script
    printf '# %s: status %d of: %s\n#   at%s\n' "${0##*/}" "$1" "$2" "$(e2e_places)" >&2
}

e2e_cleanup() {
    local status=$?
    trap - ERR
    if [[ ! $E2E_ENDED ]] && ((status != 0)); then e2e_last_words >&2; fi
    stop_all
    e2e_remove_work
    exit "$status"
}

e2e_remove_work() {
    if [[ -S $WORK/tmux ]]; then tmux -S "$WORK/tmux" kill-server 2>/dev/null || true; fi
    rm -rf "$WORK"
}

# e2e_watch ARGUMENT...: runs the script again, in a new process group and with the folder $WORK, and exits with the
# status of that run. After E2E_LIMIT_S it ends the group.
e2e_watch() {
    local group timer status
    WORK=$(mktemp -d)
    set -m
    E2E_WORK=$WORK "$0" "$@" </dev/null &
    group=$!
    sleep "$E2E_LIMIT_S" >/dev/null 2>&1 &
    timer=$!
    set +m
    trap 'kill -INT -- "-$group"' INT
    trap 'kill -TERM -- "-$group"' TERM HUP
    while :; do
        status=0
        wait -n "$group" "$timer" || status=$?
        kill -0 "$timer" 2>/dev/null || break
        # If the group still runs, a signal ended `wait`. The group got this signal, too.
        kill -0 "$group" 2>/dev/null || { kill "$timer"; exit "$status"; }
    done
    printf '# %s has not ended after %s s. Its processes:\n' "${0##*/}" "$E2E_LIMIT_S" >&2
    ps -A -o pgid=,pid=,etime=,args= | awk -v group="$group" '$1 == group { print "#  " substr($0, 1, 300) }' >&2
    kill -TERM -- "-$group"
    sleep "$E2E_GRACE_S" &
    timer=$!
    wait -n "$group" "$timer" || true
    if kill -0 "$timer" 2>/dev/null; then
        kill "$timer"
    else
        e2e_last_words >&2
    fi
    kill -KILL -- "-$group" 2>/dev/null || true
    e2e_remove_work
    exit 1
}

e2e_last_words() {
    local log
    printf '# ended early, with %d passed, %d failed; the last lines of each log:\n' "$PASSED" "$FAILED"
    for log in "$WORK"/*.log "${ERR:-$WORK/err}"; do
        [[ -s $log ]] || continue
        printf '# %s:\n' "${log##*/}"
        tail -n 8 "$log" | cut -c 1-300 | sed 's/^/#   /'
    done
}

e2e_end() {
    if [[ $(trap -p EXIT) != "trap -- 'e2e_cleanup' EXIT" ]]; then
        trap 'e2e_cleanup' EXIT
        die "the script has set its own EXIT trap: a failed check would not be its status"
    fi
    E2E_ENDED=yes
    trap - ERR
    printf '%d passed, %d failed' "$PASSED" "$FAILED"
    if ((SKIPPED > 0)); then printf ', %d skipped' "$SKIPPED"; fi
    printf '\n'
    ((FAILED == 0)) || exit 1
    ((SKIPPED == 0)) || exit 77 # CTest reports the test as skipped
}

check() {
    local sentence=$1
    shift
    if "$@"; then
        printf 'ok - %s\n' "$sentence"
        PASSED=$((PASSED + 1))
    else
        printf 'not ok - %s\n#   at%s\n' "$sentence" "$(e2e_places)"
        FAILED=$((FAILED + 1))
    fi
}

# Succeeds if the caller says that nothing else runs on the host: TXTAP_E2E_QUIET=1. Only then do times, and shares of
# time on the virtual board, say something about txtap.
is_quiet() { [[ ${TXTAP_E2E_QUIET:-} ]]; }

skip() {
    printf 'ok - %s # SKIP %s\n' "$1" "$2"
    SKIPPED=$((SKIPPED + 1))
}

# Finds a free port below the range from which the system assigns ports, so that only these scripts use it. A lock for
# each port number keeps the port for this script until the script and all its processes have ended.
free_port() {
    local lock
    ((BASH_SUBSHELL == 0)) || die "free_port sets PORT: in a substitution its lock would not last"
    mkdir -p "$E2E_PORTS"
    while :; do
        PORT=$((20000 + (RANDOM << 15 | RANDOM) % 12000))
        exec {lock}>"$E2E_PORTS/$PORT"
        if flock -n "$lock" && ! (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; then return; fi
        exec {lock}>&-
    done
}

# pause [SECONDS]: waits for a tenth of a second by default. It needs no process: it reads from a pipe to which nothing
# is ever written.
exec {E2E_NOTHING}<> <(:)
pause() { read -rt "${1:-0.1}" -u "$E2E_NOTHING" || true; }

# Waits until the command succeeds. Fails if process $1 ends first, or after E2E_PATIENCE_S. Tries the command often
# at first, and later less often.
await() {
    local pid=$1 end=$((SECONDS + E2E_PATIENCE_S)) seconds=0.02 turn
    shift
    for ((turn = 0; SECONDS < end; turn++)); do
        if "$@" 2>/dev/null; then return 0; fi
        kill -0 "$pid" 2>/dev/null || return 1
        case $turn in 5) seconds=0.1 ;; 25) seconds=0.3 ;; esac
        pause "$seconds"
    done
    return 1
}

# Prints a process's memory without pages of files, which the kernel may load and drop at any time.
memory_kib() { awk '/^(RssAnon|VmSwap):/ { sum += $2 } END { print sum }' "/proc/$1/status"; }

start_board() {
    E2E_STARTS=$((E2E_STARTS + 1))
    local port_file=$WORK/port.$E2E_STARTS
    BOARD_LOG=$WORK/board.$E2E_STARTS.log
    BOARD_AUDIT=$WORK/audit.$E2E_STARTS.json
    "$VBOARD" --port 0 --port-file "$port_file" --audit "$BOARD_AUDIT" "$@" >"$BOARD_LOG" 2>&1 &
    BOARD_PID=$!
    E2E_PIDS+=("$BOARD_PID")
    await "$BOARD_PID" test -s "$port_file" || die "the board did not start: $(cat "$BOARD_LOG")"
    BOARD_PORT=$(<"$port_file")
    QEMU_PID=$(audit_number qemu_pid)
}

start_openocd() {
    E2E_STARTS=$((E2E_STARTS + 1))
    OPENOCD_LOG=$WORK/openocd.$E2E_STARTS.log
    local config=(-f "$E2E_ROOT/openocd-cfg/vboard.cfg")
    if [[ ${1:-} == -f ]]; then config=(); fi
    "${OPENOCD_UNDER[@]}" openocd -c "set VBOARD_PORT $BOARD_PORT; set TXTAP_TCL_PORT 0; set TXTAP_GDB_PORT 0" "${config[@]}" "$@" \
        >"$OPENOCD_LOG" 2>&1 &
    OPENOCD_PID=$!
    E2E_PIDS+=("$OPENOCD_PID")
    await "$OPENOCD_PID" grep -q 'Listening on port [0-9]* for gdb' "$OPENOCD_LOG" ||
        die "OpenOCD did not start: $(tail -5 "$OPENOCD_LOG")"
    TCL_PORT=$(sed -n 's/.*Listening on port \([0-9]*\) for tcl.*/\1/p' "$OPENOCD_LOG")
    GDB_PORT=$(sed -n 's/.*Listening on port \([0-9]*\) for gdb.*/\1/p' "$OPENOCD_LOG")
}

start_peer() {
    E2E_STARTS=$((E2E_STARTS + 1))
    PEER=$WORK/peer.$E2E_STARTS
    perl -MIO::Socket::INET -e '
        use strict;
        $SIG{PIPE} = "IGNORE";
        my $s = IO::Socket::INET->new(Listen => 20, LocalAddr => "127.0.0.1", LocalPort => 0) or die;
        open(my $f, ">", "$ARGV[0].new") or die;
        print $f $s->sockport(), "\n";
        close $f;
        rename "$ARGV[0].new", $ARGV[0];
        my @kept;
        while (my $c = $s->accept()) { $c->autoflush(1); push @kept, $c; '"$1"' }
    ' "$PEER" &
    PEER_PID=$!
    E2E_PIDS+=("$PEER_PID")
    await "$PEER_PID" test -s "$PEER" || die "the peer did not start"
    PEER_PORT=$(<"$PEER")
}

stop_peer() {
    kill "$PEER_PID" 2>/dev/null || true
    wait "$PEER_PID" 2>/dev/null || true
    forget "$PEER_PID"
}

ocd() {
    local answer="" wire
    exec {wire}<>"/dev/tcp/127.0.0.1/$TCL_PORT" || return 1
    printf '%s\032' "$1" >&"$wire"
    IFS= read -r -t "$E2E_PATIENCE_S" -d $'\032' answer <&"$wire" || { exec {wire}>&-; return 1; }
    exec {wire}>&-
    printf '%s\n' "$answer"
}

ocd_try() {
    ocd "set e2e_status [catch {$1} e2e_result]; format {%s %s} \$e2e_status \$e2e_result"
}

symbol() {
    local nm=nm address list=$WORK/symbols.${1//\//_} new
    if [[ ! $list -nt $1 ]]; then
        if command -v arm-none-eabi-nm >/dev/null; then nm=arm-none-eabi-nm; fi
        new=$(mktemp "$list.XXXXXX")
        "$nm" "$1" >"$new"
        mv "$new" "$list"
    fi
    address=$(sed -n "s/^\([0-9a-f]*\) . $2\$/\1/p" "$list")
    [[ $address ]] || die "$1 has no symbol $2"
    echo "0x$address"
}

audit_now() {
    local before
    before=$(audit_number edition)
    kill -USR1 "$BOARD_PID"
    await "$BOARD_PID" is_later_audit "$before" || die "the board wrote no audit"
}
is_later_audit() { (($(audit_number edition) > $1)); }

# Prints a number at the top level of the audit. Does not start jq, which would take longer than all other steps.
audit_number() {
    local text
    text=$(<"$BOARD_AUDIT")
    [[ $text =~ \"$1\":\ ([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}

audit() {
    jq -r "$1" "$BOARD_AUDIT"
}

# Sets BOARD_STATUS to the board's exit status.
stop_board() {
    BOARD_STATUS=0
    kill "-${1:-TERM}" "$BOARD_PID" 2>/dev/null || true
    wait "$BOARD_PID" 2>/dev/null || BOARD_STATUS=$?
    forget "$BOARD_PID"
    BOARD_PID=""
}

stop_openocd() {
    kill "$OPENOCD_PID" 2>/dev/null || true
    wait "$OPENOCD_PID" 2>/dev/null || true
    forget "$OPENOCD_PID"
    OPENOCD_PID=""
}

forget() {
    local pid kept=()
    for pid in "${E2E_PIDS[@]}"; do
        if [[ $pid != "$1" ]]; then kept+=("$pid"); fi
    done
    E2E_PIDS=("${kept[@]}")
}

is() {
    [[ $1 == "$2" ]] && return
    printf '# got %s, want %s\n' "$1" "$2"
    return 1
}

# grep -q ends at the first match. If the program before it then writes more, SIGPIPE ends this program, and the pipe
# fails although there is a match.
grep_all() {
    local count
    count=$(grep -c "$@") && ((count > 0))
}

# FILE may be a pipe, which can be read only once.
is_true() {
    local file=$WORK/is_true.json result term value shown
    cat "$1" >"$file" || return
    result=$(jq "${@:3}" "$2" "$file" 2>&1 | tail -n 1)
    [[ $result != true ]] || return 0
    printf '# jq gives: %.300s\n' "${result:-nothing}"
    while IFS=$'\t' read -r term value; do
        [[ $(jq "${@:3}" "$term" "$file" 2>&1 | tail -n 1) != true ]] || continue
        shown=$(jq -c "${@:3}" "$value" "$file" 2>&1 | tail -n 1 | cut -c 1-300)
        printf '#   not true: %s\n#   value: %s\n' "$term" "$shown"
    done < <("$E2E_ROOT/tests/e2e/jq_terms.pl" "$2")
    return 1
}

word() {
    local value
    value=$(ocd "read_memory $1 32 1")
    echo "$((value))"
}

# arguments ARGUMENT...: sets ARGUMENTS to these arguments of txtap, with $PATIENT if txtap reads through OpenOCD.
arguments() {
    ARGUMENTS=("$@")
    [[ " $* " == *" --tcl "* && " $* " != *" --timeout "* ]] || return 0
    ARGUMENTS=("$1" "${PATIENT[@]}" "${@:2}")
}

# Runs txtap; sets STATUS, which is 124 if txtap hung and was ended.
run_txtap() {
    OUT=$WORK/out ERR=$WORK/err STATUS=0
    arguments "$@"
    timeout --foreground -k 5 "$E2E_RUN_S" "$BUILD/capture/txtap" "${ARGUMENTS[@]}" >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
}

said() { grep -q -- "$1" "$ERR"; }
failed() { is "$STATUS" "$1" && is "$(wc -l <"$ERR")" 1 && said "$2"; }
txtap_exits() { run_txtap "${@:2}" && is "$STATUS" "$1"; }
txtap_fails() { run_txtap "${@:3}" && failed "$1" "$2"; }

start_txtap() {
    OUT=$WORK/out ERR=$WORK/err
    rm -f "$OUT" "$ERR" # messages of an earlier run must not count
    arguments "$@"
    "$BUILD/capture/txtap" "${ARGUMENTS[@]}" >"$OUT" 2>"$ERR" </dev/null &
    TXTAP_PID=$!
    E2E_PIDS+=("$TXTAP_PID")
}

end_txtap() {
    STATUS=0
    if [[ ${1:-} ]]; then kill "-$1" "$TXTAP_PID" 2>/dev/null || true; fi
    wait "$TXTAP_PID" 2>/dev/null || STATUS=$?
    forget "$TXTAP_PID"
}

has_lines() {
    [[ -f $1 ]] && (($(wc -l <"$1") >= $2))
}

printed() {
    local count
    count=$(grep -cvE '^\{"type":"(header|object)"|^ *---  ' "$OUT")
    ((count >= $1))
}
tail_rest() {
    start_txtap tail "${@:2}"
    await "$TXTAP_PID" printed "$1" || true
    end_txtap INT
}

await_lines() {
    await "$TXTAP_PID" has_lines "$1" "$2"
}

# Waits until $EVENTS has $1 more lines.
await_more() { await_lines "$EVENTS" $(($(wc -l <"$EVENTS") + $1)); }
count_of() { grep -c "^{\"type\":\"$1\"" "$EVENTS" || true; }
has_marks() { (($(count_of "$1") >= $2)); }
await_marks() { await "$TXTAP_PID" has_marks "$1" "$2"; }

# A shorter fault could be over before a busy host reads again.
outage() {
    local detached
    detached=$(count_of detached)
    control "fault $1:100" >"$WORK/outage"
    await_marks detached $((detached + 1)) || die "'$1' is not reported"
    control "end $1" >"$WORK/outage" || die "'$1' cannot be ended"
    await_marks attached "$(count_of detached)" || die "txtap does not attach again after '$1'"
}

# Resets the target. One 'reset run' makes two resets, a moment apart: OpenOCD writes AIRCR and also sends a reset
# command to the probe. A reader may see both.
reset_target() {
    local before
    before=$(count_of reset)
    ocd 'reset run' >"$WORK/ocd"
    await_marks reset $((before + 1)) || die "the reset is not reported"
}

# resets_reported COUNT: checks that after COUNT times 'reset run' at least COUNT resets are reported, and no more than
# the board made.
resets_reported() {
    local count
    count=$(count_of reset)
    audit_now
    ((count >= $1 && count <= $(audit .resets))) || { echo "# $count reported, of $1 to $(audit .resets)"; return 1; }
}

# value NAME: prints the value of a variable of $ELF.
value() { word "$(symbol "$ELF" "$1")"; }

has_risen() { (($(word "$1") >= $2)); }

rises_to() {
    await "$OPENOCD_PID" has_risen "$(symbol "$ELF" "$1")" "$2" || die "$1 stays at $(value "$1"), below $2"
}

# Checks that events show the names of all threads except the demo's housekeeper. The firmware creates and deletes the
# housekeeper, so the name of the object at its address may be unknown.
stays_named() {
    awk -F'"thread":"' '
    /^{"type":"object","object":"thread"/ && !/"name":"housekeeper"/ {
        pointer = name = $0
        sub(/.*"pointer":/, "", pointer)
        sub(/.*"name":"/, "", name)
        sub(/".*/, "", name)
        lasting[sprintf("0x%08x", pointer + 0)] = name
    }
    /^{"type":"gap"/ { delete named }
    /^{"type":"event"/ {
        thread = $2
        sub(/".*/, "", thread)
        named[thread] = 1
        if (thread in lasting && lasting[thread] in named && !bad++)
            print "# " $0
    }
    END { exit bad > 0 }' "$1"
}

attached() { await "$1" grep -q '^txtap: attached to ' "$2" || die "txtap does not attach: $(tail -3 "$2")"; }
release() { ocd "mww $(symbol "$1" demo_hold) 0" >"$WORK/ocd"; }
end_load() {
    ocd "mww $(symbol "$1" demo_stop_after) 1" >"$WORK/ocd"
    await_stopped "$1"
}

await_stopped() {
    await "$OPENOCD_PID" has_risen "$(symbol "$1" demo_stopped)" 1 || die "the firmware did not come to rest"
}

ledger() {
    local sums
    sums=$(awk -f "$E2E_ROOT/tests/e2e/ledger.awk" "$1") || { printf '# %s\n' "$sums"; return 1; }
    eval "$sums"
}

# has_all RECORDING COUNT: for await: the recording has the last of COUNT events. The last events and names reach a file
# a moment after the board has stopped.
has_all() {
    local last
    last=$("$BUILD/capture/txtap" decode -q -f jsonl "$1" | sed -n '/"type":"event"/s/.*"seq":\([0-9]*\).*/\1/p' | tail -n 1)
    [[ $last == "$(($2 - 1))" ]]
}

# Counts the lines of text that are events. A gap's line begins with dashes.
event_lines() { grep -vc '^ *---  ' "$@" || true; }

# Checks a run with --strict and --stats-json $STATS on a target that counts laps: either no event was lost, or txtap
# reported the loss with its size. A loss is no failure: if the host stops OpenOCD or txtap for longer than the ring
# lasts, any reader loses events.
no_unreported_loss() {
    local lost
    lost=$(jq .lost "$STATS")
    if ((lost > 0)); then echo "# a busy machine: $lost lost"; fi
    # If the connection was lost, the number of events written during that time may be unknown.
    [[ $(jq .lost_exact "$STATS") == true ]] || grep -q ': detached' "$ERR" || { echo "# the loss is not exact"; return 1; }
    is "$STATUS" "$((lost > 0 ? 5 : 0))"
}

stop_all() {
    local pid
    for pid in "${E2E_PIDS[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    E2E_PIDS=()
}

WORK=${E2E_WORK:-}
unset E2E_WORK # so that a script that this script runs does not use the same folder
[[ $WORK ]] || ((E2E_LIMIT_S == 0)) || e2e_watch "$@"
