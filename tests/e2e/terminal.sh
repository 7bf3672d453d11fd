#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap on a terminal of 80 columns: colour only there, Ctrl-C, help that fits.
# usage: terminal.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

if ! command -v tmux >/dev/null; then
    echo "SKIP: tmux is not installed: nothing of this was tested"
    exit 77
fi
DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
TXTAP=$BUILD/capture/txtap
ESCAPE=$'\033'
TERMINALS=$WORK/tmux # a separate tmux server
ENDED="(the end)"

# terminal COMMAND: runs COMMAND in a new terminal of 80 x 24; all output of the terminal goes to $RAW. Sets noflsh.
# Without it, Ctrl-C discards output that the terminal has not shown yet, and lines would lack their beginning.
terminal() {
    RAW=$WORK/raw
    rm -f "$RAW" "$WORK/status" "$WORK/gate"
    tmux -S "$TERMINALS" -f /dev/null new-session -d -x 80 -y 24 -s test \
        "stty noflsh; unset NO_COLOR; while [ ! -e '$WORK/gate' ]; do sleep 0.05; done; $1; echo \$? >'$WORK/status.new'; mv '$WORK/status.new' '$WORK/status'; echo; echo '$ENDED'; sleep 600"
    tmux -S "$TERMINALS" pipe-pane -t test "cat >'$RAW'"
    touch "$WORK/gate"
}

# Waits until the command has ended, and tmux has passed all its output to the screen and to $RAW.
finished() {
    await $$ grep -q "^$ENDED" "$RAW" && [[ -s $WORK/status ]]
}

screen() {
    tmux -S "$TERMINALS" capture-pane -p -t test
}

close_terminal() {
    tmux -S "$TERMINALS" kill-session -t test
}

colours() { # FILE
    grep -c "$ESCAPE\[[0-9;]*m" "$1" || true
}

# One terminal stays open, because the tmux server ends with its last terminal.
tmux -S "$TERMINALS" -f /dev/null new-session -d -s keep "sleep 600"
start_board "$DEMO"
start_openocd
TAIL="'$TXTAP' tail --tcl $TCL_PORT"

echo "# width"
terminal "$TAIL --color never --limit 200 '$DEMO'"
check "the tail on a terminal ends by itself" finished
# Removes the status line, which is erased before other lines: "status ESC [ K line".
sed "s/.*$ESCAPE\[K//; s/\r//" "$RAW" >"$WORK/lines"
longest=$(grep -v '^txtap: ' "$WORK/lines" | awk 'length > longest { longest = length } END { print longest }')
check "no line is wider than the terminal" test "$longest" -le 80
check "omitted fields are counted" grep -q ' +[1-4]' "$RAW"
close_terminal
terminal "'$TXTAP' report -q --hz 1M --all '$E2E_ROOT/tests/data/demo_threadx.trx'"
check "a report on a terminal ends" finished
check "no line of a report is wider than the terminal" is "$(sed 's/\r//' "$RAW" | grep -v '^ *txtap ' | awk 'length > 80' | wc -l)" 0
close_terminal
run_txtap tail --tcl "$TCL_PORT" --limit 200 --wide "$DEMO"
check "--wide has the stack pointers" grep -q ' stack=0x' "$OUT"

echo "# messages and the status line"
STATUS_LINE='^[0-9]+ events/s, [0-9]+ read, ((at least )?[0-9]+ lost|none known to be lost|an unknown number lost), ring up to [0-9]+ % unread$'
on_screen() { screen | grep_all -E "$1"; }
terminal "$TAIL --thread nobody '$DEMO'"
check "it says what it is attached to" await $$ on_screen '^txtap: attached to txtap.cpu, OpenOCD at 127.0.0.1:[0-9]+: trace bu'
check "there is a status line at the bottom" await $$ on_screen "$STATUS_LINE"
tmux -S "$TERMINALS" send-keys -t test C-c
check "Ctrl-C ends it" finished
check "and then the status line is gone" test -z "$(screen | grep -E "$STATUS_LINE")"
close_terminal
terminal "$TAIL '$DEMO'"
check "it is also below the events" await $$ on_screen "$STATUS_LINE"
tmux -S "$TERMINALS" send-keys -t test C-c
check "Ctrl-C ends it again" finished
sed "s/.*$ESCAPE\[K//; s/\r//" "$RAW" >"$WORK/lines"
check "and no event was written on its line" test "$(grep -cE '[0-9] read, .* [0-9]+  ' "$WORK/lines")" = 0
close_terminal
terminal "$TAIL -q --limit 100 '$DEMO'"
check "with -q" finished
check "with -q there is none" test "$(grep -cE 'attached|events/s' "$RAW")" = 0
close_terminal

