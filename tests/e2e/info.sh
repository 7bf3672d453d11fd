#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that txtap info describes the trace on the virtual board, and reports whether the probe is fast enough.
# usage: info.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

DEMO=$FIRMWARE/demo.elf
[[ -f $DEMO ]] || die "no $DEMO: build the target firmware first"
STATS=$WORK/stats.json

hex() {
    printf '0x%08x' "$1"
}

says() { # KEY REGEX: the line of KEY must match REGEX
    grep -qE "^$1 +$2\$" "$OUT" && return
    grep "^$1" "$OUT" | sed 's/^/# /'
    return 1
}

lists() { # TYPE ADDRESS NAME REST
    grep -qE "^  $1 +$2  $3 * $4\$" "$OUT" && return
    grep -- "$3" "$OUT" | sed 's/^/# /'
    return 1
}

figure() { # KEY: prints the first number of the line of KEY
    sed -nE "s/^$1 [^0-9]*([0-9.]+).*/\1/p" "$OUT"
}

holds() { # awk expression
    awk "BEGIN { exit !($1) }" && return
    echo "# $1"
    return 1
}

# Checks the rate. The board's timer counts microseconds of QEMU's clock, which is this host's clock: the rate is 1 MHz.
ticks_hold() { # LOW HIGH
    [[ $1 == null ]] && ! grep -q '^ticks ' "$OUT" && return
    says ticks '[0-9.]+ [Mk]Hz \+- [0-9.e-]+ % by this host.s clock' && holds "$1 <= 1e6 && 1e6 <= $2"
}

# wrapped ELF: waits until the ring is in its third lap. From then on the header shows whether laps are counted.
wrapped() {
    await "$OPENOCD_PID" has_risen "$(symbol "$1" demo_events_written)" 1000 || die "the firmware does not run"
}

echo "# what is there"
start_board "$DEMO"
start_openocd
BASE=$(symbol "$DEMO" demo_trace_buffer)
WRITTEN=$(symbol "$DEMO" demo_events_written)
BEFORE=$(word "$WRITTEN")
run_txtap info --tcl "$TCL_PORT" --seconds 2 --stats-json "$STATS" "$DEMO"
AFTER=$(word "$WRITTEN")
check "it succeeds and says nothing on stderr" test "$STATUS" = 0 -a ! -s "$ERR"
check "--stats-json names the schema" is "$(jq -c "[.tool, .schema, .schema_version]" "$STATS")" '["txtap","txtap-stats",1]'
check "the server and its target" says server "OpenOCD at 127.0.0.1:$TCL_PORT, target txtap.cpu \(running\), adapter speed [0-9]+ kHz"
check "the header, where the firmware's buffer is" says header \
    "$(hex "$BASE"), found by pointer, little-endian, timer mask 0xffffffff"
check "the registry" says registry "$(hex $((BASE + 48)))..$(hex $((BASE + 48 + 30 * 48))), 30 entries, [0-9]+ objects, names of 32 bytes"
check "the ring" says ring \
    "$(hex $((BASE + 1488)))..$(hex $((BASE + 16368))), 465 entries, 14880 bytes, next entry at 0x2000[0-9a-f]{4}"
check "that laps are counted" says laps "counted by the recorder: [0-9]+ so far; loss is exact"
check "but not how" test "$(grep -cE '^laps|halves|modulo|life' "$OUT")" = 1
check "no more events per second than the firmware wrote" holds "$(figure rate) * 2 <= $AFTER - $BEFORE"
check "but some" holds "$(figure rate) > 0"
check "the rate of the ticks, if it is known" \
    ticks_hold "$(jq .tick_hz_low "$STATS")" "$(jq .tick_hz_high "$STATS")"
