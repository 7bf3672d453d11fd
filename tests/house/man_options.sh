#!/bin/bash
# SPDX-License-Identifier: MIT
# man_options.sh SOURCES PAGES TXTAP VBOARD: fails unless every command has a manual page that describes exactly the
# options of its --help, and every page is made, installed and well-formed.
set -euo pipefail

sources=${1:?usage: man_options.sh SOURCES PAGES TXTAP VBOARD} docs=$2 txtap=$3 vboard=$4
failed=0

fail() {
    printf 'man_options: %s\n' "$*" >&2
    failed=1
}

# Prints the long options in the help text on standard input.
help_options() {
    sed -n 's/^\(  -.,\|     \) --\([a-z][a-z-]*\).*/\2/p' | sort
}

# Prints the long options for which a page has an entry: the line after each .TP.
page_options() {
    sed -n '/^\.TP/{n;s/\\-/-/g;s/^.*--\([a-z][a-z-]*\).*/\1/p}' "$1" | sort
}

compare() {
    local page=$docs/$1.1 help
    shift
    if ! [[ -f $page ]]; then
        fail "$page: no such page"
        return
    fi
    help=$("$@" --help)
    if ! diff -u --label "$* --help" --label "$page" <(help_options <<<"$help") <(page_options "$page") >&2; then
        fail "$page: does not describe the options that '$* --help' lists"
    fi
}

lint() {
    local page=$1 said
    if command -v mandoc >/dev/null; then
        said=$(mandoc -Tlint -W warning "$page" 2>&1) || true
    elif command -v man >/dev/null; then
        said=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null) || true
    else
        said=""
    fi
    if [[ $said ]]; then fail "$said"; fi
}

commands=$("$txtap" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
[[ $commands ]] || fail "'$txtap --help' lists no commands"
for command in $commands; do
    compare "txtap-$command" "$txtap" "$command"
    grep -q "txtap\\\\-$command" "$docs/txtap.1" || fail "$docs/txtap.1: does not mention txtap-$command"
done
compare txtap-vboard "$vboard"
for page in "$sources"/*.1; do
    name=${page##*/}
    if ! [[ -f $docs/$name ]]; then
        fail "$page: docs/CMakeLists.txt does not list it"
        continue
    fi
    lint "$docs/$name"
done
exit "$failed"
