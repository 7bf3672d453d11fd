#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap report on sample traces: its three formats, the options that select figures, and a trace with a gap.
#   usage: analyses.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
DATA=$E2E_ROOT/tests/data
DEMO=$DATA/analysis/demo_live.trx

# reports ARGUMENT...: writes a report of the demo's trace to $OUT.
reports() {
    run_txtap report -q "$@" "$DEMO"
    is "$STATUS" 0
}
json() { jq -r "$1" "$OUT"; }
# value NAME SUBJECT STATISTIC: prints the statistic of the named figure from the report in $OUT.
value() { json ".figures[] | select(.name == \"$1\" and .subject.name == \"$2\") | .stats.$3.value"; }

check "text" reports --hz 1M
check "the first page says that nothing deserves attention" grep -qx "findings: nothing that deserves attention" "$OUT"
check "and has a row for each thread, by priority" is "$(sed -n '/^  THREAD /,/^$/p' "$OUT" | awk '$NF ~ /%|-/ { print $(NF > 13 ? 3 : 1) }' | tr '\n' ' ')" \
    "Thread sampler control filter logger reporter housekeeper "
# column TABLE ROW NUMBER: prints a field of a row, counted from the end of the row.
column() { sed -n "/^  $1 /,/^\$/p" "$OUT" | awk -v row="$2" -v from_end="$3" '$1 == row { print $(NF - from_end) }'; }
check "the longest response is the sum of its parts: running, ready, interrupted, waiting for a mutex" is \
    "$(for i in 7 6 5 4 3; do column THREAD logger "$i"; done | tr '\n' ' ')" "210us 59.0us 125us 26.0us 0 "
# Runs each command that the last report names, in $WORK. Prints the commands.
named_commands() {
    local command commands
    commands=$(sed -n 's/^      txtap //p' "$OUT" | sort -u)
    [[ $commands ]] || return 1
    while read -r command; do
        (cd "$WORK" && eval "'$BUILD/capture/txtap' $command") >"$WORK/named" 2>&1 && (($(wc -l <"$WORK/named") > 3)) || return 1
        echo "$command"
    done <<<"$commands"
}
mkdir "$WORK/a b"
cp "$E2E_ROOT/tests/data/analysis/inv_unbounded.trx" "$WORK/a b/it's.trx"
cp "$E2E_ROOT/tests/data/analysis/deadlock.trx" "$WORK/-d.trx"
cd "$WORK"
run_txtap report -q --hz 1M "a b/it's.trx"
check "the commands of findings can be copied, with quotes and --hz" is "$(named_commands | head -n 1)" \
    "decode --hz 1000000 --from 0.000000s --to 0.000340s 'a b/it'\\''s.trx'"
run_txtap report -q --from 0 --job-ends any -- -d.trx
check "with the options of the analysis and a name like an option" is "$(named_commands | head -n 1)" \
    "report --from 0 --job-ends any --section deadlock ./-d.trx"
"$BUILD/capture/txtap" report -q - <-d.trx >"$OUT"
check "a trace from standard input must be saved first" is "$(grep -cE '^      txtap|^  to look closer, save the trace in a file' "$OUT")" 1
cd "$OLDPWD"
check "all figures" reports --hz 1M --all
check "sections are in their fixed order" is \
    "$(sed -n 's/^\([a-z]*\): .*/\1/p' "$OUT" | head -n 5 | tr '\n' ' ')" "findings trace cpu wake jobs "
check "the worst thread comes first" is "$(sed -n '/(response)$/{n;n;s/ *\([a-z]*\).*/\1/p;}' "$OUT")" logger
check "a table of times has its columns, with a rate too" is "$(grep -cE '^  wake-up latency [(]wake[)] +n +min +mean +p95 +p99 +max +event +time$' "$OUT")" 1
check "a file has whole names" grep -qE "^  System Timer Thread +interrupt 15 " "$OUT"

check "JSON" reports -f json
check "it is JSON of that version" is "$(json '.schema, .schema_version' | tr '\n' ' ')" "txtap-report 2 "
check "ticks are integers" is "$(value wake sampler sum)" 247
check "without a rate there are no seconds" is "$(json '[.. | .seconds? // empty] | length')" 0
check "with a rate there are seconds" reports -f json --hz 1M
check "they are numbers" is "$(json '.figures[] | select(.name == "wake" and .subject.name == "sampler") | .stats.sum.seconds')" 0.000247
check "all shares of the processor make up the window" is \
    "$(json '[.figures[] | select(.name | IN("cpu_ticks", "idle_ticks", "interrupts_ticks", "init_ticks")) | .stats.value.value] | add')" \
    "$(json .window_ticks)"

