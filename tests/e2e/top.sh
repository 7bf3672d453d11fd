#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap top on the virtual board, in terminals of tmux: the screen, the keys, and that the terminal is restored,
# however top ends.   usage: top.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

if ! command -v tmux >/dev/null; then
    echo "SKIP: tmux is not installed: nothing of this was tested"
    exit 77
fi
DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
TXTAP=$BUILD/capture/txtap
TERMINALS=$WORK/tmux # a server of our own

ESCAPE=$'\033'

tm() { tmux -u -S "$TERMINALS" "$@"; }
keys() { tm send-keys -t test "$@"; }
screen() { tm capture-pane -p -t test; }
shows() { screen | grep_all -E -- "$1"; }
await_screen() { await $$ shows "$1" || { screen | sed 's/^/# /'; return 1; }; }
styled() { tm capture-pane -e -p -t test; }
is_styled() { styled | grep_all -E -- "$ESCAPE\\[$1"; }
await_styled() { await $$ is_styled "$1" || { styled | sed 's/^/# /' | cat -v; return 1; }; }
terminal_is() { is "$(tm display-message -p -t test "$1")" "$2"; }
has_all_threads() { is "$(screen | grep -cE "^[0-9]+(/[0-9]+)? +($THREADS)")" 6; }
# rows_are_whole: one of the screens in $OUT has all threads. After a gap a priority is unknown for a while.
rows_are_whole() {
    awk -v row="^[0-9]+(/[0-9]+)? +($THREADS)" '/^txtap top/ { rows = 0 } $0 ~ row && ++rows == 6 { whole = 1 } END { exit !whole }' "$OUT"
}
is_picture() { [[ $(screen) == "$PICTURE" ]]; }
no_line_matches() { ! screen | grep_all -E -- "$1"; }

# Starts an interactive shell in a terminal of COLUMNS x ROWS.
open_terminal() {
    tm -f /dev/null new-session -d -x "$1" -y "$2" -s test "PS1='ready> ' bash --norc --noprofile -i"
    await_screen '^ready>'
}
close_terminal() { tm kill-session -t test; }

# start OPTION...: runs top in the terminal, and sets TOP_PID.
start() {
    local shell
    rm -f "$WORK/before" "$WORK/status" "$WORK/after"
    keys "clear; echo before; stty -g >'$WORK/before'" Enter
    await $$ test -s "$WORK/before"
    keys "'$TXTAP' top $*" Enter
    await_screen '^txtap top - ' || die "top did not start"
    shell=$(tm display-message -p -t test '#{pane_pid}')
    read -r TOP_PID <"/proc/$shell/task/$shell/children" || [[ $TOP_PID ]] # its line has no end
}
gone() { ! kill -0 "$TOP_PID" 2>/dev/null; }
# Waits until top has ended and the shell's prompt is back. Then the shell prints the status and the terminal's
# settings.
ended() {
    await $$ gone && await_screen '^ready>$' || return
    keys "echo \$? >'$WORK/status'; stty -g >'$WORK/after'" Enter
    await $$ test -s "$WORK/after"
}
terminal_is_as_before() {
    cmp -s "$WORK/before" "$WORK/after" && await_screen '^before' && await $$ terminal_is '#{alternate_on} #{cursor_flag}' '0 1'
}

start_board "$DEMO"
start_openocd
LIVE="--tcl $TCL_PORT --hz 1M '$DEMO'"
THREADS='System Timer Thr?|sampler|control|filter|logger|reporter'

echo "# rows"
run_txtap top -b -n 2 -d 500ms --tcl "$TCL_PORT" --hz 1M "$DEMO"
check "it ends after two screens" is "$STATUS $(grep -c '^txtap top - demo.elf - ' "$OUT")" "0 2"
check "in lines of 100 characters at most, without control characters" is \
    "$(awk 'length > 100' "$OUT"; grep -cP '[^\x20-\x7e]' "$OUT")" 0
start_txtap top -b -d 500ms --tcl "$TCL_PORT" --hz 1M "$DEMO"
check "with all threads" await "$TXTAP_PID" rows_are_whole
end_txtap INT
check "Ctrl-C ends it" is "$STATUS" 0
run_txtap top --tcl "$TCL_PORT" "$DEMO"
check "without a terminal it says what would do" grep -q 'not a terminal: use -b' "$ERR"
check "and that is a usage error" is "$STATUS" 2

