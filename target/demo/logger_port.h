/* SPDX-License-Identifier: MIT */
/*
 * The event logger's port for this kernel. A semaphore whose count stays below two ends waits. Time stamps are
 * microseconds, on a chip and in QEMU.
 */
#ifndef DEMO_LOGGER_PORT_H
#define DEMO_LOGGER_PORT_H

#include "board.h"
#include "kernel_internal.h"

extern struct TX_SEMAPHORE_STRUCT logger_ready;
/* False after the collector has ended. Then no thread needs to be woken, and each signal would only add an event to the
 * trace. */
extern volatile bool logger_collecting;

static inline void logger_port_signal(void)
{
    uint32_t primask = port_lock();
    if (logger_collecting && logger_ready.tx_semaphore_count == 0) {
        kernel_semaphore_put(&logger_ready);
    }
    port_unlock(primask);
}

static inline uint32_t logger_port_exception(void)
{
    uint32_t ipsr;
    __asm volatile("mrs %0, ipsr" : "=r"(ipsr));
    return ipsr;
}

_Static_assert(TXTAP_LOGGER_FOREVER == KERNEL_WAIT_FOREVER, "both mean: wait for ever");

#define TXTAP_LOGGER_LOCK(state)    ((state) = port_lock())
#define TXTAP_LOGGER_UNLOCK(state)  port_unlock(state)
#define TXTAP_LOGGER_BARRIER()      __asm volatile("dmb" ::: "memory")
#define TXTAP_LOGGER_STAMP()        board_time_us()
#define TXTAP_LOGGER_WAIT(ticks)    ((void)kernel_semaphore_get(&logger_ready, (ticks)))
#define TXTAP_LOGGER_SIGNAL()       logger_port_signal()
#define TXTAP_LOGGER_TICKS()        kernel_ticks()
#define TXTAP_LOGGER_THREAD()       ((void *)_tx_thread_current_ptr)
#define TXTAP_LOGGER_INTERRUPT_ID() logger_port_exception()

#endif
