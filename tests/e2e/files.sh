#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that txtap never overwrites a file that it reads, under any name of the file, and overwrites other files only
# with --force. Needs no board.   usage: files.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

SAMPLE=$E2E_ROOT/tests/data/demo_threadx.trx
ELF=$FIRMWARE/demo.elf
[[ -f $ELF ]] || die "no $ELF: build the target firmware first"
IMAGE=(--image "$SAMPLE@0x6ca4" --address 0x6ca4)
cd "$WORK"
cp "$SAMPLE" input
cp "$ELF" elf
ln -s input symbolic
ln input hard
cp "$E2E_ROOT/capture/ring/event_logger.events" definitions
"$BUILD/capture/txtap" record "${IMAGE[@]}" --limit 100 -q -o recording
sha256sum input elf definitions recording >sums

# untouched STATUS PATTERN: checks that the last run ended with STATUS and printed one line that matches PATTERN, and
# that the files are unchanged.
untouched() {
    local problem=""
    [[ $STATUS == "$1" ]] || problem+=" [status $STATUS, want $1]"
    [[ $(wc -l <"$ERR") == 1 ]] || problem+=" [$(wc -l <"$ERR") lines]"
    grep -qE -- "$2" "$ERR" || problem+=" [no '$2' in: $(head -1 "$ERR")]"
    sha256sum --check --quiet sums || problem+=" [a file changed]"
    [[ ! $problem ]] || echo "#$problem"
    [[ ! $problem ]]
}

# reads_what_it_would_write SENTENCE ARGUMENT...: checks that txtap refuses to write to the file that it reads.
reads_what_it_would_write() {
    local sentence=$1
    shift
    run_txtap "$@"
    check "$sentence" untouched 1 'is also .*: choose another name with (-o|--stats-json)$'
}

echo "# an input file"
for name in input symbolic hard ./input "$WORK/input"; do
    reads_what_it_would_write "decode -o $name" decode --force -o "$name" input
done
reads_what_it_would_write "decode -f trx" decode --force -f trx -o input hard
reads_what_it_would_write "a recording" decode --force -f trx -o recording recording
reads_what_it_would_write "decode --stats-json" decode -o new --stats-json symbolic input
reads_what_it_would_write "the file of definitions" decode --force -o definitions --definitions definitions input
reads_what_it_would_write "the ELF file" tail --force -o elf elf
reads_what_it_would_write "record's ELF file" record --force -o elf elf
reads_what_it_would_write "snapshot's ELF file" snapshot --force -o elf elf
reads_what_it_would_write "info's ELF file" info --stats-json elf elf
reads_what_it_would_write "the image" snapshot --image input@0x6ca4 --force -o hard
reads_what_it_would_write "both outputs one file" decode -o new --stats-json ./new input
check "which is not created" test ! -e new
for source in - /dev/stdin; do
    STATUS=0 ERR=$WORK/err
    "$BUILD/capture/txtap" decode --force -o input "$source" <hard >out 2>"$ERR" || STATUS=$?
    check "standard input, given as $source" untouched 1 'is also'
done
STATUS=0
"$BUILD/capture/txtap" decode input 2>"$ERR" >>hard || STATUS=$?
check "standard output appended to it" untouched 1 'standard output is also'

echo "# an existing file"
for command in "tail ${IMAGE[*]} --limit 1" "record ${IMAGE[*]} --limit 1" "snapshot ${IMAGE[*]}" "decode input" \
    "decode recording" "decode -f trx input" "decode -f trx recording"; do
    echo precious >old
    sha256sum old input elf definitions recording >sums
    # shellcheck disable=SC2086 # $command has several words
    run_txtap $command -o old
    check "${command%% *}: ${command##* }: it stays" untouched 1 'old: file exists: choose another name or use --force$'
    # shellcheck disable=SC2086
    run_txtap $command -q --force -o old
    check "--force overwrites it" is "$STATUS $(grep -c precious old)" "0 0"
    sed -i '/ old$/d' sums
    # shellcheck disable=SC2086
    run_txtap $command -q -o /dev/null
    check "a device may be written without --force" is "$STATUS" 0
    mkfifo pipe
    cat pipe >piped &
    E2E_PIDS+=("$!")
    # shellcheck disable=SC2086
    run_txtap $command -q -o pipe
    check "and a pipe" is "$STATUS" 0
    rm pipe
