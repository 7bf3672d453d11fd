#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks --log: the lines of a pipe and of a file, at their places between the events of a running board, live and in a
# recording, and in each format. The script writes each line after it has seen certain events, so it knows its place.
# usage: logs.sh BUILD_DIRECTORY
set -euo pipefail
export LC_ALL=C
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)
ELF=$FIRMWARE/demo.elf
[[ -f $ELF ]] || die "no $ELF: build the target firmware first"
EVENTS=$WORK/events.jsonl PIPE=$WORK/uart LOG=$WORK/test.log
mkfifo "$PIPE"
exec {UART}<>"$PIPE"
start_board "$ELF"
start_openocd

echo "# a pipe, live"
start_txtap tail --hz 1M --tcl "$TCL_PORT" --log "$PIPE" -f jsonl -o "$EVENTS" "$ELF"
attached "$TXTAP_PID" "$ERR"
await_lines "$EVENTS" 100
: >"$WORK/before"
for line in 'one' $'two \e[31mred\e[0m\r' $'three \xff'; do
    grep '^{"type":"event".*}$' "$EVENTS" | tail -n 1 >>"$WORK/before"
    printf '%s\n' "$line" >&"$UART"
    await_marks sample $(($(wc -l <"$WORK/before")))
    await_more 20
done
printf 'no line feed' >&"$UART"
end_txtap INT
# An output that is written while the reader reads may end within a line.
grep -a '^{"type":"\(event\|sample\)".*}$' "$EVENTS" | jq -s . >"$WORK/all.json"
jq '[.[] | select(.type == "sample")]' "$WORK/all.json" >"$WORK/samples.json"
check "txtap ends with success" is "$STATUS" 0
check "each line is a sample, also the last line without its end" is_true "$WORK/samples.json" \
    '[.[].text] == ["one", "two red", "three \ufffd", "no line feed"]'
check "the channel has the name of the pipe" is_true "$WORK/samples.json" 'all(.[]; .kind == "log" and .channel == "uart")'
check "each time is within its bounds" is_true "$WORK/samples.json" \
    'all(.[]; .from_ticks <= .ticks and .ticks <= (.to_ticks // .ticks))'
check "each line comes after the events that were shown before it was written" is_true "$WORK/samples.json" \
    '[.[:3][], ($before | sort_by(.ticks))[]] as $all | all(range(3); $all[.].seq > $before[.].seq and $all[.].ticks >= $before[.].ticks)' \
    --slurpfile before "$WORK/before"
check "the times of events and samples do not decrease" is_true "$WORK/all.json" \
    '[.[].ticks] as $ticks | all(range(1; $ticks | length); $ticks[. - 1] <= $ticks[.])'
check "the number of the next event follows each sample" is_true "$WORK/all.json" \
    '. as $all | all(range(length - 1); $all[.].type == "event" or $all[.].seq == $all[. + 1].seq)'
check "the summary counts the lines" said '^txtap: log uart: 4 lines$'

echo "# a file, in a recording"
echo 'written before' >"$LOG"
start_txtap record --tcl "$TCL_PORT" --log "$LOG" -o "$WORK/ring.rec" "$ELF"
await "$TXTAP_PID" test -s "$WORK/ring.rec"
printf 'a = 1\n"b"\n' >>"$LOG"
end_txtap INT
check "the recording ends with success" is "$STATUS" 0
decode() { txtap_exits 0 decode --hz 1M "$@" "$WORK/ring.rec"; } # ARGUMENT...
logged() { is "$(grep -a ' log  *test.log ' "$OUT" | sed 's/.*test.log *//' | tr '\n' '|')" 'a = 1|\"b\"|'; }
check "the recording has the lines that were written meanwhile" decode
check "text shows them" logged
check "csv shows them" decode -f csv
check "csv has a cell for them" is "$(grep -ac '^sample,.*,log,,,"test.log",.*,"a = 1".$' "$OUT")" 1
check "vcd shows them" decode -f vcd -o "$WORK/trace.vcd"
check "vcd has a variable for them" grep -q '^\$var string 1 [a-zA-Z]* test_log \$end$' "$WORK/trace.vcd"
check "vcd has their text" grep -q '^sa_=_1 ' "$WORK/trace.vcd"
check "perfetto shows them" decode -f perfetto -o "$WORK/trace.perfetto"
check "perfetto has their text" grep -aq 'a = 1' "$WORK/trace.perfetto"
check "trx leaves them out" decode -f trx -o "$WORK/trace.trx"
check "txtap says that trx leaves them out" said '^txtap: --format trx has no place for samples: 2 samples left out$'
check "ctf shows them" decode -f ctf -o "$WORK/ctf"
if command -v babeltrace2 >/dev/null; then
    babeltrace2 "$WORK/ctf" >"$WORK/lines" 2>"$WORK/said"
    check "babeltrace2 reads them" grep -q 'txtap:log: .*channel = "test.log", text = "a = 1"' "$WORK/lines"
else
    skip "babeltrace2 reads them" "babeltrace2 is not installed"
fi

echo "# refused"
check "a log that does not exist is refused" txtap_fails 1 "^txtap: --log $WORK/none: cannot be opened: No such file" \
    tail -q --tcl "$TCL_PORT" --log "$WORK/none" "$ELF"
check "a speed without a serial port is refused" txtap_fails 2 '^txtap: --log .*@9600: not a serial port' \
    tail -q --tcl "$TCL_PORT" --log "$LOG@9600" "$ELF"

audit_now
check "txtap neither halts the target nor writes to its memory" is \
    "$(audit '[.halts, .resumes, .steps, .resets, (.writes | .ram, .peripheral, .system | .count)] | add')" 0
e2e_end
