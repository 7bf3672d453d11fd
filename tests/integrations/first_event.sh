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
row() { grep -qE "^\| \`$1\` \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \|\$" "$OUT"; }

check "an unknown way is wrong usage" measures 2 nonsense
check "a folder without programs is wrong usage" measures 2 --programs "$WORK"
check "two ways can be gone" measures 0 --programs "$BUILD" firmware gdb
check "the firmware of the example shows an event" row firmware
if command -v gdb-multiarch >/dev/null; then
    check "GDB shows an event" row gdb
else
    skip "GDB shows an event" "gdb-multiarch is not installed"
fi
check "a way without its artefact is skipped" measures 0 --programs "$BUILD" --packages "$WORK" static-x86_64
check "the reason is told" grep -q 'static-x86_64: skipped: .*scripts/package --static' "$ERR"
mkdir -p "$WORK/broken/capture" "$WORK/broken/target"
ln -s "$BUILD/target/vboard" "$WORK/broken/target/vboard"
ln -s /bin/false "$WORK/broken/capture/txtap"
check "a way that shows no event fails" measures 1 --programs "$WORK/broken" firmware
e2e_end