echo "# colour"
run_txtap tail --tcl "$TCL_PORT" --limit 100 "$DEMO"
check "no colour in a pipe or file" is "$(colours "$OUT")" 0
check "and none in messages on stderr" is "$(colours "$ERR")" 0
run_txtap tail --tcl "$TCL_PORT" --limit 100 --color always "$DEMO"
check "--color always forces it in a pipe" test "$(colours "$OUT")" -ge 100
check "and each line ends without colour" is "$(grep -c "$ESCAPE\[0m" "$OUT")" "$(wc -l <"$OUT")"
check "without it they are the same lines" test -z "$(sed "s/$ESCAPE\[[0-9;]*m//g" "$OUT" | grep "$ESCAPE")"
NO_COLOR=1 run_txtap tail --tcl "$TCL_PORT" --limit 100 --color always "$DEMO"
check "also with NO_COLOR" test "$(colours "$OUT")" -ge 100
terminal "$TAIL --limit 100 '$DEMO'"
finished
check "there is colour on a terminal" test "$(colours "$RAW")" -ge 50
check "and it ends with status 0" is "$(<"$WORK/status")" 0
close_terminal
terminal "NO_COLOR=1 $TAIL --limit 100 '$DEMO'"
finished
check "but none with NO_COLOR" is "$(grep -c "$ESCAPE\[[1-9][0-9;]*m" "$RAW")" 0
check "the events are there all the same" grep -q 'tx_queue_send' "$RAW"
close_terminal
terminal "TERM=dumb $TAIL --limit 100 '$DEMO'"
finished
check "and none on a dumb terminal" is "$(grep -c "$ESCAPE\[[1-9][0-9;]*m" "$RAW")" 0
close_terminal
terminal "$TAIL --color never --limit 100 '$DEMO'"
finished
check "none with --color never" is "$(grep -c "$ESCAPE\[[1-9][0-9;]*m" "$RAW")" 0
close_terminal

echo "# Ctrl-C"
terminal "$TAIL '$DEMO'"
# Waits until events scroll over the screen before it presses the key.
await $$ grep -q 'tx_queue_send' "$RAW" || true
tmux -S "$TERMINALS" send-keys -t test C-c
check "it ends" finished
# Checks that txtap ended normally. Also accepts status 1 with the report that nobody reads the output: on a busy host
# the terminal may accept no output for a second.
ended_normally_or_unread() {
    if grep -q 'nobody reads it' "$RAW"; then is "$(<"$WORK/status")" 1; else is "$(<"$WORK/status")" 0; fi
}
check "with status 0" ended_normally_or_unread
check "the summary is among the last lines on the screen" grep -q 'txtap: [0-9]* events in' <(screen | tr -d '\n' | tail -c 600)
close_terminal
terminal "$TAIL --new --wait --symbol demo_tick_hz '$DEMO'"
await $$ grep -q 'txtap:' "$RAW" || true
tmux -S "$TERMINALS" send-keys -t test C-c
check "also while it waits" finished
close_terminal

echo "# help"
for arguments in "--help" "tail --help" "tail -h" "snapshot --help" "info --help" "decode --help"; do
    terminal "'$TXTAP' $arguments"
    finished
    "$TXTAP" $arguments >"$OUT" 2>"$ERR" && STATUS=0 || STATUS=$?
    check "txtap $arguments: status 0 in both" is "$STATUS $(<"$WORK/status")" "0 0"
    check "no line over 80 columns" is "$(awk 'length > 80' "$OUT" | head -1)" ""
    check "the same on the terminal" is "$(tr -d '\r' <"$RAW" | awk 'length > 80' | head -1)" ""
    check "no run of empty lines" is "$(awk 'length == 0 { if (++run > 2) print NR } length { run = 0 }' "$OUT")" ""
    close_terminal
done
check "--version prints one line" is "$("$TXTAP" --version | wc -l)" 1

stop_all
e2e_end
