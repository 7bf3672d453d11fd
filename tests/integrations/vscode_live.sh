#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the live view of integrations/vscode in a real VS Code with a virtual board: vscode_live.mjs has the checks.
#   usage: vscode_live.sh BUILD_DIRECTORY
set -euo pipefail
E2E_LIMIT_S=${E2E_LIMIT_S:-3000}
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
e2e_begin "$@"
ELF=$FIRMWARE/demo.elf
start_board "$ELF"
start_openocd
STATUS=0
node "$E2E_ROOT/tests/integrations/vscode_live.mjs" "$BUILD/capture/txtap" "$E2E_ROOT" "$ELF" "$TCL_PORT" || STATUS=$?
if ((STATUS == 77)); then skip "the live view in VS Code" "see above"; else check "the live view in VS Code" test "$STATUS" = 0; fi
e2e_end
