/* SPDX-License-Identifier: MIT */
/*
 * Minimal firmware with a trace for QEMU's mps2-an505, a Cortex-M33 with memory protection controllers. The firmware
 * stays in the secure state. Its only thread records events with a running number, forever.
 */
#include "txtap_trace.h"

#define OBJECTS  4
#define ENTRIES  200
#define PRIORITY 5
#define PAUSE    400000 /* passes of an empty loop between two events */

extern uint32_t linker_stack_top[], linker_bss_start[], linker_bss_end[];

void reset_handler(void) __attribute__((noreturn));

static uint32_t buffer[TXTAP_TRACE_BUFFER_BYTES(OBJECTS, ENTRIES) / 4];
static uint32_t worker; /* only its address matters */

static void start_trace(void)
{
    (void)txtap_trace_clock_select(NULL);
    (void)txtap_trace_enable(buffer, sizeof buffer, OBJECTS);
    (void)txtap_trace_thread_register(&worker, "worker", PRIORITY, 0, 0);
    txtap_trace_system_state = 0;
    txtap_trace_thread = &worker;
    txtap_trace_thread_priority = PRIORITY << 16 | PRIORITY;
}

void reset_handler(void)
{
    for (uint32_t *word = linker_bss_start; word < linker_bss_end; word++) {
        *word = 0;
    }
    start_trace();
    for (uint32_t number = 0;; number++) {
        (void)txtap_trace_user_event_insert(TXTAP_TRACE_EVENT_USER_FIRST, number, 0, 0, 0);
        for (volatile uint32_t pass = 0; pass < PAUSE; pass++) {
        }
    }
}

static const struct {
    const uint32_t *stack;
    void (*reset)(void);
} vectors __attribute__((section(".vectors"), used)) = {linker_stack_top, reset_handler};