TRACE=$E2E_ROOT/tests/data/demo_threadx.trx
run_txtap top -b --replay-speed 0 --hz 1M --check 'lost == 0' "$TRACE"
check "of a file, too, with a check that holds" is "$STATUS $(grep -c 'CHECKS 1 ok, 0 FAIL' "$OUT")" "0 1"
run_txtap top -b --replay-speed 0 --hz 1M --check 'lost == 0' --check 'switches < 10' --junit "$WORK/junit.xml" "$TRACE"
check "or with one that fails" is "$STATUS $(grep -c 'CHECKS 1 ok, 1 FAIL, 0 open: switches < 10' "$OUT")" "6 1"
check "and its result is in JUnit's file" grep -q '<failure' "$WORK/junit.xml"
run_txtap top -b --replay-speed 0 --hz 1M --check 'cpu(nobody) < 10%' "$TRACE"
check "a check of nothing is a mistake" is "$STATUS" 2

run_txtap record --tcl "$TCL_PORT" --limit 4000 -o "$WORK/ring.rec" "$DEMO"
run_txtap top -b -d 200ms --replay-speed 0 --hz 1M "$WORK/ring.rec"
check "a recording gives as many screens as its time says" test "$STATUS" = 0 -a "$(grep -c 'REPLAY\]$' "$OUT")" -ge 5
check "the last one of its end" is "$(grep '^txtap top' "$OUT" | tail -1 | grep -cE 'END\]$')" 1
run_txtap record --tcl "$TCL_PORT" --limit 6000 -C 50K -o "$WORK/part.rec" "$DEMO"
rm "$(ls "$WORK"/part.rec* | tail -2 | head -1)"
# At this rate all events are in the window of two seconds, however long the board took to write them.
LOST="--replay-speed 0 --hz 100M"
run_txtap top -b $LOST "$WORK"/part.rec*
check "rows of a recording without one of its files say that events were lost" grep -q '\[LOST [0-9]*, END\]$' "$OUT"
check "and since when figures are bounds" grep -q '^--- since 0:0[0-9] events were lost ---' "$OUT"
check "without an attribute" is "$(grep -c "$ESCAPE" "$OUT")" 0
run_txtap top -b "$WORK/ring.rec"
check "without --hz its last screen is shown at once" test "$STATUS" = 0 -a "$(grep -c 'END\]$' "$OUT")" = 1
run_txtap top -b "$TRACE"
check "without a rate there is one, in ticks" is "$STATUS $(grep -c 'times in ticks.*END\]$' "$OUT") $(grep -c '^txtap top' "$OUT")" "0 1 1"
run_txtap top -b --replay-speed 2 "$TRACE"
check "at a speed the rate must be known" is "$STATUS $(grep -c 'give --hz' "$ERR")" "2 1"

echo "# 80 x 24"
# The tmux server ends with its last terminal, so one stays open.
tm -f /dev/null new-session -d -x 80 -y 24 -s keep "sleep 600"
open_terminal 80 24
keys "TERM=dumb '$TXTAP' top $LIVE; echo status \$?" Enter
check "nor is a dumb terminal drawn on" await_screen '^status 2'
check "and it says what would do" await_screen 'use -b'
start "$LIVE"
check "the first lines say what it is, and how busy" await_screen '^txtap top - demo.elf - 1.000 MHz - up [0-9:]+ - window 2 s +\[[A-Z0-9, ]+\]$'
check "the load is known" await_screen '^CPU +[~0-9.]+% \['
check "no line is wider" is "$(screen | awk 'length > 80')" ""
check "all threads are there" await $$ has_all_threads # behind a gap not at once
check "and objects" await_screen '^(queue|semaphore|mutex|block pool|event flags) '
check "the keys are in the last line" is "$(screen | tail -1 | cut -c 1-6)" "[q]uit"
check "the cursor is hidden, the screen is another one" terminal_is '#{alternate_on} #{cursor_flag}' '1 0'
keys w
check "w: another window, which grows to 10 s" await_screen 'window ([3-9]\.[0-9]/10|10) s'
keys o
check "o: objects" await_screen '^OBJECT'
check "and nothing else" await $$ no_line_matches '^PRIO'
keys o
check "o: back" await_screen '^PRIO'
keys i
check "i: interrupts" await_screen '^INTERRUPT'
keys Escape
check "escape: back" await_screen '^OBJECT'
keys Down Down t
check "t: the chosen thread" await_screen '^thread .+ at 0x'
keys t
await_screen '^PRIO'
keys '?'
check "?: help" await_screen 'reset: max'
keys '?'
keys p
check "p: a pause" await_screen 'PAUSED\]$'
keys o
await_screen '^OBJECT'
keys o
await_screen '^PRIO'
PICTURE=$(screen)
keys o
await_screen '^OBJECT'
keys o
await_screen '^PRIO'
check "in which nothing changes" await $$ is_picture
keys p
check "p: and it goes on" await $$ no_line_matches 'PAUSED\]$'
tm resize-window -t test -x 140 -y 40
check "a wider screen has more columns" await_screen '^PRIO.* CPU HISTORY .*WAKE max RESP max PREEMPT/s USED/SIZE$'
check "and its last line at the bottom" await $$ test "$(screen | sed -n 40p | cut -c 1-6)" = "[q]uit"
tm resize-window -t test -x 60 -y 20
check "a narrower one has fewer" await_screen '^PRIO.*RUN max STACK$'
check "and no line of the old one" is "$(screen | awk 'length > 60')" ""
tm resize-window -t test -x 80 -y 24
await_screen 'WAKE p99 STACK'
keys s
check "s: the title of the next column is reversed" await_styled '1;7mCPU%'
check "and its name is at the key" await_screen '\[s\]ort: CPU% '
keys W
check "W: so is that of the column of this key" await_styled '1;7mWAKE p99'
keys P
await_styled '1;7mPRIO'
keys Down
check "the chosen thread is reversed" await_styled '7m[0-9/]+ +[A-Za-z]'
keys C-z
check "Ctrl-Z: the shell is back" await_screen '^\[1\]\+ +Stopped'
check "on its own screen" terminal_is '#{alternate_on} #{cursor_flag}' '0 1'
keys "fg" Enter
check "fg: it goes on" await_screen '^txtap top - demo.elf'
check "as a whole screen" await_screen '^\[q\]uit'
keys q
check "q ends it" ended
check "with status 0" is "$(<"$WORK/status")" 0
check "and the terminal is as before" terminal_is_as_before

