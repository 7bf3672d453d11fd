#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap report --check on sample traces: verdicts, exit codes, messages, JSON and JUnit's XML.
#   usage: checks.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
DATA=$E2E_ROOT/tests/data
DEMO=$DATA/analysis/demo_live.trx # this trace is complete, so its figures are exact

# exits CODE ARGUMENT...: checks that a report of the demo's trace ends with the exit code CODE.
exits() {
    local code=$1
    shift
    run_txtap report -q --hz 1M "$@" "$DEMO"
    is "$STATUS" "$code"
}
says() { grep -qF -- "$1" "$OUT" || { sed 's/^/# /' "$OUT"; return 1; }; }
# refused WORDS ARGUMENT...: checks that a report ends with a usage error, prints one line that contains WORDS, and
# writes no output.
refused() {
    local words=$1
    shift
    exits 2 "$@" && [[ ! -s $OUT ]] && grep -qF -- "$words" "$ERR" || { sed 's/^/# /' "$ERR"; return 1; }
}

check "a check that holds: exit code 0" exits 0 --check 'load < 100%'
check "and one line" test "$(wc -l <"$OUT")" -eq 1
check "one that fails: exit code 6" exits 6 --check 'wake(filter).max == 0' --check 'lost == 0'
check "it says what was measured, of what, and where" grep -qE '^FAIL +wake\(filter\)\.max == 0 +[0-9.]+ (us|ticks) of filter until chosen, event [0-9]+ at [0-9.]+ s$' "$OUT"
check "and the other is ok" says 'ok       lost == 0'
check "none of a pattern's subjects may fail" exits 6 --check 'wake(*).max == 0'
check "it says how many fail" grep -qE '\([0-9]+ of [0-9]+ fail\)$' "$OUT"
SLEEPS=$DATA/analysis/jitter.trx # its threads are woken by interrupts that record no enter event
check "a share around interrupts without enter is not known: exit code 7" is \
    "$("$BUILD/capture/txtap" report -q --check 'idle >= 50%' --check 'idle <= 99.9%' "$SLEEPS"; echo $?)" \
    "$(printf '%s\n' 'unknown  idle >= 50%    0% to 98.5776%' 'ok       idle <= 99.9%  0% to 98.5776%' 7)"
check "if no interrupt records an event, their share is not 0: exit code 7" is \
    "$("$BUILD/capture/txtap" report -q --check 'interrupts <= 5%' "$DATA/analysis/deadlock.trx"; echo $?)" \
    "$(printf '%s\n' 'unknown  interrupts <= 5%  not recorded' 7)"
check "ticks need no rate" is "$("$BUILD/capture/txtap" report -q --check 'wake(filter).n > 5' "$DEMO" | cut -c 1-3)" "ok "

printf '%s\n' '# what must hold' '' 'load < 100%  # always' $'  wake(*).max < 1h\r' >"$WORK/wrong"
sed 's/1h/10s/' "$WORK/wrong" >"$WORK/right"
check "checks come from a file, with comments" exits 0 --checks "$WORK/right" --check 'idle > 0%'
check "all of them" is "$(grep -c '^ok ' "$OUT")" 3
check "an error in the file has its line and column" refused "wrong, line 4: 'wake(*).max < 1h': column 16: expected a time with its unit" --checks "$WORK/wrong"
check "a missing file" refused "/nowhere" --checks /nowhere
check "a file without an end" refused "/dev/zero" --checks /dev/zero
check "an error on the command line has its column" refused "'cpu(net < 1%': column 13: expected a )" --check 'cpu(net < 1%'
check "an unknown thread is an error" refused "did you mean 'filter'" --check 'wake(fitler).max < 1s'
run_txtap report -q --check 'wake(filter) < 1us' "$DEMO"
check "seconds without a rate are an error" is "$STATUS $(grep -c 'give --hz' "$ERR")" "2 1"
check "a figure with a longer name" exits 0 --check 'alloc_failed(*) == 0' --check 'stack_bytes(*) >= 1 bytes' --check 'isr_load(22) < 50%'
check "--junit without a check is an error" refused "no checks" --junit "$WORK/junit.xml"
cp "$DEMO" "$WORK/trace.trx"
DEMO=$WORK/trace.trx
check "--junit never overwrites the trace" exits 1 --check 'load < 100%' --junit "$WORK/trace.trx"
check "which is unchanged" cmp "$WORK/trace.trx" "$DATA/analysis/demo_live.trx"
check "nor the checks" exits 1 --checks "$WORK/right" --junit "$WORK/right"

