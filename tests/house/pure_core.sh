#!/bin/sh
# SPDX-License-Identifier: MIT
# pure_core.sh ARCHIVE [NM [OBJDUMP]]: fails if the archive needs anything except memory, strings and number formatting
# from outside, or has writable memory of its own: the caller provides all memory.
set -eu

archive=$1
nm=${2:-nm}
objdump=${3:-objdump}
allowed='^(mem(cpy|set|move|cmp|chr)|bcmp|str(len|n?cmp|n?cpy|r?chr|str|nlen|spn|cspn)|v?snprintf)$'
allowed="$allowed|^__(mem|str)[a-z]+_chk\$|^__v?snprintf_chk\$|^__isoc99_v?snprintf\$" # _FORTIFY_SOURCE
allowed="$allowed|^__stack_chk_(fail|guard)\$|^__assert_fail\$|^_GLOBAL_OFFSET_TABLE_\$"
allowed="$allowed|^__(asan|ubsan|sanitizer|gcov)_|^__tsan_" # test builds

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$nm" -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' | sort -u >"$work/defined"
"$nm" -u "$archive" | awk '$1 == "U" || $1 == "w" { print $2 }' | sort -u >"$work/needed"
if ! [ -s "$work/defined" ]; then
    echo "pure_core: $archive: it defines no symbols: build it first" >&2
    exit 1
fi
comm -23 "$work/needed" "$work/defined" | grep -Ev "$allowed" >"$work/forbidden" || true
if [ -s "$work/forbidden" ]; then
    echo "pure_core: $archive: the core uses functions from outside: $(tr '\n' ' ' <"$work/forbidden")" >&2
    echo "pure_core: move that code to capture/, or pass in what it needs" >&2
    exit 1
fi
# Sanitizers add data to the object files. This data cannot be distinguished from the core's own data.
if ! grep -q '^__asan_' "$work/needed"; then
    "$objdump" -h "$archive" | awk '$1 ~ /^[0-9]+$/ && $3 !~ /^0+$/ && $2 ~ /^\.(data|bss|tdata|tbss)/ &&
        $2 !~ /^\.data\.rel\.ro/ { print $2 }' >"$work/writable"
    "$nm" "$archive" | awk '$2 == "C" { print $3 }' >>"$work/writable"
    if [ -s "$work/writable" ]; then
        echo "pure_core: $archive: the core has memory of its own: $(tr '\n' ' ' <"$work/writable")" >&2
        echo "pure_core: make it const, or let the caller provide it" >&2
        exit 1
    fi
fi
echo "pure_core: $(comm -23 "$work/needed" "$work/defined" | tr '\n' ' ')"
