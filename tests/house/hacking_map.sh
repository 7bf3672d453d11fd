#!/bin/bash
# SPDX-License-Identifier: MIT
# hacking_map.sh ROOT: fails unless docs/HACKING.md has one line for each source file, and none for a file that is not
# there. A line of the map is "- `path` what it does"; folders are headings with the path in backquotes.
set -euo pipefail

root=${1:?usage: hacking_map.sh ROOT}
map=$root/docs/HACKING.md
cd "$root"

there() {
    find capture decoder docs include target -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.ld' \) | sort
}

# "### `decoder/` ..." sets the folder, "- `ring.c` ..." and "- `a.c`, `a.h` ..." name files in it.
named() {
    awk '
        /^### `/ { folder = $2; gsub(/`/, "", folder) }
        /^#/ && !/^### `/ { folder = "" }
        folder && /^- `/ {
            line = $0
            while (match(line, /^(- |, )`[^`]*`/)) {
                name = substr(line, RSTART, RLENGTH)
                line = substr(line, RLENGTH + 1)
                gsub(/^[^`]*`|`$/, "", name)
                print folder name
            }
        }' "$map" | sort
}

[[ -f $map ]] || { printf 'hacking_map: %s: no such file\n' "$map" >&2; exit 1; }
[[ $(named) ]] || { printf 'hacking_map: %s: names no source file: has its form changed?\n' "$map" >&2; exit 1; }
if ! diff -u --label 'source files that are there' --label docs/HACKING.md <(there) <(named) >&2; then
    printf 'hacking_map: docs/HACKING.md: give each source file (-) one line, and drop those that are gone (+)\n' >&2
    exit 1
fi
