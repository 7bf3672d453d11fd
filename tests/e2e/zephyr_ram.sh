#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks Zephyr's CTF in RAM with running firmware: babeltrace2 must find every record in the directory that txtap
# writes.   usage: zephyr_ram.sh BUILD_DIRECTORY. Skipped (77) without babeltrace2.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
command -v babeltrace2 >/dev/null || { echo "babeltrace2 is not installed: skipped"; exit 77; }
e2e_begin "$@"

ELF=$FIRMWARE/zephyr_ram.elf
NAMELESS=$FIRMWARE/zephyr_ram_nameless.elf
METADATA=$E2E_ROOT/tests/firmware/zephyr_ram/metadata
[[ -f $ELF && -f $NAMELESS ]] || die "no $ELF: build the target test_firmware first"
RAM=(--zephyr-ram --ctf-metadata "$METADATA")

# reads DIRECTORY RECORDS NAMED: checks that babeltrace2 reads the whole stream, with as many records and named events
# as the firmware counted.
reads() {
    babeltrace2 "$1" >"$WORK/events" 2>"$WORK/babeltrace" || { cat "$WORK/babeltrace"; return 1; }
    is "$(wc -l <"$WORK/events")" "$2" &&
        is "$(grep -c 'named_event: .*"count"' "$WORK/events")" "$3" &&
        is "$(sed -n 's/.*named_event: .*arg0 = \([0-9]*\),.*/\1/p' "$WORK/events" | tr '\n' ' ')" \
            "$(seq -s ' ' 0 $(($3 - 1))) "
}
summary_is() { grep -q -- "$1: $2 records, $(stat -c %s "$1/channel0_0") bytes" "$ERR"; }

echo "# a tail from the start until the ring is full, and through resets"
start_board "$ELF"
start_openocd
start_txtap tail --tcl "$TCL_PORT" "${RAM[@]}" -o "$WORK/live" --stats-json "$WORK/stats" "$ELF"
# Counts the reported resets. One 'reset run' makes two resets, a moment apart. txtap may see one or both of them. Each
# reported reset begins another directory.
resets() { grep -c -E '^txtap: (attached, )?reset' "$ERR" || true; }
latest() { if (($(resets) > 0)); then echo "$WORK/live.$(resets)"; else echo "$WORK/live"; fi; }
has_trace() { [[ -s $(latest)/channel0_0 ]]; }
reset_is_reported() { (($(resets) > $1)); }
has_read() { audit_now && (($(audit .reads.ram.count) >= $1)); }
reset_trace() {
    local before
    before=$(resets)
    ocd 'reset run' >"$WORK/ocd"
    await "$TXTAP_PID" reset_is_reported "$before" || die "the reset is not reported"
    audit_now
    await "$TXTAP_PID" has_read $(($(audit .reads.ram.count) + 40)) || die "it reads no more"
    await "$TXTAP_PID" has_trace || die "nothing comes after the reset"
}
# Succeeds if a full buffer has been reported since the last reported reset.
is_full() { awk '/^txtap: (attached, )?reset/ { full = 0 } /is full/ { full = 1 } END { exit !full }' "$ERR"; }
await "$TXTAP_PID" has_trace
reset_trace
await "$TXTAP_PID" is_full || die "a full buffer is not reported"
records=$(value fixture_records) named=$(value fixture_named) full=$(latest)
reset_trace
end_txtap INT
check "Ctrl-C is a normal end" is "$STATUS" 0
check "the first trace is readable, up to the reset" babeltrace2 -o dummy "$WORK/live"
check "the full one has its own directory, with all that the firmware counted" reads "$full" "$records" "$named"
check "there is a directory for each reset" test -s "$(latest)/channel0_0" -a ! -e "$WORK/live.$(($(resets) + 1))"
check "the last one is readable" babeltrace2 -o dummy "$(latest)"
check "its end is that of a record" summary_is "$(latest)" "[0-9]*"
check "each has the metadata" cmp "$METADATA" "$(latest)/metadata"
check "a full buffer is reported" said 'ram_tracing is full'
audit_now
check "no reset is reported that the board did not make" test "$(resets)" -le "$(audit .resets)"
check "the target does not count what it discards: at least one" is "$(jq -c '[.lost, .lost_exact]' "$WORK/stats")" "[$(grep -c 'ram_tracing is full' "$ERR"),false]"
FULL=0x$(arm-none-eabi-nm "$ELF" | sed -n 's/^\([0-9a-f]*\) b buffer_full$/\1/p')
flag_is_set() { (($(word $((FULL & ~3))) >> 8 * (FULL & 3) & 255)); }
await "$OPENOCD_PID" flag_is_set || die "the last trace does not fill"
check "a copy of a full buffer: status 5 with --strict, and why, with -q too" txtap_fails 5 'filled: ram_tracing is full' snapshot --tcl "$TCL_PORT" "${RAM[@]}" -o "$WORK/filled" -q --strict "$ELF"

