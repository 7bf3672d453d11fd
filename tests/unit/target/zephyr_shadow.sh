#!/bin/bash
# SPDX-License-Identifier: MIT
# zephyr_shadow.sh CC ROOT: tests txtap's headers that are found before Zephyr's tracing.h. They must replace the hooks
# under tracing.h's old and new name. They must define names that some versions of tracing.h lack, and no other names.
set -euo pipefail

cc=${1:?usage: zephyr_shadow.sh CC ROOT}
root=${2:?usage: zephyr_shadow.sh CC ROOT}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
expect() { # HEADER ZEPHYR'S-TEXT EXPECTED-TEXT
    mkdir -p "$work/$(dirname "$1")"
    printf '%s\n' '#define sys_port_trace_k_sem_reset(sem) zephyrs_own' "$2" >"$work/$1"
    printf '#include <%s>\n%s\n' "$1" 'SEM sys_port_trace_k_sem_reset(a); EVENT sys_port_track_k_event_init(a)' |
        "$cc" -E -P -DCONFIG_TRACING -DCONFIG_TRACING_SEMAPHORE "-I$root/target/zephyr/shadow" \
            "-I$root/target/zephyr/include" "-I$work" -Werror - -o "$work/out"
    if ! diff <(printf '%s\n' "$3") <(sed -n 's/^SEM/SEM/p' "$work/out" | sed 's/ *$//') >&2; then
        printf 'zephyr_shadow: %s, with Zephyr having "%s": wanted (<), and got (>)\n' "$1" "$2" >&2
        status=1
    fi
    rm "$work/$1"
}
replaced='SEM txtap_zephyr_event1(0x8718u, ((uint32_t)(uintptr_t)(a))); EVENT'
for header in zephyr/tracing/tracing.h tracing/tracing.h; do
    expect "$header" '' "$replaced"
    expect "$header" '#define sys_port_track_k_event_init(event) tracked(event)' "$replaced tracked(a)"
done
exit "$status"
