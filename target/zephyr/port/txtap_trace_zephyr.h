/* SPDX-License-Identifier: MIT */
/*
 * The recorder's port for Zephyr. TXTAP_TRACE_PORT_HEADER names this file. The running thread comes from the kernel's
 * own state, so no event names a thread that does not run. All other parts are the same as in the recorder's port for
 * Cortex-M.
 */
#ifndef TXTAP_TRACE_ZEPHYR_H
#define TXTAP_TRACE_ZEPHYR_H

#if __has_include(<zephyr/kernel.h>)
#include <zephyr/kernel.h>
#include <zephyr/kernel_structs.h>
#else /* Zephyr before 3.1 */
#include <kernel.h>
#include <kernel_structs.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define TXTAP_TRACE_NAME_BYTES CONFIG_TXTAP_NAME_BYTES

/* Returns the time for cores without a cycle counter; 0 until the system clock runs. */
uint32_t txtap_zephyr_clock(void);

#ifdef __noinit /* a reset does not clear the number of traces, so each trace has another life */
#define TXTAP_TRACE_RETAINED __noinit
#endif

#ifdef CONFIG_TXTAP_CLOCK_KERNEL
#define TXTAP_TRACE_STAMP() txtap_zephyr_clock()
#else
#define TXTAP_TRACE_STAMP_UNCLOCKED() txtap_zephyr_clock()
#endif

#ifdef CONFIG_TXTAP_LOCK_IRQ
#define TXTAP_TRACE_LOCK(state)   ((state) = (uint32_t)arch_irq_lock())
#define TXTAP_TRACE_UNLOCK(state) arch_irq_unlock((unsigned int)(state))
#endif

#ifdef CONFIG_CPU_CORTEX_M
/* PendSV only switches threads, so its events belong to the thread and not to an interrupt. */
#define TXTAP_TRACE_STATE_IS_THREAD(state) ((state) == 14u)
#else
#define TXTAP_TRACE_BARRIER()       __sync_synchronize()
#define TXTAP_TRACE_CONTEXT_STATE() (txtap_trace_system_state | (arch_is_in_isr() ? 1u : 0u))
#endif

/* Zephyr's priorities begin below 0, ThreadX's priorities at 0. In both kernels the lowest number is the most urgent
 * priority. */
#define TXTAP_TRACE_ZEPHYR_BIAS CONFIG_NUM_COOP_PRIORITIES

#define TXTAP_TRACE_CONTEXT_THREAD() ((void *)_kernel.cpus[0].current)
#define TXTAP_TRACE_CONTEXT_PRIORITY()                                                                                 \
    ((uint32_t)(_kernel.cpus[0].current->base.prio + TXTAP_TRACE_ZEPHYR_BIAS) * 0x10001u)

#ifdef __cplusplus
}
#endif

#endif
