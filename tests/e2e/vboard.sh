#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the virtual board with an unmodified OpenOCD: the board runs, reads do not disturb it, and all actions of a
# debugger are carried out and recorded.   usage: vboard.sh BUILD_DIRECTORY
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
e2e_begin "$@"

ELF=$FIRMWARE/demo.elf
[[ -f $ELF ]] || die "no $ELF: build the target firmware first"
OBJCOPY=objcopy
if command -v arm-none-eabi-objcopy >/dev/null; then OBJCOPY=arm-none-eabi-objcopy; fi

FLASH=0x08000000
RAM_END=0x20020000
COUNTER=$(symbol "$ELF" demo_events_written)
RATE=$(symbol "$ELF" demo_event_rate)

# The expected contents of flash: those of the ELF file, and zeros elsewhere.
"$OBJCOPY" -O binary "$ELF" "$WORK/flash.bin"
truncate -s '>16384' "$WORK/flash.bin"

# Waits until the firmware's counter passes $1: the firmware runs, however slow the machine is.
counter_passes() {
    await "$OPENOCD_PID" has_risen "$COUNTER" $(($1 + 1))
}

counter_moves() {
    counter_passes "$(word "$COUNTER")"
}

counter_is_below() {
    (($(word "$COUNTER") < $1))
}

counter_stands() {
    local before
    before=$(word "$COUNTER")
    sleep 0.3
    (($(word "$COUNTER") == before))
}

numbers() {
    tr -s ' \n' '\n' | sed -e '/^$/d' -e 's/^0x//' -e 's/^0*\(.\)/\1/'
}

# Checks that read_memory of $2 units of $1 bits at flash offset $3 equals the ELF's bytes.
flash_matches() {
    local bits=$1 count=$2 offset=$3 size=$(($1 / 8))
    cmp -s <(ocd "read_memory $((FLASH + offset)) $bits $count" | numbers) \
        <(od -An -v --endian=little "-tx$size" -j "$offset" -N $((count * size)) "$WORK/flash.bin" | numbers)
}

# Checks the same with dump_image: $1 bytes at flash offset $2, any alignment.
dump_matches() {
    ocd "dump_image $WORK/dump.bin $((FLASH + $2)) $1" >/dev/null
    [[ $(stat -c %s "$WORK/dump.bin") == "$1" ]] && cmp -s -i "0:$2" -n "$1" "$WORK/dump.bin" "$WORK/flash.bin"
}

fails() {
    [[ $(ocd_try "$1") == "1 "* ]]
}

succeeds() {
    [[ $(ocd_try "$1") == "0"* ]]
}

is() {
    [[ $1 == "$2" ]] && return
    printf '# got %s, want %s\n' "$1" "$2"
    return 1
}

state_is() {
    is "$(ocd 'txtap.cpu curstate')" "$1"
}

process_gone() {
    local turn
    for ((turn = 0; turn < 10 * E2E_PATIENCE_S; turn++)); do
        # A process that nobody waits for stays as a zombie.
        if [[ ! -e /proc/$1/stat ]] || grep -q '^[0-9]* (.*) Z' "/proc/$1/stat"; then return 0; fi
        pause
    done
    return 1
}

