#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Publishes recordings to a real NATS server, and reads them. Kills the server and the publisher, and checks the numbers
# of all messages. Needs no board.   usage: nats.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

source "$E2E_ROOT/tests/e2e/nats_lib.sh"

KEYS=$E2E_ROOT/tests/data/nats
find_server "recordings on a NATS server"
LEDGER=$BUILD/tests/nats_ledger
cd "$WORK"

start_publisher() { # ARGUMENT...: of nats_ledger publish
    rm -f ledger.err
    "$LEDGER" publish "$@" >ledger.out 2>ledger.err </dev/null &
    LEDGER_PID=$!
    E2E_PIDS+=("$LEDGER_PID")
}
end_publisher() {
    STATUS=0
    wait "$LEDGER_PID" 2>/dev/null || STATUS=$?
    forget "$LEDGER_PID"
}
read_all() { # PLACE: prints the check of all messages
    "$LEDGER" read "$1" 2>&1
}
has() { (($(read_all "$1" | sed -n 's/.*the last is \([0-9]*\);.*/\1/p') >= $2)); }

free_port
PLACE=nats://127.0.0.1:$PORT/lab.b1
csv() { run_txtap decode -q -f csv "$1" && cp "$OUT" "$2"; }

echo "# names and servers"
check "a wrong subject is a usage error" txtap_fails 2 'no NATS subject' record --store nats://127.0.0.1/lab..b1
check "no server, no recording" eval 'record --store "$PLACE"; failed 4 "no NATS server answers"'
check "and nothing to read" txtap_fails 4 'no NATS server answers' decode "$PLACE"
start_server
check "an empty subject has nothing to read" txtap_fails 4 'no recording on this subject' decode "$PLACE"

echo "# a recording"
record -o beside
csv beside beside.csv
check "a recording is published" eval 'record --store "$PLACE"; is "$STATUS" 0'
check "the first recorder makes a stream" said 'made the stream TXTAP_lab: it keeps 7 days'
check "its events are those of a file" eval 'csv "$PLACE" out.csv; cmp out.csv beside.csv'
record --store "$PLACE" -C 4k
check "another recorder does not make a stream again" eval '! said "made the stream"'
check "its events overlap, and come once" eval 'csv "$PLACE" out.csv; cmp <(grep ^event out.csv) <(grep ^event beside.csv)'
check "report reads it" eval 'run_txtap report --hz 1M "$PLACE"; is "$STATUS" 0 && grep_all "^450 events" <"$OUT"'
run_txtap report -f json --since 2020-01-01T00:00Z "${PLACE/'//'/'//user:secret@'}"
check "and shows no password" is "$(jq -r .trace "$OUT")" "$PLACE"
check "a check judges it" txtap_exits 0 check --hz 1M --check 'lost == 0' "$PLACE"
check "a page shows it" eval 'run_txtap view -o page.html "$PLACE"; is "$STATUS" 0 && test -s page.html'
check "no recording in the future" txtap_fails 4 'newest message is older' decode --since 2999-01-01T00:00Z "$PLACE"
csv "$PLACE" all.csv
check "all recordings since 2020" eval 'run_txtap decode -q -f csv --since 2020-01-01T00:00Z "$PLACE"; cmp "$OUT" all.csv'

echo "# two live readers"
ends() { grep -c 'another recording begins' "$1" || true; }
has_end() { (($(ends first.out) >= 1)) && (($(ends second.out) >= 1)); }
has_all() { (($(wc -l <first.out) >= 450)) && grep -q following second.err; }
PLACE=nats://127.0.0.1:$PORT/lab.live
record --store "$PLACE"
"$BUILD/capture/txtap" tail "$PLACE" >first.out 2>first.err </dev/null &
FIRST=$!
"$BUILD/capture/txtap" tail --new "$PLACE" >second.out 2>second.err </dev/null &
SECOND=$!
E2E_PIDS+=("$FIRST" "$SECOND")
await "$FIRST" has_all || die "tail does not print the newest file: $(tail -3 first.err)"
end_server KILL
start_server
record --store "$PLACE"
check "both go on after the server was killed, with the next recorder" await "$FIRST" has_end
kill -INT "$FIRST" "$SECOND"
wait "$FIRST" && wait "$SECOND" && STATUS=0 || STATUS=$?
forget "$FIRST"
forget "$SECOND"
check "Ctrl-C is their normal end" is "$STATUS" 0
check "the first has all events once" is "$(grep -vc -e '---  ' first.out)" 450
check "the second has only new events" is "$(grep -vc -e '---  ' second.out || true)" 0

echo "# the server is killed while messages are published"
PLACE=nats://127.0.0.1:$PORT/lab.killed
start_publisher "$PLACE" 1 4000 1000
await "$LEDGER_PID" has "$PLACE" 500 || die "no messages arrive"
end_server KILL
await "$LEDGER_PID" grep -q 'connection lost' ledger.err || die "the publisher does not see the end of the server"
start_server
end_publisher
check "the publisher goes on" eval 'is "$STATUS" 0 && grep -q "connected again" ledger.err'
check "nothing is lost, nothing comes twice" is "$(read_all "$PLACE")" \
    "4000 messages, the last is 4000; missing 0, skipped 0, foreign 0"

