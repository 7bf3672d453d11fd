/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The meaning of a trace's events as a stream of changes: which thread has a core, why a thread waits, which interrupt
 * is entered, how many messages a queue has. struct txtap_changes is a sink of items. It feeds a sink of changes, such
 * as an exporter or a timeline.
 *
 *     struct txtap_changes *changes = txtap_changes_open(memory, &limits, sink);
 *
 *     txtap_changes_objects(changes, registry);
 *     while (...)
 *         txtap_changes_take(changes, &item);
 *     txtap_changes_end(changes);
 *
 * Changes come in the order of time. For each event, first comes a change of kind EVENT, and then all other changes of
 * this event, with the same ticks. An event waits until later events show what ran after it. txtap_analysis_changes()
 * gives the changes from which an analysis computes its figures. docs/user/analyses.md describes how figures follow
 * from events.
 */
#ifndef TXTAP_INNER_CHANGE_H
#define TXTAP_INNER_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/event.h"
#include "txtap/exporter.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/status.h"

/* The occupant of a core, the state of a thread, and a counter are unknown until a change sets them. */
enum txtap_change_kind {
    /* An event, before its changes. For another kernel (zephyr.h) these are only the application's events, unless
     * txtap_changes_tell_all() was called. */
    TXTAP_CHANGE_EVENT,
    TXTAP_CHANGE_RUN,    /* from now on something else runs on the core; it may be an interrupt */
    TXTAP_CHANGE_SWITCH, /* a core has another occupant, or an unknown occupant; an interrupt is no occupant */
    TXTAP_CHANGE_STATE,  /* a thread has another state from now on */
    TXTAP_CHANGE_PAST, /* a thread's state was unknown until now; this change contains the state that the thread had */
    TXTAP_CHANGE_WAKE, /* a thread's wait ends; the change contains the wait's reason and begin, and the waker */
    TXTAP_CHANGE_PRIORITY,  /* a thread's priority became known, or changed */
    TXTAP_CHANGE_ISR_ENTER, /* an interrupt starts, if it records its start */
    TXTAP_CHANGE_ISR_EXIT,  /* an interrupt ends; nested interrupts end in the order from the innermost outwards */
    TXTAP_CHANGE_COUNTER,   /* an object's count became known, became unknown, or changed */
    TXTAP_CHANGE_GAP,       /* all states are unknown from now on, and no interrupt is entered */
    /*
     * States are known again from now on. The only changes between GAP and GAP_END are EVENTs of interrupts, which do
     * not yet show what runs. A GAP_END without a GAP before it: events were lost before the first event.
     */
    TXTAP_CHANGE_GAP_END,
    TXTAP_CHANGE_END, /* end of the trace; the last change */
    TXTAP_CHANGE_KINDS
};

#define TXTAP_CHANGE_NONE UINT32_MAX

/*
 * A thread or an object. Numbers are 0, 1, 2, ... in the order in which parties are first seen; parties in the registry
 * come first. TXTAP_CHANGE_NONE: no party, an unknown party, or no room for the party; address is then 0.
 */
struct txtap_change_party {
    uint32_t number, address;
    uint8_t type; /* enum txtap_object_type */
};

enum txtap_running {
    TXTAP_RUNNING_UNKNOWN,
    TXTAP_RUNNING_IDLE,
    TXTAP_RUNNING_INIT,
    TXTAP_RUNNING_ISR,
    TXTAP_RUNNING_THREAD,
};

/* For EVENT. */
struct txtap_change_recorded {
    struct txtap_change_party thread; /* the thread that recorded the event, if the event's context is THREAD */
};

struct txtap_change_run {
    enum txtap_running what;
    struct txtap_change_party thread; /* if what is THREAD */
};

/* How a thread left its core. */
enum txtap_way {
    TXTAP_WAY_BLOCKED,
    TXTAP_WAY_PREEMPTED,
    TXTAP_WAY_TIME_SLICE,
    TXTAP_WAY_RELINQUISHED,
    TXTAP_WAY_UNKNOWN, /* non-ThreadX events do not show the way */
};

