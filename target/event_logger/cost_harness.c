/* SPDX-License-Identifier: MIT */
/*
 * Calls each of the logger's functions 16 times on a bare Cortex-M4, so that target/recorder/cost.sh can count the
 * instructions per call. Firmware does not need this file; it is not part of the logger.
 */
#include "bare_program.h"
#include "kernel_event_logger.h"

enum { CALLS = 16 };

__attribute__((section(".vectors"), used)) static const uintptr_t vectors[] = {BARE_STACK, (uintptr_t)reset_handler};

/* run() returns 0 on success. The compiler inlines all code into reset_handler. So a call of the logger ends where
 * reset_handler appears in QEMU's log again. */
#define INLINE __attribute__((always_inline)) static inline

#ifdef COST_OF_DROPPING
INLINE uint32_t run(void)
{
    const uint32_t words[2] = {1, 2};
    while (txtap_event_logger_totals.events_dropped == 0) {
        _sys_k_event_logger_interrupt();
    }
    for (uint32_t i = 0; i < CALLS; i++) {
        sys_k_event_logger_put(8, words, 2);
    }
    return txtap_event_logger_totals.events_dropped != CALLS + 1u;
}
#else
/* Makes a series of 16 calls for each function. Each series begins at the start of the ring, so that no call wraps. */
INLINE uint32_t run(void)
{
    const uint32_t words[2] = {1, 2};
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < CALLS; i++) {
        sys_k_event_logger_put(8, words, 2);
    }
    for (uint32_t i = 0; i < CALLS; i++) {
        uint16_t id = 0;
        uint8_t dropped, size = 2;
        uint32_t data[2];
        wrong |= sys_k_event_logger_get(&id, &dropped, data, &size) != 2 || id != 8 || data[1] != 2;
    }
    sys_k_event_logger_init();
    for (uint32_t i = 0; i < CALLS; i++) {
        sys_k_event_logger_put_timed(9);
    }
    sys_k_event_logger_init();
    for (uint32_t i = 0; i < CALLS; i++) {
        _sys_k_event_logger_interrupt();
    }
    return wrong | (sys_k_event_logger.ring_buf.tail != 3u * CALLS);
}
#endif

void reset_handler(void)
{
    bare_memory_init();
    sys_k_event_logger_set_mask(-1);
    sys_k_event_logger_init();
    bare_exit(run() == 0 ? BARE_RIGHT : BARE_WRONG);
}
