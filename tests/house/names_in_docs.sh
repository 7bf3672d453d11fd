#!/bin/bash
# SPDX-License-Identifier: MIT
# names_in_docs.sh ROOT BUILD: fails if README, CONTRIBUTING, a page in docs/ or a comment names a test that does not exist, if
# a page names a file of the tree that does not exist, if docs/developer/testing.md does not list all fuzzers, if the
# proof of the ring reader does not name all rules of txtb_rules.table, or if an integration or the name of a package has
# another version than txtap.
set -euo pipefail

ROOT=${1:?usage: names_in_docs.sh ROOT BUILD}
BUILD=${2:?usage: names_in_docs.sh ROOT BUILD}
cd "$ROOT"
failed=0

tests=$(ctest --test-dir "$BUILD" -N | sed -n 's/^ *Test *#[0-9]*: //p')
[[ $tests ]] || { echo "names_in_docs: $BUILD has no tests"; exit 1; }

# Reads each name of a test as FILE:NAME. A NAME that ends with * means all tests with this beginning.
while IFS=: read -r file name; do
    case $name in
    *\*) found=$(grep -cF "${name%\*}" <<<"$tests" || true) ;;
    *) found=$(grep -cxF "$name" <<<"$tests" || true) ;;
    esac
    ((found > 0)) || { echo "not ok - $file names $name: there is no such test"; failed=1; }
done < <(grep -roE '\b(unit|e2e|house|bench|integrations)\.[a-z][a-z0-9_]*\*?|`(unit|e2e|house|bench|integrations)\.\*' \
    README.md CONTRIBUTING.md docs capture decoder include integrations target tests --include='*.md' --include='*.[ch1]' \
    --include='*.def' --include='*.table' | tr -d '`' | sort -u)

# NAME and ROOM are placeholders; target/CHIP.cfg is a file of OpenOCD.
while IFS=: read -r file path; do
    [[ -e ${path%/} ]] || { echo "not ok - $file names $path: there is no such file"; failed=1; }
done < <(grep -oE '(`|\()(capture|decoder|docs|include|integrations|openocd-cfg|scripts|target|tests|\.ci)/[A-Za-z0-9_./-]*(`|\))' \
    README.md CONTRIBUTING.md $(find docs -name '*.md') | tr -d '`()' |
    grep -vE "[:/](target/[a-z0-9]*\.cfg|.*NAME.*|.*ROOM.*)\$" | sort -u)

# The first column of the table of fuzzers: each row names one fuzzer, or several that are separated by commas.
listed=$(sed -n '/^| fuzzer /,/^$/s/^| \(`[a-z_`, ]*`\) |.*/\1/p' docs/developer/testing.md | tr -d '` ' | tr , '\n' | sort)
if ! diff <(ls tests/fuzz/*/fuzz_*.c | sed 's/.*fuzz_//; s/\.c$//' | sort) - <<<"$listed"; then
    echo "not ok - the table of fuzzers in docs/developer/testing.md (>) differs from tests/fuzz (<)"
    failed=1
fi

# In the proof each rule is an item of a list, in backquotes.
if ! diff <(sed -n 's/^rule //p' tests/unit/ring/txtb_rules.table | sort) \
    <(sed -n 's/^- `\(.*\)`$/\1/p' docs/developer/reader-proof*.md | sort); then
    echo "not ok - docs/developer/reader-proof*.md (>) and tests/unit/ring/txtb_rules.table (<) name different rules"
    failed=1
fi

# The version of an integration, and of a package or an archive that a page tells the user to install.
version=$(sed -n 's/^project(txtap VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
if grep -nE '^version = "|^ +"version": "|txtap[_-][0-9]+\.[0-9]+\.[0-9]+[_-]' integrations/*/{pyproject.toml,package.json,README.md} docs/user/install.md |
    grep -vE "[\"_-]${version//./\\.}[\"_-]"; then
    echo "not ok - the lines above have another version than CMakeLists.txt, $version"
    failed=1
fi

exit "$failed"
