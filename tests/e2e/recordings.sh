#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks all commands with files of a recording that are in another order, missing, duplicated, cut off, or from another
# recording. Needs no board.   usage: recordings.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

SAMPLE=$E2E_ROOT/tests/data/threadx_qemu_wrapped.trx
TXTAP=$BUILD/capture/txtap
cd "$WORK"

record() { # ARGUMENT...: records the events of the trace buffer in a file
    "$TXTAP" record --image "$SAMPLE@0x20006308" --address 0x20006308 --limit 450 -q --force "$@"
}
record -o whole
record -C 4k -o part
record -C 4k -W 4 -o ring
record -C 4k --compress -o small
record -C 4k -o other
FILES=(part*)
check "there are several files" test "${#FILES[@]}" -ge 5

csv() { "$TXTAP" decode -q -f csv "$@"; }
numbers() { awk -F, '$1 == "event" { print $2 }' "$1"; }
numbers_of() { csv "$1" | awk -F, '$1 == "event" { print $2 }'; }
csv whole >whole.csv

# everything FILE...: checks that the FILEs have all events, in order, and that decode prints no message. Neither
# --strict nor the check 'lost == 0' reports a loss.
everything() {
    local status=0
    "$TXTAP" decode --strict -f csv "$@" >out 2>err || status=$?
    is "$status" 0 && cmp out whole.csv && "$TXTAP" report -q --hz 1M --check 'lost == 0' "$@" >report 2>err &&
        is "$(grep -c "^txtap: .*\(file\|recording\)" err)" 0
}
check "all files are the whole recording" everything part*
check "also backwards" everything $(printf '%s\n' part* | tac)
check "also in the order of no shell" everything part3 part1 part part4 part2 $(printf '%s\n' part* | sed -n '6,$p')
check "and compressed" everything $(printf '%s\n' small* | shuf --random-source="$SAMPLE")

is_sorted() { numbers out >list && sort -cn list && is "$(tail -1 list)" "$(numbers whole.csv | tail -1)"; }
"$TXTAP" decode --strict -f csv ring* >out 2>err && STATUS=0 || STATUS=$?
check "a ring of files decodes in the order of writing" is_sorted
check "what it has overwritten is not missing" is "$STATUS $(cat err | grep -c not)" "0 0"
"$TXTAP" decode -q -f trx -o ring.trx ring?
check "also for TraceX" is "$("$TXTAP" decode -q -f csv ring.trx | grep -c ^event)" "$(wc -l <list)"

echo "# a file is missing"
LEFT=($(printf '%s\n' part* | grep -v '^part2$'))
LOST=$(csv part2 | grep -c ^event)
"$TXTAP" decode --strict -f csv "${LEFT[@]}" >out 2>err && STATUS=0 || STATUS=$?
check "its events are a gap at its place" is "$(grep -A1 -B1 ^gap out | cut -d, -f1,2,19 | tr '\n' ' ')" \
    "event,$(($(numbers_of part2 | head -1) - 1)), gap,$(numbers_of part2 | head -1),$LOST event,$(numbers_of part3 | head -1), "
check "--strict fails" is "$STATUS" 5
report() { "$TXTAP" report -q --hz 1M "$@" >out 2>err && STATUS=0 || STATUS=$?; }
report --check 'lost == 0' "${LEFT[@]}"
check "and so does a check" is "$STATUS $(grep -c "^FAIL .*lost == 0 *$LOST\$" out)" "6 1"
"$TXTAP" top -b --hz 1M --replay-speed 0 --check 'lost == 0' "${LEFT[@]}" >out 2>err && STATUS=0 || STATUS=$?
check "also that of top" is "$STATUS" 6
"$TXTAP" decode -q -f trx -o left.trx "${LEFT[@]}"
check "the others are in a file for TraceX" is "$("$TXTAP" decode -q -f csv left.trx | grep -c ^event)" $((450 - LOST))
"$TXTAP" decode --strict -f csv part part1 >out 2>err && STATUS=0 || STATUS=$?
check "at the end it is told" is "$STATUS $(grep -c 'part1: the recording continues in another file, which is missing' err)" "5 1"
report --check 'lost == 0' part part1
check "nobody knows how many are lost then" is "$STATUS" 7
"$TXTAP" decode --strict -f csv part2 part1 >out 2>err && STATUS=0 || STATUS=$?
check "at the start it is told" is "$STATUS $(grep -c 'part2: 1 file of the recording before the first' err)" "5 1"
"$TXTAP" decode --strict -f csv part1 >out 2>err && STATUS=0 || STATUS=$?
check "of a file alone nothing is missing" is "$STATUS $(wc -c <err)" "0 0"

