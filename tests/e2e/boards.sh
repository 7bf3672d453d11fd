#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks scripts/board. files: the firmware of each board: vectors, addresses, instructions, and the second boot stage of
# the RP2040. run: the script with a virtual board of each core, and with an emulated ST-Link on USB.
# usage: boards.sh BUILD_DIRECTORY files|run
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"
source "$(dirname "${BASH_SOURCE[0]}")/usb_lib.sh"

PART=${2:?usage: boards.sh BUILD_DIRECTORY files|run}
BOARD=$E2E_ROOT/scripts/board
BOARDS=$E2E_ROOT/target/demo/boards
if ! command -v arm-none-eabi-gcc >/dev/null; then
    skip "the firmware of the boards" "no arm-none-eabi-gcc (Debian: gcc-arm-none-eabi)"
    e2e_end
fi
cd "$WORK"

# on_board [PREFIX]... -- ARGUMENT...: runs scripts/board; sets STATUS; its messages are in $ERR.
on_board() {
    local prefix=()
    while [[ $1 != -- ]]; do prefix+=("$1") && shift; done
    shift
    ERR=$WORK/board.err STATUS=0
    "${prefix[@]}" "$BOARD" --programs "$BUILD" "$@" >"$WORK/board.out" 2>"$ERR" || STATUS=$?
}
says() { grep -qE -- "$1" "${2:-$ERR}" || { sed 's/^/# /' "$ERR"; return 1; }; }
number() { local text=${1%[KM]}; case $1 in *K) echo $((text << 10)) ;; *M) echo $((text << 20)) ;; *) echo $((text)) ;; esac; }

# inside ADDRESS BYTES START:SIZE
inside() { (($1 >= ${3%:*} && $1 + $2 <= ${3%:*} + $(number "${3#*:}"))) || { echo "# $1 and $2 bytes are outside $3"; return 1; }; }

# segments_fit ELF FLASH RAM: each loaded segment is in the flash at its load address, and in the flash or the RAM at its
# run-time address.
segments_fit() {
    local type virtual physical file memory
    while read -r type _ virtual physical file memory _; do
        [[ $type == LOAD ]] || continue
        if ((file > 0)); then inside "$physical" "$file" "$2" || return 1; fi
        if ((memory == 0)) || inside "$virtual" "$memory" "$2" >"$WORK/where" || inside "$virtual" "$memory" "$3"; then continue; fi
        return 1
    done < <(arm-none-eabi-readelf -lW "$1")
}

# vectors_are_in FLASH: all of ${words[@]} but the stack's, except for reserved vectors.
vectors_are_in() {
    local word
    for word in "${words[@]:1}"; do
        ((word & 1)) && inside $((word - 1)) 2 "$1" || return 1
    done
}