done

echo "# a symbolic link"
CHECK='lost == 0'
for arguments in "decode input -o" "decode -f trx input -o" "tail ${IMAGE[*]} --limit 5 -o" "record ${IMAGE[*]} --limit 5 -o" \
    "snapshot ${IMAGE[*]} -o" "report input -o" "report -f html input -o" "view input -o" "decode -o none input --stats-json" \
    "report input --check ${CHECK// /} --junit"; do
    rm -rf linked && mkdir -p linked/far
    echo old >linked/far/file
    ln -s far/file linked/link
    ln -s far/new linked/dangling
    # shellcheck disable=SC2086 # words
    run_txtap $arguments linked/link --force -q
    check "${arguments%% *} ${arguments##* }: a link stays, and its file is written" \
        is "$STATUS $(readlink linked/link) $(grep -cx old linked/far/file)" "0 far/file 0"
    # shellcheck disable=SC2086 # words
    run_txtap $arguments linked/dangling --force -q
    check "one whose file is not there, too" is "$STATUS $(readlink linked/dangling) $(test -s linked/far/new && echo new)" "0 far/new new"
    check "and nothing else is left" is "$(find linked | sort | paste -sd ' ')" "linked linked/dangling linked/far linked/far/file linked/far/new linked/link"
    rm -f none
done
ln -sf loop linked/loop
run_txtap report input --force -o linked/loop
check "a link to itself is a failure" untouched 1 'loop: cannot be written: Too many levels of symbolic links'

echo "# a disk that is full"
for command in "decode -f trx input" "decode -f trx recording" "snapshot ${IMAGE[*]}"; do
    STATUS=0
    # shellcheck disable=SC2086
    (ulimit -f 1 && exec "$BUILD/capture/txtap" $command -q -o full 2>"$ERR") || STATUS=$?
    check "${command%% *}: ${command##* }: says which file and why" untouched 1 'full: cannot be written: File too large'
    check "and leaves no part of it" test ! -e full
done

echo "# statistics"
run_txtap tail "${IMAGE[@]}" --limit 1 --stats-json /no/such/x
check "a file that cannot be created is reported at the start, with its option" untouched 1 \
    '/no/such/x: cannot be written: No such file or directory: choose another name with --stats-json'
check "and nothing was read" test ! -s "$OUT"
for command in "record ${IMAGE[*]} --limit 1 -o none" "snapshot ${IMAGE[*]} -o none" "decode input -o none" "info ${IMAGE[*]}"; do
    # shellcheck disable=SC2086
    run_txtap $command --stats-json .
    check "${command%% *} as well" untouched 1 '^txtap: \.: cannot be written: Is a directory: .*--stats-json'
    check "nothing was written" test ! -e none -a ! -s "$OUT"
done
run_txtap decode -q -o none --stats-json new input
check "a file that can be created is written" is "$STATUS $(jq -r .command new)" "0 decode"
run_txtap decode -q --force -o none --stats-json new input
check "and again" is "$STATUS $(jq -r .command new) $(ls new*)" "0 decode new"
echo "# names from outside"
run_txtap decode $'no\e]0;x\a\x9b31m-\xc3\xa4'
check "control characters in a file's name are escaped, umlauts are not" is "$(<"$ERR")" \
    "txtap: no\\x1b]0;x\\x07\\x9b31m-ä: No such file or directory"
