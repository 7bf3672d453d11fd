#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Publishes and reads with files of credentials (a JWT and a key) on a NATS server in operator mode. Needs no board.
# usage: nats_users.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
source "$E2E_ROOT/tests/e2e/nats_lib.sh"
find_server "users with credentials"
node --version >"$WORK/node" 2>&1 || {
    skip "users with credentials" "no node"
    e2e_end
    exit
}
cd "$WORK"
free_port
PLACE=nats://127.0.0.1:$PORT/lab.b1
node "$E2E_ROOT/tests/nats/credentials.mjs" "$WORK" TXTAP_lab
start_server "$(cat operator.conf)"

as() { export NATS_CREDS=$WORK/$1.creds; }
check "without credentials nothing is published" eval 'record --store "$PLACE"; failed 4 "refuses this user: set NATS_CREDS"'
as all
record --store "$PLACE"
check "with them a stream is made" eval 'is "$STATUS" 0 && said "made the stream TXTAP_lab"'
check "and read" eval 'run_txtap decode -q -f csv "$PLACE"; is "$STATUS $(grep -c ^event "$OUT")" "0 450"'
cp "$OUT" all.csv
for user in stranger mixed; do
    as "$user"
    check "$user: nothing is read" txtap_fails 4 'refuses this user' decode "$PLACE"
    check "$user: nothing is published" eval 'record --store "$PLACE"; failed 4 "refuses this user"'
done
as nobody
check "a file that is absent is named" txtap_fails 1 ": error opening file '.*/nobody.creds'.*look at NATS_CREDS" decode "$PLACE"
printf 'no credentials\n' >nobody.creds
check "a file of another kind, too" txtap_fails 1 'look at NATS_CREDS' decode "$PLACE"
as reader
check "a reader reads the same" eval 'run_txtap decode -q -f csv "$PLACE"; is "$STATUS" 0 && cmp "$OUT" all.csv'
check "and has a screen of all boards" eval \
    'run_txtap top --rows -n 1 "nats://127.0.0.1:$PORT/lab.>"; is "$STATUS" 0 && grep -q "^b1 .*ended" "$OUT"'
check "but may not publish" eval 'record --store "$PLACE"; is "$STATUS" 4 && said "the server does not permit it" && said "no server has stored the last"'
as all
check "so nothing was added" eval 'run_txtap decode -q -f csv "$PLACE"; cmp "$OUT" all.csv'
e2e_end
