/* SPDX-License-Identifier: MIT */
/* A whole bare-metal firmware with the recorder, for an STM32F405 and for the virtual board: a main loop, the interrupt
 * of SysTick, and a user event. README.md of the recorder has the command that builds it. */
#include "txtap_trace.h"

#define SYSTICK 15   /* exception number */
#define TICKED  4096 /* user event: number of ticks, rounds of the main loop */

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define TIM2_CR1          REGISTER(0x40000000u)
#define TIM2_CNT          REGISTER(0x40000024u)
#define TIM2_ARR          REGISTER(0x4000002Cu)
#define RCC_APB1ENR       REGISTER(0x40023840u)
#define SYST_CSR          REGISTER(0xE000E010u)
#define SYST_RVR          REGISTER(0xE000E014u)

extern const uint32_t image_data_load[];
extern uint32_t image_data[], image_data_end[], image_bss[], image_bss_end[], image_stack[];

static uint32_t buffer[TXTAP_TRACE_BUFFER_BYTES(16, 465) / 4]; /* 16 objects, 465 events */
static char main_loop;                                         /* the trace shows its address as the running thread */
static volatile uint32_t ticks, rounds;

static void systick_handler(void)
{
    txtap_trace_isr_enter_insert(SYSTICK);
    ticks++;
    txtap_trace_user_event_insert(TICKED, ticks, rounds, 0, 0);
    txtap_trace_isr_exit_insert(SYSTICK);
}

static void start_trace(void)
{
    RCC_APB1ENR |= 1u; /* TIM2 is the clock of the time stamps, because QEMU has no cycle counter */
    TIM2_ARR = 0xFFFFFFFFu;
    TIM2_CR1 |= 1u;
    txtap_trace_clock_select(&TIM2_CNT);
    txtap_trace_enable(buffer, sizeof buffer, 16);
    txtap_trace_thread_register(&main_loop, "main loop", 0, 0, 0);
    txtap_trace_thread = &main_loop;
    txtap_trace_system_state = 0;
}

static void reset_handler(void)
{
    const uint32_t *from = image_data_load;

    for (volatile uint32_t *to = image_data; to < image_data_end; to++)
        *to = *from++;
    for (volatile uint32_t *to = image_bss; to < image_bss_end; to++)
        *to = 0;
    start_trace();
    SYST_RVR = 160000u - 1u; /* 10 ms at 16 MHz, the clock after a reset */
    SYST_CSR = 7u;           /* on, with interrupts, by the core's clock */
    for (;;)
        rounds++;
}

__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = {
    [0] = (void (*)(void))image_stack,
    [1] = reset_handler,
    [SYSTICK] = systick_handler,
};
