#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks on the virtual board that txtap finds the rate of the time stamps and the names of interrupts by itself, and
# that a recording knows both, even without the firmware's ELF file.   usage: identity.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
PATIENT=(--timeout 1min)

DEMO=$FIRMWARE/demo_clock.elf
WRONG=$FIRMWARE/demo_wrong_clock.elf
[[ -f $DEMO && -f $WRONG ]] || die "no $DEMO: build the target firmware first"
TXTAP=$BUILD/capture/txtap
STATS=$WORK/stats.json
RECORDING=$WORK/run.rec
EVENTS=$WORK/events.jsonl

shows() { grep -qE -- "$1" "$OUT"; }
never_shows() { ! shows "$1"; }
decodes() { # PATTERN ARGUMENT...: decode prints a line with the pattern
    run_txtap decode "${@:2}" && is "$STATUS" 0 && shows "$1"
}

# record_until_known ARGUMENT...: records until the measured rate agrees with the firmware's clock. A slow host needs
# longer.
record_until_known() {
    start_txtap record --tcl "$TCL_PORT" --force -o "$RECORDING" "$@"
    await "$TXTAP_PID" rate_is_known || die "the rate does not become known"
    end_txtap INT
}
rate_is_known() { [[ -s $RECORDING ]] && "$TXTAP" info "$RECORDING" 2>/dev/null | grep_all 'SystemCoreClock, confirmed'; }

start_board "$DEMO"
start_openocd
await "$OPENOCD_PID" has_risen "$(symbol "$DEMO" demo_events_written)" 1000 || die "the firmware does not run"

echo "# a recording, without its ELF file"
cp "$DEMO" "$WORK/firmware.elf"
cp "$E2E_ROOT/target/demo/demo.events" "$WORK/demo.events"
record_until_known --definitions "$WORK/demo.events" "$WORK/firmware.elf"
rm "$WORK/firmware.elf" "$WORK/demo.events"
run_txtap info "$RECORDING"
check "info shows the firmware" shows '^firmware +firmware\.elf$'
check "its build ID" shows "^build id +$(readelf -n "$DEMO" | sed -n 's/.*Build ID: //p')$"
check "the version of txtap" shows "^version +$("$TXTAP" --version | cut -d' ' -f2)$"
check "the rate, and how it was found" shows "^ticks +1\.000 MHz, SystemCoreClock, confirmed to [0-9.e-]+ %$"
check "the measured rate" shows '^ticks +.* \+- .* %, measured$'
check "the definitions" shows '^events +5 defined$'
check "decode shows seconds" decodes '^ +[0-9]+\.[0-9]{6}  ' "$RECORDING"
check "and nothing else, because this rate is exact" is "$(cat "$ERR")" ""
check "names of interrupts" shows 'isr_number=15 isr=systick_handler '
check "names of user events" shows ' ledger entry '
check "JSON has ticks, seconds and the name" decodes '"ticks":[0-9]*,"seconds":[0-9.]*,.*"isr_number":22,.*"isr":"sensor_handler"' \
    -f jsonl "$RECORDING"
check "CSV, too" decodes '"isr_number=22 isr=sensor_handler"' -f csv "$RECORDING"
check "--hz overrides the rate" test "$("$TXTAP" decode --hz 1k --limit 50 "$RECORDING" | tail -1 | cut -c1-12)" != \
    "$("$TXTAP" decode --limit 50 "$RECORDING" | tail -1 | cut -c1-12)"
printf 'event 4096 "of the user"\ninterrupt 22 "button"\n' >"$WORK/own.events"
check "--definitions overrides the definitions" decodes 'of the user' --definitions "$WORK/own.events" "$RECORDING"
check "and names of interrupts" shows 'isr_number=22 isr=button '
check "but other interrupts keep their names" shows 'isr_number=15 isr=systick_handler '
check "a time in options needs no --hz" decodes '^ +0\.0' --from 1ms --to 90ms "$RECORDING"
check "a number without a unit is in ticks" is "$("$TXTAP" decode --from 0 --to 90000 "$RECORDING" | cksum)" \
    "$("$TXTAP" decode --from 0ms --to 90ms "$RECORDING" | cksum)"
run_txtap report --section interrupts "$RECORDING"
check "a report is of this firmware" shows '^Firmware firmware\.elf, build id [0-9a-f]{40}, symbols [0-9a-f]{16}, recorded by txtap '
check "with names and seconds" shows '^  sensor_handler \(22\) .*us .*s$'
run_txtap report -f json --check 'isr(sensor*).max < 1s' "$RECORDING"
check "a check by name and in seconds" test "$STATUS" = 0 -o "$STATUS" = 7
check "JSON has the number and the name" is_true "$OUT" '[.figures[].subject | select(.kind == "interrupt")] |
    any(.name == "systick_handler" and .number == 15)'
