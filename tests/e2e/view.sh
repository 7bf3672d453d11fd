#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks which clients get the page of txtap view. A client must get all data that txtap has read, however slow or
# hostile other clients are. Streams and pages are fetched with curl; tests/view tests the page in a browser.
# usage: view.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

DEMO=$FIRMWARE/demo_large.elf ELF=$DEMO
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
TXTAP=$BUILD/capture/txtap
TRX=$E2E_ROOT/tests/data/demo_threadx.trx
STATS=$WORK/stats.json
EVENTS=$WORK/events.jsonl
export XDG_RUNTIME_DIR=$WORK
command -v curl >/dev/null || { skip "txtap view" "curl is not installed"; e2e_end; }
"$TXTAP" view -o - >"$WORK/empty.html" 2>"$WORK/err" || true
if grep -q 'was built without' "$WORK/err"; then
    skip "txtap view" "$(cut -d ' ' -f 2- <"$WORK/err")"
    e2e_end
fi

# code CURL_ARGUMENT...: prints the status and the length of the body.
code() { curl -s -o /dev/null -w '%{http_code} %{size_download}' "$@"; }

# header NAME: prints the page's header NAME, if there is one.
header() { curl -sI "$URL" | tr -d '\r' | sed -n "s/^$1: //p"; }

one_line() { # FILE PATTERN
    [[ $(wc -l <"$1") == 1 ]] && grep -q -- "$2" "$1" && return
    sed 's/^/# /' "$1"
    return 1
}

