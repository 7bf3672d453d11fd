/* SPDX-License-Identifier: MIT */
/*
 * The demo on any Cortex-M, without a peripheral of the chip. The time is SysTick's, which also is the kernel's tick.
 * The time stamps come from the processor's cycle counter if it counts, otherwise from SysTick, too. The clock is the
 * clock after a reset, KIT_CORE_HZ. Software triggers the sensor's interrupt, whose peripheral is never enabled.
 */
#include "board.h"

#include "cortex_m.h"
#include "kernel.h"
#include "kit_port.h"
#include "port.h"
#include "txtap_trace.h"

#define PRIORITY_SENSOR 0x40u /* more urgent than the tick, so that interrupts nest */
#define PRIORITY_TICK   0x80u
#define PRIORITY_PENDSV 0xC0u /* the lowest priority of a core that has two bits */

#define PERIOD_CLOCKS (KIT_CORE_HZ / KERNEL_TICK_HZ)
_Static_assert(PERIOD_CLOCKS > 1000u && PERIOD_CLOCKS <= 1u << 24, "SysTick has 24 bits");

static uint32_t clocks; /* core clocks since board_init(), modulo 2^32 */
static uint32_t last_count;
static uint32_t time_us;
static uint32_t time_clocks; /* the value of `clocks` at time_us */

/*
 * Adds the clocks since the previous call. SysTick counts down and must not wrap twice between two calls; each tick
 * makes a call.
 */
static uint32_t clocks_now(void)
{
    uint32_t count = SYST_CVR;
    clocks += last_count >= count ? last_count - count : last_count + PERIOD_CLOCKS - count;
    last_count = count;
    return clocks;
}

uint32_t kit_stamp(void)
{
    uint32_t primask = port_lock();
    uint32_t now = clocks_now();
    port_unlock(primask);
    return now;
}

uint32_t board_init(void)
{
    SYST_RVR = PERIOD_CLOCKS - 1u;
    SYST_CVR = 0;
    SYST_CSR = 5u;
    last_count = SYST_CVR;
    (void)txtap_trace_clock_select(0);
    SCB_SHPR3 = PRIORITY_TICK << 24 | PRIORITY_PENDSV << 16;
    NVIC_IPR1 = PRIORITY_SENSOR << (8u * (BOARD_SENSOR_IRQ % 4u));
    NVIC_ISER0 = 1u << BOARD_SENSOR_IRQ;
    return KIT_CORE_HZ;
}

/* SysTick counts already, with the same period. */
void board_tick_start(uint32_t tick_hz)
{
    (void)tick_hz;
    SYST_CSR = 7u;
}

uint32_t board_time_us(void)
{
    uint32_t primask = port_lock();
    uint32_t now = clocks_now();
    uint64_t nanoseconds = (uint64_t)(now - time_clocks) * 1000000u / (KIT_CORE_HZ / 1000u);
    uint32_t elapsed_us = (uint32_t)(nanoseconds / 1000u);
    time_us += elapsed_us;
    time_clocks += (uint32_t)((uint64_t)elapsed_us * (KIT_CORE_HZ / 1000u) / 1000u);
    uint32_t result = time_us;
    port_unlock(primask);
    return result;
}

void board_sensor_trigger(void)
{
    NVIC_ISPR0 = 1u << BOARD_SENSOR_IRQ;
    __asm volatile("dsb" ::: "memory");
}

bool board_is_emulated(void)
{
    return false; /* not known */
}
