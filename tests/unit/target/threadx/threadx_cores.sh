#!/bin/bash
# SPDX-License-Identifier: MIT
# threadx_cores.sh ROOT: compiles target/threadx for cores with and without a cycle counter, and looks for the code that
# switches this counter on. Uses the headers of ThreadX if the environment variable TXTAP_THREADX is its folder; else the
# declarations in this folder. Status 77: there is no cross compiler.
set -euo pipefail

root=${1:?usage: threadx_cores.sh ROOT}
cc=arm-none-eabi-gcc
command -v $cc >/dev/null || { echo "threadx_cores: no $cc"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c99 -O2 -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Werror)
unlock=c5ac # upper half of the key of DWT_LAR: the function stores the key only if it switches the cycle counter on

# headers CORE: sets `includes`, the folders of tx_api.h and tx_port.h.
headers() {
    includes=("-I$root/tests/unit/target/threadx")
    if [[ ${TXTAP_THREADX:-} ]]; then
        includes=("-I$TXTAP_THREADX/common/inc" "-I$TXTAP_THREADX/ports/${1//-/_}/gnu/inc")
    fi
}

# compile CORE WANTED [OPTION]...: WANTED is yes if the object must have the code for the cycle counter.
compile() {
    local core=$1 wanted=$2 found=no
    shift 2
    headers "$core"
    $cc "-mcpu=$core" -mthumb "${flags[@]}" "${includes[@]}" "$@" -c "$root/target/threadx/txtap_threadx.c" -o "$work/start.o"
    if arm-none-eabi-objdump -d "$work/start.o" | grep -q $unlock; then found=yes; fi
    [[ $found == "$wanted" ]] || { echo "threadx_cores: $core $*: code for the cycle counter: $found, not $wanted" >&2; exit 1; }
}

for core in cortex-m3 cortex-m4 cortex-m7 cortex-m33 cortex-m55; do
    compile $core yes -DTX_ENABLE_EVENT_TRACE
done
for core in cortex-m0 cortex-m23; do
    compile $core no -DTX_ENABLE_EVENT_TRACE
done
compile cortex-m4 no -DTX_ENABLE_EVENT_TRACE -DTXTAP_THREADX_DWT=0
compile cortex-m4 no # without the trace, the function does nothing
