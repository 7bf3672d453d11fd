#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the tables of many recordings: txtap report --batch as text, JSON, CSV and SQLite, the queries of
# docs/user/queries.md, and an update of the database that is killed. Needs no board.
#   usage: figures.sh BUILD_DIRECTORY [--update]
# --update writes the results of the queries into the page.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$1"
cd "$WORK"
TXTAP=$BUILD/capture/txtap
CHECKS=(--check 'response(control).max <= 500us' --check 'lost == 0')
"$BUILD/tests/lab_maker" "$BUILD/tests/data/demo_rec.trx" lab 3 8 1500
batch() { run_txtap report --batch lab "$@"; }

echo "# tables of a lab"
batch -f json "${CHECKS[@]}"
check "each recording is a row" is "$STATUS $(jq -c '[.runs | length, (map(.events) | add), (map(.lost) | add)]' "$OUT")" "0 [24,36000,14]"
check "a row has its board, its build and its time" is \
    "$(jq -r '.runs[9] | "\(.board) \(.trace) \(.build[:8]) \(.begun)"' "$OUT")" "b2 2026-11-01T01.rec b0000001 2026-11-01T01:00:00Z"
check "and the results of the checks" is \
    "$(jq -c '[.runs[].checks[0].verdict] | group_by(.) | map([.[0], length])' "$OUT")" '[["failed",6],["ok",16],["unknown",2]]'
cp "$OUT" first
check "the figures are kept" is "$(ls -A lab/b1 | grep -c '^\..*\.txtap-report$')" 8
batch -f json "${CHECKS[@]}"
check "with them the table is the same" cmp first "$OUT"
batch
check "the text has the same runs" is "$STATUS $(tail -1 "$OUT")" "0 24 traces, 36000 events, 14 lost"
batch --since 2026-11-01T05:30:00Z --until 2026-11-01T06:30:00Z
check "a time chooses runs" is "$(tail -1 "$OUT")" "3 traces, 4500 events, 0 lost"
batch -f csv
cp "$OUT" lab.csv
rows() { sqlite3 -batch :memory: ".import --csv lab.csv f" "$1"; }
check "CSV has a line for each figure" is "$(rows "SELECT count(DISTINCT board || run) || ' ' || sum(name = 'load') FROM f")" "24 24"
check "each line has all columns" is "$(awk -F, 'NR == 1 { n = NF } NF != n' lab.csv | wc -l)" 0

