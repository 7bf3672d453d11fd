#!/bin/bash
# SPDX-License-Identifier: MIT
# library_symbols.sh LIBRARY... -- INCLUDE_DIRECTORY...: fails unless the global symbols of libtxtap.a and of libtxtap.so
# are exactly the functions that INCLUDE_DIRECTORY/txtap/*.h declare, and exactly the functions in
# library_functions.list, which debian's list of symbols repeats. So nobody adds or removes a public function by accident.
set -euo pipefail
export LC_ALL=C # for the order of names

list=$(dirname "${BASH_SOURCE[0]}")/library_functions.list
libraries=()
while [[ ${1:?usage: library_symbols.sh LIBRARY... -- INCLUDE_DIRECTORY...} != -- ]]; do
    libraries+=("$1")
    shift
done
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# gcc writes a list of all prototypes, each with the file that declares it.
for directory in "$@"; do
    for header in "$directory"/txtap/*.h; do
        printf '#include "%s"\n' "$header"
    done
done >"$work/all.c"
gcc -std=c17 "${@/#/-I}" -fsyntax-only -aux-info "$work/prototypes" "$work/all.c"
for directory in "$@"; do
    grep -F "/* $directory/txtap/" "$work/prototypes" || true
done | sed -n 's/^[^(]*[ *]\([a-zA-Z_0-9]*\) (.*/\1/p' | sort -u >"$work/declared"
[[ -s $work/declared ]] || { echo "library_symbols: no function in $*" >&2; exit 1; }

status=0
if ! diff -u --label "${list##*/}" --label "declared in txtap/*.h" "$list" "$work/declared" >&2; then
    echo "library_symbols: should an embedder really have it (+)? then add it to ${list##*/}; else its header belongs to" \
        "txtap/inner. Taken away (-), it is a new interface: see docs/developer/architecture.md" >&2
    status=1
fi
symbols=$(dirname "${BASH_SOURCE[0]}")/../../debian/libtxtap0.4.symbols
if ! diff -u --label "${symbols##*/}" --label "${list##*/}" <(sed -n 's/^ \(.*\)@Base .*/\1/p' "$symbols") "$list" >&2; then
    echo "library_symbols: debian/${symbols##*/}: add a new function (+) as ' NAME@Base VERSION'" >&2
    status=1
fi
for library in "${libraries[@]}"; do
    options=(-g)
    [[ $library != *.so* ]] || options=(-D)
    # Symbols of the sanitizers do not count.
    nm "${options[@]}" --defined-only "$library" | awk 'NF == 3 { print $3 }' |
        { grep -Ev '^__(odr_)?asan' || true; } | sort -u >"$work/defined"
    if ! diff -u --label "declared in txtap/*.h" --label "$library" "$work/declared" "$work/defined" >&2; then
        echo "library_symbols: $library: every function that a header declares must be there (-), and nothing else (+)" >&2
        status=1
    fi
done
echo "library_symbols: $(wc -l <"$work/declared") functions in ${#libraries[@]} libraries"
exit "$status"
