#!/bin/bash
# SPDX-License-Identifier: MIT
# format.sh ROOT: fails if a C file is not formatted by .clang-format. Status 77 (skipped) without clang-format 14: other
# versions format a little differently.
set -euo pipefail

cd "${1:?usage: format.sh ROOT}"
tool=""
for name in clang-format-14 clang-format; do
    if command -v "$name" >/dev/null && [[ $("$name" --version) == *version\ 14.* ]]; then
        tool=$name
        break
    fi
done
if [[ ! $tool ]]; then
    echo "format: skipped: clang-format 14 is not installed"
    exit 77
fi
find capture decoder docs include target tests -type f -name '*.[ch]' -print0 | sort -z |
    xargs -0 "$tool" --dry-run -Werror --style=file
