/* SPDX-License-Identifier: MIT */
/*
 * The recorder with a port that provides the running thread and the time.
 */
#include "target/recorder_ported.h"
#include "txtap_trace.h"

#include <criterion/criterion.h>

uint32_t ported_exception;
uint32_t ported_time;
void *ported_thread;

static uint32_t buffer[TXTAP_TRACE_BUFFER_BYTES(0, 4) / sizeof(uint32_t)];
static char thread;

static const struct txtap_trace_entry *recorded(uint32_t exception)
{
    ported_exception = exception;
    return txtap_trace_event_insert(6, 0, 0, 0, 0, TXTAP_TRACE_CLASS_INTERNAL);
}

static void start(void)
{
    cr_assert_eq(txtap_trace_enable(buffer, sizeof buffer, 0), TXTAP_TRACE_OK);
    txtap_trace_system_state = 0;
    ported_thread = &thread;
}

Test(recorder_ported, attributes_an_event_in_the_switching_exception_to_the_thread)
{
    start();
    const struct txtap_trace_entry *entry = recorded(PORTED_SWITCH);
    cr_expect_eq(entry->thread, (uint32_t)(uintptr_t)&thread);
    cr_expect_eq(entry->priority, 0x80070007u);
    entry = recorded(PORTED_INTERRUPT);
    cr_expect_eq(entry->thread, TXTAP_TRACE_THREAD_ISR);
    cr_expect_eq(entry->priority, (uint32_t)(uintptr_t)&thread);
}

Test(recorder_ported, attributes_an_event_to_no_thread_while_none_runs)
{
    start();
    ported_thread = NULL;
    cr_expect_eq(recorded(PORTED_SWITCH)->thread, TXTAP_TRACE_THREAD_ISR, "never 0, which marks an empty slot");
    ported_thread = &thread;
    txtap_trace_system_state = TXTAP_TRACE_STATE_INIT;
    cr_expect_eq(recorded(PORTED_SWITCH)->thread, TXTAP_TRACE_THREAD_INIT);
}

Test(recorder_ported, uses_the_ports_time_if_no_register_has_it)
{
    static const volatile uint32_t counter = 77;
    start();
    cr_expect_eq(txtap_trace_clock_select(NULL), &_tx_trace_simulated_time);
    ported_time = 12345;
    cr_expect_eq(recorded(0)->stamp, 12345);
    cr_expect_eq(_tx_trace_simulated_time, 0, "nothing is simulated");
    cr_expect_eq(txtap_trace_clock_select(&counter), &counter);
    cr_expect_eq(recorded(0)->stamp, 77);
}
