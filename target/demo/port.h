/* SPDX-License-Identifier: MIT */
/*
 * The kernel's interface to the core: the interrupt lock and the request for a context switch. Locks nest: each
 * unlock restores the previous state.
 */
#ifndef DEMO_PORT_H
#define DEMO_PORT_H

#include <stdint.h>

#include "cortex_m.h"

static inline uint32_t port_lock(void)
{
    uint32_t primask;
    __asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask)::"memory");
    return primask;
}

/*
 * Restores the previous state of the lock. If a context switch was requested under the lock, the barrier ensures that
 * it happens here, before the next instruction.
 */
static inline void port_unlock(uint32_t primask)
{
    __asm volatile("msr primask, %0\n\tisb" ::"r"(primask) : "memory");
}

static inline void port_request_switch(void)
{
    SCB_ICSR = ICSR_PENDSVSET;
    __asm volatile("dsb" ::: "memory");
}

/* Waits for an interrupt. A board whose debug access needs a clock in sleep does not sleep: it defines DEMO_AWAKE. */
#ifndef DEMO_AWAKE
static inline void port_sleep(void)
{
    __asm volatile("dsb\n\twfi");
}
#else
static inline void port_sleep(void)
{
}
#endif

/* Returns the stack pointer. ThreadX records the address of a local variable instead. */
static inline uint32_t port_stack_pointer(void)
{
    uint32_t stack_pointer;
    __asm volatile("mov %0, sp" : "=r"(stack_pointer));
    return stack_pointer;
}

/* Returns an address as a field of a trace entry: both are 32 bits wide on the target. */
static inline uint32_t port_address(const volatile void *pointer)
{
    return (uint32_t)(uintptr_t)pointer;
}

#endif
