#!/bin/sh
# SPDX-License-Identifier: MIT
# pure_core.sh ARCHIVE [NM]: fails if the archive needs anything but memory, strings and number formatting from outside.
set -eu

archive=$1
nm=${2:-nm}
allowed='^(mem(cpy|set|move|cmp|chr)|str(len|n?cmp|n?cpy|r?chr|str|nlen|spn|cspn)|v?snprintf)$'
allowed="$allowed|^__(mem|str)[a-z]+_chk\$|^__v?snprintf_chk\$|^__isoc99_v?snprintf\$" # _FORTIFY_SOURCE
allowed="$allowed|^__stack_chk_(fail|guard)\$|^__assert_fail\$|^_GLOBAL_OFFSET_TABLE_\$"
allowed="$allowed|^__(asan|ubsan|sanitizer|gcov)_|^__tsan_" # test builds

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$nm" -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' | sort -u >"$work/defined"
"$nm" -u "$archive" | awk '$1 == "U" || $1 == "w" { print $2 }' | sort -u >"$work/needed"
if ! [ -s "$work/defined" ]; then
    echo "pure_core: $archive: defines no symbol, nothing to check: build it first" >&2
    exit 1
fi
comm -23 "$work/needed" "$work/defined" | grep -Ev "$allowed" >"$work/forbidden" || true
if [ -s "$work/forbidden" ]; then
    echo "pure_core: $archive: the core reaches the world through: $(tr '\n' ' ' <"$work/forbidden")" >&2
    echo "pure_core: move that code to capture/, or pass in what it needs" >&2
    exit 1
fi
echo "pure_core: $(comm -23 "$work/needed" "$work/defined" | tr '\n' ' ')"