check "and the firmware" is_true "$OUT" '.about.firmware == "firmware.elf" and (.about["build-id"] | length) == 40'
run_txtap top -b -n 1 "$RECORDING"
check "top shows names and seconds" shows '^15 systick_handler '
pipe_decodes() { # a stream cannot be read twice: only what precedes the first event is known
    cat "$RECORDING" | "$TXTAP" decode - | grep_all 'isr=sensor_handler'
}
check "a pipe has the names" pipe_decodes
pipe_shows() { # PATTERN ARGUMENT...: the same, for a command that reads standard input; its output is in $OUT
    cat "$RECORDING" | "$TXTAP" "${@:2}" - >"$OUT" && shows "$1"
}
check "a report of a pipe has the last rate" pipe_shows '^Ticks at 1\.000 MHz, SystemCoreClock, confirmed to [0-9.e-]+ %, from the recording$' report
check "so does top" pipe_shows '^txtap top - standard input - 1\.000 MHz - ' top -b
check "with names of interrupts" shows '^22 sensor_handler '

echo "# files of a rotation"
run_txtap record --tcl "$TCL_PORT" --force -C 20K -o "$WORK/part" --hz 1M --limit 3000 "$DEMO"
check "each file knows all" test "$(for file in "$WORK"/part*; do "$TXTAP" info "$file"; done |
    grep -cE ", given$|handlers with a name$")" = $((2 * $(ls "$WORK"/part* | wc -l)))
cat_decodes() { cat "$WORK"/part* | "$TXTAP" decode "$@" - | grep_all -E '^ +[0-9]+\.[0-9]{6}  .* isr=sensor_handler'; }
check "a pipe has the rate at its start" cat_decodes
check "also with the firmware's ELF file" cat_decodes --elf "$DEMO"
check "and there are several" test "$(ls "$WORK"/part* | wc -l)" -gt 2

echo "# a trace file with its firmware"
run_txtap snapshot --tcl "$TCL_PORT" -o "$WORK/ring.trx" --force "$DEMO"
check "decode takes the ELF file after the trace" decodes 'isr_number=22 isr=sensor_handler ' "$WORK/ring.trx" "$DEMO"
check "and with --elf" decodes 'isr_number=22 isr=sensor_handler ' --elf "$DEMO" "$WORK/ring.trx"
run_txtap report --section interrupts "$WORK/ring.trx" "$DEMO"
check "report, too" shows '^  sensor_handler \(22\) '
check "without it there are numbers" decodes 'isr_number=22 system_state' "$WORK/ring.trx"
# The ring is short, and may lack interrupt 15. The recording has it.
printf 'vector 15 "tick"\nvector 22 "sensor"\nvector 38 "other"\n' >"$WORK/both.events"
"$TXTAP" decode -q -f trx -o "$WORK/long.trx" "$RECORDING"
check "interrupts that are left out make a name certain" decodes 'isr_number=22 isr=sensor ' --isr 22 \
    --definitions "$WORK/both.events" "$WORK/long.trx"

echo "# the unit of a running target"
run_txtap tail -v --tcl "$TCL_PORT" --limit 4000 "$DEMO"
check "tail never changes its unit" is "$(grep -oE '^ *[0-9]+(\.)?' "$OUT" | grep -oE '[.]|[0-9]$' | sed 's/[0-9]/n/' | sort -u | wc -l)" 1
seconds_only_if_said() {
    if shows '^ +[0-9]+\.[0-9]{6} '; then grep -q 'SystemCoreClock agrees' "$ERR"; fi
}
check "seconds only if the clock agrees" seconds_only_if_said
run_txtap tail --tcl "$TCL_PORT" --limit 4000 -f jsonl "$DEMO"
check "JSON always has ticks" is "$(grep -c '"type":"event"' "$OUT")" "$(grep -c '"ticks":' "$OUT")"

echo "# an interrupt chosen by its name"
is_only_the_sensor() { # COUNT: only the sensor's interrupt was printed, and only its enter and exit
    is_true "$OUT" 'map(select(.type == "event")) | length == $count and
        map(select(.isr != "sensor_handler" or .fields.isr_number != 22 or (.id != 3 and .id != 4))) == []' -s --argjson count "$1"
}
run_txtap tail --tcl "$TCL_PORT" --isr 'sensor*' --limit 40 -f jsonl "$DEMO"
check "tail prints only this interrupt" is_only_the_sensor 40
run_txtap decode --isr sensor_handler --limit 40 -f jsonl "$RECORDING"
check "decode, too" is_only_the_sensor 40
check "a number chooses the same events" is "$("$TXTAP" decode --isr 22 --limit 40 "$RECORDING" | cksum)" \
    "$("$TXTAP" decode --isr sensor_handler --limit 40 "$RECORDING" | cksum)"
