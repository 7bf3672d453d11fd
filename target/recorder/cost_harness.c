/* SPDX-License-Identifier: MIT */
/*
 * Records 16 user events in thread context on a bare Cortex-M4, so that cost.sh can count the instructions per
 * event. Not part of the recorder: firmware does not need this file.
 */
#include "bare_program.h"
#include "txtap_trace.h"

static uint32_t buffer[TXTAP_TRACE_BUFFER_BYTES(1, 64) / sizeof(uint32_t)];
static uint32_t thread;

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[] = {BARE_STACK, (uintptr_t)reset_handler};

void reset_handler(void)
{
    bare_memory_init();

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
    bare_exit(right ? BARE_RIGHT : BARE_WRONG);
}
