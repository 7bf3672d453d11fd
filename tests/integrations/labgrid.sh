#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks integrations/labgrid with labgrid and two virtual boards: on this host, and on another host over SSH, where
# a script replaces ssh.   usage: labgrid.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
e2e_begin "$@"
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/usb_lib.sh"

PYTHON=/usr/bin/python3
if ! "$PYTHON" -c 'import labgrid, pytest' 2>/dev/null; then
    echo "SKIP: labgrid is not installed (Debian: python3-labgrid): nothing of this was tested"
    exit 77
fi
FOLDER=$E2E_ROOT/integrations/labgrid
export PYTHONPATH=$FOLDER:$E2E_ROOT/integrations/pytest PYTHONDONTWRITEBYTECODE=1
export VBOARD_PROGRAM=$VBOARD
cd "$WORK"

# Starts a board whose firmware rests, so that its events are the same on any host. Sets PORT.
start_rested() {
    local port_file=$WORK/rested.$1
    "$E2E_ROOT/tests/integrations/rested_board" --port 0 --port-file "$port_file" "$FIRMWARE/demo_large.elf" >"$port_file.log" 2>&1 &
    E2E_PIDS+=("$!")
    await "$!" test -s "$port_file" || die "the board did not start: $(cat "$port_file.log")"
    PORT=$(<"$port_file")
}
start_rested 1
FIRST=$PORT
start_rested 2
SECOND=$PORT

# environment SED_COMMAND...: writes env.yaml, the example with these boards, this firmware and this program.
environment() {
    sed -e "s|:7184|:$FIRST|; s|:7185|:$SECOND|; s|demo: demo.elf|demo: $FIRMWARE/demo_large.elf|" \
        -e "s|txtap: txtap|txtap: $BUILD/capture/txtap|" "$@" "$FOLDER/example/env.yaml" >env.yaml
}
tests() {
    STATUS=0
    timeout -k 5 "$E2E_RUN_S" "${OPENOCD_UNDER[@]}" "$PYTHON" -m pytest -p no:cacheprovider --lg-env env.yaml "$@" >"$WORK/pytest.out" 2>&1 </dev/null || STATUS=$?
}
shows() { grep -qE -- "$1" pytest.out || { sed 's/^/# /' pytest.out; return 1; }; }

environment
tests "$FOLDER/example"
check "the example passes with two boards" shows '^=+ 7 passed'

cat >test_failing.py <<'END'
import pytest


def test_check(target):
    target.get_driver("TxtapDriver").check("lost == 1", options=["--limit=100"])


def test_option(target):
    target.get_driver("TxtapDriver").report("--no-such-option")


def test_absent(env):
    env.get_target("other").get_driver("TxtapDriver").info()


def test_end(target, tmp_path):
    recording = target.get_driver("TxtapDriver").record(tmp_path)
    assert recording.report["total_events"]["n"]["value"] > 0


def test_left(target, tmp_path):
    target.get_driver("TxtapDriver").record(tmp_path)
END
no_recorder() { ! pgrep -f -- "[c]apture/txtap record .*:$FIRST" >/dev/null; }
free_port
environment -e "s|127.0.0.1:$SECOND|127.0.0.1:$PORT|"
tests test_failing.py
check "failures are failures, and nothing else" shows '3 failed, 2 passed'
check "a check that fails has the program's text" shows 'AssertionError: a check failed'
check "so has an option that is unknown" shows "TxtapError: the recording does not begin: .*unknown option '--no-such-option'"
check "and a board that is absent" shows "ExecutionError.*127.0.0.1:$PORT"
check "a recording that a test leaves ends with labgrid" await $$ no_recorder

echo "# probes on USB"
if [[ -x $USBPROBE && $(ldd "$BUILD/capture/txtap") == *libusb* ]]; then
    carried() { (($(usb "$1 state" | sed 's/.* transfers \([0-9]*\).*/\1/') > 100)); }
    BOARD_PORT=$FIRST
    start_usb_probe cmsis-dap --board "$SECOND"
    # Both probes have the same serial number, so only their ports differ.
    environment -e '/TxtapTarget/s|{.*}|{match: {sys_name: 1-2}}|; 0,/TxtapTarget/s|sys_name: 1-2|sys_name: 1-1|; s|TxtapTarget|TxtapProbe|'
    tests "$FOLDER/example"
    check "the example passes with the probes that labgrid finds" shows '^=+ 7 passed'
    check "and reads both probes" eval 'carried 1 && carried 2'
    stop_usb_probe
else
    skip "the example passes with the probes that labgrid finds" "no umockdev or no libusb"
fi

echo "# a board of another host"
# This ssh runs the command here. Like the real ssh, it joins the arguments with blanks for a shell.
mkdir bin
cat >bin/ssh <<'END'
#!/bin/bash
printf '%s\n' "$*" >>"$SSH_LOG"
while [[ ${1:-} == -* ]]; do
    case $1 in
    -O) exit 0 ;; # a connection exists
    -o) shift 2 ;;
    *) shift ;;
    esac
done
[[ $1 == desk ]] || exit 255
shift
if [[ ${1:-} == -- ]]; then shift; fi
exec sh -c "$*"
END
chmod +x bin/ssh
export PATH=$WORK/bin:$PATH SSH_LOG=$WORK/ssh.log
environment -e 's|TxtapTarget: {|NetworkTxtapTarget: {host: desk, |'
tests "$FOLDER/example" test_failing.py -k 'not absent'
check "the example passes, and tests fail as before" shows '2 failed, 9 passed'
check "an option that is unknown has the same message" shows "TxtapError: the recording does not begin: .*unknown option '--no-such-option'"
check "the program ran on the other host" grep -q '/txtap record .* -o - ' ssh.log
check "a recording of the other host ends with labgrid" await $$ no_recorder
e2e_end
