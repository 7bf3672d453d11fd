#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the operands, the forms and the exit codes of txtap compare, with sample traces.
#   usage: compare.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
DATA=$E2E_ROOT/tests/data/analysis
shows() { grep -qF -- "$1" "$OUT" || { sed 's/^/# /' "$OUT"; return 1; }; }

echo "# operands"
run_txtap compare --hz 1M "$DATA/demo_live.trx" "$DATA/demo_live.trx"
check "a trace does not differ from itself" is "$STATUS $(tail -n 1 "$OUT" | cut -d ' ' -f 1,2)" "0 no change"
run_txtap report --hz 1M -q -f json "$DATA/demo_live.trx"
cp "$OUT" "$WORK/live.json"
run_txtap compare --hz 1M --check -f json "$DATA/demo_live.trx" "$WORK/live.json"
check "nor from its report" is "$STATUS $(jq -c '[.changed, .may_differ, (.only_a | length), (.only_b | length)]' "$OUT")" "0 [0,0,0,0]"
mkdir -p "$WORK/runs/deep" "$WORK/empty"
cp "$DATA/demo_live.trx" "$WORK/runs/1.trx"
cp "$DATA/demo_live.trx" "$WORK/runs/deep/2.trx"
cp "$WORK/live.json" "$WORK/runs/deep/3.json"
echo text >"$WORK/runs/notes"
echo '{' >"$WORK/runs/.hidden.json"
run_txtap compare --hz 1M -f json "$WORK/runs" "$DATA/demo_live.trx"
check "a folder is a side with all its runs" is "$(jq -c '[(.a | length), (.b | length)]' "$OUT")" "[3,1]"
run_txtap compare --hz 1M -f json "$DATA/demo_live.trx" "$WORK/live.json" "$WORK/runs" -- "$WORK/runs" "$WORK/live.json"
check "several operands come before and after --" is "$(jq -c '[(.a | length), (.b | length)]' "$OUT")" "[5,4]"
check "three files without -- are wrong usage" txtap_fails 2 'A... -- B...' compare a b c
check "so is a file without another" txtap_fails 2 'A... -- B...' compare a
check "and a side without a file" txtap_fails 2 'A... -- B...' compare a b c --
check "a folder without a trace is an error" txtap_fails 1 'no trace in this folder' compare "$WORK/empty" "$WORK/runs"
check "a file that is absent is an error" txtap_fails 1 'absent: No such file' compare "$WORK/runs" "$WORK/absent"
check "a file that is no trace is an error" txtap_fails 3 'no trace buffer' compare "$WORK/runs" "$WORK/runs/notes"
head -c 1000 "$WORK/live.json" >"$WORK/cut.json"
check "so is a cut report" txtap_fails 1 'line' compare "$WORK/runs" "$WORK/cut.json"
run_txtap report -q -f json "$DATA/demo_live.trx"
cp "$OUT" "$WORK/ticks.json"
check "seconds and ticks are not compared" txtap_fails 2 'others only ticks' compare "$WORK/ticks.json" "$WORK/live.json"

echo "# forms and exit codes"
run_txtap compare --hz 1M "$DATA/inv_inherit.trx" "$DATA/inv_unbounded.trx"
check "without --check the exit code is 0" is "$STATUS" 0
check "figures of a single trace are listed" shows "figures only in B: "
run_txtap compare --hz 1M --check "$DATA/inv_inherit.trx" "$DATA/inv_unbounded.trx"
check "with --check it is 6" is "$STATUS" 6
run_txtap compare --hz 1M --check --tolerance 300% "$DATA/inv_inherit.trx" "$DATA/inv_unbounded.trx"
check "unless all differences are below the tolerance" is "$STATUS" 0
check "a tolerance is a percentage" txtap_fails 2 'not a percentage' compare --tolerance much a b
run_txtap compare --hz 1M -f json "$DATA/inv_inherit.trx" "$DATA/inv_unbounded.trx"
check "JSON has the numbers of both sides" jq -e '.schema == "txtap-compare" and
    (.numbers[] | select(.number == "cpu(mid)") | .change == "worse" and .a.median == 20 and .b.runs == 1)' "$OUT" >"$WORK/jq"
run_txtap compare --hz 1M -f benchmark "$DATA/inv_inherit.trx" "$DATA/inv_unbounded.trx"
check "a history has the members that github-action-benchmark reads" jq -e \
    'length > 5 and all(.[]; (.name | type == "string") and (.unit | type == "string") and (.value | type == "number"))' "$OUT" >"$WORK/jq"
run_txtap compare --hz 1M -f markdown "$DATA/inv_inherit.trx" "$DATA/inv_unbounded.trx"
check "Markdown has a table" shows "| worse | <code>cpu(mid)</code> | 20.00% |"
check "a page needs a trace of each side" txtap_fails 2 'A has only reports' compare --hz 1M -f html "$WORK/live.json" "$DATA/demo_live.trx"
run_txtap view -o -
if ((STATUS == 0)); then # this txtap has the page
    run_txtap compare --hz 1M -f html -o "$WORK/both.html" "$WORK/live.json" "$DATA/demo_live.trx" -- "$DATA/inv_unbounded.trx"
    sed -n '/id="setup">/,/<\/script>/p' "$WORK/both.html" | sed -e 's/.*id="setup">//' -e 's/<\/script>.*//' >"$WORK/setup.json"
    check "a page has the first trace of each side" is "$STATUS $(jq -c '[.mode, .sides[].name, .sides[].hz]' "$WORK/setup.json")" \
        '0 ["compared","demo_live.trx","inv_unbounded.trx",1000000,1000000]'
    check "both traces, and the comparison of all runs" is \
        "$(grep -c 'id="data_[ab]"' "$WORK/both.html") $(jq -r '.comparison.about[0] | split(",")[0]' "$WORK/setup.json")" "2 A: 2 runs"
    check "but no folder" is "$(grep -c "$DATA" "$WORK/setup.json" || true)" 0
fi
check "an output file is not overwritten" txtap_fails 1 'exists' compare -o "$WORK/live.json" "$WORK/runs" "$WORK/runs"
e2e_end