/* For SWITCH. from and to are never ISR. */
struct txtap_change_switch {
    enum txtap_running from, to;
    struct txtap_change_party left;   /* if from is THREAD */
    enum txtap_way way;               /* if from is THREAD */
    struct txtap_change_party thread; /* if to is THREAD */
};

enum txtap_thread_state {
    TXTAP_THREAD_UNKNOWN,
    TXTAP_THREAD_RUNNING,
    TXTAP_THREAD_INTERRUPTED, /* the thread has a core, and an interrupt runs there */
    TXTAP_THREAD_READY,       /* the thread waits for a core */
    TXTAP_THREAD_BLOCKED,     /* the thread waits for anything else */
};

/* Why a thread is blocked: tx_api.h, TX_COMPLETED to TX_MUTEX_SUSP. */
enum txtap_wait {
    TXTAP_WAIT_NONE = 0,
    TXTAP_WAIT_COMPLETED,
    TXTAP_WAIT_TERMINATED,
    TXTAP_WAIT_SUSPENDED,
    TXTAP_WAIT_SLEEP,
    TXTAP_WAIT_QUEUE,
    TXTAP_WAIT_SEMAPHORE,
    TXTAP_WAIT_FLAGS,
    TXTAP_WAIT_BLOCK_POOL,
    TXTAP_WAIT_BYTE_POOL,
    TXTAP_WAIT_IO,
    TXTAP_WAIT_FILE,
    TXTAP_WAIT_TCP_IP,
    TXTAP_WAIT_MUTEX,
    TXTAP_WAIT_OTHER = 15,
};

/* Returns "queue", "event_flags", ...: equal in all formats. */
const char *txtap_wait_name(enum txtap_wait wait);

/* For STATE and PAST. */
struct txtap_change_state {
    struct txtap_change_party thread;
    enum txtap_thread_state state;
    enum txtap_wait reason;           /* if state is BLOCKED; otherwise NONE */
    struct txtap_change_party object; /* object that the thread waits for; number TXTAP_CHANGE_NONE: unknown */
    uint64_t since;                   /* PAST: time at which the state began, in ticks; STATE: equal to ticks */
    uint32_t core;                    /* core of the thread, if it is RUNNING or INTERRUPTED; otherwise NONE */
};

/* Why a wait ended. */
enum txtap_ending {
    TXTAP_ENDING_UNKNOWN,
    TXTAP_ENDING_SERVED, /* the thread got the object, or the data, that it waited for */
    TXTAP_ENDING_TIMEOUT,
    TXTAP_ENDING_DELETED,
    TXTAP_ENDING_ABORTED,
};

struct txtap_change_wake {
    struct txtap_change_party thread;
    enum txtap_wait reason;           /* reason of the wait */
    struct txtap_change_party object; /* object that the thread waited for; number TXTAP_CHANGE_NONE: unknown */
    uint64_t since;                   /* when the wait began, in ticks */
    bool since_known;                 /* false: the wait may have begun earlier than since */
    enum txtap_ending ending;
    enum txtap_running waker; /* THREAD, ISR or INIT; UNKNOWN: a kernel other than ThreadX may not record the waker */
    struct txtap_change_party waker_thread; /* if waker is THREAD */
    uint32_t interrupt;                     /* if waker is ISR: number of the interrupt; TXTAP_CHANGE_NONE: unknown */
    /* The id of the event whose service woke the thread; 0: no service, or unknown. */
    uint32_t service;
};

struct txtap_change_priority {
    struct txtap_change_party thread;
    uint32_t priority;
};

/* For ISR_ENTER and ISR_EXIT. Interrupts that are nested deeper than 16 are left out. */
struct txtap_change_isr {
    uint32_t number; /* number of the interrupt, as the firmware records it */
    uint32_t depth;  /* number of entered interrupts, including this interrupt; 0: the end of this interrupt is not
                        recorded */
    uint64_t start;  /* in ticks */
    bool seen;       /* for EXIT: an event recorded the end; false: later events imply it */
};

