#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks txtap's answer to any error in the server, the target, the file or the buffer: one line with the thing, the
# cause and the next step, the right status, nothing on stdout, within a limited time.
# usage: badinput.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
OBJCOPY=objcopy
if command -v arm-none-eabi-objcopy >/dev/null; then OBJCOPY=arm-none-eabi-objcopy; fi

# Checks the last run: it ended with STATUS and printed one line that matches each pattern, and nothing else.
answers() { # STATUS PATTERN...
    local want=$1 pattern problem=""
    shift
    [[ $STATUS == "$want" ]] || problem+=" [status $STATUS, want $want]"
    [[ $(wc -l <"$ERR") == 1 ]] || problem+=" [$(wc -l <"$ERR") lines]"
    [[ ! -s $OUT ]] || problem+=" [something on stdout]"
    LC_ALL=C grep -q '^txtap: [[:print:]]*$' "$ERR" || problem+=" [not a printable line from txtap]"
    for pattern in "$@"; do
        grep -qE -- "$pattern" "$ERR" || problem+=" [no '$pattern']"
    done
    (($(wc -c <"$ERR") <= 300)) || problem+=" [too long]"
    sed 's/^/# /' "$ERR"
    [[ ! $problem ]] || echo "#$problem"
    [[ ! $problem ]]
}

# refused SENTENCE STATUS PATTERNS... -- ARGUMENT...: runs txtap with the ARGUMENTs, and checks its end like answers().
refused() {
    local sentence=$1 patterns=()
    shift
    while [[ $1 != -- ]]; do
        patterns+=("$1")
        shift
    done
    shift
    run_txtap "$@"
    check "$sentence" answers "${patterns[@]}"
}

# Checks the last run of info: STATUS, one line on standard error, and steps that begin with PATTERN. CALLS: number of
# calls of tx_trace_enable in the code to copy.
advises() { # STATUS CALLS PATTERN
    is "$STATUS $(wc -l <"$ERR") $(grep -c '^    tx_trace_enable(' "$OUT")" "$1 1 $2" && head -1 "$OUT" | grep_all -E "^trace +$3"
}

# ---- servers ----

echo "# servers"
free_port
refused "nobody listens" 4 "127.0.0.1:$PORT" "Connection refused" "OpenOCD" -- tail --tcl "$PORT" "$DEMO"
refused "a name that does not exist" 4 "no-such-host.invalid" -- tail --tcl "no-such-host.invalid:6666" "$DEMO"
start_board "$DEMO"
start_openocd
refused "OpenOCD's GDB port" 4 "127.0.0.1:$GDB_PORT" "GDB" "6666|[Tt]cl" -- tail --tcl "$GDB_PORT" "$DEMO"
refused "the probe's own port" 4 "127.0.0.1:$BOARD_PORT" "[Tt]cl" -- tail --tcl "$BOARD_PORT" "$DEMO"
stop_all
start_peer 'print $c "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";'
refused "a web server" 4 "127.0.0.1:$PEER_PORT" "HTTP" "[Tt]cl" -- tail --tcl "$PEER_PORT" "$DEMO"
stop_peer
start_peer ''
refused "a server that never answers" 4 "127.0.0.1:$PEER_PORT" "does not answer within" -- tail --tcl "$PEER_PORT" "$DEMO"
refused "and --timeout says how long" 4 "does not answer within 200 ms" -- tail --timeout 200ms --tcl "$PEER_PORT" "$DEMO"
stop_peer
start_peer 'close $c;'
refused "a server that hangs up" 4 "127.0.0.1:$PEER_PORT" "closed the connection" -- tail --tcl "$PEER_PORT" "$DEMO"
stop_peer
start_peer 'if (fork() == 0) { while (print $c "txtap-probe " x 1000) {} exit }'
refused "a server that talks without end" 4 "127.0.0.1:$PEER_PORT" -- tail --tcl "$PEER_PORT" "$DEMO"
stop_peer
start_peer 'print $c "\e[31m\x07\x00nonsense\x1a" x 9;'
refused "a server that answers nonsense with escape sequences" 4 "127.0.0.1:$PEER_PORT" -- tail --tcl "$PEER_PORT" "$DEMO"
stop_peer