echo "# colours"
start "$LOST '$WORK'/part.rec*"
check "a loss is red" await_styled '31m\[LOST [0-9]+, END\]'
check "and it says since when figures are bounds, and until when" await_screen '^--- since 0:0[0-9] events were lost: \[r\] resets'
keys r
check "r: figures are exact" await $$ no_line_matches 'events were lost:'
keys q
check "q ends it" ended
keys 'export NO_COLOR=1' Enter
start "$LOST '$WORK'/part.rec*"
check "with NO_COLOR a loss is bold" await_styled '1m\[LOST [0-9]+, END\]'
check "and nothing has a colour" is "$(styled | grep -cE "$ESCAPE\[[0-9;]*(3[0-7]|4[0-7])m" || true)" 0
keys q
check "q ends that" ended
keys 'unset NO_COLOR' Enter

echo "# every way out"
for way in C-c TERM HUP ABRT QUIT; do
    start "$LIVE"
    if [[ $way == C-c ]]; then keys C-c; else kill -"$way" "$TOP_PID"; fi
    check "$way ends it" ended
    check "and the terminal is as before" terminal_is_as_before
done
start "--no-reconnect $LIVE"
stop_openocd
check "an error ends it" ended
check "with the status of a lost server" is "$(<"$WORK/status")" 4
check "and the terminal is as before" terminal_is_as_before
check "with the error on it" await_screen '^txtap: '
close_terminal

echo "# a file"
open_terminal 140 40
start "--replay-speed 0 --hz 1M '$TRACE'"
check "as fast as possible: it shows the end" await_screen 'END\]$'
check "of all threads" is "$(screen | grep -cE '^[0-9?]+ +(System Timer|thread [0-7])')" 9
keys q
check "until q" ended
check "with status 0" is "$(<"$WORK/status")" 0
start "--replay-speed 0.001 --hz 1M '$TRACE'"
check "slowly: it is on its way" await_screen 'REPLAY\]$'
keys q
check "q ends that, too" ended
check "and the terminal is as before" terminal_is_as_before
close_terminal


echo "# a large terminal"
open_terminal 160 50
keys 'export LC_ALL=C.UTF-8' Enter
LIVE_TRACE=$E2E_ROOT/tests/data/analysis/demo_live.trx
start "--replay-speed 0 --hz 20k '$LIVE_TRACE'"
check "threads have a history" await_screen '^4 +sampler .*[▁▂▃▄▅▆▇█]'
check "so have queues" await_screen '^queue samples .*[▁▂▃▄▅▆▇█]'
check "a thread is below the tables" await_screen '^wake-up latency +[0-9]+'
check "and the load" await_screen '^--- CPU of the last 10 seconds ---'
keys q
check "q ends it" ended
keys 'export LC_ALL=C' Enter
start "--replay-speed 0 --hz 20k '$LIVE_TRACE'"
# A constant load is a row of hyphens; a single hyphen means no value.
check "without UTF-8 a history is ASCII" await_screen '^4 +sampler .* [.:=+*#@?-]*([.:=+*#@]|--)[.:=+*#@?-]* '
check "and nothing else is there" is "$(screen | LC_ALL=C grep -c '[^ -~]' || true)" 0
keys q
check "q ends that" ended
close_terminal

stop_all
e2e_end