/*
 * The content of an object: messages in a queue, count of a semaphore, free blocks of a block pool, how often a mutex's
 * owner got the mutex. For a byte pool: the number of bytes that were free before the last release, because events
 * record no other number. An event records the content before a call. The content after the call depends on whether a
 * thread waits, so a later change may correct the value.
 */
struct txtap_change_counter {
    struct txtap_change_party object;
    bool known;
    uint32_t value;                  /* valid if known is true */
    struct txtap_change_party owner; /* if the object is a mutex and value is not 0: owner of the mutex */
};

struct txtap_change_gap {
    uint64_t since; /* start of the gap, in ticks */
    uint64_t lost;  /* number of events; a lower bound unless exact is true */
    bool exact;     /* lost is exact */
};

struct txtap_change {
    enum txtap_change_kind kind;
    /* RUN, SWITCH, ISR_*: the core that changed. Other kinds: the core that recorded the event. */
    uint32_t core;
    uint64_t ticks, seq; /* GAP, END: ticks and seq of the last event. Other kinds: ticks and seq of the event */
    /* NULL: the change has no event. The event's entry and words are NULL. The event's ticks continue across a restart
     * of the trace. The event and the change are valid until take() returns. */
    const struct txtap_event *event;
    union {                                    /* kind selects the member */
        struct txtap_change_recorded recorded; /* EVENT */
        struct txtap_change_run run;
        struct txtap_change_switch switched;
        struct txtap_change_state state; /* STATE, PAST */
        struct txtap_change_wake wake;
        struct txtap_change_priority priority;
        struct txtap_change_isr isr; /* ISR_ENTER, ISR_EXIT */
        struct txtap_change_counter counter;
        struct txtap_change_gap gap; /* GAP_END */
    };
};

struct txtap_change_sink {
    /* Takes a change. If the function returns a status other than TXTAP_OK, it is not called again. */
    enum txtap_status (*take)(void *self, const struct txtap_change *change);
    void *self;
};

/* Returns the bytes that limits (exporter.h) need; 0: limits are out of range. */
size_t txtap_changes_bytes(const struct txtap_change_limits *limits);

/* Starts without threads and objects. memory: txtap_changes_bytes() bytes, aligned as malloc() aligns, borrowed. */
struct txtap_changes *txtap_changes_open(void *memory, const struct txtap_change_limits *limits,
                                         struct txtap_change_sink sink);

/*
 * From now on, makes an EVENT for every event of a kernel other than ThreadX. Some of these events have ids that a
 * translator made; such ids have no meaning outside libtxtap. For callers that have the original records.
 */
void txtap_changes_tell_all(struct txtap_changes *changes);

/*
 * Learns capacities and priorities from the target's objects. Call it before the first event, and after each change of
 * the registry.
 */
void txtap_changes_objects(struct txtap_changes *changes, const struct txtap_registry *registry);

/*
 * Takes an item. The function can be the take of a struct txtap_sink; self is the struct txtap_changes. Returns the
 * last status of the sink of changes.
 */
enum txtap_status txtap_changes_take(void *changes, const struct txtap_item *item);

/* Returns the ticks by which the next changes are later than their events, because a trace began again. */
uint64_t txtap_changes_base(const struct txtap_changes *changes);

/* Ends the stream: makes the last changes, and then END. Returns the last status of the sink of changes. */
enum txtap_status txtap_changes_end(struct txtap_changes *changes);

/*
 * Adds a sink for the changes from which the analysis computes its figures. Call it before the first item, at most
 * TXTAP_ANALYSIS_CHANGE_SINKS times.
 */
#define TXTAP_ANALYSIS_CHANGE_SINKS 4
void txtap_analysis_changes(struct txtap_analysis *analysis, struct txtap_change_sink sink);

#endif
