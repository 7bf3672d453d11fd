/* SPDX-License-Identifier: MIT */
/*
 * Clocks. On a chip, the time stamps come from the processor's cycle counter at 16 MHz. In QEMU, they come from TIM2,
 * because QEMU's Cortex-M4 has no cycle counter. A chip clocks TIM2 at 16 MHz, QEMU at 1 GHz (measured against the
 * host's clock). QEMU always runs the core and SysTick at 168 MHz, and ignores the clock registers. A counting cycle
 * counter shows that the firmware runs on a chip.
 */
#include "board.h"

#include "stm32f405.h"
#include "txtap_trace.h"

#define CHIP_CORE_HZ 16000000u
#define CHIP_TIM2_HZ 16000000u
#define QEMU_CORE_HZ 168000000u
#define QEMU_TIM2_HZ 1000000000u
#define TIM2_HZ      1000000u

#define PRIORITY_SENSOR 0x40u /* more urgent than the tick, so that interrupts nest */
#define PRIORITY_TICK   0x80u
#define PRIORITY_PENDSV 0xF0u

#define RESET_CAUSES 0xFE000000u

static uint32_t core_hz;

static void tim2_start(uint32_t input_hz)
{
    RCC_APB1ENR |= 1u;
    (void)RCC_APB1ENR; /* this read waits for the clock, which starts after two cycles */
    TIM2_PSC = input_hz / TIM2_HZ - 1u;
    TIM2_ARR = 0xFFFFFFFFu;
    TIM2_EGR = TIM_EGR_UG; /* loads the prescaler */
    TIM2_CR1 = TIM_CR1_CEN;
}

uint32_t board_init(void)
{
    /* without this bit the cycle counter, and a probe's access to RAM, would stop while the core sleeps */
    DBGMCU_CR |= 1u;
    tim2_start(QEMU_TIM2_HZ);
    const volatile uint32_t *clock = txtap_trace_clock_select(&REGISTER(TIM2_CNT));
    bool cycle_counter = (uintptr_t)clock == DWT_CYCCNT;
    core_hz = cycle_counter ? CHIP_CORE_HZ : QEMU_CORE_HZ;
    if (cycle_counter) {
        tim2_start(CHIP_TIM2_HZ);
    }
    SCB_SHPR3 = PRIORITY_TICK << 24 | PRIORITY_PENDSV << 16;
    NVIC_IPR1 = PRIORITY_SENSOR << (8u * (BOARD_SENSOR_IRQ % 4u));
    NVIC_ISER0 = 1u << BOARD_SENSOR_IRQ;
    return cycle_counter ? CHIP_CORE_HZ : TIM2_HZ;
}

void board_tick_start(uint32_t tick_hz)
{
    SYST_RVR = core_hz / tick_hz - 1u;
    SYST_CVR = 0;
    SYST_CSR = 7u;
}

uint32_t board_time_us(void)
{
    return REGISTER(TIM2_CNT);
}

/* Triggers the interrupt by software. So the firmware needs no wiring, on a board or in QEMU. */
void board_sensor_trigger(void)
{
    NVIC_ISPR0 = 1u << BOARD_SENSOR_IRQ;
    __asm volatile("dsb" ::: "memory");
}

bool board_is_emulated(void)
{
    return (RCC_CSR & RESET_CAUSES) == 0;
}
