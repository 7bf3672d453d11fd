/* SPDX-License-Identifier: MIT */
/*
 * The functions that the kernel calls by name, some of them from assembler. They replace Zephyr's own functions. In
 * some versions Zephyr's functions are weak; in other versions the linker replaces them. This file is not compiled if
 * only TRACING_USER's callbacks are used.
 */
#define DISABLE_SYSCALL_TRACING

#include "txtap_zephyr_internal.h"

void sys_trace_isr_enter(void);
void sys_trace_isr_exit(void);
void sys_trace_isr_exit_to_scheduler(void);
void sys_trace_idle(void);
void sys_trace_idle_exit(void);

void sys_trace_isr_enter(void)
{
    if (TXTAP_ZEPHYR_ISR) {
        txtap_zephyr_isr_enter();
    }
}

void sys_trace_isr_exit(void)
{
    if (TXTAP_ZEPHYR_ISR) {
        txtap_zephyr_isr_exit();
    }
}

void sys_trace_isr_exit_to_scheduler(void)
{
    if (TXTAP_ZEPHYR_ISR) {
        txtap_zephyr_isr_exit_to_scheduler();
    }
}

void sys_trace_idle(void)
{
    if (TXTAP_ZEPHYR_IDLE) {
        txtap_zephyr_idle();
    }
    txtap_zephyr_port_idle();
}

void sys_trace_idle_exit(void)
{
    if (TXTAP_ZEPHYR_IDLE) {
        txtap_zephyr_idle_exit();
    }
    txtap_zephyr_port_idle_exit();
}
