/* SPDX-License-Identifier: MIT */
/*
 * The only way from the kernel and the application into the recorder. It adds features that only this firmware
 * needs: an exact count of recorded events, and the ledger, which lets a test prove which events arrived.
 */
#ifndef DEMO_TRACE_H
#define DEMO_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap_trace.h"

/* ThreadX event numbers of the services this kernel has (tx_trace.h). */
enum trace_id {
    TRACE_THREAD_RESUME = 1,
    TRACE_THREAD_SUSPEND = 2,
    TRACE_RUNNING = 6,
    TRACE_BLOCK_ALLOCATE = 10,
    TRACE_BLOCK_POOL_CREATE = 11,
    TRACE_BLOCK_RELEASE = 17,
    TRACE_EVENT_FLAGS_CREATE = 30,
    TRACE_EVENT_FLAGS_GET = 32,
    TRACE_EVENT_FLAGS_SET = 36,
    TRACE_MUTEX_CREATE = 50,
    TRACE_MUTEX_GET = 52,
    TRACE_MUTEX_PRIORITIZE = 56,
    TRACE_MUTEX_PUT = 57,
    TRACE_QUEUE_CREATE = 60,
    TRACE_QUEUE_RECEIVE = 68,
    TRACE_QUEUE_SEND = 69,
    TRACE_SEMAPHORE_CREATE = 81,
    TRACE_SEMAPHORE_DELETE = 82,
    TRACE_SEMAPHORE_GET = 83,
    TRACE_SEMAPHORE_PUT = 88,
    TRACE_THREAD_CREATE = 100,
    TRACE_THREAD_SLEEP = 112,
    TRACE_THREAD_SUSPEND_API = 114,
    TRACE_TIME_GET = 120,
    TRACE_TIMER_CREATE = 124,
    TRACE_TIMER_DEACTIVATE = 125,
    TRACE_LEDGER = 4096,
    /* Values for timelines; demo.events has their meanings. */
    TRACE_SAMPLE_AGE = 4097, /* age in us, number */
    TRACE_REPORT_BEGIN = 4098,
    TRACE_REPORT_END = 4099,
    TRACE_CONTROL_STATE = 4100 /* 0: waits; 1: updates the model; 2: nothing came in time */
};

/* The last word of a ledger entry. It distinguishes the entry from all other user events. */
#define TRACE_LEDGER_MAGIC 0x1ED6E2A5u

/* An entry with a field that is filled in later, unless the entry has been overwritten. */
struct trace_mark {
    struct txtap_trace_entry *entry;
    uint32_t stamp;
};

/* Enables the recorder over `buffer`; returns the recorder's status. */
uint32_t trace_enable(uint32_t *buffer, uint32_t buffer_bytes, uint32_t registry_entries);

/* Ends the trace and begins another trace in `buffer`. Objects that already exist have no names in the new trace. */
uint32_t trace_move(uint32_t *buffer, uint32_t buffer_bytes, uint32_t registry_entries);

void trace_event(enum trace_id id, uint32_t info1, uint32_t info2, uint32_t info3, uint32_t info4, uint32_t class_bit);
struct trace_mark trace_event_marked(enum trace_id id, uint32_t info1, uint32_t info2, uint32_t info3, uint32_t info4,
                                     uint32_t class_bit);
/* Writes information field `field` (1 to 4) of a marked entry. */
void trace_patch(struct trace_mark mark, unsigned field, uint32_t value);

void trace_isr_enter(uint32_t isr_number);
void trace_isr_exit(uint32_t isr_number);

/* If the ledger entry n = demo_ledger_next was recorded, increments demo_ledger_next. */
void trace_ledger(void);

#endif
