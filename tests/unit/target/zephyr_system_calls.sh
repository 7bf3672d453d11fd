#!/bin/bash
# SPDX-License-Identifier: MIT
# zephyr_system_calls.sh CC ROOT: tests system calls of every shape with txtap's hooks. They must compile in every
# language that Zephyr uses, and record their results. Zephyr's header of hooks must also compile without system calls.
set -euo pipefail

cc=${1:?usage: zephyr_system_calls.sh CC ROOT}
root=${2:?usage: zephyr_system_calls.sh CC ROOT}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

LC_ALL=C awk -f "$root/tests/unit/target/zephyr/system_calls.awk" "$root/tests/unit/target/zephyr/system_calls.c" >"$work/system_calls.inc"
flags=(-Wall -Wextra -Werror -DCONFIG_TRACING -DCONFIG_TRACING_SYSCALL "-I$work" "-I$root/target/zephyr/include")
languages=("$cc -x c -std="{c99,gnu99,c11,gnu11,gnu17})
command -v g++ >/dev/null && languages+=("g++ -x c++ -std="{c++11,c++14,gnu++17,gnu++20})

status=0 count=0
check() { # COMPILER-WORDS FLAG...
    if ! "$@" "${flags[@]}" "$root/tests/unit/target/zephyr/system_calls.c" -o "$work/program" || ! "$work/program"; then
        printf 'zephyr_system_calls: fails: %s\n' "$*" >&2
        status=1
    fi
    count=$((count + 1))
}
for language in "${languages[@]}"; do
    read -ra words <<<"$language"
    check "${words[@]}" -Os -DRESULT=syscall__retval
done
read -ra words <<<"${languages[0]}"
check "${words[@]}" -O0 -DRESULT=syscall__retval
check "${words[@]}" -Os -DRESULT=retval # Zephyr up to 3.5
echo "zephyr_system_calls: $count builds"
exit "$status"