echo "# a buffer at rest"
stop_openocd
stop_board
start_board --set fixture_stop_after=30 "$ELF"
start_openocd
rises_to fixture_stopped 1
records=$(value fixture_records) named=$(value fixture_named)
check "info succeeds" txtap_exits 0 info --tcl "$TCL_PORT" --zephyr-ram --seconds 0.2 --stats-json "$WORK/stats" "$ELF"
check "stats-json has what is known about a buffer at rest, else null" is "$(jq -c '[.event_rate, .event_rate_exact, .byte_rate,
    .ring_seconds, .probe_events_per_second, .headroom, .objects, .laps_counted, .probe_bytes_per_second > 0]' "$WORK/stats")" \
    '[null,null,0,null,null,null,null,null,true]'
check "info says where it is" grep -q "^ram  *$(symbol "$ELF" ram_tracing), found by symbol, 8192 bytes" "$OUT"
bytes=$(word "$(arm-none-eabi-nm "$ELF" | sort | sed -n 's/^\([0-9a-f]*\) b pos$/0x\1/p')")
check "info says how full it is" grep -q ": $bytes bytes are filled" "$OUT"
check "snapshot is complete: status 0 with --strict" txtap_exits 0 snapshot --tcl "$TCL_PORT" "${RAM[@]}" -o "$WORK/once" --strict "$ELF"
check "babeltrace2 reads it" reads "$WORK/once" "$records" "$named"
check "a second one does not overwrite it, and says so" txtap_fails 1 'has a trace already' snapshot --tcl "$TCL_PORT" "${RAM[@]}" -o "$WORK/once" "$ELF"
run_txtap snapshot --tcl "$TCL_PORT" "${RAM[@]}" --force -o "$WORK/once" "$ELF"
check "but for --force" reads "$WORK/once" "$records" "$named"

echo "# analysed"
# A turn of a thread lasts from the record that switches out the previous thread to the record that switches out this
# thread.
cat >"$WORK/turns.awk" <<'END'
{ time = substr($1, 2) + 0 }
$2 == "isr_enter:" { interrupts++ }
$2 == "thread_switched_out:" {
    if (begun) { ran[substr($0, index($0, "name = "))] += time - since; switches++ }
    begun = 1; since = time
}
$2 == "thread_switched_in:" { in_last = substr($0, index($0, "name = ")) }
END {
    ran[in_last] += time - since
    for (name in ran) print name, ran[name]
    print "interrupts", interrupts; print "switches", switches
}
END
babeltrace2 --clock-cycles --no-delta "$WORK/once" | awk -f "$WORK/turns.awk" | sort >"$WORK/turns"
figures() {
    jq -r '.figures[] | select(.name == "cpu_ticks" or .name == "isr_entered" or .name == "switches") |
        [{cpu_ticks: "name = \"\(.subject.name)\" }", isr_entered: "interrupts", switches: "switches"}[.name],
        .stats.value.value] | join(" ")' "$OUT" | sort
}
run_txtap report --format json "$WORK/once"
check "a directory's report is a success without a word" is "$STATUS:$(cat "$ERR")" 0:
figures >"$WORK/reported"
check "its figures are those of the records that babeltrace2 shows" cmp "$WORK/turns" "$WORK/reported"
check "it names what is not recorded" is "$(jq '.not_recorded | test("become ready.*when it ends.*priorities")' "$OUT")" true
run_txtap report --tcl "$TCL_PORT" "${RAM[@]}" --seconds 0.3 --format json "$ELF"
figures >"$WORK/reported"
check "that of the target has the same" cmp "$WORK/turns" "$WORK/reported"
run_txtap report --tcl "$TCL_PORT" "${RAM[@]}" --seconds 0.3 -q "$ELF"
# Whether the short run has a finding, such as a late job, depends on the host.
says_how_to_keep_records() {
    grep -q '^findings: nothing' "$OUT" ||
        grep -qF ": txtap tail --tcl $TCL_PORT --zephyr-ram --ctf-metadata $METADATA -o run.ctf $ELF" "$OUT"
}
check "findings of a target name the command that keeps its records" says_how_to_keep_records
check "without metadata there is none" txtap_fails 2 'needs --ctf-metadata' report --tcl "$TCL_PORT" --zephyr-ram --seconds 0.3 "$ELF"
for source in "$WORK/once" "--tcl $TCL_PORT ${RAM[*]} $ELF"; do
    # shellcheck disable=SC2086 # $source has several words
    run_txtap top -b -n 1 -d 0.3 $source
    check "top shows the threads, of ${source%% *}" is "$STATUS,$(grep -Eo '^\? +(reader|a name of 20 by)' "$OUT" | sort |
        tr -s ' ' | tr '\n' ',')" '0,? a name of 20 by,? reader,'