E2E_STARTS=$((E2E_STARTS + 1))
OPENOCD_LOG=$WORK/openocd.$E2E_STARTS.log
openocd -c 'bindto 127.0.0.1; tcl_port 0; gdb_port disabled; telnet_port disabled; adapter driver dummy; adapter speed 100' \
    >"$OPENOCD_LOG" 2>&1 &
OPENOCD_PID=$!
E2E_PIDS+=("$OPENOCD_PID")
await "$OPENOCD_PID" grep -q 'Listening on port [0-9]* for tcl' "$OPENOCD_LOG" || die "OpenOCD: $(tail -3 "$OPENOCD_LOG")"
TCL_PORT=$(sed -n 's/.*Listening on port \([0-9]*\) for tcl.*/\1/p' "$OPENOCD_LOG")
refused "an OpenOCD without a target" 4 "OpenOCD at 127.0.0.1:$TCL_PORT" "no target" "configuration" -- tail --tcl "$TCL_PORT" "$DEMO"
stop_openocd

start_board "$DEMO"
start_openocd
stop_board KILL
refused "an OpenOCD whose board is gone" 4 "127.0.0.1:$TCL_PORT" "does not answer|not examined" "power" -- tail --timeout 1min --tcl "$TCL_PORT" "$DEMO"
refused "info says the same" 4 "127.0.0.1:$TCL_PORT" "power" -- info --timeout 1min --tcl "$TCL_PORT" "$DEMO"
refused "and so does snapshot" 4 "127.0.0.1:$TCL_PORT" "power" -- snapshot --timeout 1min --tcl "$TCL_PORT" -o "$WORK/none.trx" "$DEMO"
check "and leaves no file" test ! -e "$WORK/none.trx"
stop_all

# ---- ELF files ----

echo "# ELF files"
start_board "$DEMO"
start_openocd
BASE=$(word "$(symbol "$DEMO" _tx_trace_header_ptr)")
printf 'hello\n' >"$WORK/text"
: >"$WORK/empty"
head -c 3000 "$DEMO" >"$WORK/cut.elf"
"$OBJCOPY" -N _tx_trace_header_ptr "$DEMO" "$WORK/nosymbol.elf"
"$OBJCOPY" -S "$DEMO" "$WORK/stripped.elf"
"$OBJCOPY" -N _tx_trace_header_ptr --add-symbol _tx_trace_header_ptr=0x08000100 "$DEMO" "$WORK/flash.elf"
"$OBJCOPY" -N _tx_trace_header_ptr --add-symbol _tx_trace_header_ptr="$(symbol "$DEMO" demo_tick_hz)" "$DEMO" "$WORK/other.elf"
refused "a file that is not there" 1 "$WORK/gone.elf" "No such file" -- tail --tcl "$TCL_PORT" "$WORK/gone.elf"
refused "not an ELF file" 1 "$WORK/text" "not an ELF file" "give the firmware's" -- tail --tcl "$TCL_PORT" "$WORK/text"
refused "an empty file" 1 "$WORK/empty" "empty|not an ELF file" "give the firmware's" -- tail --tcl "$TCL_PORT" "$WORK/empty"
refused "a directory without recordings" 2 "$WORK" "no recording in this folder" "give a folder" -- tail --tcl "$TCL_PORT" "$WORK"
refused "a program of this computer" 1 "64-bit" "give the firmware's" -- tail --tcl "$TCL_PORT" "$BUILD/capture/txtap"
refused "a file cut off" 1 "$WORK/cut.elf" "cut off" "again" -- tail --tcl "$TCL_PORT" "$WORK/cut.elf"
# A firmware with ThreadX's own variables; without the trace, and with it.
"$OBJCOPY" -N txtap_trace_enable "$DEMO" "$WORK/threadx.elf"
"$OBJCOPY" -N _tx_trace_header_ptr "$WORK/threadx.elf" "$WORK/untraced.elf"
"$OBJCOPY" --add-symbol _tx_trace_enable=.text:1,global,function "$WORK/threadx.elf" "$WORK/linked.elf"
refused "an ELF file without the symbol" 3 "_tx_trace_header_ptr" "TX_ENABLE_EVENT_TRACE" "--scan" -- tail --tcl "$TCL_PORT" "$WORK/nosymbol.elf"
refused "ThreadX without a trace" 3 "ThreadX is built without TX_ENABLE_EVENT_TRACE" "'txtap info $WORK/untraced.elf'" \
    -- tail --tcl "$TCL_PORT" "$WORK/untraced.elf"
