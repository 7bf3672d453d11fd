#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks CTF and value change dumps of a running board: other programs can read these files even if txtap was killed
# at a random moment, and the files show a reset.
# usage: waves.sh BUILD_DIRECTORY   (TXTAP_E2E_KILLS: kills in each format, 2)
# Skipped (77) without babeltrace2, or without vcd2fst, a part of GTKWave.
set -euo pipefail
export LC_ALL=C
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
for program in babeltrace2 vcd2fst; do
    command -v "$program" >/dev/null || { echo "$program is not installed: skipped"; exit 77; }
done
e2e_begin "$@"
PATIENT=(--timeout 1min)
ELF=$FIRMWARE/demo.elf
[[ -f $ELF ]] || die "no $ELF: build the target firmware first"
KILLS=${TXTAP_E2E_KILLS:-2}

output_of() { if [[ $1 == ctf ]]; then echo "$WORK/ctf"; else echo "$WORK/dump.$1"; fi; }
file_of() { if [[ $1 == ctf ]]; then echo "$WORK/ctf/channel0_0"; else echo "$WORK/dump.$1"; fi; }
bytes_of() { stat -c %s "$1" 2>/dev/null || echo 0; }
has_bytes() { (($(bytes_of "$1") >= $2)); }
start_tail() { # FORMAT
    rm -rf "$WORK/ctf" "$WORK/dump.$1"
    start_txtap tail -q --hz 1M --tcl "$TCL_PORT" -f "$1" -o "$(output_of "$1")" "$ELF"
}

# Cuts off an incomplete packet at the end, and prints the number of bytes that remain. A packet is incomplete only
# during a write. Readers refuse a trace that ends with such a packet.
whole_packets() { # FILE
    perl -e 'open my $f, "+<", $ARGV[0] or die; binmode $f; my $size = -s $f; my $at = 0;
        while (seek($f, $at, 0) && read($f, my $head, 52) == 52) {
            my ($magic, $bits) = unpack "V x28 Q<", $head;
            die "no packet at $at\n" if $magic != 0xC1FC1FC1 || $bits % 8;
            last if $at + $bits / 8 > $size;
            $at += $bits / 8;
        }
        print STDERR "# ", $size - $at, " bytes of a packet cut off\n" if $size > $at;
        truncate $f, $at; print $at' "$1"
}
# Checks that the written part of a trace can be opened. Only its last packet or line may be incomplete.
ctf_opens() {
    (($(whole_packets "$WORK/ctf/channel0_0") > 0)) &&
        babeltrace2 --clock-cycles "$WORK/ctf" >"$WORK/lines" 2>"$WORK/said" && grep -q ' sched_switch: ' "$WORK/lines"
}
dump_opens() { # FORMAT
    vcd2fst "$WORK/dump.$1" "$WORK/dump.fst" >"$WORK/said" 2>&1 && has_bytes "$WORK/dump.fst" 100 &&
        awk '/^#/ { time = substr($0, 2) + 0; if (time < before) exit 1; before = time; count++ } END { exit count < 10 }' \
            <(sed '$d' "$WORK/dump.$1")
}
opens() { if [[ $1 == ctf ]]; then ctf_opens; else dump_opens "$1"; fi; }

echo "# killed"
start_board "$ELF"
start_openocd
RANDOM=${TXTAP_SEED:-$$}
echo "# seed ${TXTAP_SEED:-$$}"
for format in ctf vcd vcd-wires; do
    for ((i = 1; i <= KILLS; i++)); do
        start_tail "$format"
        await "$TXTAP_PID" has_bytes "$(file_of "$format")" $((20000 + RANDOM % 4096))
        perl -e 'select undef, undef, undef, $ARGV[0] / 32768 / 5' "$RANDOM" # any moment
        end_txtap KILL
        check "$format, killed: what was written opens, $i" opens "$format"
    done
done

echo "# reset"
# has FORMAT PATTERN [PATTERN]: checks that a line matches the first pattern, and that this line or a later line matches
# the second pattern.
has() {
    local file=$WORK/dump.$1
    if [[ $1 == ctf ]]; then
        file=$WORK/so_far
        babeltrace2 "$WORK/ctf" >"$file" 2>/dev/null || true # babeltrace2 may find an incomplete packet
    fi
    awk -v first="$2" -v second="${3:-}" '$0 ~ first { seen = 1 } seen && $0 ~ second { found = 1 } END { exit !found }' "$file"
}
declare -A RESET=([ctf]='txtap:mark: .*kind = "reset"' [vcd]='^sreset') THREAD=([ctf]='next_comm = "sampler"' [vcd]='^ssampler ')
for format in ctf vcd; do
    start_tail "$format"
    await "$TXTAP_PID" has_bytes "$(file_of "$format")" 20000
    ocd 'reset run' >"$WORK/ocd"
    await "$TXTAP_PID" has "$format" "${RESET[$format]}" "${THREAD[$format]}" || die "no thread behind a reset"
    end_txtap INT
    check "$format: Ctrl-C is a normal end" is "$STATUS" 0
    check "$format: with a reset in it, it opens, and time does not go back" opens "$format"
    check "$format: threads are shown behind the reset" has "$format" "${RESET[$format]}" "${THREAD[$format]}"
done
stop_openocd
stop_board
e2e_end
