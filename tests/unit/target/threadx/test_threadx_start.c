/* SPDX-License-Identifier: MIT */
/* target/threadx on the host: the checks before ThreadX's tx_trace_enable(). This host has no DWT. */
#include "txtap_threadx.h"

#include <limits.h>

#include <criterion/criterion.h>

static ULONG buffer[64];
static unsigned calls;
static VOID *given_buffer;
static ULONG given_bytes, given_entries;
static UINT answer;

UINT tx_trace_enable(VOID *trace_buffer_start, ULONG trace_buffer_size, ULONG registry_entries)
{
    calls++;
    given_buffer = trace_buffer_start;
    given_bytes = trace_buffer_size;
    given_entries = registry_entries;
    return answer;
}

Test(threadx_start, passes_its_arguments_and_the_status_on)
{
    answer = TX_NOT_DONE;
    cr_expect_eq(txtap_threadx_trace_start(buffer, sizeof buffer, 2), TX_NOT_DONE);
    cr_expect(calls == 1 && given_buffer == buffer && given_bytes == sizeof buffer && given_entries == 2);
}

Test(threadx_start, refuses_a_buffer_that_is_null_or_not_aligned)
{
    cr_expect_eq(txtap_threadx_trace_start(NULL, sizeof buffer, 2), TX_PTR_ERROR);
    cr_expect_eq(txtap_threadx_trace_start((char *)buffer + 2, sizeof buffer - 4, 2), TX_PTR_ERROR);
    cr_expect_eq(calls, 0);
}

Test(threadx_start, needs_room_for_the_registry_and_two_events)
{
    cr_assert_eq(TXTAP_THREADX_BUFFER_BYTES(3, 2), 48 + 3 * 48 + 2 * 32);
    cr_expect_eq(txtap_threadx_trace_start(buffer, TXTAP_THREADX_BUFFER_BYTES(3, 2) - 1, 3), TX_SIZE_ERROR);
    cr_expect_eq(txtap_threadx_trace_start(buffer, 0, 0), TX_SIZE_ERROR);
    cr_expect_eq(txtap_threadx_trace_start(buffer, sizeof buffer, ULONG_MAX / 48), TX_SIZE_ERROR);
    cr_expect_eq(txtap_threadx_trace_start(buffer, sizeof buffer, ULONG_MAX), TX_SIZE_ERROR);
    cr_expect_eq(calls, 0);
    cr_expect_eq(txtap_threadx_trace_start(buffer, TXTAP_THREADX_BUFFER_BYTES(3, 2), 3), TX_SUCCESS);
    cr_expect_eq(calls, 1);
}
