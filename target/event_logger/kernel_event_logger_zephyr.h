/* SPDX-License-Identifier: MIT */
/*
 * The event logger's port for Zephyr, made for version 3.1. Only kernel_event_logger.c includes it.
 * kernel_event_logger_zephyr.c has the hooks and starts the logger. The port is for kernel threads and interrupts, not
 * for user mode.
 */
#ifndef TXTAP_KERNEL_EVENT_LOGGER_ZEPHYR_H
#define TXTAP_KERNEL_EVENT_LOGGER_ZEPHYR_H

#include <zephyr/kernel.h>
#include <zephyr/kernel_structs.h>

#include "kernel_event_logger.h"

static K_SEM_DEFINE(txtap_logger_ready, 0, 1);

/* Waits for at most `ticks`. The wait may end early. If Zephyr counts ticks in 32 bits, the number is limited so that
 * it does not wrap. */
static inline void txtap_logger_port_wait(uint32_t ticks)
{
    k_timeout_t timeout = K_FOREVER;
    if (ticks != TXTAP_LOGGER_FOREVER) {
        timeout = K_TICKS(ticks < 0x7FFFFFF0u ? ticks : 0x7FFFFFF0u);
    }
    (void)k_sem_take(&txtap_logger_ready, timeout);
}

#ifdef CONFIG_CPU_CORTEX_M
static inline uint32_t txtap_logger_port_interrupt(void)
{
    uint32_t ipsr;
    __asm__ volatile("mrs %0, ipsr" : "=r"(ipsr));
    return ipsr & 0x1FFu; /* 16 + the interrupt's number; 15 = SysTick */
}
#else
/* Returns the current interrupt. Zephyr has no function for this that works on all architectures. */
static inline uint32_t txtap_logger_port_interrupt(void)
{
    return 0;
}
#endif

#define TXTAP_LOGGER_LOCK(state)   ((state) = irq_lock())
#define TXTAP_LOGGER_UNLOCK(state) irq_unlock(state)
#define TXTAP_LOGGER_BARRIER()     __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define TXTAP_LOGGER_WAIT(ticks)   txtap_logger_port_wait(ticks)
#define TXTAP_LOGGER_SIGNAL()      k_sem_give(&txtap_logger_ready)
#define TXTAP_LOGGER_TICKS()       sys_clock_tick_get_32()
#define TXTAP_LOGGER_THREAD()      ((void *)_current) /* k_current_get() may be wrong during a switch */
#ifndef TXTAP_LOGGER_STAMP
#define TXTAP_LOGGER_STAMP() k_cycle_get_32()
#endif
#ifndef TXTAP_LOGGER_INTERRUPT_ID
#define TXTAP_LOGGER_INTERRUPT_ID() txtap_logger_port_interrupt()
#endif

/*
 * This decides whether the hook of a context switch may give a semaphore. On a Cortex-M, PendSV chooses the next thread
 * after the hook, so the hook may give a semaphore. On other processors, the kernel calls the hook after it has chosen
 * the thread, and holds the scheduler's lock. So the hook may not give a semaphore. The event is in the ring in both
 * cases. The next event that is not a switch, or a timeout, wakes the collector.
 */
#ifdef CONFIG_USE_SWITCH
#define TXTAP_LOGGER_SIGNAL_IN_SWITCH() ((void)0)
#endif

#endif