refused "a stripped one" 3 "_tx_trace_header_ptr" "stripped" "--scan" -- tail --tcl "$TCL_PORT" "$WORK/stripped.elf"
refused "the symbol in flash" 3 "_tx_trace_header_ptr" "0x08000100" "not in RAM" "--scan" -- tail --tcl "$TCL_PORT" "$WORK/flash.elf"
refused "a symbol that is not there" 3 "no symbol my_trace" -- tail --tcl "$TCL_PORT" --symbol my_trace "$DEMO"
refused "the symbol of a function" 3 "main" "neither a buffer nor a pointer" "--scan" -- tail --tcl "$TCL_PORT" --symbol main "$DEMO"
refused "the symbol of something else" 3 "demo_event_rate" "0x000007d0" -- tail --tcl "$TCL_PORT" --symbol demo_event_rate "$DEMO"
refused "the ELF file of other firmware" 3 "_tx_trace_header_ptr" "running firmware" "--scan" -- tail --tcl "$TCL_PORT" "$WORK/other.elf"
refused "--symbol without an ELF file" 2 "_tx_trace_header_ptr" "ELF" -- tail --tcl "$TCL_PORT" --symbol _tx_trace_header_ptr

# ---- memory ----

echo "# memory"
refused "no buffer in that RAM" 3 "no trace buffer" "0x20010000" "tx_trace_enable|enabled" -- tail --tcl "$TCL_PORT" --scan --ram 0x20010000:32K
refused "no RAM there" 3 "0x60000000" "refuses to be read" "--ram" -- tail --tcl "$TCL_PORT" --scan --ram 0x60000000:4K
refused "no buffer at that address" 3 "0x20010000" "no trace buffer" -- tail --tcl "$TCL_PORT" --address 0x20010000
refused "no memory at that address" 3 "0x60000000" "refuses to be read" "--scan" -- tail --tcl "$TCL_PORT" --address 0x60000000
run_txtap snapshot --tcl "$TCL_PORT" -q -o "$WORK/good.trx" "$DEMO"
ocd halt >/dev/null
SLOT=$(symbol "$DEMO" _tx_trace_header_ptr)
ocd "mww $SLOT 0" >/dev/null
refused "the trace not enabled yet" 3 "_tx_trace_header_ptr" "not enabled" "tx_trace_enable" -- tail --tcl "$TCL_PORT" "$DEMO"
refused "the same with ThreadX" 3 "not enabled" "'txtap info $WORK/linked.elf'" -- tail --tcl "$TCL_PORT" "$WORK/linked.elf"
run_txtap info --tcl "$TCL_PORT" "$WORK/threadx.elf"
check "info: nothing calls tx_trace_enable" advises 3 1 '.*nothing in this firmware calls tx_trace_enable'
run_txtap info --tcl "$TCL_PORT" "$WORK/linked.elf"
check "info: the call was not reached, or failed" advises 3 0 'not enabled: tx_trace_enable\(\) is in this firmware.*'
start_txtap tail --tcl "$TCL_PORT" --wait --limit 10 "$DEMO"
await "$TXTAP_PID" grep -q '^txtap: waiting: ' "$ERR" || true
check "--wait waits for the trace" kill -0 "$TXTAP_PID"
mv "$OUT" "$WORK/waiting.out" # other runs of txtap write files of the same names
mv "$ERR" "$WORK/waiting.err"
audit_now
before=$(audit .reads.peripheral.count)
for pointer in 0x40004400 0xfffffff0; do # the first is an STM32F405's USART2: reading its data register removes a byte
    ocd "mww $SLOT $pointer" >/dev/null
    refused "a pointer to registers, $pointer" 3 "_tx_trace_header_ptr holds $pointer" "registers" "--ram" -- tail --tcl "$TCL_PORT" "$DEMO"
