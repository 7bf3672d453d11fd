#!/bin/bash
# SPDX-License-Identifier: MIT
# page_types.sh ROOT: checks the types of the page's modules with TypeScript's compiler, which reads them in comments
# (JSDoc). Also fails on a type that the compiler would ignore: a tag must be first in its line, or follow another
# tag. Status 77 (skipped) without tsc.
set -euo pipefail

cd "${1:?usage: page_types.sh ROOT}/capture/view/page"
if ! command -v tsc >/dev/null; then
    echo "page_types: skipped: tsc is not installed (Debian: node-typescript)"
    exit 77
fi
status=0
tags='@(param|returns|type|typedef|template)\>'
if grep -nE "^ *(/\*\*|\*) *[^@ /*][^@]* $tags" ./*.js ./*/*.js; then
    echo "page_types: the compiler ignores these tags: begin a line with each" >&2
    status=1
fi
tsc -p . || status=1
exit "$status"