# The figures are equal if their difference is at most half of the last digit shown, plus the rounding error of JSON's
# six digits.
shown() { # KEY DIGITS JSON: the figure of KEY equals the number JSON
    holds "($(figure "$1") - $3) ^ 2 <= (0.5 * 10 ^ -$2 + 1e-5 * $3) ^ 2"
}
slow_is_reported() { # the line TOO SLOW must agree with the figure, however fast this host is
    says headroom '([1-9][0-9]*(\.[0-9]+)?|0\.[0-9]+) times the event rate: TOO SLOW, .*' && holds "$(figure headroom) < 1.05" ||
        { ! grep -q 'TOO SLOW' "$OUT" && holds "$(figure headroom) > 0.95"; }
}
check "whether it is enough" slow_is_reported
shows_the_same() {
    shown rate 0 "$(jq .event_rate "$STATS")" && shown lap 3 "$(jq .ring_seconds "$STATS")" &&
        shown headroom 1 "$(jq .headroom "$STATS")" && shown probe 0 "$(jq '.probe_bytes_per_second / 1000' "$STATS")" &&
        grep -q '^probe .* about [0-9]* events per second$' "$OUT"
}
check "stats-json has the same figures" shows_the_same
check "and derived figures" is "$(jq -r '.event_rate as $r | [.event_rate_exact, .laps_counted, .objects == '"$(
    sed -nE 's/^registry.* ([0-9]+) objects.*/\1/p' "$OUT")"', (.ring_seconds * $r - 465 | fabs) < 1,
    (.headroom * $r / .probe_events_per_second - 1 | fabs) < 0.01, .probe_bytes_per_second > 0,
    (.byte_rate - 32 * $r | fabs) < 1] | @tsv' "$STATS")" $'true\ttrue\ttrue\ttrue\ttrue\ttrue\ttrue'
for name in sampler control filter logger reporter housekeeper; do
    check "the thread $name" lists thread '0x2000[0-9a-f]{4}' $name 'stack 0x2000[0-9a-f]{4}, 1024 bytes, priority [0-9]+'
done
check "ThreadX's own thread" lists thread '0x2000[0-9a-f]{4}' 'System Timer Thread' 'stack 0x2000[0-9a-f]{4}, 1024 bytes, priority 0'
check "the semaphore, its address the symbol's" lists semaphore "$(hex "$(symbol "$DEMO" sample_ready)")" 'sample ready' 'created with a count of 0'
check "the mutex" lists mutex "$(hex "$(symbol "$DEMO" model_lock)")" model 'inherits priorities'
check "the queue" lists queue "$(hex "$(symbol "$DEMO" samples)")" samples '32 bytes, messages of 1 word'
check "the event flags" lists 'event flags' "$(hex "$(symbol "$DEMO" results)")" results '?'
check "the block pool" lists 'block pool' "$(hex "$(symbol "$DEMO" sample_pool)")" 'sample pool' '60 bytes, blocks of 16'
check "the timer" lists timer "$(hex "$(symbol "$DEMO" heartbeat)")" heartbeat 'after [0-9]+ ticks, then every [0-9]+'
check "the number of objects is right" is "$(sed -nE 's/^registry.* ([0-9]+) objects.*/\1/p' "$OUT")" \
    "$(grep -cE '^  [a-z]+ [a-z ]+0x[0-9a-f]{8} ' "$OUT")"
# Checks that no line is longer than 120 columns, also with large values such as this host's speed.
all_fit() { is "$(awk 'length > 120' "$OUT")" ""; }
check "all lines fit 120 columns" all_fit
check "stats-json counts what was read" test "$(jq .bytes_read "$STATS")" -gt 1488
cp "$OUT" "$WORK/by_pointer"

echo "# other ways to find it"
run_txtap info -v --tcl "$TCL_PORT" --seconds 0.1 "$DEMO"
check "-v: and that they are counted in halves, beside the buffer" grep -qE \
    "^laps +counted in halves at $(hex "$(symbol "$DEMO" txtap_trace_writer)"), modulo 2147483648, in life 0x[0-9a-f]{8}$" "$OUT"
for way in "--scan" "--symbol demo_trace_buffer" "--symbol _tx_trace_header_ptr" "--address $BASE"; do
    run_txtap info --tcl "$TCL_PORT" --seconds 0.1 $way "$DEMO"
    check "$way finds the same" is "$(sed -nE 's/^header +(0x[0-9a-f]*), .*/\1/p' "$OUT") $STATUS" "$(hex "$BASE") 0"
done
run_txtap info --tcl "$TCL_PORT" --seconds 0.1
check "and so does a search without the ELF file" says header "$(hex "$BASE"), found by scan, .*"

