#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# txtap decode: the sample captures compared with their goldens, and files that are not traces.
#   decode.sh BUILD_DIRECTORY             check
# decode.sh BUILD_DIRECTORY --update    writes the goldens again; review the diff
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
TXTAP=$BUILD/capture/txtap
DATA=$E2E_ROOT/tests/data
wrapped=$DATA/threadx_qemu_wrapped.trx

# decode_sample SAMPLE FORMAT: decodes without the version of txtap.
decode_sample() { "$TXTAP" decode -q --format "$2" "$DATA/$1.trx" | sed '1s/"version":"[^"]*"/"version":""/'; }

as_golden() { # SAMPLE FORMAT
    decode_sample "$1" "$2" >"$WORK/out" 2>"$WORK/err" && cmp "$WORK/out" "$DATA/$1.$2.expect" &&
        [[ ! -s $WORK/err ]]
}

# fails_with CODE WORD ARGUMENT...: checks that txtap ends with exit code CODE, prints nothing on stdout, and prints one
# line with WORD on stderr.
fails_with() {
    local code=$1 word=$2 status=0
    shift 2
    timeout "$E2E_RUN_S" "$TXTAP" decode "$@" >"$WORK/out" 2>"$WORK/err" || status=$?
    [[ $status -eq $code && ! -s $WORK/out && $(wc -l <"$WORK/err") -eq 1 ]] && grep -q -- "$word" "$WORK/err"
}

for sample in threadx_qemu_wrapped threadx_qemu_unwrapped demo_threadx demo_netx_tcp; do
    for format in text jsonl csv; do
        if [[ ${2:-} == --update ]]; then
            decode_sample "$sample" "$format" >"$DATA/$sample.$format.expect"
        fi
        check "$sample decodes to its $format golden" as_golden "$sample" "$format"
    done
done

for format in vcd vcd-wires; do
    if [[ ${2:-} == --update ]]; then
        "$TXTAP" decode -q --format "$format" "$wrapped" >"$DATA/threadx_qemu_wrapped.$format.expect"
    fi
    check "threadx_qemu_wrapped decodes to its $format golden" as_golden threadx_qemu_wrapped "$format"
done

every_line_is_json() { "$TXTAP" decode --format jsonl "$1" 2>"$WORK/err" | jq -e . >"$WORK/out" && [[ -s $WORK/out ]]; }
same_bytes() { "$TXTAP" decode --format trx "$1" 2>"$WORK/err" | cmp - "$1"; }
# Compares the last event's time with the reference tool's "Max Relative Ticks".
ends_at() { [[ $("$TXTAP" decode "$1" 2>"$WORK/err" | awk 'END { print $1 }') == "$2" ]]; }
seconds_agree() {
    "$TXTAP" decode --hz 1e6 --format jsonl "$1" >"$WORK/out" 2>"$WORK/err" && is_true "$WORK/out" 'map(select(.type == "event")) |
        map(select((.ticks - .seconds * 1e6) | fabs >= 0.001)) == []' -s
}
deltas_add_up() {
    "$TXTAP" decode --time delta --format jsonl "$1" >"$WORK/out" 2>"$WORK/err" && is_true "$WORK/out" \
        'map(select(.type == "event")) | (map(.delta) | add) == .[-1].ticks' -s
}
for sample_end in threadx_qemu_wrapped:15041 threadx_qemu_unwrapped:1093223 demo_threadx:156206 demo_netx_tcp:949000; do
    sample=${sample_end%:*} file=$DATA/${sample_end%:*}.trx
    check "jq reads every line of $sample" every_line_is_json "$file"
    check "$sample as trx is $sample, byte for byte" same_bytes "$file"
    check "the last event of $sample is where TraceX has it" ends_at "$file" "${sample_end#*:}"
    check "seconds of $sample are its ticks by the rate" seconds_agree "$file"
    check "the deltas of $sample add up to its length" deltas_add_up "$file"
done

# Checks that decode reports a clock that counts down. The clock of demo_threadx counts down, but the file does not
# contain this information.
says_down() { "$TXTAP" decode "$DATA/demo_threadx.trx" 2>&1 >"$WORK/out" | grep_all 'count down'; }
quiet_is_quiet() { [[ -z $("$TXTAP" decode -q "$DATA/demo_threadx.trx" 2>&1 >"$WORK/out") ]]; }
check "stamps that count down are reported" says_down
check "-q does not report it" quiet_is_quiet

stdin_is_the_same() { "$TXTAP" decode - <"$wrapped" | cmp - "$DATA/threadx_qemu_wrapped.text.expect"; }
names_are_there() { [[ $(grep -c 'queue=samples' "$DATA/threadx_qemu_wrapped.text.expect") -gt 20 ]]; }
check "standard input decodes like the file" stdin_is_the_same
check "objects are shown by name" names_are_there

usage_says() { # WORDS ARGUMENT...
    local words=$1 status=0
    shift
    "$TXTAP" "$@" >"$WORK/out" 2>"$WORK/err" || status=$?
    [[ $status -eq 2 && ! -s $WORK/out ]] && grep -q -- "$words" "$WORK/err"
}
refuses_terminal() {
    script -qec "'$TXTAP' decode --format trx '$wrapped'" /dev/null </dev/null >"$WORK/out" 2>&1
    [[ $? -ne 0 && $(wc -c <"$WORK/out") -lt 200 ]] && grep -q 'terminal' "$WORK/out"
}