for arguments in "tail --gdb EVIL:1" "tail --tcl EVIL:1" "tail --EVIL" "tail -f EVIL" "EVIL" "decode -o EVIL/x input" \
    "tail --symbol EVIL elf --image input@0" "decode --stats-json EVIL/x input" "decode --definitions EVIL input" \
    "record -o EVIL/x --image input@0x6ca4 --address 0x6ca4 --limit 1" "tail EVIL" "tail --ram EVIL" "info --image EVIL@0"; do
    # shellcheck disable=SC2086 # words
    run_txtap ${arguments//EVIL/$'\e[31m\xc2\x9bx'}
    check "$arguments" is "$((STATUS > 0)) $(LC_ALL=C tr -d '[:print:]\n\t' <"$ERR" | wc -c) $(grep -c x1b "$ERR" | head -c 1)" "1 0 1"
done
cp input $'\e[31mx'
run_txtap info --image $'\e[31mx@0x6ca4' --address 0x6ca4
check "info escapes the image's name" is "$STATUS $(sed -n 's/^image *//p' "$OUT")" '0 \x1b[31mx'

# A name with each control character for the direction of text. Neither printed text nor messages may contain these
# characters.
BIDI=$'\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9'
raw() { LC_ALL=C grep -P '\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]' "$OUT" "$ERR" | wc -l; }
escaped() { cat "$OUT" "$ERR" | grep -cE 'xe2\\x81\\xa9|u2069'; }
perl -pe 's/thread 1\0/\xe2\x81\xa9\xe2\x80\xaexy\0/' input >"fig$BIDI.trx"
run_txtap decode "fig$BIDI"
check "what turns the direction of a line is escaped in messages" is "$(raw) $(escaped)" "0 1"
lines=$("$BUILD/capture/txtap" decode -q input | grep -c 'thread 1')
for format in text csv jsonl; do
    run_txtap decode -f $format "fig$BIDI.trx"
    check "and in names of objects: $format" is "$(raw) $(escaped)" "0 $((lines + (${#format} > 4 ? 1 : 0)))"
done
check "in JSON the name is the same" is "$(jq -r 'select(.type == "event" and .thread == "\u2069\u202exy") | .thread' "$OUT" | sort -u)" \
    $'\xe2\x81\xa9\xe2\x80\xaexy'
for command in "report EVIL" "report -f json EVIL" "report -f csv EVIL" "top -b EVIL" "info --image EVIL@0x6ca4 --address 0x6ca4"; do
    # shellcheck disable=SC2086 # words
    run_txtap ${command//EVIL/fig$BIDI.trx}
    check "${command%%EVIL*}: no control gets to a terminal" is "$STATUS $(raw) $(($(escaped) > 0))" "0 0 1"
done

echo "# numbers"
run_txtap tail --seconds 1e14 "${IMAGE[@]}"
check "--seconds that would overflow are refused" is "$STATUS $(grep -c -- "--seconds: '1e14' is not a time from 1us to 30 years" "$ERR")" "2 1"
{
    head -c $((0x6ca4)) /dev/zero
    cat input
} >padded
run_txtap tail --limit 1 --ram 0:4096M --image padded@0
check "a range may be all of memory" is "$STATUS $(wc -l <"$OUT")" "0 1"

echo "# a terminal that is closed"
if command -v tmux >/dev/null; then
    tmux -S "$WORK/tmux" -f /dev/null new-session -d \
        "echo \$\$ >pid.new; mv pid.new pid; exec '$BUILD/capture/txtap' tail ${IMAGE[*]} -f jsonl -o followed 2>said"
    await $$ test -s pid
    FOLLOWER=$(<pid)
    await $$ test -s followed
    mv followed rotated
    kill -HUP "$FOLLOWER"
    check "SIGHUP opens the file again while the terminal is there" await "$FOLLOWER" test -e followed
    tmux -S "$WORK/tmux" kill-server
    is_gone() { ! kill -0 "$FOLLOWER"; }
    check "and txtap ends when the terminal is closed" await $$ is_gone
    check "regularly" grep -q "events in" said
else
    echo "# no tmux: not tested"
fi
e2e_end
