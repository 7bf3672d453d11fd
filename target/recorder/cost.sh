#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Measures the cost of one call of a function on a Cortex-M4. The bytes come from the object file. The instructions come
# from a run of a harness in QEMU, which logs the address of each instruction. The harness's reset_handler calls the
# function 16 times.
#
#   cost.sh OBJECT HARNESS_ELF [PREFIX [FUNCTION [NAME]]]
#
# PREFIX: prefix of the names of the binutils, default arm-none-eabi-. FUNCTION: the function to measure, default the
# recorder's user event. NAME: the name of the function in the report.
#
# Without qemu-system-arm it prints only the bytes.
set -eu

object=$1
elf=$2
prefix=${3-arm-none-eabi-}
function=${4-txtap_trace_user_event_insert}
name=${5-recorder: user event}

symbol_size() {
    "${prefix}nm" -S "$object" | awk -v name="$1" '$4 == name {print $2}'
}

symbol_address() {
    "${prefix}nm" "$elf" | awk -v name="$1" '$3 == name {print $1}'
}

function_bytes=$((0x$(symbol_size "$function")))
object_bytes=$("${prefix}size" "$object" | awk 'NR == 2 {print $1}')

if ! command -v qemu-system-arm >/dev/null 2>&1; then
    echo "$name $function_bytes bytes; object $object_bytes bytes of code" \
        "(instructions not counted: qemu-system-arm is missing)"
    exit 0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# QEMU logs one line per instruction: "Trace 0: 0x7f... [00800408/00000254/...] function". The timeout ends a run that
# hangs.
timeout 10 qemu-system-arm -M mps2-an386 -kernel "$elf" -display none -monitor none -serial none \
    -semihosting-config enable=on,target=native -singlestep -d exec,nochain -D "$log" </dev/null || {
    echo "${name%%:*}: the cost harness failed in QEMU (exit $?); run it by hand: $elf" >&2
    exit 1
}

first=$(symbol_address "$function")
counts=$(awk -v first="$first" '
    /^Trace / {
        split($0, part, "/")
        if (part[2] == first) { inside = 1; count = 0 }
        if ($NF == "reset_handler" && inside) { inside = 0; print count }
        if (inside) count++
    }' "$log" | sort -n | uniq -c | awk '{printf "%s%s x %s", sep, $1, $2; sep = ", "}')

# All calls must have the same cost, because no call in the harness wraps the ring.
case $counts in
"16 x "*,* | "")
    echo "$name: instruction counts of 16 equal calls differ: ${counts:-none seen}" >&2
    exit 1
    ;;
"16 x "*)
    echo "$name ${counts#16 x } instructions, $function_bytes bytes; object $object_bytes bytes of code"
    ;;
*)
    echo "$name: expected 16 calls in the cost harness, saw: $counts" >&2
    exit 1
    ;;
esac
