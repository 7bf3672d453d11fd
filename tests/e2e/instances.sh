#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# txtap report --instances: each sample of a figure with its time. Count, sum and maximum of the instances are the numbers
# of the report.   usage: instances.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
TXTAP=$BUILD/capture/txtap
DATA=$E2E_ROOT/tests/data/analysis
DEMO=$DATA/demo_live.trx
NAMES=(response run wake ready first_run block waits hold wait isr isr_self isr_interval path wake_by period turns)

report() { "$TXTAP" report -q "$@" 2>"$WORK/err"; }
instances() { report "${NAMES[@]/#/--instances=}" "$@"; }

# Prints "figure subject other detail n sum max cut" of each figure with a sample, from the report.
of_report() {
    report -f csv "$1" | sed 's/\r$//' | awk -F, -v names=" ${NAMES[*]} " '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        index(names, " " $2 " ") && $at["n"] + $at["censored"] > 0 && $at["n"] != "" {
            print $2, $4, $5, $6, $at["n"], $at["sum"] + 0, $at["max"] + 0, $at["censored"] }' | sort
}

# Prints the same, from the instances.
of_instances() {
    instances -f csv "$1" | sed 's/\r$//' | awk -F, '
        NR == 1 { next }
        { key = $1 " " $3 " " $4 " " $5; keys[key] = 1 }
        $7 == "complete" { n[key]++; sum[key] += $11; if ($11 > max[key]) max[key] = $11; next }
        { cut[key]++ }
        END { for (key in keys) print key, n[key] + 0, sum[key] + 0, max[key] + 0, cut[key] + 0 }' | sort
}

agree() {
    of_report "$1" >"$WORK/figures"
    of_instances "$1" >"$WORK/instances"
    [[ -s $WORK/figures ]] && diff "$WORK/figures" "$WORK/instances"
}

for trace in demo_live inv_unbounded isr_nested smp2 sema_timeout time_slice; do
    check "$trace: the instances have the numbers of the report" agree "$DATA/$trace.trx"
done

instances -f csv "$DEMO" >"$WORK/csv"
instances -f json "$DEMO" >"$WORK/json"
check "JSON has as many lines as CSV" is "$(jq -s length "$WORK/json")" "$(wc -l <"$WORK/csv")"
check "the parts of a job are its length" is_true "$WORK/json" 'map(select(.figure == "response" and .run != null) |
    select(.run + .ready + .interrupted + .blocked + .unknown != .value or .end - .start != .value)) == []' -s
check "the end of a job is its event" is_true "$WORK/json" 'map(select(.figure == "response" and .value == 210)) |
    length == 1 and .[0].event == 20367' -s

# ---- a part of the trace; a pattern ----

report '--instances=response(sam*)' -f json --from 100000 --to 200000 "$DEMO" >"$WORK/part"
check "a pattern and a range choose" is_true "$WORK/part" \
    'map(select(.type != "header") | [.subject, .start >= 100000 or .state == "cut", .end <= 200000]) | unique == [["sampler", true, true]]' -s

# ---- names that come after the events ----

# A recorder that reads the target's names late writes them after the events. This moves the blocks of objects to the end.
run_txtap record --image "$DEMO@0x200006a0" --address 0x200006a0 -q --limit 465 -o "$WORK/early.rec"
# arrange BLOCKS: prints the recording with these blocks: an expression that uses @events and @objects.
arrange() {
    perl -MCompress::Raw::Zlib -0777 -e '
        my $blocks = shift;
        my $file = <>;
        my ($number, @blocks) = (0);
        for (my $at = 16; $at < length $file; $at += 20 + length $blocks[-1]{payload}) {
            my ($type, $flags, $stored, $bytes) = unpack("vvVV", substr($file, $at, 12));
            push @blocks, {type => $type, flags => $flags, bytes => $bytes, payload => substr($file, $at + 20, $stored)};
        }
        my $end = pop @blocks;
        my @objects = grep { $_->{type} == 2 } @blocks;
        my @events = grep { $_->{type} != 2 } @blocks;
        print substr($file, 0, 16);
        for ((eval $blocks), $end) {
            my $head = pack("vvVVV", $_->{type}, $_->{flags}, length $_->{payload}, $_->{bytes}, $number++);
            print $head, pack("V", crc32($head . $_->{payload})), $_->{payload};
        }' "$1" "$WORK/early.rec"
}
arrange '@events, @objects' >"$WORK/late.rec"
arrange '@events' >"$WORK/nameless.rec"
for name in early late; do
    instances -f csv "$WORK/$name.rec" | sort >"$WORK/$name.csv"
    report '--instances=response(sam*)' --hz 1M "$WORK/$name.rec" | tail -n +2 >"$WORK/$name.text"
done
is_same_strip() { grep -q '^sampler .*|.*@' "$WORK/early.text" && diff "$WORK/early.text" "$WORK/late.text"; }
says_nameless() {
    run_txtap report --hz 1M -f csv '--instances=response(sam*)' "$WORK/nameless.rec"
    is "$STATUS" 2 && said '[1-9][0-9]* samples are left out, because the names of their threads or objects are not known'
}
check "the recording has names" grep -q '"sampler"' "$WORK/early.csv"
check "late names are the names of all instances" diff "$WORK/early.csv" "$WORK/late.csv"
check "a pattern of a late name chooses all its instances" is_same_strip
check "without a name, a pattern leaves out, and says so" says_nameless

# ---- text ----

report --instances --hz 1M "$DEMO" >"$WORK/text"
check "the text has a strip" grep -q '^logger .*|.*@.*|$' "$WORK/text"
check "and the longest" grep -q '^  logger *210us *181ms *20367' "$WORK/text"
check "which has at most 80 columns" is "$(awk '/[|]/ && length > 80' "$WORK/text" | wc -l)" 0

# ---- mistakes; a closed pipe ----

refuses() { # CODE WORD ARGUMENT...
    local code=$1 word=$2 status=0
    shift 2
    report "$@" >"$WORK/out" || status=$?
    [[ $status -eq $code ]] && grep -q -- "$word" "$WORK/err"
}
check "a name that nothing has" refuses 2 "did you mean 'control'" '--instances=response(controll)' "$DEMO"
check "the same with CSV" refuses 2 "did you mean 'control'" '--instances=response(controll)' -f csv "$DEMO"
check "a figure without samples" refuses 2 'has no instances' --instances=cpu "$DEMO"
check "a limit" refuses 2 'expected a figure' '--instances=wake < 2' "$DEMO"
check "another part of the report" refuses 2 'do not work with it' --instances --all "$DEMO"
check "a check" refuses 2 'two reports' --instances --check 'lost == 0' "$DEMO"
check "an existing file" refuses 1 'file exists' --instances -f csv -o "$WORK/csv" "$DEMO"
check "a full disk" refuses 1 'No space left' --instances -f csv -o /dev/full "$DEMO"

closed_pipe() {
    "$TXTAP" report -q --instances -f csv "$1" 2>"$WORK/err" | head -n 1 >"$WORK/out"
    [[ ${PIPESTATUS[0]} -eq 0 && ! -s $WORK/err && -s $WORK/out ]]
}
check "a reader that goes is a normal end" closed_pipe "$BUILD/tests/data/demo_rec.trx"
e2e_end
