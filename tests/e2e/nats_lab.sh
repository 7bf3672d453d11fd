#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Shows the boards of a NATS server on a screen of txtap top and in tables of many recordings, and compares their rows
# with the rows of a folder. Reads streams with limits. Needs no board.   usage: nats_lab.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
source "$E2E_ROOT/tests/e2e/nats_lib.sh"
find_server "a lab on a NATS server"
TXTAP=$BUILD/capture/txtap
cd "$WORK"
free_port
HOST=nats://127.0.0.1:$PORT
# rows PATH_OR_PLACE: prints the rows of a screen, without the time since the end of a recording.
rows() { run_txtap top --rows -n 1 "$1" && sed 's/ended [0-9]*[smh] */ended /' "$OUT"; }

echo "# rows"
check "no server, no rows" txtap_fails 4 'no NATS server answers' top --rows "$HOST/lab.>"
check "only the last parts may be wildcards" txtap_fails 2 "only the last parts may be" top --rows "$HOST/*.b1"
check "and no table" txtap_fails 4 'no NATS server answers' report --batch "$HOST/lab.>"
check "and no list" txtap_fails 4 'no NATS server answers' info "$HOST/lab.>"
start_server
check "an empty server has no table" txtap_fails 4 "on this subject: record with --store $HOST/lab.b1" report --batch "$HOST/lab.>"
check "an empty server has no rows" txtap_fails 4 'no recording on this subject: record with' top --rows "$HOST/lab.>"
for board in b1 b2; do
    record --hz 1M --store "$HOST/lab.$board"
    record --hz 1M --store "folder/$board"
done
record --store "$HOST/other" --alarms alarms.jsonl --check 'events < 10'
record --store "$HOST/lab.deep.b1"
rows folder >expected
check "the rows are those of folders" eval 'rows "$HOST/lab.*" >got; cmp got expected && is "$(grep -c "^b[12] .* ended .*us" got)" 2'
check "'>' has deeper subjects, too, and no alarms" is \
    "$(rows "$HOST/>" | awk 'NR > 1 && NF { print $1 }' | paste -sd' ')" "other lab.b1 lab.b2 lab.deep.b"

echo "# tables"
SECRET=nats://user:secret@127.0.0.1:$PORT
runs() { run_txtap report -q -f json --batch "$@" && jq -c '.runs[] | del(.trace, .begun)' "$OUT"; }
runs folder >expected.runs
check "report --batch has a row for each board" eval \
    'runs "$HOST/lab.*" >got; cmp got expected.runs && is "$(jq -r .board got | paste -sd" ")" "b1 b2"'
check "since a time" eval 'runs "$HOST/lab.*" --since 2020-01-01 >got; cmp got expected.runs'
check "until a time before the boards" is "$(runs "$HOST/lab.*" --until 2020-01-01)" ""
check "no board of this time" txtap_fails 4 'no recording of this time: choose' report --batch "$HOST/lab.>" --since 2999-01-01
check "no board of this pattern" txtap_fails 4 'on this subject: the server has lab.b1' report --batch "$HOST/none.>"
run_txtap report --batch "$SECRET/lab.>" --where 'load > 1%'
check "a condition has a row for each board" is "$(grep -o "yes  *$HOST/[^ ]*" "$OUT" | sed 's/.*lab.//' | paste -sd' ')" "b1 b2 deep.b1"
run_txtap compare -f json "$SECRET/lab.*" "$HOST/lab.b2"
check "compare reads boards as runs" is "$(jq -c '[.a, .b | length] + [.a[0].trace]' "$OUT")" "[2,1,\"$HOST/lab.b1\"]"
list() { run_txtap info -f json "$@" && jq -c '.files[] | [.board, .build, .events, .lost, .ended]' "$OUT"; }
list folder >expected.list
check "info lists the recordings of each board" eval 'list "$HOST/lab.*" >got; cmp got expected.list && is "$(wc -l <got)" 2'
check "since a time" eval 'list "$HOST/lab.*" --since 2020-01-01 >got; cmp got expected.list'
check "until a time before the boards" txtap_fails 4 'no recording of this time' info "$SECRET/lab.>" --until 2020-01-01
check "no board of this pattern" txtap_fails 4 'on this subject: the server has lab.b1' info "$HOST/none.>"
for arguments in "" "-C 4k"; do record --store "$HOST/lab.deep.files" $arguments; done
run_txtap info "$HOST/lab.deep.files"
check "the files of a recording are a row" eval 'is "$(grep -c "^  lab.deep.files .* 450 " "$OUT")" 2 && grep -q "^2 recordings, 900 events" "$OUT"'

