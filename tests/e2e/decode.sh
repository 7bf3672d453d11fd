#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# txtap decode: the sample captures against their goldens, and files that are none.
#   decode.sh BUILD_DIRECTORY             check
#   decode.sh BUILD_DIRECTORY --update    write the goldens anew; review the diff
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
TXTAP=$BUILD/capture/txtap
DATA=$E2E_ROOT/tests/data

as_golden() { # SAMPLE FORMAT
    "$TXTAP" decode --format "$2" "$DATA/$1.trx" >"$WORK/out" 2>"$WORK/err" && cmp "$WORK/out" "$DATA/$1.$2.expect" &&
        [[ ! -s $WORK/err ]]
}

# fails_with CODE WORD ARGUMENT...: that exit code, nothing on stdout, one line on stderr that has the word.
fails_with() {
    local code=$1 word=$2 status=0
    shift 2
    timeout 20 "$TXTAP" decode "$@" >"$WORK/out" 2>"$WORK/err" || status=$?
    [[ $status -eq $code && ! -s $WORK/out && $(wc -l <"$WORK/err") -eq 1 ]] && grep -q -- "$word" "$WORK/err"
}

for sample in threadx_qemu_wrapped threadx_qemu_unwrapped; do
    for format in text jsonl; do
        if [[ ${2:-} == --update ]]; then
            "$TXTAP" decode --format "$format" "$DATA/$sample.trx" >"$DATA/$sample.$format.expect"
        fi
        check "$sample decodes to its $format golden" as_golden "$sample" "$format"
    done
done

wrapped=$DATA/threadx_qemu_wrapped.trx
stdin_is_the_same() { "$TXTAP" decode - <"$wrapped" | cmp - "$DATA/threadx_qemu_wrapped.text.expect"; }
every_line_is_json() { jq -e . "$DATA/threadx_qemu_wrapped.jsonl.expect" >"$WORK/out"; }
names_are_there() { [[ $(grep -c 'queue=samples' "$DATA/threadx_qemu_wrapped.text.expect") -gt 20 ]]; }
check "standard input decodes as the file does" stdin_is_the_same
check "jq reads every line" every_line_is_json
check "objects are shown by name" names_are_there

: >"$WORK/empty"
head -c 20 "$wrapped" >"$WORK/short"
head -c 9000 "$wrapped" >"$WORK/cut"
printf 'not a trace %0.s' {1..100} >"$WORK/text"
check "a file that is not there is said" fails_with 1 "No such file" "$WORK/none"
check "a directory is said" fails_with 1 "directory" "$WORK"
check "an empty file is said" fails_with 3 "empty" "$WORK/empty"
check "a file shorter than a header is said" fails_with 3 "20 bytes" "$WORK/short"
check "a file that is cut is said" fails_with 3 "9000 bytes of the" "$WORK/cut"
check "a file of something else is said" fails_with 3 "header" "$WORK/text"
e2e_end
