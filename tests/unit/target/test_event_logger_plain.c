/* SPDX-License-Identifier: MIT */
/* The kernel event logger with only the options that record kernel events; and code that is built without a logger. */
#include "kernel_event_logger.h"
#include "target/event_logger_absent.h"
#include "target/event_logger_port.h"

#include <criterion/criterion.h>
#include <limits.h>

#ifdef CONFIG_KERNEL_EVENT_LOGGER_DYNAMIC
#error "build this without the mask and the time source"
#endif

Test(event_logger_plain, records_all_types_without_a_mask)
{
    static const int types[] = {INT_MIN, -1, 0, 1, 2, 3, 32, 33, 65535, INT_MAX};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        cr_expect_eq(sys_k_must_log_event(types[i]), 1);
    }
    sys_k_event_logger_init();
    port_stamp_step = 1;
    _sys_k_event_logger_context_switch();
    _sys_k_event_logger_enter_sleep();
    _sys_k_event_logger_interrupt();
    _sys_k_event_logger_exit_sleep();
    cr_expect_eq(sys_k_event_logger.sync_sema.count, 3);
    cr_expect_eq(sys_k_event_logger.ring_buf.tail, 3 + 3 + 4);
}

Test(event_logger_plain, has_128_words_by_default)
{
    cr_expect_eq(CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE, 128);
}

Test(event_logger_plain, is_nothing_in_code_built_without_it)
{
    sys_k_event_logger_init();
    cr_expect_eq(absent_logger_call_everything(), 0);
    cr_expect_eq(sys_k_event_logger.ring_buf.tail, 0);
    cr_expect_eq(sys_k_event_logger.sync_sema.count, 0);
}