"$BUILD/tests/nats_ledger" publish "$HOST/lab.junk" 1 5 0 >ledger.out 2>&1
check "messages that are no recordings have no row" eval 'rows "$HOST/lab.*" >got; cmp got expected'
run_txtap report -q -f json --batch "$HOST/lab.*"
check "and an error in a table" eval 'failed 1 "lab.junk: " && is "$(jq ".runs | length" "$OUT")" 2'

echo "# alarms while the server is away"
late() { record --store "$HOST/late" --spool spool --stream-bytes 2M --alarms late.jsonl --check 'events < 10'; }
late
end_server TERM
late
check "a recording with a spool begins and ends" eval 'is "$STATUS" 6 && said "messages wait in spool/late.spool"'
start_server
late
check "its alarms come later" eval '"$BUILD/tests/nats_ledger" read "$HOST/late.alarm" >got || true; grep -q "^3 messages" got'
late
run_txtap decode -f jsonl "$(jq -r .open late.jsonl | tail -n 1 | sed "s/.*-- '\(.*\)'/\1/")"
check "the command of an alarm begins with its recording" is \
    "$(grep '"type":"event"' "$OUT" | tail -n 1 | jq .seq)" "$(tail -n 1 late.jsonl | jq .seq)"

echo "# other names"
HAS='the server has lab.b1, lab.b2, lab.deep.b1'
check "a subject without recordings names those of the server" txtap_fails 4 "lab: no recording on this subject: $HAS" \
    decode "$HOST/lab"
start_txtap tail "$HOST/lab.b7"
check "tail waits, and says for what" await "$TXTAP_PID" grep -q "b7: no recording on this subject; waiting: $HAS" "$ERR"
record --store "$HOST/lab.b7"
has_events() { (($(grep -vc -e '---  ' "$OUT") == 450)); }
check "and gets the first recording" await "$TXTAP_PID" has_events
end_txtap INT
check "so does a host alone" txtap_fails 4 'the server has lab.b1, lab.b2' report "$HOST/"
check "other commands want a single board" txtap_fails 2 "may be several boards: give the subject of a board" report "$HOST/lab.>"
check "a recorder, too" eval 'record --store "$HOST/lab.>"; is "$STATUS" 2 && said "may be several boards"'

echo "# limits of a stream"
record --store "$HOST/few.b1" --stream-age 2d --stream-bytes 3M
check "a new stream has the limits of the recorder" said 'made the stream TXTAP_few: it keeps 2 days, at most 3 MiB'
record --store "$HOST/few.b1" --stream-age 2d --stream-bytes 3M
check "the same limits are no news" eval 'is "$STATUS" 0 && ! said stream'
record --store "$HOST/few.b2" --stream-age 1d
check "a stream that exists is not changed" eval \
    'is "$STATUS" 0 && said "the stream TXTAP_few exists, and keeps 2 days, at most 3 MiB: --stream-... does not change it"'
record --store "$HOST/first.b1" --alarms alarms.jsonl --stream-bytes 4M
check "alarms make a stream with the same limits" said 'made the stream TXTAP_first: it keeps 7 days, at most 4 MiB'
check "one server keeps one copy" eval \
    'record --store "$HOST/copies.b1" --stream-replicas 3 --stream-bytes 2M; is "$STATUS" 4 && said "cannot keep 3 copies"'
check "a file has no such limits" txtap_fails 2 'are for --store nats' record -o x.rec --stream-bytes 1G

