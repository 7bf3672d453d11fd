#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# links.sh ROOT: fails if a relative link or its anchor, in README, CONTRIBUTING, CHANGELOG or a page below docs/,
# integrations/, target/ or tests/, names no file or no heading; if a page of docs/user, docs/reference or docs/developer has more than 250
# lines, or README more than 150; if a line of README or of docs/ has more than 120 columns. Longer lines are allowed
# in tables and code blocks, and if they have a word of more than 80 characters.
set -euo pipefail
export LC_ALL=C
cd "${1:?usage: links.sh ROOT}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    printf 'not ok - %s\n' "$*"
    failed=1
}

pages=(README.md CONTRIBUTING.md CHANGELOG.md)
while read -r page; do pages+=("$page"); done < <(find docs integrations target tests -name '*.md' | sort)

# Prints a line for each link: "link PAGE LINE TARGET"; for each heading: "anchor PAGE ANCHOR", with GitHub's anchor;
# and for each line that is too long: "long PAGE LINE COLUMNS".
awk '
    FNR == 1 { code = 0 }
    { columns = $0; columns = gsub(/[^\200-\277]/, "", columns) }
    /^ *(```|~~~)/ { code = !code; next }
    code { next }
    columns > 120 && FILENAME ~ /^(README.md|docs\/)/ && $0 !~ /^ *\|/ && $0 !~ /[^ ]{80}/ {
        print "long", FILENAME, FNR, columns
    }
    /^#+ / {
        heading = $0
        sub(/^#+ +/, "", heading)
        while (match(heading, /\]\([^)]*\)/)) # only the text of a link is part of the anchor
            heading = substr(heading, 1, RSTART - 1) substr(heading, RSTART + RLENGTH)
        heading = tolower(heading)
        gsub(/[^a-z0-9_ \200-\377-]/, "", heading)
        gsub(/ /, "-", heading)
        times = seen[FILENAME, heading]++
        print "anchor", FILENAME, heading (times ? "-" times : "")
    }
    {
        text = $0
        gsub(/`[^`]*`/, "", text)
        gsub(/(src|href)="/, "](", text)
        while (match(text, /\]\([^)" ]+/)) {
            print "link", FILENAME, FNR, substr(text, RSTART + 2, RLENGTH - 2)
            text = substr(text, RSTART + RLENGTH)
        }
    }' "${pages[@]}" >"$work/facts"

awk '$1 == "anchor" { print $2 "#" $3 }' "$work/facts" >"$work/anchors"
links=0
while read -r _ page line target; do
    case $target in
    http:* | https:* | mailto:*) continue ;;
    esac
    links=$((links + 1))
    file=${target%%#*}
    if [[ -z $file ]]; then
        file=$page
    elif ! file=$(realpath -qe --relative-to=. "$(dirname "$page")/$file"); then
        fail "$page:$line: $target: there is no such file"
        continue
    fi
    if [[ $target == *#* && $file == *.md ]] && ! grep -qxF "$file#${target#*#}" "$work/anchors"; then
        fail "$page:$line: $target: there is no such heading"
    fi
done < <(grep '^link ' "$work/facts")
((links > 0)) || fail "no link was found"

while read -r _ page line columns; do
    fail "$page:$line: a line of $columns columns: at most 120"
done < <(grep '^long ' "$work/facts")

for page in "${pages[@]}"; do
    case $page in
    README.md) most=150 ;;
    docs/user/* | docs/reference/* | docs/developer/*) most=250 ;;
    *) continue ;;
    esac
    lines=$(wc -l <"$page")
    ((lines <= most)) || fail "$page: $lines lines: at most $most"
done
exit "$failed"
