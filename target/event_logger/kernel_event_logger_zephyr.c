/* SPDX-License-Identifier: MIT */
/*
 * Brings Zephyr's events to the event logger, through the callbacks of CONFIG_TRACING_USER, and starts it at boot. The
 * callbacks are defined without tracing_user.h on purpose: Zephyr 3.1 calls them with arguments that are not needed
 * here, and later versions without.
 */
#define DISABLE_SYSCALL_TRACING

#include <zephyr/init.h>
#include <zephyr/kernel.h>
#include <version.h>

#include "kernel_event_logger.h"

void sys_trace_thread_switched_out_user(struct k_thread *thread);
void sys_trace_isr_enter_user(int nested_interrupts);
void sys_trace_idle_user(void);

void sys_trace_thread_switched_out_user(struct k_thread *thread)
{
    ARG_UNUSED(thread);
    _sys_k_event_logger_context_switch();
}

void sys_trace_isr_enter_user(int nested_interrupts)
{
    ARG_UNUSED(nested_interrupts);
    _sys_k_event_logger_interrupt();
    _sys_k_event_logger_exit_sleep();
}

void sys_trace_idle_user(void)
{
    _sys_k_event_logger_enter_sleep();
}

#ifdef CONFIG_CORTEX_M_SYSTICK
/* SysTick's handler stands in the vector table itself, where no callback sees it: the linker puts this one before it.
 */
void __real_sys_clock_isr(void *argument);
void __wrap_sys_clock_isr(void *argument);

void __wrap_sys_clock_isr(void *argument)
{
    _sys_k_event_logger_interrupt();
    _sys_k_event_logger_exit_sleep();
    __real_sys_clock_isr(argument);
}
#endif

/* Zephyr 3.4 dropped the argument of start-up functions. */
#if KERNEL_VERSION_NUMBER >= ZEPHYR_VERSION(3, 4, 0)
#define START_ARGUMENT void
#else
#define START_ARGUMENT __unused const struct device *device
#endif

static int logger_start(START_ARGUMENT)
{
    sys_k_event_logger_init();
    return 0;
}

SYS_INIT(logger_start, POST_KERNEL, CONFIG_KERNEL_INIT_PRIORITY_DEFAULT);
