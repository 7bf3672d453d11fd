#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# rooms.sh ROOT: finds the includes between rooms and between files of capture/ and decoder/. Fails on a circle, on an
# arrow that docs/developer/architecture.md does not list, on a listed arrow that no file uses, on a file whose first
# lines do not describe it, and on an empty file at the top. A module is a header, its source, and their parts:
# model_threads.c is a part of model.c, because it shares the struct of model.c.
set -euo pipefail
export LC_ALL=C
cd "${1:?usage: rooms.sh ROOT}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# complain TEXT: reports one more error.
complain() {
    printf 'rooms: %s\n' "$*" >&2
    failed=1
}

# includes PART: prints a line "room/file room/file" for each file that includes another file of the same part.
includes() {
    (cd "$1" && grep -rEo '^#include "[^"]+"' --include='*.[ch]' . || true) |
        sed -E 's@^\./([^:]+)\.[ch]:#include "([^"]+)\.[a-z]+"$@\1 \2@' |
        awk '$2 !~ /^txtap\// && $1 != $2' | sort -u
}

# modules: turns lines of `includes` into lines for modules. A file whose name begins with the name of another file in
# its room counts as that file.
modules() {
    awk '{ file[$1]; file[$2]; from[NR] = $1; to[NR] = $2 }
        function module(name,  i, whole) {
            for (i = match(name, /[^\/]*$/); i < length(name); i++)
                if (substr(name, i, 1) == "_" && (whole = substr(name, 1, i - 1)) in file)
                    return whole
            return name
        }
        END { for (i = 1; i <= NR; i++) if (module(from[i]) != module(to[i])) print module(from[i]), module(to[i]) }' | sort -u
}

# allowed PART: prints a line "room room" for each arrow in docs/developer/architecture.md.
allowed() {
    awk -v part="$1" '/^```/ { inside = ($0 == "```rooms " part); next }
        inside { for (i = 3; i <= NF; i++) print $1, $i }' docs/developer/architecture.md | sort -u
}

# no_circle WHAT FILE: reports an error if the pairs in FILE have a circle.
no_circle() {
    tsort "$2" >/dev/null 2>"$work/circle" ||
        complain "a circle among $1: $(awk '/loop:$/ { n++; next } n == 1 { print $2 }' "$work/circle" | tr '\n' ' ')"
}

for part in decoder capture; do
    includes "$part" >"$work/files"
    [[ -s $work/files ]] || complain "$part: no include was found"
    # main.c is above all rooms, and includes only headers of command/.
    awk '$1 ~ /\// { from = $1; to = $2; sub(/\/[^\/]*$/, "", from); sub(/\/[^\/]*$/, "", to); if (from != to) print from, to }' \
        "$work/files" | sort -u >"$work/arrows"
    allowed "$part" >"$work/allowed"
    while read -r from to; do
        complain "$part/$from includes from $part/$to, which docs/developer/architecture.md does not list:" \
            "$(awk -v a="$from/" -v b="$to/" 'index($1, a) == 1 && index($2, b) == 1 { print $1 }' "$work/files" | tr '\n' ' ')"
    done < <(comm -23 "$work/arrows" "$work/allowed")
    while read -r from to; do
        complain "docs/developer/architecture.md lists $part/$from -> $to, which no file uses: remove it there"
    done < <(comm -13 "$work/arrows" "$work/allowed")
    no_circle "the rooms of $part/" "$work/arrows"
    modules <"$work/files" >"$work/modules"
    no_circle "the modules of $part/" "$work/modules"
done

while read -r file; do
    sed -n 2p "$file" | grep -q '^/[*/]' || complain "$file: the first lines do not say what it is"
done < <(find capture decoder include target -name '*.[ch]' | sort)
for file in $(find . -maxdepth 1 -type f -empty); do
    complain "$file is empty: the top level holds no left-over files"
done
exit "$failed"