echo "# files too many"
cp part2 copy
"$TXTAP" decode --strict -f csv part? copy part part3 >out 2>err && STATUS=0 || STATUS=$?
check "a file that is there twice is told and read once" is \
    "$STATUS $(cmp out <(csv part*) && grep -c ': the same file of the recording as .*: it is read once' err)" "0 2"
refused() { # PATTERN ARGUMENT...
    local pattern=$1
    shift
    "$TXTAP" "$@" >out 2>err && STATUS=0 || STATUS=$?
    is "$STATUS $(wc -l <err)" "2 1" && grep -q -- "$pattern" err && return
    sed 's/^/# /' err
    return 1
}
for command in "decode -f csv" "decode -f trx -o new.trx" "report --hz 1M" "top -b --hz 1M" "view -o new.html"; do
    check "$command: another recording's file is refused" refused \
        '\(other3: not of the same recording as part[0-9]*\|part[0-9]*: not of the same recording as other3\): give the files of one recording$' \
        $command part* other3
    check "and anything else" refused 'threadx_qemu_wrapped.trx: not a recording: ' $command part "$SAMPLE"
done
check "which leaves no file" is "$(ls new* 2>/dev/null)" ""

echo "# a stream"
stream() { cat "${@:2}" | "$TXTAP" decode "$1" -f csv - >out 2>err && STATUS=0 || STATUS=$?; }
stream --strict part part?
check "in their order they are read" is "$STATUS $(cmp out <(csv part*) && cat err)" "0 "
stream --strict part part? part1
check "an earlier file is refused" is "$STATUS $(wc -l <err) $(grep -c 'standard input: file .* in it, from event .* on, is older than file' err)" "2 1 1"
stream --strict part other1
check "and another recording's" is "$STATUS $(wc -l <err) $(grep -c 'standard input: file 2 in it is not of the same recording as file 1' err)" "2 1 1"
stream --strict part part2 $(printf '%s\n' part? | tail -n +3)
check "a missing one is a gap" is "$STATUS $(grep -c ^gap out)" "5 1"

echo "# damage"
head -c 2500 part1 >cut
"$TXTAP" decode --strict -f csv part cut $(printf '%s\n' part? | tail -n +2) >out 2>err && STATUS=0 || STATUS=$?
check "after a file that was cut the next one is read" is \
    "$STATUS $(grep -c '^txtap: cut: cut within a block: read up to byte' err) $(numbers out | tail -1)" \
    "5 1 $(numbers whole.csv | tail -1)"
check "what was cut off is a gap" is "$(awk -F, '$1 == "event" { n++ } $1 == "gap" { n += $19 } END { print n }' out)" 450
"$TXTAP" decode --strict -f csv cut part? part >out 2>err && STATUS=0 || STATUS=$?
check "instead of a part of a file the whole one is read" is "$STATUS $(cmp out <(csv part*) && grep -c '^txtap: cut: cut: part1 ' err)" "0 1"
head_damaged() {
    local byte bit
    for byte in 0 3 7 8 12 15; do
        for bit in 1 128; do
            perl -0777 -pe "substr(\$_, $byte, 1) ^= chr $bit" part >flipped
            "$TXTAP" decode flipped >out 2>err && return 1
            [[ ! -s out ]] && grep -q 'flipped: a recording whose head is damaged: copy it again$' err || return 1
        done
    done
}
check "a recording is known by a damaged head" head_damaged
"$TXTAP" decode -f csv part flipped part2 part3 >out 2>err && STATUS=0 || STATUS=$?
check "among others it is told, and missing" is "$STATUS $(grep -c 'flipped: a recording whose head' err) $(grep -c ^gap out)" "0 1 1"

echo "# the recordings of a board, in a folder"
mkdir -p lab/board lab/builds
record --limit 300 -o lab/board/first
record -C 4k -o lab/board/second
same_events() { # FILE...: decode prints the events of the whole recording, once and in order
    local status=0
    "$TXTAP" decode --strict -f csv "$@" >out 2>err || status=$?
    is "$status" 0 && cmp <(grep ^event out) <(grep ^event whole.csv) && is "$(grep -c ^attached out) $(wc -c <err)" "1 0"
}
check "events that two recordings have come once" same_events lab/board
INDEX=lab/board/.txtap-index.json
index_has() { is "$(jq -c '[.schema, (.files | length), ([.files[].events] | add)]' $INDEX)" "[2,$1,$2]"; }
check "an index is kept" index_has $(($(ls lab/board | wc -l))) 750
cp $INDEX kept
check "with it, too" same_events lab/board
check "it stays" cmp $INDEX kept
for damage in 'head -c 700' 'sed s/since_us/sinse_us/' 'sed s/\"second\"/\"..\/x\"/' 'sed s/}/,/' 'head -c 0'; do
    $damage kept >$INDEX
    check "a damaged index is made again ($damage)" same_events lab/board
    check "as it was" cmp <(jq -S . $INDEX) <(jq -S . kept)