check "with a section the report comes before the checks" exits 0 --section cpu --check 'load < 100%'
check "both are there" is "$(grep -cE '^cpu: |^ok ' "$OUT")" 2
check "JSON has the figures and the results" exits 6 -f json --check 'wake(filter).max == 0' --check 'lost == 0'
check "with the measured value and its event" is_true "$OUT" '(.figures | length) > 10 and (.checks | length) == 2 and
    (.checks[0] | .verdict == "failed" and .subject == "filter" and .value > 0 and .lower == .value and (.event > 0)) and
    (.checks[1] | .verdict == "ok" and .value == 0)'

check "CSV has a table of results" exits 6 -f csv --check 'wake(filter).max == 0' --check 'lost == 0'
check "with a line for each" is "$(sed -E 's/ticks,0,[0-9,]*,1,1,0/ticks,0,...,1,1,0/' "$OUT" | tr -d '\r')" \
    'check,verdict,kind,subject,unit,limit,value,lower,upper,event,ticks,matched,failed,undecided
"wake(filter).max == 0",failed,thread,"filter",ticks,0,...,1,1,0
"lost == 0",ok,system,"",count,0,0,0,0,,,1,0,0'
check "after the figures of a section, if one is given" exits 0 -f csv --section cpu --check 'lost == 0'
check "there is an empty line between them" is "$(tr -d '\r' <"$OUT" | awk '/^$/ { gap = NR } END { print NR - gap }')" 2

# The same trace as an ELF core file: a header, one segment.
perl -e 'local $/; my $t = <STDIN>; print pack("C16 v2 V5 v6", 0x7f, 0x45, 0x4c, 0x46, 1, 1, 1, (0) x 9, 4, 40, 1, 0, 52, 0, 0, 52, 32, 1, 0, 0, 0),
    pack("V8", 1, 84, 0x20000000, 0x20000000, length $t, length $t, 6, 4), $t' <"$DEMO" >"$WORK/core"
shown() { "$BUILD/capture/txtap" "$@" | grep -v '^txtap top'; }
same_as_trace() { cmp <(shown "$@" "$WORK/core") <(shown "$@" "$DEMO"); }
check "a core file is a trace, not a firmware's ELF file" same_as_trace report -q
check "for top, too" same_as_trace top -b --hz 1M --replay-speed 0

check "JUnit's file is written" exits 6 --check 'wake(filter).max == 0' --check 'lost == 0' --junit "$WORK/junit.xml"
if command -v xmllint >/dev/null; then
    xpath() { xmllint --xpath "$1" "$WORK/junit.xml" 2>/dev/null; }
    check "it is well-formed, and counts" is "$(xpath 'concat(/testsuite/@tests, " ", /testsuite/@failures, " ", /testsuite/@errors)')" "2 1 0"
    check "a check that fails is a failure" is "$(xpath 'string(//testcase[failure]/@name)')" 'wake(filter).max == 0'
else
    skip "JUnit's file is well-formed" "no xmllint (Debian: libxml2-utils)"
fi

# ---- an older report ----

"$BUILD/capture/txtap" report -q --hz 1M -f json "$DEMO" >"$WORK/old.json"
run_txtap report -q --hz 1M --baseline "$WORK/old.json" "$DEMO"
if grep -q 'built without jansson' "$ERR"; then
    skip "a report is compared with an older one" "built without jansson (Debian: libjansson-dev)"
else
    check "a report does not differ from itself" grep -q '^compared .*: 0 differ, .*; 0 new, 0 gone$' "$OUT"
    check "nor do later ones of the same events" is "$STATUS" 0
    jq '(.figures[] | select(.name == "wake" and .subject.name == "filter") | .stats.max[]) /= 2' "$WORK/old.json" >"$WORK/half.json"
    check "what has doubled has its factor" exits 0 --baseline "$WORK/half.json"
    check "and nothing else differs" is "$(grep -cE '^compared .*: 1 differ|^  wake\(filter\)\.max .* 2 \+' "$OUT")" 2
    check "CSV has a line for it" exits 0 -f csv --baseline "$WORK/half.json"
    check "with both numbers" grep -qE '^wake,wake,thread,"filter","",,ticks,max,[0-9]+,[0-9]+,2' "$OUT"
    check "and that alone" is "$(wc -l <"$OUT")" 2
    check "JSON has the factor too" exits 0 --baseline "$WORK/half.json" -f json
    check "with the index of its figure" is_true "$OUT" '.comparison.differences == [{figure: (.figures | map(.name == "wake" and
        .subject.name == "filter") | index(true)), stat: "max", before: .comparison.differences[0].before,
        now: (.comparison.differences[0].before * 2), factor: 2}]'
    check "a file that is not a report is refused" exits 1 --baseline "$WORK/right"
    check "with the line and column" grep -q 'line 1, column' "$ERR"
    check "--junit never overwrites it" exits 1 --check 'load < 100%' --baseline "$WORK/old.json" --junit "$WORK/old.json"
fi
e2e_end
