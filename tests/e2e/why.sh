#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap why on sample traces: each way to choose a span, both formats, kinds of files, and bad input.
#   usage: why.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
REC=$BUILD/tests/data/demo_rec.trx
MADE=$E2E_ROOT/tests/data/analysis
CAUSE="control waited 110 ticks for mutex model, held by reporter since event 284"

# first ARGUMENT...: runs txtap why. Its first line is in FIRST.
first() {
    run_txtap why -q "$@"
    FIRST=$(head -n 1 "$OUT")
}
# column NUMBER: prints a column of the table of pieces, without its last row.
column() { sed -n '/^ *TICKS/,$p' "$OUT" | sed '1d;$d' | awk -v column="$1" '{ print $column }' | tr '\n' ' '; }

first "$REC" 'response(control).max'
check "the first line names the cause" is "$STATUS $FIRST" "0 $CAUSE"
check "the pieces are those computed by hand" is "$(column 1)" "33 35 83 24 73 185 110 28 "
check "their sum is the time from the interrupt to the end of the job" is "$(tail -n 1 "$OUT" | awk '{ print $1 }')" 571
check "the timeline has a row for each thread and interrupt, within 80 columns" is \
    "$(sed -n '/|$/p' "$OUT" | awk 'length <= 80' | cut -c1-11 | sed 's/ *$//' | tr '\n' ,)" "control,interrupt 1,System Time,reporter,"
first --hz 168M "$REC" 'response(control).max < 1us'
check "a whole check will do, and a rate gives times" is "$FIRST" "${CAUSE/110 ticks/655ns}"
first "$REC" --event 290
check "an event finds the same job" is "$FIRST" "$CAUSE"
first --hz 168M --thread contr* --at 0.632ms "$REC"
check "so do a thread and a time" is "$FIRST" "${CAUSE/110 ticks/655ns}"
first "$REC"
check "without a figure there is a line for each thread" is "$(grep -c ' until event ' "$OUT")" 7
check "with the same cause" grep -qx "323 ticks until event 301: $CAUSE" "$OUT"

first -f json "$REC" 'response(control).max'
check "JSON has the same cause, and its pieces and groups add up" jq -e --arg cause "$CAUSE" '.cause == $cause and .total == 323 and
    ([.pieces[].ticks] | add) == .total + .before and ([.groups[].ticks] | add) == .total + .before and
    ([.pieces[] | select(.chain[0].object.name == "model")] | length) == 1' "$OUT" >"$WORK/jq"
mv "$OUT" "$WORK/json"
first "$REC" 'response(control).max'
check "and the sentences of the text" is "$(jq -r '.cause, .span, .notes[], .pieces[].line' "$WORK/json")" \
    "$(sed -n '1,2p' "$OUT"; sed -n '/^ *TICKS/,$p' "$OUT" | sed '1d;$d' | cut -c20-)"