echo "# readers ask while streams are made"
for ((number = 0; number < 60; number++)); do
    start_publisher "nats://127.0.0.1:$PORT/made$number.b" 1 100000 1000
    for reader in 1 2 3 4 5 6; do read_all "nats://127.0.0.1:$PORT/made$number.b" >"$WORK/made" || true; done
    kill -9 "$LEDGER_PID" 2>/dev/null || true
    end_publisher
done
check "the server goes on" kill -0 "$SERVER_PID"

echo "# the server loses its stream while messages are published"
PLACE=nats://127.0.0.1:$PORT/lab.wiped
start_publisher "$PLACE" 1 100000 1000
await "$LEDGER_PID" has "$PLACE" 200 || die "no messages arrive"
end_server KILL
mv stored wiped
start_server
check "the publisher makes the stream again" await "$LEDGER_PID" has "$PLACE" 500
end_server KILL
kill -9 "$LEDGER_PID"
end_publisher
rm -r stored
mv wiped stored
start_server

echo "# the publisher is killed while the server is away"
PLACE=nats://127.0.0.1:$PORT/lab.spool
start_publisher "$PLACE" 1 100000 1000 "$WORK/spool"
await "$LEDGER_PID" has "$PLACE" 200 || die "no messages arrive"
end_server KILL
await "$LEDGER_PID" grep -q 'connection lost' ledger.err || die "the publisher does not see the end of the server"
kill -9 "$LEDGER_PID"
end_publisher
start_publisher "$PLACE" 200001 100 0 "$WORK/spool"
end_publisher
check "the next publisher keeps its messages, too" eval 'is "$STATUS" 0 && grep -q "messages wait in" ledger.err'
start_server
start_publisher "$PLACE" 300001 100 0 "$WORK/spool"
end_publisher
read_all "$PLACE" >read.out
check "all messages of three runs come once and in order" eval \
    'is "$(grep -c . read.out)" 3 && grep -q "^missing 200101 to 300000" read.out && grep -q "missing 0, skipped 0" read.out'
check "the file is empty then" is "$(stat -c %s spool/lab.spool.spool)" 52

echo "# a second recorder"
PLACE=nats://127.0.0.1:$PORT/lab.two
start_publisher "$PLACE" 1 100000 1000
FIRST=$LEDGER_PID
await "$FIRST" has "$PLACE" 100 || die "no messages arrive"
"$LEDGER" publish "$PLACE" 500001 100000 1000 >second.out 2>second.err </dev/null &
SECOND=$!
E2E_PIDS+=("$SECOND")
told() { grep -q 'another recorder writes to this subject' ledger.err second.err; }
await "$SERVER_PID" told || die "nobody sees the second recorder"
kill "$FIRST" "$SECOND" 2>/dev/null || true
wait "$FIRST" "$SECOND" 2>/dev/null || true
forget "$FIRST"
forget "$SECOND"
check "the other recorder goes on, and no message is lost" eval \
    'grep_all "missing 0, skipped 0, foreign 0" <<<"$(read_all "$PLACE")"'
end_server TERM

echo "# users"
start_server 'authorization { token: "secret" }'
PLACE=nats://127.0.0.1:$PORT/lab.b1
check "without a token nothing is read" txtap_fails 4 'refuses this user' decode "$PLACE"
check "and nothing published" eval 'record --store "$PLACE"; failed 4 "refuses this user"'
check "a wrong token is not shown" eval 'run_txtap decode nats://wrongone@127.0.0.1:$PORT/lab.b1; failed 4 "refuses" && ! said wrongone'
export NATS_TOKEN=secret
check "the environment has the token" txtap_exits 0 decode -q "$PLACE"
unset NATS_TOKEN
end_server TERM

echo "# TLS"
start_server
check "tls:// does not accept a server in the clear" txtap_fails 4 'has no TLS' decode "tls://127.0.0.1:$PORT/lab.b1"
end_server TERM
start_server "tls { cert_file: \"$KEYS/wrong.pem\", key_file: \"$KEYS/wrong.key\" }"
check "an unknown certificate is refused" txtap_fails 4 'no secure connection' decode "tls://127.0.0.1:$PORT/lab.b1"
export NATS_CA=$KEYS/wrong.pem
check "so is the certificate of another server" txtap_fails 4 'no secure connection' decode "tls://127.0.0.1:$PORT/lab.b1"
end_server TERM
start_server "tls { cert_file: \"$KEYS/right.pem\", key_file: \"$KEYS/right.key\" }"
export NATS_CA=$KEYS/right.pem
check "a known certificate is accepted" txtap_exits 0 decode -q "tls://127.0.0.1:$PORT/lab.b1"
unset NATS_CA
end_server TERM

e2e_end