check "tail refuses a misspelt name" txtap_fails 2 "no interrupt has the name 'sensorhandler': did you mean 'sensor_handler'" \
    tail --tcl "$TCL_PORT" --isr sensorhandler --limit 1 "$DEMO"
check "so does a trigger" txtap_fails 2 "the names are pendsv_handler, systick_handler, sensor_handler, glitch_handler$" \
    record --tcl "$TCL_PORT" --trigger isr=radio -o "$WORK/unused.rec" "$DEMO"
check "names need the firmware" txtap_fails 2 "the names of interrupts are not known: give a number, the firmware" \
    decode --isr sensor_handler "$WORK/ring.trx"
run_txtap record --tcl "$TCL_PORT" --trigger isr=sensor_handler --before 1ms --after 1ms --limit 2000 -o "$WORK/around.rec" "$DEMO"
check "a trigger finds the interrupt" decodes 'trigger: isr=sensor_handler' "$WORK/around.rec"
run_txtap tail --tcl "$TCL_PORT" --check 'isr(sensor_handler) < 1 ticks' --limit 4000 "$DEMO"
check "tail judges a check by name" test "$STATUS" = 6
check "and names the interrupt" shows 'check: isr\(sensor_handler\) < 1 ticks: .* of sensor_handler, '
run_txtap top --tcl "$TCL_PORT" -b -n 3 --check 'isr(sensor_handler) < 1 ticks' "$DEMO"
check "so does top" test "$STATUS" = 6
stop_openocd
stop_board

echo "# a clock that does not agree"
start_board "$WRONG"
start_openocd
await "$OPENOCD_PID" has_risen "$(symbol "$WRONG" demo_events_written)" 1000 || die "the firmware does not run"
run_txtap tail --tcl "$TCL_PORT" --limit 6000 "$WRONG"
check "tail shows ticks" never_shows '^ +[0-9]+\.[0-9]{6} '
rm "$RECORDING"
start_txtap record --tcl "$TCL_PORT" -o "$RECORDING" "$WRONG"
rate_is_measured() { [[ -s $RECORDING ]] && "$TXTAP" info "$RECORDING" 2>/dev/null | grep_all ', measured$'; }
await "$TXTAP_PID" rate_is_measured || die "the rate is not measured"
end_txtap INT
run_txtap info "$RECORDING"
check "a recording has the measured rate" shows '^ticks +[0-9.]+ [kM]Hz \+- .* %, measured$'
rate_is_true() { # the board's timer counts microseconds of this host's clock
    "$TXTAP" report -q -f json "$RECORDING" >"$OUT" &&
        is_true "$OUT" '.rate | .how == "measured" and (.hz / 1e6 - 1 | fabs) <= .bound * 1.001'
}
check "whose bounds include the true rate" rate_is_true
run_txtap info "$RECORDING"
check "and never the wrong clock" never_shows 'SystemCoreClock'
run_txtap decode --limit 9 "$RECORDING"
check "decode says that its times are not exact" said '^txtap: times use a measured rate: [0-9.]* [kM]Hz +- .* %$'
run_txtap decode -q --limit 9 "$RECORDING"
check "not with -q" is "$(cat "$ERR")" ""
run_txtap decode --hz 1M --limit 9 "$RECORDING"
check "nor with --hz" is "$(cat "$ERR")" ""
LONGEST=$("$TXTAP" report -f json "$RECORDING" | jq '[.figures[] | select(.name == "run" and .subject.name == "control")][0].stats.max.value')
run_txtap check -q --check "run(control) <= ${LONGEST}us" "$RECORDING"
check "a time within the tolerance of its limit is unknown" is "$STATUS" 7
run_txtap check -q --check "run(control) <= ${LONGEST}00us" "$RECORDING"
check "a time far from its limit is not" test "$STATUS" = 0 -o "$(grep -c ' >= ' "$OUT")" = 1

echo "# checks in seconds of a running target"
start_txtap tail --tcl "$TCL_PORT" -f jsonl -o "$EVENTS" --force --check 'run(*) < 1ns' "$WRONG"
await_marks check 1
end_txtap INT
check "tail judges them when it knows the rate" is "$STATUS" 6
stop_openocd
stop_board
e2e_end
