/* SPDX-License-Identifier: MIT */
/* Starts the clock of the time stamps, and ThreadX's event trace. */
#include "txtap_threadx.h"

#include <stddef.h>

#ifdef TX_ENABLE_EVENT_TRACE

/* ARMv6-M and ARMv8-M Baseline have no cycle counter. */
#ifndef TXTAP_THREADX_DWT
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && __ARM_ARCH >= 7 && !defined(__ARM_ARCH_8M_BASE__)
#define TXTAP_THREADX_DWT 1
#else
#define TXTAP_THREADX_DWT 0
#endif
#endif

/* The smallest ring that txtap can read while ThreadX writes it. */
#define EVENTS_MIN 2UL

static VOID start_clock(VOID)
{
#if TXTAP_THREADX_DWT
    volatile ULONG *const demcr = (volatile ULONG *)0xE000EDFCUL;
    volatile ULONG *const dwt_ctrl = (volatile ULONG *)0xE0001000UL;
    volatile ULONG *const dwt_lar = (volatile ULONG *)0xE0001FB0UL;

    *demcr |= 1UL << 24;     /* TRCENA: without this bit the DWT does not respond */
    *dwt_lar = 0xC5ACCE55UL; /* Cortex-M7 locks the DWT against software; other cores ignore this store */
    *dwt_ctrl |= 1UL;        /* CYCCNTENA; the count is not changed, because other code may use it */
#endif
}

UINT txtap_threadx_trace_start(VOID *buffer, ULONG bytes, ULONG registry_entries)
{
    if (buffer == TX_NULL || (size_t)buffer % sizeof(ULONG) != 0) {
        return TX_PTR_ERROR;
    }
    /* The first test keeps the second from overflowing. */
    if (registry_entries > bytes / 48UL || bytes < TXTAP_THREADX_BUFFER_BYTES(registry_entries, EVENTS_MIN)) {
        return TX_SIZE_ERROR;
    }
    start_clock();
    return tx_trace_enable(buffer, bytes, registry_entries);
}

#else

UINT txtap_threadx_trace_start(VOID *buffer, ULONG bytes, ULONG registry_entries)
{
    (VOID) buffer;
    (VOID) bytes;
    (VOID) registry_entries;
    return TX_FEATURE_NOT_ENABLED;
}

#endif