done
echo "# its index as a table"
files() { jq -c 'select(.schema == "txtap-files") | .files | map([.board, .file, .events, .lost])' out; }
check "info has a row for each file of a board" is \
    "$("$TXTAP" info -f json lab/board >out; jq '.files | length' out) $(jq '[.files[].events] | add' out)" "$(ls lab/board | wc -l) 750"
check "info has the boards of a lab, and its files" is "$("$TXTAP" info -f json lab >out; files)" \
    "$("$TXTAP" info -f json lab/board >out; files)"
check "the table has the same files" is "$("$TXTAP" info lab/board | tail -1)" "$(ls lab/board | wc -l) files, 750 events, 0 lost"
check "a time without files is refused" refused 'lab: no recording of this time' info --until 2001-01-01 lab
check "so is a format for a recording" refused 'works only with a folder' info -f json lab/board/first
rm $INDEX
ln -s ../../kept $INDEX
check "an index that is a link is not used" same_events lab/board
report --check 'lost == 0' lab/board
check "report reads a board" is "$STATUS $(grep -c "^ok .*lost == 0 *0\$" out)" "0 1"
cp "$FIRMWARE/demo.elf" firmware.elf
check "the firmware's ELF file may follow the folder" is \
    "$("$TXTAP" decode -q -f csv lab/board firmware.elf | grep -c ^event)" 450
check "view does, too" "$TXTAP" view -q -o board.html --hz 1M lab/board
check "a time without recordings is refused" refused 'lab/board: no recording of this time: it has recordings from 20' \
    decode --since 2001-01-01 --until 2001-01-02 lab/board
check "a folder without recordings, too" refused 'lab: no recording in this folder' decode lab
cp "$WORK/whole" lab/builds/first
record -o lab/builds/second
check "other events of the same time come after an unknown gap" is \
    "$("$TXTAP" decode -q -f csv lab/builds | grep -c ^event)" 450

echo "# a store"
record_into() { "$TXTAP" record --image "$SAMPLE@0x20006308" --address 0x20006308 -q "$@"; }
for limit in 300 450; do
    record_into --limit $limit --store lab/new/100%board
done
check "the folder is made, and no file is overwritten" is "$(find lab/new/100%board -name '20*.rec' -size +1k | wc -l)" 2
check "its files are read as one" same_events lab/new/100%board
TXTAP_STORE=lab/elsewhere record_into --limit 150 -o given 2>err
check "-o replaces TXTAP_STORE" is "$(ls lab/elsewhere given 2>/dev/null)" given
check "both at once are refused" refused 'store does not work with -o' record -o x --store y
check "a folder that cannot be made is told" is "$("$TXTAP" record --store given/b 2>&1)" \
    'txtap: given/b: no folder can be made there: Not a directory: choose another with --store'

# A recording that begins with a buffer without events, followed by another buffer.
perl -MCompress::Raw::Zlib -0777 -e '
    my $file = <>;
    my ($number, @blocks) = (0);
    for (my $at = 16; $at < length $file; $at += 20 + length $blocks[-1][1]) {
        push @blocks, [unpack("v", substr($file, $at, 2)), substr($file, $at + 20, unpack("V", substr($file, $at + 4, 4)))];
    }
    print substr($file, 0, 16);
    for ($blocks[0], grep { $_->[0] != 11 } @blocks) {
        my $head = pack("vvVVV", $_->[0], 0, length $_->[1], length $_->[1], $number++);
        print $head, pack("V", crc32($head . $_->[1])), $_->[1];
    }' whole >two
exported() {
    local format
    for format in text csv jsonl vcd vcd-wires; do
        "$TXTAP" decode -q --hz 1M -f $format - <whole >out && "$TXTAP" decode -q --hz 1M -f $format - <two | cmp out - || return 1
    done
    "$TXTAP" decode -q --hz 1M -f perfetto two >out && "$TXTAP" decode -q --hz 1M -f ctf -o ctf two
}
check "two buffers at the start are exported in all formats" exported
e2e_end