done
audit_now
check "no register is read" is "$(audit .reads.peripheral.count)" "$before"
ocd "mww $SLOT $BASE" >/dev/null
ocd resume >/dev/null
end_txtap
check "and continues once it is enabled" is "$STATUS $(event_lines "$WORK/waiting.out")" "0 10"
start_txtap tail --tcl "$PORT" --wait "$DEMO"
await "$TXTAP_PID" grep -q '^txtap: waiting: ' "$ERR" || true
end_txtap INT
check "Ctrl-C ends the waiting: status 0" is "$STATUS $(wc -l <"$ERR")" "0 1"
stop_all

# ---- geometry: snapshots with a word changed ----

echo "# geometry"
poke() { # OFFSET VALUE...: makes a copy of the snapshot with other words at these offsets
    cp "$WORK/good.trx" "$WORK/bad.bin"
    while [[ ${1:-} ]]; do
        printf "$(printf '\\x%02x' $(($2 & 255)) $(($2 >> 8 & 255)) $(($2 >> 16 & 255)) $(($2 >> 24 & 255)))" |
            dd of="$WORK/bad.bin" bs=1 seek="$1" conv=notrunc status=none
        shift 2
    done
}
AT=$(printf '0x%08x' "$BASE")
absurd() { # SENTENCE OFFSET VALUE...
    local sentence=$1
    shift
    poke "$@"
    refused "$sentence" 3 "$AT" "--scan|--address|ELF" -- tail --image "$WORK/bad.bin@$BASE" --address "$BASE"
    refused "$sentence, searched for" 3 "no trace buffer" -- info --image "$WORK/bad.bin@$BASE"
}
START=$((BASE + 1488)) END=$((BASE + 16368))
absurd "end before start" 28 $((START - 32))
absurd "an empty ring" 28 $START
absurd "a ring of 4 GiB" 24 0 28 0xFFFFFFE0
absurd "entries that are not whole" 28 $((END - 8))
absurd "the pointer before the ring" 32 $((START - 32))
absurd "the pointer at the ring's end" 32 $END
absurd "the pointer within an entry" 32 $((START + 4))
absurd "names of 65535 bytes" 16 0xFFFF0000
absurd "a registry that ends before it begins" 20 $((BASE + 16))
absurd "a registry over the ring" 20 $END
absurd "a header that is not complete" 44 0
absurd "a copy of a header" 8 $((BASE + 4096))
poke 28 $((BASE + 0x100000 - 16))
refused "a ring that ends beyond the memory" 3 "$AT" "where nothing can be read" "--scan" -- tail --image "$WORK/bad.bin@$BASE" --address "$BASE"
refused "an image that is not there" 1 "$WORK/gone.bin" "No such file" -- tail --image "$WORK/gone.bin@0x20000000"
refused "an empty image" 3 "$WORK/empty" "empty" -- tail --image "$WORK/empty@0x20000000"
# A second, valid buffer after the first.
poke 8 $((BASE + 16368)) 12 $((BASE + 16368 + 48)) 20 $((BASE + 16368 + 1488)) 24 $((START + 16368)) \
    28 $((END + 16368)) 32 $((START + 16368))
cat "$WORK/good.trx" "$WORK/bad.bin" >"$WORK/two.bin"
run_txtap info --image "$WORK/two.bin@$BASE"
check "two buffers: status 3, nothing on stdout" is "$STATUS $(wc -c <"$OUT")" "3 0"
check "both are listed" is "$(grep -c '^txtap: 0x2000[0-9a-f]*: trace buffer of 465 entries, 30 objects' "$ERR")" 2
check "and the last line says what to do" grep -q -- '--address' <(tail -1 "$ERR")
run_txtap info --image "$WORK/two.bin@$BASE" --address $((BASE + 16368))
check "--address chooses one of them" is "$STATUS" 0
{ cat "$WORK/good.trx"; head -c 4096 "$WORK/good.trx"; } >"$WORK/copy.bin"
run_txtap info --image "$WORK/copy.bin@$BASE"
check "a mere copy of the header does not confuse it" is "$STATUS $(grep -c "^header *$AT" "$OUT")" "0 1"

# ---- in the middle ----