done

run_txtap report --check 'switches < 2' --check 'wake(reader) <= 1s' --check 'stack(reader) > 5%' "$WORK/once"
check "checks of a directory are decided as far as the records say" is \
    "$STATUS,$(cut -d ' ' -f 1 "$OUT" | tr '\n' ',')" '6,FAIL,unknown,unknown,'
sed -nE 's/^FAIL +(switches < 2) +([0-9]+)$/\1: \2/p' "$OUT" >"$WORK/reported"
run_txtap tail --tcl "$TCL_PORT" "${RAM[@]}" --seconds 0.3 -o "$WORK/checked" --check 'switches < 2' \
    --check 'wake(reader) <= 1s' --check 'stack(reader) > 5%' "$ELF"
check "so are those of the target, which is followed" is "$STATUS,$(sed -nE 's/^(FAIL|ok|unknown) .*/\1/p' "$ERR" | tr '\n' ',')" \
    '6,FAIL,unknown,unknown,'
check "a violation is a message with the same number" said "check: $(cat "$WORK/reported"), seen at event"
check "the trace that is written is the same" cmp "$WORK/once/channel0_0" "$WORK/checked/channel0_0"

echo "# symbols that do not say which file a variable is of"
check "with two variables of a name txtap does not guess" txtap_fails 3 "2 variables are called 'pos'.*--position" snapshot --tcl "$TCL_PORT" "${RAM[@]}" -o "$WORK/nameless" "$NAMELESS"
run_txtap snapshot --tcl "$TCL_PORT" "${RAM[@]}" -o "$WORK/nameless" \
    --position "$(arm-none-eabi-nm "$NAMELESS" | sed -n 's/^\([0-9a-f]*\) b pos$/0x\1/p')" "$NAMELESS"
check "the one that is given is used" reads "$WORK/nameless" "$records" "$named"
run_txtap snapshot --tcl "$TCL_PORT" "${RAM[@]}" -o "$WORK/wrong" \
    --position "$(arm-none-eabi-nm "$NAMELESS" | sed -n 's/^\([0-9a-f]*\) d pos$/0x\1/p')" "$NAMELESS"
check "an invalid position is one clear line" failed 3 'but ram_tracing has 8192 bytes'
check "another firmware's ELF file is one clear line" txtap_fails 3 'no symbol ram_tracing' tail --tcl "$TCL_PORT" "${RAM[@]}" -o "$WORK/wrong" "$FIRMWARE/demo.elf"
check "without metadata it is a usage error" txtap_exits 2 tail --tcl "$TCL_PORT" --zephyr-ram -o "$WORK/wrong" "$ELF"
run_txtap record --tcl "$TCL_PORT" --zephyr-ram -o "$WORK/wrong" "$ELF"
check "record refuses a ring that fills once, with an alternative" is "$STATUS,$(head -n 1 "$ERR" | tr -s ' ')" \
    "2,txtap record: --zephyr-ram does not work with 'txtap record', because this buffer fills only once: use 'txtap tail -o DIR'"
check "missing metadata is one clear line" txtap_fails 1 'nowhere: No such file' tail --tcl "$TCL_PORT" --zephyr-ram --ctf-metadata "$WORK/nowhere" -o "$WORK/wrong" "$ELF"

echo "# dumps"
address=$(symbol "$ELF" ram_tracing)
ocd "dump_image $WORK/dump $address 8192" >/dev/null
ocd "dump_image $WORK/sram 0x20000000 0x3000" >/dev/null
run_txtap decode "${RAM[@]}" -o "$WORK/of_dump" "$WORK/dump"
check "a dump of the buffer is cut off after its last record" reads "$WORK/of_dump" "$records" "$named"
check "without a warning" is "$(wc -l <"$ERR")" 1
run_txtap decode "${RAM[@]}" --elf "$ELF" --base 0x20000000 -o "$WORK/of_sram" "$WORK/sram"
check "in a dump of all RAM symbols are used" reads "$WORK/of_sram" "$records" "$named"
check "which needs --base" txtap_fails 2 '\-\-base' decode "${RAM[@]}" --elf "$ELF" -o "$WORK/wrong" "$WORK/sram"
head -c $((bytes - 1)) "$WORK/dump" >"$WORK/cut"
run_txtap decode "${RAM[@]}" -o "$WORK/of_cut" -q --strict "$WORK/cut"
check "an incomplete record is left out" is "$(babeltrace2 "$WORK/of_cut" | wc -l)" $((records - 1))
check "and that is reported, with -q too, and status 5 with --strict" failed 5 'an incomplete record'

