# SPDX-License-Identifier: MIT
# Shared by the end-to-end tests with a NATS server. Sourced after lib.sh and e2e_begin.
#
#   find_server SENTENCE        sets SERVER; without a nats-server it skips the SENTENCE and ends the script
#   start_server [LINE]...      starts a server at $PORT with these lines in its configuration; sets SERVER_PID
#   end_server SIGNAL           ends it
#   record ARGUMENT...          records a sample trace of 450 events

SAMPLE=$E2E_ROOT/tests/data/threadx_qemu_wrapped.trx

find_server() {
    SERVER=$(PATH=$PATH:/usr/sbin command -v nats-server) && return
    skip "$1" "no nats-server"
    e2e_end
    exit
}
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; }
start_server() {
    printf '%s\n' 'server_name: n1' "listen: \"127.0.0.1:$PORT\"" \
        "jetstream { store_dir: \"$WORK/stored\", max_file_store: 1GB }" "$@" >"$WORK/server.conf"
    "$SERVER" -c "$WORK/server.conf" >>"$WORK/server.log" 2>&1 &
    SERVER_PID=$!
    E2E_PIDS+=("$SERVER_PID")
    await "$SERVER_PID" answers || die "the NATS server does not start: $(tail -3 "$WORK/server.log")"
}
end_server() {
    kill "-$1" "$SERVER_PID"
    wait "$SERVER_PID" 2>/dev/null || true
    forget "$SERVER_PID"
}
record() { run_txtap record --image "$SAMPLE@0x20006308" --address 0x20006308 --limit 450 -q "$@"; }
