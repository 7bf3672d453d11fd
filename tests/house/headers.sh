#!/bin/bash
# SPDX-License-Identifier: MIT
# headers.sh CC INCLUDE_DIRECTORY...: fails unless each header in INCLUDE_DIRECTORY/txtap compiles alone and without a
# warning, as C11, C17 and C++17. It must compile when it is included twice, and without the headers in txtap/inner,
# which are not installed. The headers in txtap/inner must compile alone as C17. Status 77 (skipped) without g++.
set -euo pipefail

cc=${1:?usage: headers.sh CC INCLUDE_DIRECTORY...}
shift
command -v g++ >/dev/null || { echo "headers: skipped: g++ is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count=0 status=0

# compiles_alone HEADER LANGUAGE... -- COMPILER_ARGUMENT...: checks that the header compiles alone in each language.
# HEADER is a path below the folder of includes.
compiles_alone() {
    local header=$1 languages=() language
    shift
    while [[ $1 != -- ]]; do
        languages+=("$1")
        shift
    done
    shift
    printf '#include <%s>\n#include <%s>\nextern int unused;\n' "$header"{,} >"$work/alone.c"
    for language in "${languages[@]}"; do
        # shellcheck disable=SC2086 # words, as written below
        if ! $language -Wall -Wextra -Wpedantic -Werror "$@" -fsyntax-only "$work/alone.c"; then
            echo "headers: $header does not compile alone: $language" >&2
            status=1
        fi
    done
    count=$((count + 1))
}

mkdir "$work/public"
for directory in "$@"; do
    cp -r "$directory/txtap" "$work/public"
done
rm -rf "$work/public/txtap/inner"
for header in "$work"/public/txtap/*.h; do
    compiles_alone "txtap/${header##*/}" "$cc -x c -std=c11" "$cc -x c -std=c17" "g++ -x c++ -std=c++17" -- "-I$work/public"
done
for header in "$1"/txtap/inner/*.h; do
    compiles_alone "txtap/inner/${header##*/}" "$cc -x c -std=c17" -- "${@/#/-I}"
done
((count > 10)) || { echo "headers: only $count headers in $*: are these the right folders?" >&2; exit 1; }
echo "headers: $count"
exit "$status"
