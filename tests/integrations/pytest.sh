#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks integrations/pytest with the virtual board: tests that pass leave no file, and tests that fail keep their
# recording, page and report, which pytest's output and JUnit's file name.
# usage: pytest.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
e2e_begin "$@"

DEMO=$FIRMWARE/demo_large.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
PLUGIN=$E2E_ROOT/integrations/pytest
for PYTHON in python3 /usr/bin/python3 ""; do
    if [[ $PYTHON ]] && "$PYTHON" -c 'import pytest' 2>/dev/null; then break; fi
done
if [[ ! $PYTHON ]]; then
    skip "the plug-in for pytest" "no pytest (Debian: python3-pytest)"
    e2e_end
fi
export PYTHONPATH=$PLUGIN PYTHONDONTWRITEBYTECODE=1
export VBOARD_PROGRAM=$VBOARD
cd "$WORK"

# tests ARGUMENT...: runs pytest; sets STATUS; its output is in $OUT.
tests() {
    OUT=$WORK/pytest.out ERR=$WORK/pytest.out STATUS=0
    timeout -k 5 "$E2E_RUN_S" "$PYTHON" -m pytest -p pytest_txtap -p no:cacheprovider --txtap-program "$BUILD/capture/txtap" \
        --txtap-vboard-program "$E2E_ROOT/tests/integrations/rested_board" --junit-xml "$WORK/junit.xml" "$@" >"$OUT" 2>&1 </dev/null || STATUS=$?
}
shows() { grep -qE -- "$1" "$OUT" || { sed 's/^/# /' "$OUT"; return 1; }; }
xpath() { xmllint --xpath "$1" "$WORK/junit.xml" 2>/dev/null; }
ON_BOARD=(--txtap-elf "$DEMO" --txtap-vboard "--txtap-options=--hz=1M --timeout=1min")

tests "${ON_BOARD[@]}" "$PLUGIN/example"
check "the example passes" is "$STATUS" 0
check "and leaves no file" test ! -e txtap-artifacts

cat >test_failing.py <<'END'
import pytest


@pytest.mark.txtap("--limit=1500")
@pytest.mark.parametrize("name", ["../a b", "$(touch pwned)"])
def test_response(txtap, name):
    txtap.wait()
    txtap.check("response(control).max < 1us", "deadlock == 0")


@pytest.mark.txtap("--limit=1500")
def test_assertion(txtap):
    assert txtap.report["window"]["value"]["value"] < 0


def test_absent(txtap):
    txtap.check("response(nobody).max < 1us")


def test_choice(txtap):
    with pytest.raises(ValueError, match="'name=x': give NAME=VALUE"):
        txtap.events("name=x")


def test_invalid_check(txtap):
    txtap.check("; touch pwned")


@pytest.mark.txtap("--no-such-option")
def test_option(txtap):
    pass


@pytest.mark.txtap_vboard("--machine", "none")
def test_board(txtap):
    pass
END
tests "${ON_BOARD[@]}" --txtap-artifacts "$WORK/kept" test_failing.py
check "tests that fail are reported" is "$STATUS" 1
check "each test has its own result" shows '5 failed, 1 passed, 2 errors'
check "the assertion names check, value, event and cause" \
    shows 'FAIL +response\(control\)\.max < 1us +[0-9.]+ [um]s of control, event [0-9]+ at [0-9.]+ s: control '
check "and not the checks that are ok" is "$(grep -c 'deadlock == 0 ' "$OUT")" 0
check "a check without a measurement cannot be decided" shows 'AssertionError: a check cannot be decided'
check "an invalid check has the message of the program" shows "TxtapError: txtap check: --check: '; touch pwned': column 1"
check "so has an invalid option of the recording" shows "^TxtapError: the recording does not begin: .*unknown option '--no-such-option'"
check "and a board that cannot start" shows "^TxtapError: the virtual board does not start: .*none"
check "pytest names the files" shows "^recording: $WORK/kept/.*run.rec$"
mapfile -t RECORDINGS < <(find kept -name run.rec | sort)
check "each failed test has its own recording" is "${#RECORDINGS[@]}" 5
check "with its report" is "$(find kept -name report.txt -size +100c | wc -l)" 5
if [[ -f $BUILD/capture/decoder.wasm ]]; then
    check "and its page" is "$(find kept -name page.html -size +100k | wc -l)" 5
fi
check "the recording of a limit is complete" grep_all '"events":1500,"lost":0,' \
    <("$BUILD/capture/txtap" report -q -f json "$(find kept -path '*test_assertion*' -name run.rec)")
check "no name leaves the folder" is "$(find . -name pwned; find kept -mindepth 1 -maxdepth 1 -name '*test_failing*' | wc -l)" 7
if command -v xmllint >/dev/null; then
    check "JUnit's file has the recordings" is \
        "$(xpath 'count(//testcase[failure]//property[@name="txtap_recording"])') $(xpath 'count(//testcase[not(failure)]//property)')" "5 0"
    check "and their paths" test -f "$(xpath 'string((//property[@name="txtap_recording"])[1]/@value)')"
else
    skip "JUnit's file has the recordings" "no xmllint (Debian: libxml2-utils)"
fi

cat >test_ended.py <<'END'
import os
import pytest


def test_interrupt(txtap):
    raise KeyboardInterrupt


def test_killed(txtap):
    os.kill(os.getpid(), 9)
END
no_process() { ! pgrep -f -- "$WORK/[k]ept/"; }
tests "${ON_BOARD[@]}" --txtap-artifacts "$WORK/kept" test_ended.py -k interrupt
check "after Ctrl-C no process is left" no_process
tests "${ON_BOARD[@]}" --txtap-artifacts "$WORK/kept" test_ended.py -k killed
check "nor after the death of pytest" await $$ no_process

tests test_failing.py
check "without firmware all tests are skipped" shows '8 skipped'
tests --txtap-elf "$DEMO" --txtap-vboard --txtap-openocd 1 test_failing.py -k choice
check "two ways to the target are wrong usage" shows 'give only one of --txtap-openocd, --txtap-vboard'
free_port
tests --txtap-elf "$DEMO" --txtap-openocd "$PORT" --txtap-options=--no-such test_failing.py -k choice
check "a target that is absent is an error, not a failure" is "$STATUS $(grep -c '^TxtapError: the recording does not begin' "$OUT")" "1 1"
tests --txtap-elf "$DEMO" --txtap-vboard --txtap-program "$WORK/absent" test_failing.py -k choice
check "so is a program that is absent" shows "^TxtapError: $WORK/absent: No such file or directory"
e2e_end