: >"$WORK/empty"
head -c 20 "$wrapped" >"$WORK/short"
head -c 9000 "$wrapped" >"$WORK/cut"
printf 'not a trace %0.s' {1..100} >"$WORK/text"
check "a missing file is reported" fails_with 1 "No such file" "$WORK/none"
check "a directory without recordings is reported" fails_with 2 "no recording in this folder" "$WORK"
check "an empty file is reported" fails_with 3 "empty" "$WORK/empty"
check "a file shorter than a header is reported" fails_with 3 "20 bytes" "$WORK/short"
check "a file without a trace is reported" fails_with 3 "header" "$WORK/text"

# Checks containers: the same memory in files of other kinds must give the same events.
address=0x20006308 # address of the buffer, from the sample's header
same_as_trx() { # FILE ARGUMENT...
    "$TXTAP" decode "$@" 2>"$WORK/err" | cmp - "$DATA/threadx_qemu_wrapped.text.expect" && [[ ! -s $WORK/err ]]
}
for format in ihex srec; do
    objcopy -I binary -O "$format" --change-addresses "$address" "$wrapped" "$WORK/wrapped.$format"
    check "$format of objcopy decodes" same_as_trx "$WORK/wrapped.$format"
done
od -An -v -tx1 "$wrapped" >"$WORK/wrapped.hex"
check "hexadecimal text decodes" same_as_trx "$WORK/wrapped.hex"
{ head -c 776 /dev/zero; cat "$wrapped"; head -c 1000 /dev/zero; } >"$WORK/ram"
check "a dump of RAM decodes" same_as_trx "$WORK/ram"
check "a dump of RAM whose address is known decodes" same_as_trx "$WORK/ram" --base 0x20006000
{ cat "$WORK/ram" "$wrapped"; } >"$WORK/copies"
several_are_listed() {
    local status=0
    "$TXTAP" decode "$WORK/copies" >"$WORK/out" 2>"$WORK/err" || status=$?
    [[ $status -eq 3 && ! -s $WORK/out && $(grep -c 'trace buffer of address' "$WORK/err") -eq 2 ]] &&
        grep -q -- --address "$WORK/err"
}
check "several buffers are all listed" several_are_listed
check "an offset chooses one of them" same_as_trx "$WORK/copies" --address 776
check "a base chooses the one at its own address" same_as_trx "$WORK/copies" --base 0x20006000
check "a base for a file with addresses is refused" fails_with 2 "addresses of its own" "$WORK/wrapped.ihex" --base 0
sed -i '20s/./:0/5' "$WORK/wrapped.ihex"
check "a damaged record is reported with its line" fails_with 1 "line 20" "$WORK/wrapped.ihex"

# Checks that decode reports a part that was cut off, and shows it as a gap.
cut_is_said() {
    "$TXTAP" decode "$WORK/cut" >"$WORK/out" 2>"$WORK/err" && grep -q "231 of the ring's 474" "$WORK/err" &&
        grep -q "183 events lost" "$WORK/out"
}
cut_is_strictly_a_failure() {
    local status=0
    "$TXTAP" decode --strict -q "$WORK/cut" >"$WORK/out" 2>"$WORK/err" || status=$?
    [[ $status -eq 5 && ! -s $WORK/err ]]
}
check "a truncated file decodes, and what is missing is reported" cut_is_said
check "with --strict that is exit code 5" cut_is_strictly_a_failure
check "an unknown time style is reported" usage_says "relative, delta or absolute" decode --time later "$wrapped"
check "trx is not for a stream" usage_says "snapshot" tail --format trx
check "trx is not for a terminal" refuses_terminal
several() { ! "$TXTAP" decode "$wrapped" "$wrapped" >"$WORK/out" 2>"$WORK/err" && [[ ! -s $WORK/out ]] && grep -q 'not a recording: give one file' "$WORK/err"; }
check "several files that are not recordings are refused" several

# insert TYPE TEXT FILE: writes the recording with one more block after its first block. The new block contains TEXT and
# a NUL.
insert() {
    perl -MCompress::Raw::Zlib -0777 -e '
        my ($type, $text) = splice(@ARGV, 0, 2);
        my $file = <>;
        my ($number, @blocks) = (0);
        for (my $at = 16; $at < length $file; $at += 20 + length $blocks[-1][3]) {
            my ($t, $flags, $stored, $bytes) = unpack("vvVV", substr($file, $at, 20));
            push @blocks, [$t, $flags, $bytes, substr($file, $at + 20, $stored)];
        }
        splice @blocks, 1, 0, [$type, 0, 1 + length $text, "$text\0"];
        print substr($file, 0, 16);
        for (@blocks) {
            my $head = pack("vvVVV", $_->[0], $_->[1], length $_->[3], $_->[2], $number++);
            print $head, pack("V", crc32($head . $_->[3])), $_->[3];
        }' "$1" "$2" "$WORK/recording" >"$3"
}
"$TXTAP" record --image "$wrapped@$address" --address "$address" --limit 100 -q -o "$WORK/recording"
"$TXTAP" decode "$WORK/recording" >"$WORK/recorded"
insert 99 "of a later version" "$WORK/later"
insert 7 'event 4096 "tick"' "$WORK/defined"
insert 7 'event 4096 nothing' "$WORK/nonsense"
same_as_recorded() { "$TXTAP" decode "$1" 2>"$WORK/err" | cmp - "$WORK/recorded" && [[ ! -s $WORK/err ]]; }
check "a block of a later version is skipped" same_as_recorded "$WORK/later"
check "definitions in a recording do not change the kernel's events" same_as_recorded "$WORK/defined"
check "invalid definitions in a recording are reported" fails_with 1 "line 1" "$WORK/nonsense"
e2e_end
