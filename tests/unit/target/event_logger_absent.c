/* SPDX-License-Identifier: MIT */
#undef CONFIG_KERNEL_EVENT_LOGGER
#include "kernel_event_logger.h"

#include "target/event_logger_absent.h"

int absent_logger_call_everything(void)
{
    const uint32_t data[1] = {1};
    sys_k_event_logger_put(9, data, 1);
    sys_k_event_logger_put_timed(9);
    sys_k_event_logger_register_as_collector();
    _sys_k_event_logger_context_switch();
    _sys_k_event_logger_interrupt();
    _sys_k_event_logger_enter_sleep();
    _sys_k_event_logger_exit_sleep();
    return sys_k_must_log_event(9);
}
