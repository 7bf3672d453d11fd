#!/bin/bash
# SPDX-License-Identifier: MIT
# zephyr_untraced.sh OBJECT: tests an object that calls all of Zephyr's hooks and is compiled without CONFIG_TRACING. Of
# txtap it may use only the functions that start the trace, and the plain functions that Zephyr itself has without
# CONFIG_TRACING.
set -euo pipefail

object=${1:?usage: zephyr_untraced.sh OBJECT}
wanted=$(nm -u "$object" | awk '{ print $2 }' | grep -E '^(txtap_|sys_)' || true)
expected='sys_trace_idle
sys_trace_idle_exit
sys_trace_isr_enter
sys_trace_isr_exit
sys_trace_isr_exit_to_scheduler
txtap_trace_disable
txtap_trace_port_address
txtap_trace_system_state
txtap_zephyr_start'
if ! diff <(sort <<<"$expected") <(sort <<<"$wanted") >&2; then
    printf 'zephyr_untraced: %s: it refers to these (>), although nothing is traced\n' "$object" >&2
    exit 1
fi