check "CSV" reports -f csv
check "all lines have the same number of columns" is \
    "$(sed 's/"[^"]*"//g' "$OUT" | awk -F, '{ print NF }' | sort -u | wc -l)" 1
check "and there are as many lines as figures" is "$(($(wc -l <"$OUT") - 1))" \
    "$("$BUILD/capture/txtap" report -q -f json "$DEMO" | jq '.figures | length')"

refused() { # WORDS ARGUMENT...
    run_txtap report -q "${@:2}" "$DEMO"
    is "$STATUS $(grep -cF -- "$1" "$ERR")" "2 1"
}
check "a thread that is not there is a mistake" refused "--thread: no thread in this trace is 'smapler': did you mean 'sampler'" --thread smapler
check "so are options of a running target" refused '--seconds works only with a running target' --seconds 1
check "which would make a file's ticks nanoseconds" refused '--zephyr-ram works only with a running target' --zephyr-ram
check "no line of text ends in a blank" is "$("$BUILD/capture/txtap" report -q "$DEMO" | grep -c ' $')" 0
check "large numbers of ticks are shortened" test \
    "$("$BUILD/capture/txtap" report -q --all "$DATA/threadx_qemu_unwrapped.trx" | grep -cE '^  producer +[a-z]* +0 .* >=1.09M ')" -ge 1
head -c 100 "$DATA/demo_threadx.trx" >"$WORK/cut.trx"
run_txtap report -q "$WORK/cut.trx"
check "a trace without an event says what is lost, not in how many gaps" grep -qE '^0 events in 0 ticks, [0-9]+ lost before the first$' "$OUT"

check "two sections" reports --section wake,jobs
check "have nothing else" is "$(sed -n 's/^\([a-z]*\): .*/\1/p' "$OUT" | tr '\n' ' ')" "wake jobs "
check "one section" reports --section wake
check "has nothing else" is "$(sed -n 's/^\([a-z]*\): .*/\1/p' "$OUT")" wake
check "one thread" reports -f json --thread 'sam*'
check "is in all figures" is "$(json '[.figures[] | select(.subject.name != "sampler" and .other.name != "sampler")] | length')" 0
check "part of the time" reports -f json --from 50000 --to 100000
check "is a shorter window" is "$(json '.window_ticks <= 50000')" true
check "the times of all threads add up to it" is "$(json '
    .window_ticks as $window | [.figures[] | select(.name == "time_ticks")] | group_by(.subject.address)[] |
    (map(.stats.value.value) | add) - $window' | sort -u)" 0
check "intervals between events" reports -f json --between tx_mutex_get:tx_mutex_put
check "the number of an event is not cut off" test "$("$BUILD/capture/txtap" report -q --between 4096:36 --section between "$DEMO" |
    grep -c '^  user event 4096 ')" -eq 2
check "are counted" is "$(json '.figures[] | select(.name == "between") | .stats.n.value')" 35

check "periods against a given one" reports -f json --hz 1M --period 'sam*=8.5ms' --check 'missed(sampler) > 0'
check "have the figures of that thread" is "$(value nominal sampler value) $(value period_error sampler n)" "8500 $(value period sampler n)"
check "as text" reports --hz 1M --period 'sampler=8.6ms' --section nominal
check "a drift to earlier times has a unit of its size" grep -q '^  sampler  *-529us$' "$OUT"
run_txtap report -q --period 'smapler=85' "$DEMO"
check "a thread that is not there is a mistake" is "$STATUS $(grep -c "did you mean 'sampler'" "$ERR")" "2 1"
run_txtap report -q --period 'sampler=0' "$DEMO"
check "so is a period of 0" is "$STATUS" 2

n=$("$BUILD/capture/txtap" report -q -f json "$DEMO" | jq '.figures[] | select(.name == "wake" and .subject.name == "sampler") | .stats.n.value')

check "CPU share over time" reports -f json --bucket 20000 --section buckets
check "covers the trace" is "$(json '[.figures[] | select(.name == "bucket_load") | .span.to - .span.from] | add')" "$(json .window_ticks)"
check "in a bucket the threads and interrupts are the load" is "$(json '[.figures[] | select(.name | IN("bucket_cpu", "bucket_interrupts"))] |
    map(.stats.value.value * (.span.to - .span.from) / 100) | add | round')" "$("$BUILD/capture/txtap" report -q -f json "$DEMO" | jq '.figures[] | select(.name == "load_ticks") | .stats.value.value')"