echo "# in the middle of a tail"
# fails_midway SENTENCE STATUS PATTERN...: checks that the running tail ends with STATUS and one line that matches
# each PATTERN, and that the events before its end are complete.
fails_midway() {
    local sentence=$1
    shift
    STATUS=0
    wait "$TXTAP_PID" || STATUS=$?
    forget "$TXTAP_PID"
    check "$sentence" answers "$@"
    check "the events before are complete" ledger "$WORK/events.jsonl"
}
begin_tail() { # ELF
    rm -f "$WORK/events.jsonl"
    start_txtap tail --timeout 1min --tcl "$TCL_PORT" --no-reconnect -q --format jsonl --force -o "$WORK/events.jsonl" "$1"
}
await_events() { await_lines "$WORK/events.jsonl" 464 || die "tail does not run: $(cat "$ERR")"; }
# Without the symbol txtap_trace_writer, txtap reads the writer's position from the header. With this symbol, an
# overwritten header has no effect.
"$OBJCOPY" -N txtap_trace_writer "$DEMO" "$WORK/laps.elf"
WRITER=$(symbol "$DEMO" txtap_trace_writer)
start_board "$DEMO"
start_openocd
begin_tail "$DEMO"
await_events
stop_board KILL
fails_midway "the board is gone" 4 "127.0.0.1:$TCL_PORT" "does not answer" "power"
stop_all
start_board "$DEMO"
start_openocd
begin_tail "$DEMO"
await_events
stop_openocd
fails_midway "OpenOCD is gone" 4 "127.0.0.1:$TCL_PORT" "closed the connection|ended"
start_openocd
begin_tail "$WORK/laps.elf"
await_events
ocd "mww $((BASE + 24)) 0" >/dev/null
fails_midway "the header's geometry changes" 1 "$AT" "again" "again"
stop_all
start_board --set demo_stop_after=3000 "$DEMO"
start_openocd
await_stopped "$DEMO"
POINTER=$(word "$WRITER")
begin_tail "$DEMO"
await_events
ocd "mww $WRITER 0x12345678" >/dev/null
fails_midway "the recorder's pointer leaves the ring" 1 "$AT" "pointer" "again"
ocd "mww $WRITER $POINTER" >/dev/null
begin_tail "$WORK/laps.elf"
await_events
ocd "mww $((BASE + 32)) 0x12345678" >/dev/null
fails_midway "the header's pointer leaves the ring" 1 "$AT" "pointer" "again"
stop_all

# ---- command line ----

echo "# command line"
refused "no such command" 2 "tale" "did you mean 'tail'\\?" -- tale
SAMPLE=$E2E_ROOT/tests/data/demo_threadx.trx
"$BUILD/capture/txtap" record --image "$SAMPLE@0x6ca4" --address 0x6ca4 --limit 10 -q -o "$WORK/few.rec"
refused "firmware instead of a trace" 2 "demo.elf: this is firmware, not a trace" "'txtap tail .*demo.elf'" -- decode "$DEMO"
for arguments in "view -o $WORK/page.html" "report -f html"; do
    # shellcheck disable=SC2086
    refused "${arguments%% *}: the same" 2 "this is firmware, not a trace" "'txtap record -o FILE .*demo.elf'" -- $arguments "$DEMO"
done
for trace in "$SAMPLE" "$WORK/few.rec"; do
    for arguments in tail "record -o $WORK/none" "snapshot -o $WORK/none"; do
        # shellcheck disable=SC2086
        refused "${arguments%% *}: a trace instead of firmware" 2 "this is a trace, not firmware" "'txtap decode .*${trace##*/}'" -- \
            $arguments "$trace"
    done
done
refused "info: a trace instead of firmware" 2 "this is a trace, not firmware" "'txtap decode .*trx'" -- info "$SAMPLE"
free_port
for command in report view top; do
    refused "$command: a server that was named is not there" 4 "no server at 127.0.0.1:$PORT" -- "$command" --tcl "$PORT"
done
run_txtap
check "no command: lists the commands and fails" is "$STATUS $(grep -c '^  [a-z]*  ' "$ERR")" \
    "2 $("$BUILD/capture/txtap" --help | grep -c '^  [a-z]*  ')"
e2e_end
