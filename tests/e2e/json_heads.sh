#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every JSON document begins with tool, version, schema and its version, and docs/reference/json.md has each schema.
# Each command of the program must be in documents(). Documents of a target are checked where a board runs.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "${1:-}"
TXTAP=$BUILD/capture/txtap
TRACE=$E2E_ROOT/tests/data/demo_threadx.trx
SCHEMAS=$E2E_ROOT/include/txtap/inner/json_schemas.def
PAGE=$E2E_ROOT/docs/reference/json.md
VERSION=$("$TXTAP" --version | sed 's/^txtap \([^ ]*\) .*/\1/')
cp "$TRACE" "$WORK/trace.trx"

# has_head SCHEMA COMMAND...: the first object of the output has the members first, after the `type` of JSON Lines.
has_head() {
    local version
    version=$(sed -n "s/^SCHEMA([A-Z]*, \"$1\", \([0-9]*\))$/\1/p" "$SCHEMAS")
    "$TXTAP" "${@:2}" >"$WORK/out" 2>"$WORK/err" || true
    is "$(jq -nc 'input | del(.type) | to_entries[:4] | map([.key, .value]) | flatten' "$WORK/out")" \
        "[\"tool\",\"txtap\",\"version\",\"$VERSION\",\"schema\",\"$1\",\"schema_version\",$version]"
}

# documents COMMAND: checks the JSON of a command. Fails if the command is unknown here.
documents() {
    case $1 in
    decode)
        has_head txtap-events decode -f jsonl "$TRACE"
        has_head txtap-stats decode -o "$WORK/events" --force --stats-json - "$TRACE"
        ;;
    report)
        has_head txtap-report report -f json "$TRACE"
        has_head txtap-flow report --flow -f json "$TRACE"
        has_head txtap-instances report --instances -f json "$TRACE"
        has_head txtap-runs report --batch "$WORK" -f json
        has_head txtap-batch report --batch "$WORK" --where 'failed > 0' -f json
        ;;
    why)
        has_head txtap-why why -f json "$TRACE"
        has_head txtap-why why -f json "$TRACE" 'response(thread 1)'
        ;;
    compare) has_head txtap-compare compare -f json "$TRACE" "$TRACE" ;;
    probes) has_head txtap-probes probes -f json ;;
    info | kernel | lab | profile) grep -q "txtap-" "$E2E_ROOT/tests/e2e/$1.sh" ;; # with a board
    tail | record | snapshot | top | check) "$TXTAP" "$1" --help >"$WORK/help" ;; # JSON of decode, info, report
    view | completion) ;;                                                           # no JSON
    *) return 1 ;;
    esac
}

for command in $("$TXTAP" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    check "JSON of $command" documents "$command"
done
in_page() { # SCHEMA VERSION
    grep -q "^| \`$1\` | $2 |" "$PAGE"
}
while read -r name version; do
    check "$name $version is in json.md" in_page "$name" "$version"
done < <(sed -n 's/^SCHEMA([A-Z]*, "\(.*\)", \([0-9]*\))$/\1 \2/p' "$SCHEMAS")
check "each schema of json.md exists" is "$(grep -c '^| `txtap-' "$PAGE")" "$(grep -c '^SCHEMA(' "$SCHEMAS")"
check "--version names the page" is "$("$TXTAP" --version | grep -c docs/reference/json.md)" 1
e2e_end
