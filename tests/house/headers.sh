#!/bin/bash
# SPDX-License-Identifier: MIT
# headers.sh CC INCLUDE_DIRECTORY...: fails unless each header in INCLUDE_DIRECTORY/txtap compiles alone, as C11, C17 and
# C++17, without a warning, and twice in one file. Status 77 (skipped) without g++.
set -euo pipefail

cc=${1:?usage: headers.sh CC INCLUDE_DIRECTORY...}
shift
command -v g++ >/dev/null || { echo "headers: skipped: g++ is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count=0 status=0
for directory in "$@"; do
    for header in "$directory"/txtap/*.h; do
        printf '#include <%s>\n#include <%s>\nextern int unused;\n' txtap/"${header##*/}"{,} >"$work/alone.c"
        for language in "$cc -x c -std=c11" "$cc -x c -std=c17" "g++ -x c++ -std=c++17"; do
            # shellcheck disable=SC2086 # words, as written above
            if ! $language -Wall -Wextra -Wpedantic -Werror "${@/#/-I}" -fsyntax-only "$work/alone.c"; then
                echo "headers: $header does not compile alone: $language" >&2
                status=1
            fi
        done
        count=$((count + 1))
    done
done
((count > 10)) || { echo "headers: only $count headers in $*: are these the right folders?" >&2; exit 1; }
echo "headers: $count"
exit "$status"
