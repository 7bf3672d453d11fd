#!/bin/bash
# SPDX-License-Identifier: MIT
# zephyr_hooks.sh ROOT: fails unless tests/data/zephyr_hooks.csv and target/zephyr/hooks.def have the same hooks, with
# the same arguments, phases, switches and numbers. Also fails unless the generated files match hooks.def, and
# HOOKS.md has a line for each hook.
set -euo pipefail

root=${1:?usage: zephyr_hooks.sh ROOT}
table=$root/target/zephyr/hooks.def
data=$root/tests/data/zephyr_hooks.csv
map=$root/target/zephyr/HOOKS.md

"$root/target/zephyr/hooks.sh" check

# Prints one line per hook: HOOK(ARGUMENTS) SWITCH PHASE [NUMBER]. Numbers never change. "..." means the arguments of
# any system call.
from_data() {
    awk -F, -v "numbers=${1:-}" 'NR > 1 {
        by = $3 == "PLAIN" ? $5 : $3
        phase = by ~ /(ENTER|_enter|_idle)$/ ? 1 : by ~ /BLOCKING$/ ? 2 : by ~ /(EXIT|_exit)$/ ? 3 : by ~ /INIT$/ ? 4 : 0
        if ($5 ~ /isr_exit_to_scheduler/) phase = 3
        arguments = $5 ~ /trace_syscall/ ? "id name ..." : $4
        hook = $5
        if ($5 ~ /trace_syscall/) sub(/_port/, "", hook)
        printf "%s(%s) %s %d%s\n", hook, arguments, $6, phase, numbers ? " " $7 : ""
    }' "$data" | sort
}

from_table() {
    awk '/^[0-9a-f]/ {
        arguments = ""
        for (i = 4; i <= NF && $i != "->"; i++) { sub(/:.*/, "", $i); arguments = arguments (i > 4 ? " " : "") $i }
        phase = (index("0123456789abcdef", substr($1, 4)) - 1) % 8
        printf "sys_%strace_%s(%s) %s %d %s\n", $1 < "9e" ? "port_" : "", $2, arguments, $3, phase, $1
    }' "$table" | sort
}

from_map() {
    sed -n 's/^| `\(sys_[a-z_A-Z0-9]*\)(\([^)]*\))` | \([A-Z_]*\) | \([a-z]*\) | .*/\1(\2) \3 \4/p' "$map" |
        sed 's/, / /g; s/ call$/ 0/; s/ enter$/ 1/; s/ blocking$/ 2/; s/ exit$/ 3/; s/ init$/ 4/; s/sys_port_trace_syscall/sys_trace_syscall/' | sort
}

[[ $(from_data | wc -l) -gt 387 ]] || { printf 'zephyr_hooks: %s: too few hooks\n' "$data" >&2; exit 1; }
if ! diff -u --label "Zephyr's hooks" --label hooks.def <(from_data numbers) <(from_table) >&2; then
    printf 'zephyr_hooks: hooks.def: give each hook (-) a row, and remove those that do not exist (+)\n' >&2
    exit 1
fi
if ! diff -u --label "Zephyr's hooks" --label HOOKS.md <(from_data) <(from_map) >&2; then
    printf 'zephyr_hooks: HOOKS.md does not list every hook\n' >&2
    exit 1
fi