echo "# a database"
database() { batch -q -f sqlite -o lab.db "$@"; }
content() { sqlite3 -batch lab.db "SELECT board, name, build, begun, events, lost, resets, faults FROM run ORDER BY 1, 2;
    SELECT board, run, name, subject, other, detail, value, lower, upper FROM figure ORDER BY 1, 2, 3, 4, 5, 6;
    SELECT board, run, name, subject, other, detail, stat, value FROM percentile ORDER BY 1, 2, 3, 4, 5, 6, 7"; }
count() { sqlite3 -batch lab.db "SELECT count(*) FROM $1"; }
database "${CHECKS[@]}"
check "the database has all runs" is "$STATUS $(count runs) $(count boards) $(count builds) $(count checks)" "0 24 3 4 48"
check "and the figures of the CSV" is "$(count figures)" "$(rows 'SELECT count(*) FROM f')"
check "its schema has a version" is "$(sqlite3 lab.db 'PRAGMA user_version; SELECT value FROM meta WHERE key = "schema"' | tr '\n' ' ')" "1 1 "
content >once
sqlite3 lab.db .dump >dump
database "${CHECKS[@]}"
check "a second update changes nothing" is "$STATUS $(sqlite3 lab.db .dump | cmp - dump && echo same)" "0 same"
if [[ ${2-} == --update ]]; then "$E2E_ROOT/tests/e2e/queries.pl" lab.db "$E2E_ROOT/docs/user/queries.md" --update; fi
QUERIES=$("$E2E_ROOT/tests/e2e/queries.pl" lab.db "$E2E_ROOT/docs/user/queries.md") && STATUS=0 || STATUS=$?
check "the queries of the page give its results" is "$STATUS $(grep -c ^ok <<<"$QUERIES")" "0 11"
[[ $STATUS == 0 ]] || grep -v ^ok <<<"$QUERIES"
touch lab/b1/2026-11-01T00.rec
rm lab/b3/2026-11-01T07.rec
database "${CHECKS[@]}"
check "a changed recording replaces its rows, and a deleted recording stays" is \
    "$STATUS $(content | cmp - once && echo same) $(count runs) $(count checks)" "0 same 24 48"
database
check "without checks the rows of checks are gone" is "$(count checks)" 2

echo "# an update that is killed"
"$BUILD/tests/lab_maker" "$BUILD/tests/data/demo_rec.trx" lab 6 8 1500
"$TXTAP" report -q --batch lab -f sqlite -o lab.db >killed.out 2>&1 &
PID=$!
has_begun() { [[ -e lab.db-journal ]]; }
await "$PID" has_begun || true # the update may have ended
kill -KILL "$PID" 2>/dev/null || true
wait "$PID" 2>/dev/null || true
RUNS=$(count runs)
check "the database is as before, or it is complete" test "$RUNS" = 24 -o "$RUNS" = 48
check "it is whole" is "$(sqlite3 lab.db 'PRAGMA integrity_check')" ok
database
check "the next update has all runs" is "$STATUS $(count runs) $(count boards)" "0 48 6"

echo "# recordings that grow, indexes and figures that are damaged"
"$BUILD/tests/lab_maker" "$BUILD/tests/data/demo_rec.trx" lab2 1 2 1500
batch() { run_txtap report --batch lab2 "$@"; }
head -c 20000 lab2/b1/2026-11-01T01.rec >lab2/b1/grows.rec
batch -q
check "a recording that may still be written has no kept figures" test ! -e lab2/b1/.grows.rec.txtap-report
touch -d '2026-11-01' lab2/b1/grows.rec
batch -q
check "later it has" test -e lab2/b1/.grows.rec.txtap-report
rm lab2/b1/grows.rec
batch -f json
cp "$OUT" first
for file in lab2/b1/.txtap-index.json lab2/b1/.2026-11-01T01.rec.txtap-report; do
    head -c 300 "$file" >damaged
    cp damaged "$file"
    batch -f json
    check "a damaged ${file##*/} is made again" is "$STATUS $(cmp first "$OUT" && wc -c <"$file" | awk '{ print ($1 > 300) }')" "0 1"
    ln -sf ../../damaged "$file"
    batch -f json
    check "a link is replaced, and not followed" is "$STATUS $(cmp first "$OUT" && wc -c <damaged) $(stat -c %F "$file")" "0 300 regular file"
    rm "$file"
    batch -f json
    check "a lost one is made again" is "$STATUS $(cmp first "$OUT" && test -f "$file" && echo made)" "0 made"
done

echo "# bad input"
refused() { # STATUS PATTERN FILE
    batch -f sqlite -o "$3"
    is "$STATUS $(grep -v 'not kept' "$ERR" | wc -l) $(grep -c -- "$2" "$ERR")" "$1 1 1"
}
echo text >text.db
check "a text is refused" refused 1 'text.db: no database' text.db
check "and stays" is "$(<text.db)" text
sqlite3 other.db 'CREATE TABLE runs (a)'
check "so is the database of another program" refused 1 'other.db: a database of another program' other.db
cp lab.db before.db
sqlite3 lab.db 'PRAGMA user_version = 7'
check "so is another schema" refused 1 'lab.db: its schema is 7, and this txtap has 1' lab.db
head -c 100000 before.db >cut.db
check "so is a damaged database" refused 1 'cut.db: ' cut.db
check "a database needs a file" txtap_fails 2 'give it with -o FILE' report --batch lab2 -f sqlite
check "and a folder" txtap_fails 2 'sqlite needs --batch' report -f sqlite -o new.db lab/b1/2026-11-01T00.rec
echo text >lab2/b1/bad.rec
batch -f csv
check "a file that is no recording is named" is "$STATUS $(grep -c 'lab2/b1/bad.rec: ' "$ERR") $(cut -d, -f1,2 "$OUT" | sort -u | wc -l)" "1 1 3"
e2e_end