# start_view ARGUMENT...: starts txtap view. Sets URL, and BASE, the part of URL before the token.
start_view() {
    start_txtap view --no-open "$@"
    await "$TXTAP_PID" test -s "$OUT" || die "txtap view did not start: $(cat "$ERR")"
    URL=$(<"$OUT")
    BASE=${URL%/*/}
}

# embedded ID FILE: prints the data of an element of the page in FILE. The data has no checksum, so gzip reports an
# error, which is ignored.
embedded() {
    { printf '\037\213\010\000\000\000\000\000\000\000'
      sed -n "s/.*id=\"$1\" data-format=\"deflate-raw\">\([^<]*\)<.*/\1/p" "$2" | base64 -d; } | gzip -dc 2>/dev/null || true
}

decodes() { # STREAM: checks that the stream decodes completely, without a message and in order; a loss is reported
    local status=0
    "$TXTAP" decode --format jsonl --strict "$1" >"$EVENTS" 2>"$WORK/decode.err" || status=$?
    [[ ! -s $WORK/decode.err ]] && ledger "$EVENTS" && is "$status" $((STREAM_LOST > 0 ? 5 : 0)) && return
    sed 's/^/# stderr: /' "$WORK/decode.err"
    return 1
}

every_ledger_number_is_there() { # or in a gap
    is $((LEDGER_COUNT + LEDGER_MISSING)) $((LEDGER_LAST - LEDGER_FIRST + 1))
}

echo "# a file"
start_view "$TRX"
check "standard output has the address alone" grep -Exq 'http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/' "$OUT"
check "the page is there" is "$(code "$URL" | cut -d ' ' -f 1)" 200
check "it is HTML" is "$(header Content-Type)" "text/html; charset=utf-8"
check "nothing may be loaded but from the server" grep -Eq "^default-src 'none'; .*connect-src 'self'" <(header Content-Security-Policy)
check "nobody guesses its type" is "$(header X-Content-Type-Options)" nosniff
check "its address goes nowhere" is "$(header Referrer-Policy)" no-referrer
check "nobody else embeds it" is "$(header Cross-Origin-Resource-Policy), $(header X-Frame-Options)" "same-origin, DENY"
check "no token, no page, no word" is "$(code "$BASE/")" "403 0"
check "nor with a wrong one" is "$(code "$BASE/00000000000000000000000000000000/")" "403 0"
check "nor on another path" is "$(code "${URL}files/1")" "403 0"
check "nor for another host" is "$(code -H 'Host: evil.example' "$URL")" "403 0"
check "nor without a host" is "$(code -H 'Host:' "$URL")" "403 0"
check "nor for another page" is "$(code -H 'Origin: http://evil.example' "${URL}stream")" "403 0"
check "its own page may ask" is "$(code -H "Origin: $BASE" "${URL}state" | cut -d ' ' -f 1)" 200
check "POST is refused" is "$(code -X POST -d nothing "$URL")" "405 0"
check "also below a wrong token" is "$(code -X POST -d nothing "$BASE/")" "403 0"
check "the trace comes as it is" cmp <(curl -s "${URL}data") "$TRX"
check "the state is JSON" is "$(curl -s "${URL}state" | jq -r '.mode, .format, .files[0].name' | paste -sd ' ')" \
    "file trx demo_threadx.trx"
PORT=${BASE##*:}
run_txtap view --no-open --port "$PORT" "$TRX"
check "a port in use is a failure" is "$STATUS" 1
check "and one line says so" one_line "$ERR" "port $PORT: cannot listen there: Address already in use: choose another"
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
run_txtap view --no-open --listen evil.example "$TRX"
check "a name is no address to listen on" is "$STATUS" 2
start_view --listen 0.0.0.0 "$TRX"
check "other machines are served with a warning" grep -q "other machines can reach the page" "$ERR"
check "by any address in digits" is "$(code -H "Host: 192.168.1.2:${BASE##*:}" "$URL" | cut -d ' ' -f 1)" 200
check "and by no name" is "$(code -H "Host: evil.example:${BASE##*:}" "$URL")" "403 0"
end_txtap INT
for option in "--record $WORK/no" "--check cpu<3%" "--strict" "--stats-json $STATS" "--new"; do
    # shellcheck disable=SC2086 # an option and its value
    run_txtap view --no-open $option "$TRX"
    check "a file is refused with ${option%% *}" is "$STATUS" 2
done
run_txtap view -o "$WORK/at.html" --at 12 "$TRX"
check "--at is refused for a page in a file" is "$STATUS" 2
start_view --at 12 "$TRX"
check "the address of --at has the number of the event" grep -Exq 'http://127[.]0[.]0[.]1:[0-9]+/[0-9a-f]{32}/#e=12' "$OUT"
end_txtap INT
run_txtap view --no-open "$WORK/missing"
check "a missing file is a failure" is "$STATUS" 1
check "and one line says so" one_line "$ERR" "missing: No such file"

echo "# one file"
run_txtap view -o "$WORK/page.html" "$TRX"
check "a page with a trace is written" is "$STATUS" 0
check "the trace is in it" cmp <(embedded data "$WORK/page.html") "$TRX"
check "and the decoder" is "$(embedded wasm "$WORK/page.html" | head -c 4 | od -An -tx1)" " 00 61 73 6d"
check "it may load nothing at all" is "$(grep -c "connect-src" "$WORK/page.html")" 0
run_txtap view -o "$WORK/page.html" "$TRX"
check "an existing file stays" is "$STATUS" 1
check "and one line says so" one_line "$ERR" "page.html: file exists: choose another name or use --force"
run_txtap view --force -o "$WORK/page.html"
check "unless it is overwritten: the empty page" cmp "$WORK/page.html" "$WORK/empty.html"
check "which has no trace" is "$(grep -c 'id="data"' "$WORK/page.html")" 0
mkdir "$WORK/hostile"
cp "$TRX" "$WORK/hostile/<script>alert(1)"
run_txtap view -o "$WORK/hostile.html" "$WORK/hostile/<script>alert(1)"
check "a file's name is no markup" is "$(grep -c '<script>alert' "$WORK/hostile.html")" 0
run_txtap view -o "$WORK/no.html" "$DEMO"
check "a firmware is no trace" is "$STATUS $(test -e "$WORK/no.html" || echo none)" "2 none"

run_txtap report --format html -o "$WORK/report.html" "$TRX"
check "a report is a page with the trace in it" cmp <(embedded data "$WORK/report.html") "$TRX"
check "that opens with its summary" grep -q '"panel":"summary"' "$WORK/report.html"
run_txtap report --format html --from 5 "$TRX"
check "it is of the whole trace" is "$STATUS" 2
run_txtap report --format html
check "and of a file" is "$STATUS" 2
run_txtap view --no-open --zephyr-ram "$DEMO"
check "Zephyr's CTF needs its metadata" is "$STATUS" 2
check "and one line says so" one_line "$ERR" "zephyr-ram needs --ctf-metadata FILE"
run_txtap view --no-open --zephyr-ram --ctf-metadata "$WORK/empty.html" --record "$WORK/no" "$DEMO"
check "it is not recorded" is "$STATUS" 2
check "and one line says what to do" one_line "$ERR" "--record does not work with --zephyr-ram: use 'txtap tail"
mkdir "$WORK/ctf"
touch "$WORK/ctf/metadata"
run_txtap view --no-open "$WORK/ctf"
check "a directory of CTF whose metadata are empty is a failure" is "$STATUS" 1
check "and one line says so" one_line "$ERR" "ctf/metadata: line 1: no event header"
run_txtap view --no-open --zephyr-ram "$WORK/ctf"
check "a directory needs no option" is "$STATUS" 2
check "and one line says so" one_line "$ERR" "zephyr-ram works only with a running target"

echo "# recordings"
start_board "$DEMO"
start_openocd
await "$OPENOCD_PID" has_risen "$(symbol "$DEMO" demo_events_written)" 1000 || die "the firmware does not run"
run_txtap record --tcl "$TCL_PORT" --limit 6000 -C 20k --compress -o "$WORK/rec" "$DEMO"
RECS=("$WORK/rec")
for ((i = 1; ; i++)); do
    [[ -e $WORK/rec$i ]] || break
    RECS+=("$WORK/rec$i")
done
start_view "${RECS[@]}"
check "there are several files" test ${#RECS[@]} -ge 2
# A pipe tells the rate too late, so it is given.
same_as_files() { "$TXTAP" decode --hz 1M - | cmp - <("$TXTAP" decode --hz 1M "${RECS[@]}"); }
check "they are one stream, of the same events" same_as_files < <(curl -s "${URL}stream")
check "each page gets all of it" cmp <(curl -s "${URL}stream") <(curl -s "${URL}stream")
check "nothing in it is compressed" is "$(curl -s "${URL}state" | jq -r .format)" recording
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
run_txtap view -o "$WORK/rec.html" "${RECS[@]}"
check "and so they are in a page" same_as_files < <(embedded data "$WORK/rec.html")
head -c 10000 "$WORK/rec" >"$WORK/cut"
run_txtap view --force -o "$WORK/cut.html" "$WORK/cut"
check "one that is cut is shown up to there" is "$STATUS" 0
check "and one line says so" one_line "$ERR" "cut within a block"

echo "# live"
start_view --tcl "$TCL_PORT" --buffer 1M --strict --stats-json "$STATS" --record "$WORK/beside" "$DEMO"
# Succeeds if a stream is free. The server notices that a client has left only when it sends something to the client.
stream_is_free() { [[ $(code -I "${URL}stream") == 200* ]]; }
# Opens as many streams as are allowed. Then makes three requests: one more stream, the page, and, after an open
# stream has ended, a stream. Prints the number of streams and the codes of these requests.
all_streams() {
    perl -MIO::Socket::INET -e '
        use strict;
        my ($port, $path) = @ARGV;
        sub ask {
            my $c = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $port) or die;
            print $c "GET $_[0] HTTP/1.0\r\nHost: 127.0.0.1:$port\r\n\r\n";
            my ($code) = <$c> =~ / (\d+) / or die;
            return ($code, $c);
        }
        my ($code, $c, @kept);
        push @kept, $c while @kept < 1000 && (($code, $c) = ask("${path}stream"))[0] == 200;
        my ($page) = ask($path);
        close(pop @kept);
        my ($again) = 503;
        while ($again != 200) { select(undef, undef, undef, 0.02); ($again) = ask("${path}stream"); }
        print scalar(@kept) + 1, " $code $page $again\n";
    ' "${BASE##*:}" "${URL#"$BASE"}"
}
check "64 streams, and no 65th until one has ended; the page is served all the same" is "$(all_streams)" "64 503 200 200"

await "$TXTAP_PID" stream_is_free || die "the streams do not end"
curl -sN "${URL}stream" >"$WORK/early" &
EARLY=$!
E2E_PIDS+=("$EARLY")
has_reset() { grep -q '^txtap: .*reset' "$ERR"; }
ocd 'reset run' >/dev/null
await "$TXTAP_PID" has_reset || die "the reset is not reported"
rises_to demo_events_written 1000
ocd "mww $(symbol "$ELF" demo_event_rate) 8000" >/dev/null # at this rate the ring of blocks is full soon

# Imitates a stopped page, which sends its request and reads nothing until the file $WORK/go exists. Limits the
# system's buffer for this connection.
perl -MIO::Socket::INET -e '
    use strict;
    my ($port, $path, $go, $to) = @ARGV;
    my $c = IO::Socket::INET->new(Proto => "tcp") or die;
    setsockopt($c, SOL_SOCKET, SO_RCVBUF, 16384) or die;
    connect($c, sockaddr_in($port, inet_aton("127.0.0.1"))) or die;
    syswrite($c, "GET $path HTTP/1.0\r\nHost: 127.0.0.1:$port\r\n\r\n");
    recv($c, my $first, 1, MSG_PEEK) // die; # the server has received the request
    open(my $asked, ">", "$to.asked") or die;
    select(undef, undef, undef, 0.05) until -e $go;
    open(my $f, ">:raw", $to) or die;
    my $all = "";
    while (sysread($c, my $piece, 65536)) { $all .= $piece; }
    $all =~ s/^.*?\r\n\r\n//s or die;
    print $f $all;
    close $f or die;
' "${BASE##*:}" "${URL#"$BASE"}stream" "$WORK/go" "$WORK/slow" &
SLOW=$!
E2E_PIDS+=("$SLOW")
await "$SLOW" test -e "$WORK/slow.asked" || die "the stopped page gets no answer"

# Opens a thousand connections that send a byte from time to time, and never a whole request.
perl -MIO::Socket::INET -e '
    use strict;
    my @kept;
    $SIG{PIPE} = "IGNORE";
    for (1 .. 1000) {
        my $c = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $ARGV[0]) or next;
        print $c "GET / HTTP/1.1\r\nHost"; $c->flush(); push @kept, $c;
    }
    open(my $f, ">", $ARGV[1]) or die; print $f scalar(@kept), "\n"; close $f;
    while (1) { for (@kept) { syswrite($_, "x"); } select(undef, undef, undef, 0.2); }
' "${BASE##*:}" "$WORK/half" &
HALF=$!
E2E_PIDS+=("$HALF")
await "$HALF" test -s "$WORK/half" || die "no half requests"
check "a thousand half requests are open" is "$(cat "$WORK/half")" 1000
check "a page is served all the same" is "$(code --max-time 60 "$URL" | cut -d ' ' -f 1)" 200
connections() { find "/proc/$TXTAP_PID/fd" -lname 'socket:*' | wc -l; }
few_connections() { (($(connections) < 50)); }
check "half requests do not stay" await "$TXTAP_PID" few_connections
kill "$HALF"
wait "$HALF" 2>/dev/null || true

gone_is() { (($(curl -s "${URL}state" | jq .events_gone) >= $1)); }
await "$TXTAP_PID" gone_is 30000 || die "the oldest events do not go"
curl -sN "${URL}stream" >"$WORK/late" &
LATE=$!
E2E_PIDS+=("$LATE")
touch "$WORK/go"
rises_to demo_events_written $(($(value demo_events_written) + 10000))
check "the state counts" is_true <(curl -s "${URL}state") '.events > 30000 and .hz > 900000 and .hz < 1100000'
check "and says how well it measured" is_true <(curl -s "${URL}state") '.hz_measured and .hz_low <= .hz and .hz <= .hz_high'
end_txtap INT
check "nothing is lost unreported" grep -Eq '^[05]$' <<<"$STATUS"
wait "$EARLY" && EARLY_STATUS=0 || EARLY_STATUS=$?
wait "$LATE" && LATE_STATUS=0 || LATE_STATUS=$?
wait "$SLOW" && SLOW_STATUS=0 || SLOW_STATUS=$?
check "streams end as they should" is "$EARLY_STATUS $LATE_STATUS $SLOW_STATUS" "0 0 0"
check "the early page's stream is whole, and its ledger" decodes "$WORK/early"
EARLY_EVENTS=$STREAM_EVENTS EARLY_LOST=$STREAM_LOST
check "it has what was read" is "$EARLY_EVENTS" "$(jq .events "$STATS")"
check "and the reset" grep -q '"type":"reset"' "$EVENTS"
same_lines() { cmp <("$TXTAP" decode --hz 1M -f jsonl "$1" "$DEMO") <("$TXTAP" decode --hz 1M -f jsonl "$2"); }
check "the file beside it has the same" same_lines "$WORK/early" "$WORK/beside"
check "the late page's stream is whole" decodes "$WORK/late"
check "and has every ledger number, or a gap" every_ledger_number_is_there
check "with what is gone, it has as much" is $((STREAM_EVENTS + STREAM_LOST)) $((EARLY_EVENTS + EARLY_LOST))
late_begins_with_a_gap() { is "$(grep -v '"type":"\(header\|object\)"' "$EVENTS" | head -1 | cut -d '"' -f 4)" gap; }
check "it begins with a gap" late_begins_with_a_gap
check "the stopped page's stream is whole, and its ledger" decodes "$WORK/slow"
check "it has as much, too" is $((STREAM_EVENTS + STREAM_LOST)) $((EARLY_EVENTS + EARLY_LOST))
check "it missed something" test "$STREAM_GAPS" -gt 0
e2e_end
