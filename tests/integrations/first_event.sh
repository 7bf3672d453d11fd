#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that scripts/first_event goes the ways that need no packages of others, and fails if a way shows no event.
# usage: first_event.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
e2e_begin "$@"

OUT=$WORK/out ERR=$WORK/err
measures() { # STATUS ARGUMENT...
    STATUS=0
    "$E2E_ROOT/scripts/first_event" "${@:2}" >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
    is "$STATUS" "$1" || { sed 's/^/# /' "$ERR"; return 1; }
}
# row WAY: the table has a row of the way.
row() { grep -qE "^\| \`$1\`: [^|]+ \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \|\$" "$OUT"; }
# shows WAY NAME: checks that the way was gone. It is skipped if a program of others is missing.
shows() {
    local why
    why=$(sed -n "s/^first_event: $1: skipped: //p" "$ERR")
    if [[ $why ]]; then skip "$2" "$why"; else check "$2" row "$1"; fi
}

check "an unknown way is wrong usage" measures 2 nonsense
check "a folder without programs is wrong usage" measures 2 --programs "$WORK"
check "several ways can be gone" measures 0 --programs "$BUILD" firmware board view gdb pytest page-chromium
check "the firmware of the example shows an event" row firmware
check "the report of a board has events" row board
shows view "the live page shows a picture"
shows gdb "GDB shows an event"
shows pytest "a test of pytest passes"
shows page-chromium "a dropped trace shows a picture"
check "a way without its artefact is skipped" measures 0 --programs "$BUILD" --packages "$WORK" static-x86_64
check "the reason is told" grep -q 'static-x86_64: skipped: .*scripts/package --static' "$ERR"
mkdir -p "$WORK/broken/capture" "$WORK/broken/target"
ln -s "$BUILD/target/vboard" "$WORK/broken/target/vboard"
ln -s /bin/false "$WORK/broken/capture/txtap"
check "a way that shows no event fails" measures 1 --programs "$WORK/broken" firmware
e2e_end
