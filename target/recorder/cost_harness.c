/* SPDX-License-Identifier: MIT */
/*
 * Records 16 user events in thread context on a bare Cortex-M4, so that cost.sh can count the
 * instructions of each. Not part of the recorder: firmware does not need this file.
 */
#include "txtap_trace.h"

void reset_handler(void);
extern uint32_t image_data_load[], image_data_start[], image_data_end[], image_bss_end[];

static uint32_t buffer[TXTAP_TRACE_BUFFER_BYTES(1, 64) / sizeof(uint32_t)];
static uint32_t thread;

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[] = {0x20010000u, (uintptr_t)reset_handler};

__attribute__((noreturn)) static void semihosting_exit(uint32_t reason)
{
    register uint32_t operation __asm("r0") = 0x18; /* SYS_EXIT */
    register uint32_t parameter __asm("r1") = reason;
    __asm volatile("bkpt 0xAB" : : "r"(operation), "r"(parameter) : "memory");
    for (;;) {
    }
}

void reset_handler(void)
{
    const uint32_t *from = image_data_load;
    for (uint32_t *to = image_data_start; to != image_data_end; to++) {
        *to = *from++;
    }
    for (uint32_t *to = image_data_end; to != image_bss_end; to++) {
        *to = 0;
    }

    txtap_trace_system_state = 0;
    txtap_trace_thread = &thread;
    txtap_trace_thread_priority = 5u << 16 | 5u;
    uint32_t status = txtap_trace_enable(buffer, sizeof buffer, 1);
    for (uint32_t i = 0; i < 16; i++) {
        status |= txtap_trace_user_event_insert(TXTAP_TRACE_EVENT_USER_FIRST, i, 2, 3, 4);
    }

    const struct txtap_trace_entry *entry = _tx_trace_buffer_start_ptr;
    uint32_t right = status == TXTAP_TRACE_OK && _tx_trace_buffer_current_ptr == entry + 16 &&
                     entry[15].thread == (uint32_t)&thread && entry[15].priority == 0x80050005u &&
                     entry[15].info[0] == 15 && entry[15].info[3] == 4;
    semihosting_exit(right ? 0x20026u : 0x20023u); /* ADP_Stopped_ApplicationExit or _RunTimeError */
}