if [[ $PART == files ]]; then
    echo "# the firmware of each board"
    awk '!/^#/ && NF { print $1 }' "$BOARDS/boards.table" | xargs -P 2 -I NAME "$BOARDS/build" NAME "$WORK/NAME.elf"
    while read -r name core flash ram hz openocd _; do
        elf=$WORK/$name.elf
        arm-none-eabi-objcopy -O binary "$elf" "$name.bin"
        start=${flash%:*}
        if [[ $name == pico ]]; then start=$((start + 0x100)); fi
        mapfile -t words < <(od -An -v -tu4 -w4 -j $((start - ${flash%:*})) -N 96 "$name.bin" | tr -d ' ')
        check "$name: each segment is in its memory" segments_fit "$elf" "$flash" "$ram"
        check "$name: the stack is at the end of the RAM" is "${words[0]}" $((${ram%:*} + $(number "${ram#*:}")))
        check "$name: the reset vector is reset_handler, in Thumb state" is "${words[1]}" $(($(symbol "$elf" reset_handler) | 1))
        check "$name: all vectors are in Thumb state, and in the flash" vectors_are_in "$flash"
        check "$name: the vectors are aligned for 24 exceptions" is $(($(symbol "$elf" vectors) % 128)) 0
        check "$name: the trace buffer is in the RAM" inside "$(symbol "$elf" demo_trace_buffer)" 16384 "$ram"
        case $core in
        cortex-m0*) want=v6S-M ;;
        cortex-m33) want=v8-M.mainline ;;
        *) want=v7E-M ;;
        esac
        check "$name: it is compiled for its core" is "$(arm-none-eabi-readelf -A "$elf" | sed -n 's/ *Tag_CPU_arch: //p')" "$want"
        check "$name: the rate of its time stamps has CMSIS's name" is "$(symbol "$elf" SystemCoreClock)" "$(symbol "$elf" demo_tick_hz)"
        if [[ $openocd != qemu ]]; then
            check "$name: OpenOCD has a file for its chip" test -f "/usr/share/openocd/scripts/target/$openocd.cfg"
        fi
    done < <(awk '!/^#/ && NF' "$BOARDS/boards.table")
    # The ROM computes CRC-32/MPEG-2, which is the reflection of zlib's CRC-32 of the reflected bytes.
    check "pico: the boot ROM accepts the second boot stage" perl -MCompress::Zlib -e '
        open(my $f, "<:raw", $ARGV[0]) or die;
        read($f, my $bytes, 256) == 256 or die;
        my $reflected = join "", map { pack("B8", scalar reverse unpack("B8", $_)) } split(//, substr($bytes, 0, 252));
        my $crc = oct("0b" . reverse sprintf("%032b", crc32($reflected) ^ 0xFFFFFFFF));
        my $want = unpack("V", substr($bytes, 252));
        printf("# computed %08x, in the file %08x\n", $crc, $want), exit 1 if $crc != $want' "$WORK/pico.bin"
    check "pico: the stage has code, and begins with it" is "$(symbol "$WORK/pico.elf" boot2)" 0x10000000
    e2e_end
    exit
fi

echo "# options"
on_board -- --list
check "--list shows each board" is "$(wc -l <"$WORK/board.out")" "$(awk '!/^#/ && NF' "$BOARDS/boards.table" | wc -l)"
on_board -- nucleo-f999
check "an unknown board is wrong usage" is "$STATUS $(<"$ERR")" "2 board: 'nucleo-f999' is no board: --list shows the boards"
on_board -- --seconds 0 vboard
check "so is a length of nothing" is "$STATUS" 2

for name in vboard-m0 vboard vboard-m7 vboard-m33; do
    echo "# $name"
    on_board -- --seconds 300 --events 1000 --report "$name.txt" "$name"
    check "both ways are ok" says "0 of 2 ways failed"
    check "the report has the ledger of each way" is "$STATUS $(grep -c '^ledger  ok: .*LEDGER_MISSING=' "$name.txt")" "0 2"
    check "and versions, the header and OpenOCD's log" test "$(grep -cE '^(Open On-Chip|ring  |Debug: .*read_memory 0x)' "$name.txt")" -gt 3
    check "and no path of this machine" is "$(grep -c -e "$E2E_ROOT" -e "$WORK" "$name.txt")" 0
done

echo "# a probe on USB"
if [[ -x $USBPROBE && $(ldd "$BUILD/capture/txtap") == *libusb* ]]; then
    # QEMU's core is ten times as fast as the chip, and so is the firmware's clock.
    "$BOARDS/build" nucleo-f446re "$WORK/nucleo-f446re.elf"
    start_usb_board stlink-v2-1 --rate 20 "$WORK/nucleo-f446re.elf"
    start_usb_probe stlink-v2-1
    # The virtual board has no flash controller. So this OpenOCD writes down how it would flash.
    mkdir bin
    printf '#!/bin/sh\ncase "$*" in *"program {"*) printf "%%s\\n" "$*" >>"%s/flashed" ;; *) exec /usr/bin/env PATH="%s" openocd "$@" ;; esac\n' \
        "$WORK" "$PATH" >bin/openocd
    chmod +x bin/openocd
    PATH=$WORK/bin:$PATH
    for answer in y ""; do
        on_board under_usb -- --seconds 1 nucleo-f446re <<<"$answer"
        check "the answer '$answer' flashes nothing" is "$STATUS $(tail -n 1 "$ERR" | sed 's/.*board: //') $(cat flashed 2>/dev/null)" "1 not flashed "
    done
    check "the question names board and probe" says "overwrites the firmware of the nucleo-f446re on the probe [0-9A-F]+:"
    on_board under_usb -- --seconds 300 --events 600 --report usb.txt nucleo-f446re <<<yes
    check "after yes it flashes, with OpenOCD's files for probe and chip" says \
        '^-f interface/stlink.cfg -c transport select hla_swd -c adapter serial \{[0-9A-F]+\} -f target/stm32f4x.cfg -c program \{.*demo-nucleo-f446re.elf\} verify reset exit$' flashed
    check "the board is read directly and through OpenOCD" is "$STATUS $(grep -c '^ledger  ok' usb.txt)" "0 2"
    [[ $STATUS == 0 ]] || sed 's/^/# /' usb.txt "$ERR" | head -n 80
    check "the report has OpenOCD's log" says 'Debug: .*read_memory 0x' usb.txt
    check "the report names the probe" says '"generation":"V2-1"|"name":"ST-Link/V2-1"' usb.txt
    on_board under_usb -- --yes --probe 1234 nucleo-f446re
    check "an absent probe is an error" is "$STATUS $(tail -n 1 "$ERR")" "4 board: no usable probe with the serial 1234: 'txtap probes' shows the probes"
    on_board under_usb -- --yes --probe usb:1-2 nucleo-f446re
    check "so is an empty port" is "$STATUS $(tail -n 1 "$ERR")" "4 board: no usable probe at usb:1-2: 'txtap probes' shows the probes"
    stop_usb_probe
    start_usb_probe stlink-v2-1 --serial '} [exec touch pwned] {'
    on_board under_usb -- --yes nucleo-f446re
    check "a serial number with other characters never reaches OpenOCD" is "$STATUS $(wc -l <flashed)" "1 1"
    check "and a line says so" says 'the serial number of the probe has other characters than letters'
    stop_usb_probe
    start_usb_probe stlink-v2-1 --serial ''
    on_board under_usb -- --yes --probe usb:1-1 --seconds 300 --events 600 --report serial.txt nucleo-f446re
    check "a probe without a serial number works" is "$STATUS $(grep -c '^ledger  ok' serial.txt)" "0 2"
    check "OpenOCD gets its port" says 'adapter usb location 1-1' flashed
    check "its report has OpenOCD's log, too" says 'Debug: .*read_memory 0x' serial.txt
    stop_usb_probe
    audit_now
    check "nothing was written to the target" is "$(audit '[.writes.ram.count, .writes.flash.count, .writes.peripheral.count] | add')" 0
    stop_all
else
    skip "a probe on USB" "libumockdev-dev or libusb-1.0-0-dev is not installed"
fi
e2e_end