echo "# in formats of changes"
# The figures of the report were compared above. VCD lists threads before their names are known, so this check
# compares only the times, in any order.
grep '^name' "$WORK/turns" | sed 's/^name = "\(.*\)" }/\1/' >"$WORK/ran"
shows_who_ran() { # COMMAND...
    rm -rf "$WORK/shown"
    "$@" -q -f ctf -o "$WORK/shown" && babeltrace2 --clock-cycles "$WORK/shown" >"$WORK/lines" &&
        diff "$WORK/ran" <(awk -f "$E2E_ROOT/tests/e2e/ctf_sums.awk" "$WORK/lines" | sort)
}
waves_of_who_ran() { # FORMAT COMMAND...
    "${@:2}" -q -f "$1" >"$WORK/waves" &&
        diff <(grep -o '[0-9]*$' "$WORK/ran" | sort -n) <(awk -f "$E2E_ROOT/tests/e2e/vcd_sums.awk" "$WORK/waves" |
            sed -n 's/^late_.*_running //p' | sort -n)
}
TXTAP=$BUILD/capture/txtap
OF_DUMP=("$TXTAP" decode "${RAM[@]}" "$WORK/dump")
OF_SRAM=("$TXTAP" decode "${RAM[@]}" --elf "$ELF" --base 0x20000000 "$WORK/sram")
OF_TARGET=("$TXTAP" tail --tcl "$TCL_PORT" "${RAM[@]}" --seconds 0.3 "$ELF")
check "CTF of a dump: each thread ran as long as its turns" shows_who_ran "${OF_DUMP[@]}"
check "and as many interrupts came" is "$(grep -c 'txtap:interrupt:' "$WORK/lines")" "$(sed -n 's/^interrupts //p' "$WORK/turns")"
check "CTF of a dump of all RAM" shows_who_ran "${OF_SRAM[@]}"
check "CTF of the target" shows_who_ran "${OF_TARGET[@]}"
for format in vcd vcd-wires; do
    check "$format of a dump" waves_of_who_ran "$format" "${OF_DUMP[@]}"
    check "$format of the target" waves_of_who_ran "$format" "${OF_TARGET[@]}"
done
check "perfetto of a dump names the threads" grep -qa 'a name of 20 bytes' <("${OF_DUMP[@]}" -q -f perfetto | cat)

sed 's/0x62/0x63/' "$METADATA" >"$WORK/other"
run_txtap snapshot --tcl "$TCL_PORT" --zephyr-ram --ctf-metadata "$WORK/other" -o "$WORK/other.copy" -q --strict "$ELF"
check "a record that the metadata does not have: a copy lacks what follows, status 5 with --strict" failed 5 \
    'the record 0x62, which is not in the metadata'
run_txtap decode --zephyr-ram --ctf-metadata "$WORK/other" -o "$WORK/of_other" "$WORK/dump"
check "a record that the metadata does not have ends the stream" said 'the record 0x62, which is not in the metadata'
check "what was before it is read" babeltrace2 -o dummy "$WORK/of_other"
sed 's/align = 8/align = 64/' "$METADATA" >"$WORK/other"
run_txtap decode --zephyr-ram --ctf-metadata "$WORK/other" -o "$WORK/of_aligned" "$WORK/dump"
check "metadata that is not understood is reported, with its line" said 'other: line 3: .*: records are not counted'
check "and the bytes are all there" cmp "$WORK/dump" "$WORK/of_aligned/channel0_0"
check "a format of changes needs metadata that is understood" txtap_fails 1 'other: line 3: ' decode --zephyr-ram --ctf-metadata "$WORK/other" -f vcd "$WORK/dump"

audit_now
check "nothing was halted" is "$(audit .halts)" 0
check "nothing was written" is "$(audit '[.register_writes, (.writes | [.ram, .flash, .peripheral, .system, .fault] |
    map(.count) | add)] | add')" 0
stop_openocd
stop_board
e2e_end
