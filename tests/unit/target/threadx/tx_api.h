/* SPDX-License-Identifier: MIT */
/* The declarations of ThreadX that target/threadx needs, for a build without ThreadX. */
#ifndef TX_API_H
#define TX_API_H

#include <stddef.h>

#define VOID    void
#define TX_NULL ((void *)0)

typedef unsigned int UINT;
typedef unsigned long ULONG;

#define TX_SUCCESS             ((UINT)0x00)
#define TX_PTR_ERROR           ((UINT)0x03)
#define TX_SIZE_ERROR          ((UINT)0x05)
#define TX_NOT_DONE            ((UINT)0x20)
#define TX_FEATURE_NOT_ENABLED ((UINT)0xFF)

UINT tx_trace_enable(VOID *trace_buffer_start, ULONG trace_buffer_size, ULONG registry_entries);

#endif