# Sends a packet to the GDB port; prints what comes back within a moment.
gdb_ask() {
    local wire sum=0 index answer
    for ((index = 0; index < ${#1}; index++)); do
        sum=$((sum + $(printf '%d' "'${1:index:1}")))
    done
    exec {wire}<>"/dev/tcp/127.0.0.1/$GDB_PORT"
    printf '$%s#%02x' "$1" $((sum & 255)) >&"$wire"
    IFS= read -r -t "$E2E_PATIENCE_S" -d '#' answer <&"$wire" || true
    exec {wire}>&-
    printf '%s\n' "$answer"
}

gdb_reads_running_target() {
    local before after pattern='\$[0-9a-f]{8}$'
    before=$(gdb_ask "m${COUNTER#0x},4")
    counter_moves
    after=$(gdb_ask "m${COUNTER#0x},4")
    [[ $before =~ $pattern && $after =~ $pattern && ${before##*\$} != "${after##*\$}" ]]
}

echo "# reading a running board"
start_board "$ELF"
check "the board prints its port on stdout" grep -qx "vboard: st-link on 127.0.0.1:$BOARD_PORT" "$BOARD_LOG"
start_openocd
check "OpenOCD examines the core" grep -q 'Cortex-M4 r0p1 processor detected' "$OPENOCD_LOG"
check "the target runs" state_is running
check "RAM changes while it is read" counter_moves
check "bytes over the ST-Link's 64-byte limit, at an odd address, equal the ELF's" flash_matches 8 333 1
check "half-words equal the ELF's" flash_matches 16 777 2
check "words over one 6 KiB block equal the ELF's" flash_matches 32 1800 4
check "a dump of an odd length from an odd address equals the ELF's" dump_matches 7001 3
check "the last word of RAM can be read" succeeds "read_memory $((RAM_END - 4)) 32 1"
check "a read past the end of RAM fails" fails "read_memory $RAM_END 32 1"
check "a read that runs past the end of RAM fails" fails "read_memory $((RAM_END - 8)) 32 4"
check "a read without memory there fails" fails 'read_memory 0x60000000 32 1'
check "a peripheral can be read" succeeds 'read_memory 0x40000024 32 1'
check "the flash size word says 1024 KiB" is "$(ocd 'read_memory 0x1FFF7A22 16 1')" 0x400
check "a GDB that attaches reads changing RAM" gdb_reads_running_target
stop_openocd
audit_now
check "nothing wrote memory or peripherals" is \
    "$(audit '.writes | [.ram, .flash, .peripheral, .system, .fault] | map(.count) | add')" 0
check "OpenOCD wrote only debug registers" is \
    "$(audit '[.write_list[] | select(.class != "debug")] | length')" 0
check "OpenOCD's own debug register writes are recorded" test "$(audit '.writes.debug.count')" -gt 0
check "nothing halted, resumed, stepped or reset it" is "$(audit '[.halts, .resumes, .steps, .resets] | add')" 0
check "the three failed reads are recorded" is "$(audit '.reads.fault.count')" 3

echo "# connections"
start_openocd
check "a second OpenOCD finds the target running" state_is running
check "and moving" counter_moves
stop_openocd
printf '\005\000\000\000half a frame' >"/dev/tcp/127.0.0.1/$BOARD_PORT"
printf 'GET / HTTP/1.0\r\n\r\n' >"/dev/tcp/127.0.0.1/$BOARD_PORT"
start_openocd
check "half a frame and a foreign protocol do not end the board" counter_moves

echo "# steering"
check "halt is carried out" succeeds 'halt'
check "OpenOCD sees it halted" state_is halted
check "the counter of a halted core does not move" counter_stands
PC=$(ocd 'dict get [get_reg pc] pc')
check "a step moves the program counter" succeeds 'step; expr {1 / ([dict get [get_reg pc] pc] != '"$PC"')}'
check "resume is carried out" succeeds 'resume'
check "the counter moves again" counter_moves
# In a second the counter reaches a value that it would reach only after 20 s at its initial rate. So after a reset
# the test has 20 s to read a lower value.
check "the event rate can be written" succeeds "mww $RATE 40000"
check "the firmware counts enough for a restart to show" counter_passes 40000
check "reset is carried out" succeeds 'reset run'
check "the counter starts again" await "$OPENOCD_PID" counter_is_below 40000 # RAM survives until the firmware clears it
check "and moves" counter_moves
check "reset halt stops at the reset vector" succeeds 'reset halt'
check "where the vector table says" is "$(($(ocd 'dict get [get_reg pc] pc')))" \
    "$(($(ocd "read_memory $((FLASH + 4)) 32 1") & ~1))"
ocd 'resume' >/dev/null
SCRATCH=$((RAM_END - 0x20000 + 0x1F000))
check "a write to RAM is carried out" succeeds "mww $SCRATCH 0x600DF00D"
check "and reads back" is "$(ocd "read_memory $SCRATCH 32 1")" 0x600df00d
check "a write to a peripheral is carried out" succeeds 'mww 0x4000082C 0x1234'
check "and reads back too" is "$(ocd 'read_memory 0x4000082C 32 1')" 0x1234
stop_openocd
audit_now
check "halts are recorded: halt and reset halt" is "$(audit .halts)" 2
check "the step is recorded" is "$(audit .steps)" 1
check "resets are recorded" test "$(audit .resets)" -ge 2
check "the writes are recorded, with address and value" is "$(audit \
    '[.write_list[] | select(.class == "ram" or .class == "peripheral") | .class + .address + .bytes] | join(" ")')" \
    "$(printf 'ram0x%08x409c0000 ram0x%08x0df00d60 peripheral0x4000082c34120000' "$RATE" "$SCRATCH")"
check "connections are counted" is "$(audit .connections)" 5
stop_board
check "SIGTERM ends the board with status 0" is "$BOARD_STATUS" 0
check "and QEMU with it" process_gone "$QEMU_PID"
check "the audit is written at the end" is "$(audit .halts)" 2

echo "# initial values, regions"
start_board --rate 321 --ram 0x20000000:0x1E010 "$ELF"
start_openocd
# OpenOCD splits its reads at multiples of 4 KiB. So one ST-Link command can cross the end of a region only if this
# end is not a multiple of 4 KiB.
check "one command up to the end of a region succeeds" succeeds 'read_memory 0x2001E008 32 2'
check "one command across the end of a region fails" fails 'read_memory 0x2001E008 32 4'
check "--rate is in RAM after the start-up code" is "$(word "$RATE")" 321
ocd 'reset run' >/dev/null
rate_is() { is "$(word "$RATE")" "$1" >"$WORK/rate"; }
check "and after a reset" await "$OPENOCD_PID" rate_is 321
stop_openocd
QEMU=$QEMU_PID
stop_board KILL
check "a killed board leaves no QEMU" process_gone "$QEMU"

echo "# the wire"
start_board "$ELF"
start_openocd
ocd 'poll off' >/dev/null
ocd "read_memory $FLASH 32 1024" >/dev/null # the first read does the driver's one-time work
audit_now
CLOCKS=$(audit .wire.swd_clocks)
ocd "read_memory $FLASH 32 1024" >/dev/null
audit_now
check "a block of 1024 words is (1024 + 2) x 46 clocks" is "$(($(audit .wire.swd_clocks) - CLOCKS))" $((1026 * 46))
stop_openocd
kill -KILL "$QEMU_PID"
wait "$BOARD_PID" && BOARD_STATUS=0 || BOARD_STATUS=$?
check "QEMU's death ends the board with status 1" is "$BOARD_STATUS" 1
check "and one line that says so" is "$(grep -c '^vboard: QEMU ended with signal 9' "$BOARD_LOG")" 1

start_board --probe stlink-v2 "$ELF"
start_openocd
ocd 'poll off' >/dev/null
audit_now
BYTES=$(audit '.reads.flash.bytes') BUSY=$(audit .wire.busy_us)
for _ in 1 2 3 4 5; do ocd "read_memory $FLASH 32 2048" >/dev/null; done
audit_now
BYTES=$(($(audit '.reads.flash.bytes') - BYTES)) BUSY=$(($(audit .wire.busy_us) - BUSY))
echo "# stlink-v2: $BYTES bytes in $BUSY us"
check "five reads of 8 KiB are 40960 bytes" is "$BYTES" 40960
check "stlink-v2 gives 45 to 55 kB/s by its own figures" test $((BYTES * 1000 / BUSY)) -ge 45 -a \
    $((BYTES * 1000 / BUSY)) -le 55
stop_openocd
stop_board

echo "# other kinds of access"
start_board --probe stlink-v3 "$ELF"
start_openocd
check "as an ST-Link V3 it answers too" flash_matches 8 1111 3
check "and says so" grep -q 'STLINK V3J10' "$OPENOCD_LOG"
stop_openocd
stop_board
cat >"$WORK/dap.cfg" <<EOF
source [find interface/stlink-dap.cfg]
st-link backend tcp \$VBOARD_PORT
transport select dapdirect_swd
source $E2E_ROOT/openocd-cfg/common.cfg
EOF
start_board "$ELF"
start_openocd -f "$WORK/dap.cfg"
check "through the DAP directly the target runs" state_is running
check "and is read" flash_matches 32 1800 4
stop_openocd
audit_now
check "nothing is disturbed there either" is "$(audit \
    '[.halts, .resumes, .steps, .resets, .writes.ram.count, .writes.flash.count, .writes.peripheral.count] | add')" 0
stop_board
start_board --memory memsave "$ELF"
start_openocd
check "without access to QEMU's memory reads go through memsave" flash_matches 32 1800 4
check "and see RAM move" counter_moves
check "the audit says so" is "$(audit .memory)" memsave
stop_openocd
stop_board

echo "# a Cortex-M33 whose memory lies behind a protection controller"
SECURE=$FIRMWARE/secure.elf
start_board --machine mps2-an505 --ram 0x38000000:2M --flash 0x10000000:4M "$SECURE"
start_openocd
check "OpenOCD finds the core" grep -q 'Cortex-M33' "$OPENOCD_LOG"
# On a busy host txtap may show the first events before it has read the names. These events show the thread's address.
start_txtap tail --timeout 1min --tcl "$TCL_PORT" -q -f jsonl "$SECURE"
check "its events come with the thread's name" await "$TXTAP_PID" grep -q '^{"type":"event".*"thread":"worker"' "$OUT"
end_txtap INT
check "each in its place: what is lost is in a gap" is \
    "$(jq -r 'select(.type == "event") | .info[0] - .seq' "$OUT" | sort -u | wc -l)" 1
stop_openocd
audit_now
check "it is read through the monitor" is "$(audit .memory)" memsave
stop_board

e2e_end
