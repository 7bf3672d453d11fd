#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Types into bash, zsh and fish, and checks the words that txtap completes. Needs no board.
# usage: completion.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

TXTAP=$BUILD/capture/txtap
TERMINALS=$WORK/tmux # a separate tmux server
TRACE=$BUILD/tests/data/demo_rec.trx

complete() { "$TXTAP" complete -- "$@" 2>&1 | cut -f 1; }

echo "# the words"
check "commands" is "$(complete re | tr '\n' ' ')" "record report "
check "no hidden command" is "$(complete complete)" ""
check "options that need a value end with =" is "$(complete tail --fo | tr '\n' ' ')" "--format= --force "
check "values after =" is "$(complete report --section=c | tr '\n' ' ')" "--section=cpu --section=calls --section=cores "
check "values after a blank" is "$(complete report --section cp)" cpu
check "values of a short option" is "$(complete decode -f vcd | tr '\n' ' ')" "vcd vcd-wires "
check "no format that the command refuses" is "$(complete tail -f t | tr '\n' ' ')" "text "
check "the event of why is a number" is "$(complete why --event=tx_queue_s)" ""
check "no options after --" is "$(complete decode -- --fo)" :files
check "events" is "$(complete tail --event tx_queue_s | tr '\n' ' ')" "tx_queue_send tx_queue_send_notify "
check "threads of a trace" is "$(complete decode "$TRACE" --thread=sam)" --thread=sampler
check "objects of a trace" is "$(complete decode "$TRACE" --object "sample r")" "sample ready"
check "variables of the firmware" is "$(complete tail "$FIRMWARE/demo.elf" --watch=demo_event_r)" --watch=demo_event_rate
check "variables after a comma" is "$(complete tail "$FIRMWARE/demo.elf" --watch "demo_tick_hz, demo_event_r")" \
    "demo_tick_hz, demo_event_rate"
check "the time of kernel --watch is no variable" is "$(complete kernel "$FIRMWARE/demo.elf" --watch=demo_event_r)" ""
check "interrupts of the firmware" is "$(complete tail "$FIRMWARE/demo.elf" --isr=sen)" --isr=sensor_handler
check "columns after a comma" is "$(complete tail --fields=seq,ti)" --fields=seq,time
check "chips" is "$(complete tail --chip=rp | tr '\n' ' ')" "--chip=rp2040 --chip=rp2350 "
check "figures of a check" is "$(complete check --check=dead)" --check=deadlock
mkdir "$WORK/board"
check "a folder without recordings has no names" is "$(complete report "$WORK/board" --thread "")" ""
echo nothing >"$WORK/board/2026-01-01.rec"
cp "$TRACE" "$WORK/board/2026-01-02.rec"
check "a folder has the names of its last recording" is "$(complete report "$WORK/board" --thread=sam)" --thread=sampler
check "files for an operand" is "$(complete decode x)" :files
check "files for an option" is "$(complete decode --definitions=x)" :files
check "an unknown command has no words" is "$(complete nonsense --x)" ""
check "a file that is no trace has no names" is "$(complete decode "$0" --thread "")" ""
check "a shell that is not known is refused" is "$("$TXTAP" completion tcsh 2>&1; echo $?)" \
    "txtap completion: give one shell: bash, zsh or fish"$'\n'2
# Each word of an enumeration is accepted, and --help names it.
words_are_right() {
    local command option word wrong=0
    while read -r command option; do
        for word in $(complete "$command" "--$option=" | cut -d= -f 2); do
            "$TXTAP" "$command" --help | grep -qw -e "$word" || { echo "# --help of $command lacks $word"; wrong=1; }
            if "$TXTAP" "$command" "--$option=$word" "$WORK/none" 2>&1 | grep -q -e "--$option"; then
                echo "# $command --$option=$word is refused"
                wrong=1
            fi
        done
    done <<<'decode color
decode time
decode context
decode profile
decode format
report job-ends
report format
why format
compare format
tail format
kernel format
info format
profile format
probes format'
    return "$wrong"
}
check "all words of enumerations are known" words_are_right

# start SHELL...: starts a shell in a terminal, which knows the completion.
start() {
    tmux -S "$TERMINALS" -f /dev/null new-session -d -x 100 -y 30 -s shell \
        "cd '$WORK/files'; export PATH='$BUILD/capture:/usr/bin:/bin' HOME='$WORK/home' TERM=screen; exec $*"
}
type_keys() { tmux -S "$TERMINALS" send-keys -t shell "$@"; }
screen() { tmux -S "$TERMINALS" capture-pane -p -t shell; }
shows() { screen | grep -qF -e "$1"; }
# completes TEXT WANTED: for check: types the text and Tab on a line of its own, and the line then has WANTED.
completes() {
    type_keys C-u
    type_keys -l "$1"
    await $$ shows "$1" || return 1
    type_keys Tab
    await $$ shows "$2" || { screen | sed 's/^/# /' | grep -v '# $'; return 1; }
    type_keys C-u
}

# A terminal stays open, because the tmux server ends with its last terminal.
if command -v tmux >/dev/null; then tmux -S "$TERMINALS" -f /dev/null new-session -d -s keep "sleep 600"; fi
mkdir -p "$WORK/files" "$WORK/home/.config/fish"
cp "$TRACE" "$WORK/files/a_long_name.trx"
cp "$TRACE" "$WORK/home/own trace.trx"
for shell in bash zsh fish; do
    if ! command -v "$shell" >/dev/null || ! command -v tmux >/dev/null; then
        skip "$shell completes words" "$shell or tmux is not installed"
        continue
    fi
    echo "# $shell"
    case $shell in
    bash) start bash --norc --noprofile -i ;;
    zsh) start zsh -f -i ;;
    fish) start fish --no-config -i ;;
    esac
    case $shell in
    bash) type_keys -l "PS1='ready> '; bind 'set bell-style none'; source <(txtap completion bash); echo prepa''red" ;;
    zsh) type_keys -l "PS1='ready> '; autoload -U compinit; compinit -u; source <(txtap completion zsh); echo prepa''red" ;;
    fish) type_keys -l "function fish_prompt; echo 'ready> '; end; txtap completion fish | source; echo prepa''red" ;;
    esac
    type_keys Enter
    check "$shell takes the script" await $$ shows prepared
    type_keys C-l
    check "$shell completes a command" completes 'txtap repo' 'txtap report'
    check "$shell completes an option" completes 'txtap report --sect' 'txtap report --section='
    check "$shell completes a value" completes 'txtap report --section=cp' 'txtap report --section=cpu'
    check "$shell completes a file" completes 'txtap decode a_lo' 'txtap decode a_long_name.trx'
    check "$shell completes a column after a comma" completes 'txtap tail --fields=seq,ti' 'txtap tail --fields=seq,time'
    check "$shell completes a thread of the file" completes 'txtap decode a_long_name.trx --thread=sam' \
        'txtap decode a_long_name.trx --thread=sampler'
    check "$shell completes a thread of a file at home, whose name has a blank" \
        completes 'txtap decode ~/own\ trace.trx --thread=sam' '~/own\ trace.trx --thread=sampler'
    tmux -S "$TERMINALS" kill-session -t shell
done
e2e_end
