/* SPDX-License-Identifier: MIT */
/* Ids of the events that analyses use, and the thread states in these events (tx_trace.h, tx_api.h). */
#ifndef TXTAP_DECODER_MODEL_EVENT_IDS_H
#define TXTAP_DECODER_MODEL_EVENT_IDS_H

#include "txtap/inner/change.h"

#define THREADX_IDS 200u /* all ids of ThreadX's events are below this number */

enum event_id {
    EVENT_THREAD_RESUME = 1,
    EVENT_THREAD_SUSPEND = 2,
    EVENT_ISR_ENTER = 3,
    EVENT_ISR_EXIT = 4,
    EVENT_TIME_SLICE = 5,
    EVENT_RUNNING = 6,
    EVENT_BLOCK_ALLOCATE = 10,
    EVENT_BLOCK_POOL_CREATE = 11,
    EVENT_BLOCK_POOL_DELETE = 12,
    EVENT_BLOCK_RELEASE = 17,
    EVENT_BYTE_ALLOCATE = 20,
    EVENT_BYTE_POOL_DELETE = 22,
    EVENT_BYTE_RELEASE = 27,
    EVENT_FLAGS_CREATE = 30,
    EVENT_FLAGS_DELETE = 31,
    EVENT_FLAGS_GET = 32,
    EVENT_FLAGS_SET = 36,
    EVENT_MUTEX_CREATE = 50,
    EVENT_MUTEX_DELETE = 51,
    EVENT_MUTEX_GET = 52,
    EVENT_MUTEX_PRIORITIZE = 56,
    EVENT_MUTEX_PUT = 57,
    EVENT_QUEUE_CREATE = 60,
    EVENT_QUEUE_DELETE = 61,
    EVENT_QUEUE_FLUSH = 62,
    EVENT_QUEUE_FRONT_SEND = 63,
    EVENT_QUEUE_RECEIVE = 68,
    EVENT_QUEUE_SEND = 69,
    EVENT_SEMAPHORE_CEILING_PUT = 80,
    EVENT_SEMAPHORE_CREATE = 81,
    EVENT_SEMAPHORE_DELETE = 82,
    EVENT_SEMAPHORE_GET = 83,
    EVENT_SEMAPHORE_PUT = 88,
    EVENT_THREAD_CREATE = 100,
    EVENT_THREAD_ENTRY_EXIT_NOTIFY = 102,
    EVENT_THREAD_PREEMPTION_CHANGE = 107,
    EVENT_THREAD_PRIORITY_CHANGE = 108,
    EVENT_THREAD_RELINQUISH = 109,
    EVENT_THREAD_RESET = 110,
    EVENT_THREAD_RESUME_API = 111,
    EVENT_THREAD_SLEEP = 112,
    EVENT_THREAD_SUSPEND_API = 114,
    EVENT_THREAD_TERMINATE = 115,
    EVENT_THREAD_WAIT_ABORT = 117,
};

/*
 * Events of other kernels. A translator combines OTHER_KERNEL with one of these ids, with one of the first four ids
 * above, or with any id that an application chose. The event's member next shows what runs after the event: a thread's
 * address, 0 for idle, TXTB_THREAD_ISR, or RUNS_UNKNOWN. The context of these events is ISR or THREAD; thread 0 is the
 * idle loop or an unknown thread. Priorities are not known. A suspension with REASON_READY takes its reason from the
 * thread's open call. The reason of a resumption is ignored.
 */
#define OTHER_KERNEL 0x80000000u /* never in a ring: its ids have 24 bits */
#define RUNS_UNKNOWN 1u          /* never the address of a thread */

enum other_kernel_event {
    EVENT_SWITCH = 0xF00000, /* a thread leaves the core; info[0]: 1 if all resumptions are recorded, otherwise 0;
                                info[1]: 1 if some switches are not recorded, otherwise 0 */
    EVENT_INTERRUPT,         /* an interrupt began, and its end is not recorded; info[1]: number of the interrupt */
    EVENT_CALL,   /* a service begins; info[0]: object; info[1]: reason of the wait that the call begins or ends;
                     info[2]: enum call_kind, and enum txtap_flow_action (flow.h), see call_info() */
    EVENT_RETURN, /* the service ends */
    EVENT_PLAIN,  /* any other event */
    EVENT_LOCKED, /* a service ends; the thread owns the mutex info[0], and may have owned it before the service */
};

enum call_kind {
    CALL_PLAIN,
    CALL_WAITS,   /* if the thread leaves the core during the call, the thread waits */
    CALL_UNLOCKS, /* the thread unlocks the mutex if this thread is the owner */
};

/* The word info[2] of a CALL, and its parts. */
static inline uint32_t call_info(enum call_kind kind, uint32_t action)
{
    return (uint32_t)kind | action << 8;
}

static inline enum call_kind call_kind(uint32_t info)
{
    return (enum call_kind)(info & 0xFFu);
}

static inline uint32_t call_action(uint32_t info)
{
    return info >> 8;
}

/* Why a thread does not run. */
enum reason {
    REASON_READY = TXTAP_WAIT_NONE,
    REASON_COMPLETED = TXTAP_WAIT_COMPLETED,
    REASON_TERMINATED = TXTAP_WAIT_TERMINATED,
    REASON_SUSPENDED = TXTAP_WAIT_SUSPENDED,
    REASON_SLEEP = TXTAP_WAIT_SLEEP,
    REASON_QUEUE = TXTAP_WAIT_QUEUE,
    REASON_SEMAPHORE = TXTAP_WAIT_SEMAPHORE,
    REASON_FLAGS = TXTAP_WAIT_FLAGS,
    REASON_BLOCK_POOL = TXTAP_WAIT_BLOCK_POOL,
    REASON_BYTE_POOL = TXTAP_WAIT_BYTE_POOL,
    REASON_IO = TXTAP_WAIT_IO,
    REASON_FILE = TXTAP_WAIT_FILE,
    REASON_TCP_IP = TXTAP_WAIT_TCP_IP,
    REASON_MUTEX = TXTAP_WAIT_MUTEX,
    REASON_PRIORITY,                 /* a change of priority: the thread does not wait */
    REASON_OTHER = TXTAP_WAIT_OTHER, /* any other reason */
    REASONS
};

#define WAIT_FOREVER 0xFFFFFFFFu

#endif
