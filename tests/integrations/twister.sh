#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks integrations/twister: starts pytest with the options of twister. With ZEPHYR_BASE=FOLDER it also runs the twister
# of this Zephyr, which needs its Python packages and gcc-multilib.   usage: twister.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
e2e_begin "$@"

PYTHON=/usr/bin/python3
if ! "$PYTHON" -c 'import pytest' 2>/dev/null; then
    echo "SKIP: pytest is not installed (Debian: python3-pytest): nothing of this was tested"
    exit 77
fi
export PYTHONPATH=$E2E_ROOT/integrations/pytest:$E2E_ROOT/integrations/twister PYTHONDONTWRITEBYTECODE=1
export VBOARD_PROGRAM=$VBOARD
cd "$WORK"
mkdir -p bin build/zephyr app/pytest
cp "$FIRMWARE/demo_large.elf" build/zephyr/zephyr.elf
ln -s "$BUILD/capture/txtap" bin/txtap
ln -s "$E2E_ROOT/tests/integrations/rested_board" bin/txtap-vboard
printf '#!/bin/sh\nexec %s -m pytest -p no:cacheprovider "$@"\n' "$PYTHON" >bin/pytest
printf '#!/bin/sh\nprintf "%%s " "$@" >"%s/arguments"\nexit 4\n' "$WORK" >reader
chmod +x bin/pytest reader
export PATH=$WORK/bin:$PATH
cat >app/pytest/test_trace.py <<'END'
import pytest


@pytest.mark.txtap("--limit=1500", "--timeout=1min")
def test_load(txtap):
    txtap.wait()
    txtap.check("lost == 0", "deadlock == 0")


@pytest.mark.txtap("--limit=1500", "--timeout=1min")
def test_response(txtap):
    txtap.wait()
    txtap.check("response(control).max < 1us")
END
# starts ARGUMENT...: pytest as twister starts it, with the options that its plug-in or its conftest.py defines.
starts() {
    STATUS=0
    timeout -k 5 "$E2E_RUN_S" pytest app/pytest --junit-xml "$WORK/report.xml" -p twister_txtap "$@" >out 2>&1 </dev/null || STATUS=$?
}
shows() { grep -qE -- "$1" out || { sed 's/^/# /' out; return 1; }; }
options() { printf 'def pytest_addoption(parser):\n'; printf '    parser.addoption(%s)\n' "$@"; }
reads() { [[ " $(<arguments)" == *" $1 "* ]] || { printf '# %s\n' "$(<arguments)"; return 1; }; }

echo "# today's twister"
options '"--build-dir"' '"--device-id"' '"--twister-fixture", action="append", dest="twister_fixtures"' >app/pytest/conftest.py
starts "--build-dir=$WORK/build" --txtap-vboard --txtap-options=--hz=1M
check "a test that passes and a test that fails" shows '1 failed, 1 passed'
check "with the firmware of the build" shows 'FAIL +response\(control\)\.max < 1us'
check "and files in the folder of the build" test -f "$(find build/txtap-artifacts -name run.rec)"
starts "--build-dir=$WORK/build" --device-id=0669FF --txtap-program=./reader -k load
check "the id of the board is the probe" reads --probe=0669FF
starts "--build-dir=$WORK/build" --device-id=0669FF --twister-fixture=i2c --twister-fixture=txtap:usb:1-4.2 --txtap-program=./reader -k load
check "unless a fixture names the probe" reads --probe=usb:1-4.2
starts "--build-dir=$WORK/build" --device-id=0669FF --txtap-openocd=6666 --txtap-program=./reader -k load
check "or the scenario names another way" reads --tcl=6666
starts "--build-dir=$WORK/none" --txtap-program=./reader
check "a build without firmware skips the tests" shows '2 skipped'

echo "# an earlier twister"
options '"--cmdopt"' >app/pytest/conftest.py
starts --cmdopt "$WORK/build" --txtap-vboard --txtap-options=--hz=1M -k load
check "the firmware of the build" shows '1 passed'

if [[ ! ${ZEPHYR_BASE:-} ]]; then
    echo "# no ZEPHYR_BASE: no twister runs"
    e2e_end
    exit
fi
echo "# the twister of $ZEPHYR_BASE"
cat >app/testcase.yaml <<'END'
tests:
  app.trace:
    type: unit
    harness: pytest
    harness_config:
      pytest_args: ["-p", "twister_txtap", "--txtap-vboard", "--txtap-options=--hz=1M"]
END
cat >app/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.20.0)
project(app)
set(SOURCES main.c)
find_package(Zephyr COMPONENTS unittest REQUIRED HINTS $ZEPHYR_BASE)
configure_file($WORK/build/zephyr/zephyr.elf \${CMAKE_CURRENT_BINARY_DIR}/zephyr/zephyr.elf COPYONLY)
END
printf '#include <zephyr/ztest.h>\nvoid test_main(void)\n{\n}\n' >app/main.c
twister() {
    STATUS=0
    ZEPHYR_TOOLCHAIN_VARIANT=host timeout -k 5 "$E2E_RUN_S" "$PYTHON" "$ZEPHYR_BASE/scripts/twister" -p unit_testing -n -T app -O "$WORK/twister" \
        >out 2>&1 </dev/null || STATUS=$?
}
twister
check "a scenario with a failed test fails" shows '1 failed'
check "and twister's log has the check" grep -qE 'FAIL +response\(control\)\.max < 1us' twister/unit_testing/app.trace/handler.log
sed -i '/^def test_response/,$d' app/pytest/test_trace.py
sed -i '$d' app/pytest/test_trace.py
rm -rf twister
twister
check "a scenario whose tests pass passes" shows '1 of 1.* test configurations passed'
e2e_end