# agrees FIGURE: compares the length of the span with the figure of the report.
agrees() {
    local name=${1%%(*} thread=${1#*(}
    first -f json "$REC" "$1"
    is "$(jq "$2" "$OUT")" "$(jq "[.figures[] | select(.name == \"$name\" and .subject.name == \"${thread%%)*}\") | .stats.max.value] | max" "$WORK/report")"
}
run_txtap report -q -f json "$REC"
mv "$OUT" "$WORK/report"
for figure in 'block(filter).max' 'wake(logger).max' 'ready(logger).max' 'hold(model).max' 'response(sampler).max'; do
    check "$figure is the length of its span" agrees "$figure" .total
done
check "a path has the time before the job, too" agrees 'path(control).max' '.total + .before'

first "$REC" inversion
check "a figure that is usually a count means its maximum" is "$FIRST" "$CAUSE"
first "$REC" 'stack_bytes(control)'
check "a stack in bytes has the event with its deepest use" grep -qE '^control used at least 152 of 1024 bytes of its stack, at event 288 ' <<<"$FIRST"
first "$REC" leak
check "without a leak, there is a line" is "$STATUS $(cut -d: -f2-3 <"$ERR")" "2  'leak': no leak was found"
first "$MADE/deadlock.trx" 'response(a).max'
check "a deadlock is called so" is "${FIRST##*, }" "held by a: a deadlock"
check "its job has no end in the trace" grep -q '^job of a: at least ' "$OUT"
first "$MADE/inv_unbounded.trx" 'response(high).max'
check "an inversion names the owner and the thread that kept it from running" is "$FIRST" \
    "high waited 140 ticks for mutex m, held by low since event 0; for 80 ticks low was ready while mid (priority 10) ran"
first --from 181300 --to 181590 "$MADE/demo_live.trx" response
check "a job without an end is longer than complete jobs" is "${FIRST%% *}" logger
run_txtap report -q --from 181300 --to 181590 "$MADE/demo_live.trx"
check "report explains the same job" grep -q '^largest RESPmax, why: logger was ready' "$OUT"
run_txtap record -q --image "$REC@0x200006a0" --address 0x200006a0 --limit 20368 --seconds 60 -o "$WORK/full"
first "$WORK/full" 'response(control).max'
check "a recording has the same cause" is "$FIRST" "$CAUSE"

echo "# a missing file of a recording"
run_txtap record -q --image "$REC@0x200006a0" --address 0x200006a0 --limit 20368 --seconds 60 -C 100K -W 20 -o "$WORK/part"
PARTS=("$WORK/part00" "$WORK/part03")
LOST="events were lost in 1 gap: not all"
first "${PARTS[@]}"
check "without a figure, the last line names the gap" is "$(tail -n 1 "$OUT")" "$LOST jobs are in the trace"
first "${PARTS[@]}" 'response(control).max'
check "a figure's span names it" grep -qx "$LOST samples of this figure are in the trace" "$OUT"
first -f json "${PARTS[@]}"
check "so does JSON" is "$(jq -c '[.lost, .lost_exact, .gaps]' "$OUT")" "[4094,true,1]"
first "${PARTS[@]}" --thread housekeeper --at 3080000
check "a wait that began in the gap has no first event" grep -q '^wait of housekeeper: at least 127774 ticks, until event 6370 ' "$OUT"
first -f json "${PARTS[@]}" --thread housekeeper --at 3080000
check "nor in JSON" is "$(jq -c '[.began_earlier, .start.event, .end.event]' "$OUT")" "[true,null,6370]"

# piped ARGUMENT...: explains the recording from a pipe; also sets FIRST.
piped() {
    cat "$WORK/full" | "$BUILD/capture/txtap" why -q - "$@" >"$OUT"
    FIRST=$(head -n 1 "$OUT")
}
piped 'response(control).max'
check "a pipe is read twice" is "$FIRST" "$CAUSE"
piped --event 290
check "or once, for an event" is "$FIRST" "$CAUSE"
"$BUILD/capture/txtap" why -q - 'response(control).max' <"$WORK/full" >"$OUT"
check "so is a file at standard input" is "$(head -n 1 "$OUT")" "$CAUSE"

# refuses STATUS WORDS ARGUMENT...: the command must end with this status, one line of error with these words, and no
# output.
refuses() {
    run_txtap why -q "${@:3}"
    is "$STATUS $(wc -l <"$ERR") $(wc -c <"$OUT")" "$1 1 0" && grep -qF "$2" "$ERR" || { sed 's/^/# /' "$ERR"; return 1; }
}
check "no file" refuses 2 "no trace: give FILE"
check "an empty pipe" refuses 3 "standard input" - 'response(control).max'
check "two traces" refuses 2 "not a recording: give one file" "$REC" "$MADE/deadlock.trx"
check "a text that is no figure" refuses 2 "expected a name" "$REC" nonsense
check "a figure without a span" refuses 2 "cpu is not a time of a thread" "$REC" 'cpu(control)'
check "a statistic without an event" refuses 2 "give .max or .min" "$REC" 'response(control).mean'
check "a thread that does not exist" refuses 2 "did you mean 'control'" "$REC" 'response(contrl)'
check "a pattern of several threads" refuses 2 "matches 2 threads" "$REC" --thread 's[ay]*' --at 100000
check "an event after the trace" refuses 2 "no job and no wait" "$REC" --event 99999999
check "a time without a thread" refuses 2 "need each other" "$REC" --at 100
check "a format of other commands" refuses 2 "text or json" "$REC" -f csv 'response(control)'
check "a file that is not a trace" refuses 3 "$0" "$0" 'response(control).max'
e2e_end
