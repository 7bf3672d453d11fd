/* SPDX-License-Identifier: MIT */
/*
 * The event logger's port for a Cortex-M without an operating system, ARMv6-M to ARMv8-M. Only kernel_event_logger.c
 * includes it. You can define each macro before this file is included.
 *
 * The lock is PRIMASK, a wait is WFI, and IPSR contains the interrupt (16 + its number; 15 = SysTick). No signal is
 * needed: only an interrupt can record an event while the main loop waits, and an interrupt ends WFI. The firmware
 * must provide:
 *   - time stamps: switch on DWT's cycle counter; for cores without this counter (ARMv6-M, ARMv8-M Baseline), define
 *     TXTAP_LOGGER_STAMP() as a free-running timer
 *   - a periodic interrupt that increments txtap_logger_ticks; without this interrupt, timeouts never end
 *   - TXTAP_LOGGER_THREAD(), if context switches are recorded
 */
#ifndef TXTAP_KERNEL_EVENT_LOGGER_BARE_H
#define TXTAP_KERNEL_EVENT_LOGGER_BARE_H

#include <stdint.h>

#include "kernel_event_logger.h"

static inline uint32_t txtap_logger_port_lock(void)
{
    uint32_t primask;
    __asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask) : : "memory");
    return primask;
}

static inline void txtap_logger_port_unlock(uint32_t primask)
{
    __asm volatile("msr primask, %0" : : "r"(primask) : "memory");
}

static inline uint32_t txtap_logger_port_exception(void)
{
    uint32_t ipsr;
    __asm volatile("mrs %0, ipsr" : "=r"(ipsr));
    return ipsr & 0x1FFu;
}

/*
 * Sleeps until the next interrupt, unless an event is already in the ring. The lock covers the check and the sleep.
 * Without the lock, an interrupt between them could record an event that the check misses. Under the lock, such an
 * interrupt stays pending, ends WFI, and runs at the unlock.
 */
static inline void txtap_logger_port_wait(void)
{
    const volatile struct event_logger_ring *at = &sys_k_event_logger.ring_buf;
    uint32_t primask = txtap_logger_port_lock();
    if (at->head == at->tail) {
        __asm volatile("dsb\n\twfi" : : : "memory");
    }
    txtap_logger_port_unlock(primask);
    __asm volatile("isb" : : : "memory"); /* after this barrier, the pending interrupt has run */
}

#ifndef TXTAP_LOGGER_LOCK
#define TXTAP_LOGGER_LOCK(state) ((state) = txtap_logger_port_lock())
#endif
#ifndef TXTAP_LOGGER_UNLOCK
#define TXTAP_LOGGER_UNLOCK(state) txtap_logger_port_unlock(state)
#endif
#ifndef TXTAP_LOGGER_BARRIER
#define TXTAP_LOGGER_BARRIER() __asm volatile("dmb" : : : "memory")
#endif
#ifndef TXTAP_LOGGER_INTERRUPT_ID
#define TXTAP_LOGGER_INTERRUPT_ID() txtap_logger_port_exception()
#endif
#ifndef TXTAP_LOGGER_WAIT
#define TXTAP_LOGGER_WAIT(ticks) ((void)(ticks), txtap_logger_port_wait())
#endif
#ifndef TXTAP_LOGGER_SIGNAL
#define TXTAP_LOGGER_SIGNAL() ((void)0)
#endif

#ifndef TXTAP_LOGGER_TICKS
volatile uint32_t txtap_logger_ticks; /* the firmware's tick handler declares it extern volatile uint32_t */
#define TXTAP_LOGGER_TICKS() txtap_logger_ticks
#endif

#ifndef TXTAP_LOGGER_STAMP
#if __ARM_ARCH < 7 || defined(__ARM_ARCH_8M_BASE__)
#error "kernel_event_logger: this core has no cycle counter: define TXTAP_LOGGER_STAMP() as a free-running timer"
#endif
#define TXTAP_LOGGER_STAMP() (*(const volatile uint32_t *)0xE0001004u) /* DWT_CYCCNT */
#endif

#if defined(CONFIG_KERNEL_EVENT_LOGGER_CONTEXT_SWITCH) && !defined(TXTAP_LOGGER_THREAD)
#error "kernel_event_logger: define TXTAP_LOGGER_THREAD() as an address that identifies the running thread"
#endif

#endif