echo "# firmware without a trace"
# ThreadX has this variable, and the demo does not.
"${OBJCOPY:=arm-none-eabi-objcopy}" -N txtap_trace_enable "$DEMO" "$WORK/threadx.elf"
"$OBJCOPY" -N _tx_trace_header_ptr --add-symbol MX_ThreadX_Init=.text:1,global,function "$WORK/threadx.elf" "$WORK/untraced.elf"
run_txtap info --tcl "$TCL_PORT" --seconds 0.1 "$WORK/threadx.elf"
check "ThreadX with a trace is described as before" says header "$(hex "$BASE"), found by pointer, .*"
run_txtap info --tcl "$TCL_PORT" "$WORK/untraced.elf"
check "ThreadX without a trace ends with status 3 and one line on stderr" is "$STATUS $(wc -l <"$ERR")" "3 1"
check "the macro is named" says trace '.* built without TX_ENABLE_EVENT_TRACE'
check "and the place for it, as a guess" says macro 'STM32CubeMX, as the symbol MX_ThreadX_Init suggests: .*'
check "the free RAM ends where the board's RAM ends" says RAM \
    "in use from 0x20000000 to 0x2000[0-9a-f]{4}; free up to the initial stack pointer at 0x20020000: [0-9]+ bytes,"
check "the clock is that of the core" says clock 'Armv7E-M .*'
check "the buffer in the code is that of the text" grep -q \
    "^    static ULONG trace_buffer\\[$(sed -nE 's/^buffer +([0-9]+) bytes hold .*/\1/p' "$OUT") / sizeof(ULONG)\\];$" "$OUT"
check "all lines fit 120 columns" all_fit
free_port
run_txtap info --tcl "$PORT" "$WORK/untraced.elf"
check "without a target: status 4, and the same steps" is "$STATUS $(grep -cE '^(trace|macro|RAM|buffer|call|clock) ' "$OUT")" "4 6"
run_txtap info --tcl "$TCL_PORT" --seconds 0.1 -o "$WORK/file" "$DEMO"
check "an unknown option is an error: status 2" is "$STATUS" 2

echo "# an image"
run_txtap snapshot --tcl "$TCL_PORT" -o "$WORK/shot.trx" -q "$DEMO"
stop_openocd
audit_now
check "the target was not disturbed" is "$(audit \
    '[.halts, .resumes, .steps, .resets, .writes.ram.count, .writes.peripheral.count, .writes.system.count] | add')" 0
stop_board
run_txtap info --image "$WORK/shot.trx@$BASE" --stats-json "$STATS"
check "an image has no rates: stats-json has null" is "$(jq -c '[.event_rate, .probe_bytes_per_second, .headroom, .byte_rate]' "$STATS")" \
    '[null,null,null,null]'
check "for a snapshot at its address it prints the same" is "$(grep -cFf <(grep '^  thread' "$WORK/by_pointer") "$OUT")" 7
check "and the name of the file" says image "$WORK/shot.trx"

echo "# a probe that is too slow, a recorder that does not count"
start_board --probe stlink-v2 --rate 6000 "$DEMO"
start_openocd
run_txtap info --tcl "$TCL_PORT" --seconds 1 "$DEMO"
check "a rate beyond the probe is reported" slow_is_reported
check "in lines that fit 120 columns" all_fit
stop_all
start_board "$FIRMWARE/demo_overload_no_laps.elf"
start_openocd
wrapped "$FIRMWARE/demo_overload_no_laps.elf"
run_txtap info --tcl "$TCL_PORT" --seconds 1 --stats-json "$STATS" "$FIRMWARE/demo_overload_no_laps.elf"
check "the rate by the time stamps is not below what is certain" \
    is "$(jq '.event_rate_estimate as $e | $e == null or ($e * 1.1 > .event_rate and
        (.headroom_estimate == null or .headroom_estimate < .headroom * 1.1))' "$STATS")" true
check "plain ThreadX behaviour is reported" says laps 'not counted by the recorder.*'
# If the host is fast enough, no event is lost. Then the rate and the lap time are exact, and neither line has a
# bound.
check "if the rate is a lower bound, the lap time is an upper bound" is \
    "$(grep -c '^rate .* at least$' "$OUT") $(grep -c '^headroom *at most ' "$OUT")" \
    "$(grep -c '^lap .* s at most$' "$OUT") $(grep -c '^lap .* s at most$' "$OUT")"
stop_all

echo "# time stamps that stand still"
start_board "$FIRMWARE/demo_still.elf"
start_openocd
wrapped "$FIRMWARE/demo_still.elf"
run_txtap info --tcl "$TCL_PORT" --seconds 0.5 "$FIRMWARE/demo_still.elf"
check "without laps to count, losses may go unseen" says laps '.*the time stamps stand still: losses may go undetected'
stop_all

e2e_end