echo "# boards and servers that come and go"
start_txtap top --rows -d 200ms "$HOST/lab.>"
shows() { grep -q "^$1" "$OUT"; }
awaits() { await "$TXTAP_PID" shows "$1" || die "no row $1: $(tail -5 "$OUT" "$ERR")"; }
awaits 'b1 '
"$TXTAP" record --store "$HOST/lab.b3" --image "$SAMPLE@0x20006308" --address 0x20006308 >record.log 2>&1 </dev/null &
RECORDER=$!
E2E_PIDS+=("$RECORDER")
check "a new board gets a row" awaits 'b3 *recording'
end_server KILL
check "without a server it says so" awaits 'b3 *no server'
kill -KILL "$RECORDER"
wait "$RECORDER" 2>/dev/null || true
forget "$RECORDER"
start_server
"$TXTAP" record --hz 1M --store "$HOST/lab.b4" --image "$SAMPLE@0x20006308" --address 0x20006308 --limit 450 -q >record.log 2>&1
check "and goes on with the next server" awaits 'b4 *ended'
check "a recorder that was killed is no end" awaits 'b3 *\(recording\|silent\)'
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
is_row() { sed -n "/^$1 /h;\${x;s/^$1 *ended [0-9smh]* *//p}" "$2"; }
check "the row of the last screen has all events" is "$(is_row b4 "$OUT")" "$(is_row b1 "$OUT")"
end_server TERM

# A small stream drops its oldest messages. Each file of this recording is a message of about 4 KB.
new_stream() { # BYTES
    rm -rf "$WORK/stored"
    start_server
    "$BUILD/tests/nats_ledger" stream "$HOST/lab.b1" 1 "$1" || die "no stream"
}
files() { "$BUILD/tests/nats_ledger" files "$HOST/lab.b1" "$@" || die "the files are not published"; }
record -o part -C 4k
is "$(echo part*)" "part part1 part2 part3 part4" || die "another number of files"

echo "# a stream has dropped its oldest messages"
new_stream 10000
files part part1 part2 part3 part4
run_txtap decode -f jsonl "$HOST/lab.b1"
check "a reader says how many" failed 0 'dropped the first 3 messages, and 0 after them cannot be read'
check "and reads all others" is "$(grep -c '"type":"event"' "$OUT") $(grep -m 1 -o '"seq":[0-9]*' "$OUT")" '150 "seq":726'
run_txtap decode -q -f jsonl --since 2020-01-01T00:00Z "$HOST/lab.b1"
check "older messages are not missed in a time" eval 'is "$STATUS" 0 && ! said dropped'
end_server TERM

echo "# a damaged file in a stream"
new_stream 100000
cp part1 bad && printf XXXX | dd of=bad bs=1 seek=600 conv=notrunc status=none
files part bad part2 part3
run_txtap decode -f jsonl "$HOST/lab.b1"
check "a reader reads the files after it" eval 'failed 0 "b1: damaged: read up to byte" && is "$(grep -c "\"type\":\"event\"" "$OUT")" 300'
check "info lists them, too" is "$(list "$HOST/lab.b1")" '["lab.b1","",300,0,true]'
end_server TERM

echo "# a stream drops messages that a live reader has not got yet"
new_stream 10000
files part
start_txtap tail -f jsonl "$HOST/lab.b1"
await_lines_of() { (($(grep -c '"type":"event"' "$OUT") >= $1)); }
await "$TXTAP_PID" await_lines_of 100 || die "tail does not follow"
kill -STOP "$TXTAP_PID"
end_server KILL
start_server
files part1 part2 part3 part4
kill -CONT "$TXTAP_PID"
check "it goes on with the oldest message" await "$TXTAP_PID" await_lines_of 250
end_txtap INT
check "and has a gap with the exact number of events" eval \
    'is "$(jq -r "select(.type == \"gap\") | \"\(.lost) \(.exact)\"" "$OUT")" "200 true" && said "2 messages are missing"'
end_server TERM

echo "# a stream has dropped the begin of the newest file"
new_stream 3000
record --store "$HOST/lab.b1"
start_txtap tail "$HOST/lab.b1"
check "a live reader waits for the next file, and says so" await "$TXTAP_PID" grep -q 'waiting for the next file' "$ERR"
end_txtap INT
check "a reader of all says what is missing" eval 'run_txtap decode "$HOST/lab.b1"; said "dropped the first [0-9]* messages, and [1-9]"'
rows "$HOST/lab.*" >got
check "a row does not say that nothing was lost" grep -q '^b1 .* >=0 ' got
end_server TERM
e2e_end