check "as text" reports --hz 1M --bucket 20ms --section buckets
check "it has a line for each, and at most 100 columns" is "$(grep -c '^ *[0-9.]*s ' "$OUT") $(awk 'length > 100' "$OUT" | wc -l)" "12 0"
check "too many become wider, and it says so" reports --bucket 10 --section buckets
check "as text does" grep -q 'buckets of 480 ticks\|too many buckets of 10 ticks' "$OUT"
check "a check can be about all of them" reports --bucket 20000 --check 'bucket_cpu(filter) < 1%'

check "a semaphore as a lock" reports -f json --semaphore-as-lock refresh --semaphore-as-lock 'sample*'
check "has its own figures" is "$(value contended refresh value)" 1
check "one with a count above one is none" is "$(json '[.figures[] | select(.subject.name == "sample ready") | .name] | (index("above_one") != null) and (index("hold") == null)')" true
run_txtap report -q --semaphore-as-lock sample "$DEMO"
check "one that is not there is a mistake" is "$STATUS $(grep -c "no semaphore in this trace is 'sample': did you mean 'sample ready'" "$ERR")" "2 1"

run_txtap report -q "$DATA/analysis/smp2.trx"
check "with several cores it says that their clocks are not known" grep -q '^2 cores: it is unknown' "$OUT"
check "and that their switches are not" grep -q 'No event records when a core makes another core switch' "$OUT"
check "a line of at most 100 columns" is "$(awk 'length > 100' "$OUT" | wc -l)" 0
reports
check "with one core it does not" is "$(grep -c ' cores' "$OUT")" 0

check "histograms" reports --hz 1M --histograms
check "of wake-ups and jobs" is "$(sed -n 's/^  \([a-z]*\) of .*/\1/p' "$OUT" | sort -u | tr '\n' ' ')" "response run wake "
check "their bars have all samples" is "$(awk '/^  wake of sampler/ { on = 1; next } on && !/ us/ { exit } on { sub(/#.*/, ""); n += $NF } END { print n }' "$OUT")" "$n"
check "of a named section all" reports --section mutexes --histograms
check "as of a mutex" grep -q '^  hold of model' "$OUT"

# A trace in which 64 entries in the middle are missing: these entries are 0.
length=$(stat -c %s "$DEMO")
dd if=/dev/zero of="$WORK/zeros" bs=32 count=64 status=none
{ head -c 9000 "$DEMO"; cat "$WORK/zeros"; tail -c +$((9000 + 64 * 32 + 1)) "$DEMO"; } >"$WORK/gap.trx"
check "a trace with a gap" is "$(stat -c %s "$WORK/gap.trx")" "$length"
run_txtap report -q -f json "$WORK/gap.trx"
check "is analysed" is "$STATUS" 0
check "what is missing is counted" is "$(json '.gaps >= 1 and .lost > 60')" true
check "less was observed" is "$(json '.observed_ticks < .window_ticks')" true
check "a maximum has no upper limit" is "$(json '[.figures[] | select(.name == "wake") | .stats.max.upper] | unique | .[0]')" null
run_txtap report -q "$WORK/gap.trx"
check "the text says at least" grep -q '>=' "$OUT"

run_txtap report -q "$DATA/demo_threadx.csv.expect"
check "a file that is not a trace: status 3" is "$STATUS" 3
run_txtap report "$E2E_ROOT/tests/fuzz/corpus/recording/events"
check "a recording has a report" is "$STATUS" 0

# A full ring of 20,368 events as an image of memory. The first events of the ring create all objects.
IMAGE=(--image "$BUILD/tests/data/demo_rec.trx@0x200006a0" --address 0x200006a0)
run_txtap record -q "${IMAGE[@]}" --limit 20368 --seconds 60 -o "$WORK/full"
check "a full ring is recorded, its oldest event included" is \
    "$("$BUILD/capture/txtap" decode -q -f jsonl "$WORK/full" | grep -c '"type":"event"')" 20368
run_txtap report -q "${IMAGE[@]}" --seconds 2
mv "$OUT" "$WORK/image.report"
run_txtap report -q "$WORK/full"
check "the recording has the report of the ring" cmp "$WORK/image.report" <(tail -n +2 "$OUT")
check "after a line about its origin" is "$(head -1 "$OUT" | cut -d' ' -f1-3)" "Recorded by txtap"
check "with names" grep -q '^  sampler ' "$OUT"
check "and so have its first events" is \
    "$("$BUILD/capture/txtap" decode -q -f jsonl "$WORK/full" | sed -n '/"type":"event"/p' | sed -n 10p | jq -r .fields.thread)" sampler
run_txtap report --section waek "$DEMO"
check "an unknown section: status 2" is "$STATUS" 2
e2e_end
