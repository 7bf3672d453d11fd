/* SPDX-License-Identifier: MIT */
/*
 * Passes Zephyr's events to the event logger, through the callbacks of CONFIG_TRACING_USER, and starts the logger at
 * boot. The callbacks' arguments differ between versions of Zephyr, and the logger does not need them. So this file
 * defines the callbacks without arguments, under C names of its own. For the linker they have Zephyr's names.
 */
#define DISABLE_SYSCALL_TRACING

#include <zephyr/init.h>
#include <zephyr/kernel.h>
#if __has_include(<zephyr/version.h>)
#include <zephyr/version.h>
#else /* Zephyr before 3.7 */
#include <version.h>
#endif

#include "kernel_event_logger.h"

#define CALLED_BY_ZEPHYR(name) __asm__("sys_trace_" #name "_user")

void logger_thread_switched_out(void) CALLED_BY_ZEPHYR(thread_switched_out);
void logger_isr_enter(void) CALLED_BY_ZEPHYR(isr_enter);
void logger_idle(void) CALLED_BY_ZEPHYR(idle);

void logger_thread_switched_out(void)
{
    _sys_k_event_logger_context_switch();
}

void logger_isr_enter(void)
{
    _sys_k_event_logger_interrupt();
    _sys_k_event_logger_exit_sleep();
}

void logger_idle(void)
{
    _sys_k_event_logger_enter_sleep();
}

#ifdef CONFIG_CORTEX_M_SYSTICK
/* SysTick's handler is directly in the vector table, so no callback reports this interrupt. The linker wraps the
 * handler with this function. */
void __real_sys_clock_isr(void *argument);
void __wrap_sys_clock_isr(void *argument);

void __wrap_sys_clock_isr(void *argument)
{
    _sys_k_event_logger_interrupt();
    _sys_k_event_logger_exit_sleep();
    __real_sys_clock_isr(argument);
}
#endif

/* Zephyr 3.4 removed the argument of start-up functions. */
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
