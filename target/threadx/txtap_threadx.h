/* SPDX-License-Identifier: MIT */
/*
 * Starts ThreadX's event trace: the clock of the time stamps, and then tx_trace_enable().
 *
 * Copy this file and txtap_threadx.c into firmware that runs ThreadX. Build ThreadX, this file and the application with
 * TX_ENABLE_EVENT_TRACE. Without this macro the function does nothing.
 */
#ifndef TXTAP_THREADX_H
#define TXTAP_THREADX_H

#include "tx_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The size of a buffer for this number of objects with names, and of events. It is right for ThreadX's default, object
 * names of 32 bytes (TX_TRACE_OBJECT_REGISTRY_NAME), and for ports with a ULONG of 32 bits.
 */
#define TXTAP_THREADX_BUFFER_BYTES(objects, events) (48UL + 48UL * (objects) + 32UL * (events))

/*
 * Starts the trace. Call this function in tx_application_define(), before the first object is created, or later; not
 * before tx_kernel_enter(), because ThreadX clears its trace when the kernel starts.
 *
 * buffer: memory that ThreadX writes from now on, on a boundary of a ULONG. A debug probe must be able to read it, so
 * it must not be in a data cache. bytes: its size. registry_entries: number of objects that can have names; ThreadX's
 * timer thread has a name, too.
 *
 * On Armv7-M, and Armv8-M with the Main Extension, the function first switches on the cycle counter of DWT, which
 * ThreadX's ports read. On other cores, define TX_TRACE_TIME_SOURCE as a timer, and start the timer before this call.
 * TXTAP_THREADX_DWT, 0 or 1, replaces that choice: give 0 if TX_TRACE_TIME_SOURCE is not the cycle counter.
 *
 * Returns TX_SUCCESS. TX_PTR_ERROR: the buffer is NULL or not aligned. TX_SIZE_ERROR: the buffer has no room for the
 * registry and two events. TX_NOT_DONE: the trace is already enabled. TX_FEATURE_NOT_ENABLED: this file or ThreadX was
 * built without TX_ENABLE_EVENT_TRACE. The clock is started only if the arguments are valid.
 */
UINT txtap_threadx_trace_start(VOID *buffer, ULONG bytes, ULONG registry_entries);

#ifdef __cplusplus
}
#endif

#endif
