/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * What the events of a trace mean, as a stream of changes: which thread has a core, who waits for what, which interrupt
 * is entered, how many messages a queue holds. A sink of items that feeds a sink of changes: exporters, timelines.
 *
 *     struct txtap_changes *changes = txtap_changes_open(memory, &limits, sink);
 *
 *     txtap_changes_objects(changes, registry);
 *     while (...)
 *         txtap_changes_take(changes, &item);
 *     txtap_changes_end(changes);
 *
 * Changes come in the order of time. An event's EVENT comes first, then all that it changes, at the same tick. An event
 * waits until those behind it say what ran after it. txtap_analysis_changes() gives the changes from which an analysis
 * computes its figures; docs/user/analyses.md says how they follow from the events.
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

/* Until something is told, it is unknown: what a core runs, a thread's state, a counter. */
enum txtap_change_kind {
    TXTAP_CHANGE_EVENT,    /* an event; nothing of what it changes was told yet. Of another kernel (zephyr.h) only those
                              of the application, unless txtap_changes_tell_all() */
    TXTAP_CHANGE_RUN,      /* a core runs something else from now on, interrupts included */
    TXTAP_CHANGE_SWITCH,   /* a core has another occupant, or one that is not known: interrupts left out */
    TXTAP_CHANGE_STATE,    /* a thread is in another state from now on */
    TXTAP_CHANGE_PAST,     /* a thread's state is unknown until now; it proves to have been this one */
    TXTAP_CHANGE_WAKE,     /* a thread stops waiting: why it waited, since when, and who woke it */
    TXTAP_CHANGE_PRIORITY, /* a thread's priority is known, or another one */
    TXTAP_CHANGE_ISR_ENTER, /* an interrupt that records its start */
    TXTAP_CHANGE_ISR_EXIT,  /* its end, innermost first */
    TXTAP_CHANGE_COUNTER,   /* an object's count is known, unknown, or another one */
    TXTAP_CHANGE_GAP,       /* nothing is known from now on: all is unknown again, and no interrupt is entered */
    TXTAP_CHANGE_GAP_END, /* what follows is known again. Without a GAP: events were lost before the first one. Between
                             the two come only EVENTs of interrupts, which do not say yet what runs */
    TXTAP_CHANGE_END,     /* of the trace; the last change */
    TXTAP_CHANGE_KINDS
};

#define TXTAP_CHANGE_NONE UINT32_MAX

/* A thread or an object. number: 0, 1, 2, ... in the order in which they are first seen, those of the registry first;
 * TXTAP_CHANGE_NONE: none, or not known, or no room; then address is 0. */
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

/* Of EVENT. */
struct txtap_change_recorded {
    struct txtap_change_party thread; /* that recorded it, if its context is THREAD */
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
    TXTAP_WAY_UNKNOWN, /* other kernels' events do not say it */
};

/* from, to: never ISR. */
struct txtap_change_switch {
    enum txtap_running from, to;
    struct txtap_change_party left;   /* if from is THREAD */
    enum txtap_way way;               /* if from is THREAD */
    struct txtap_change_party thread; /* if to is THREAD */
};

enum txtap_thread_state {
    TXTAP_THREAD_UNKNOWN,
    TXTAP_THREAD_RUNNING,
    TXTAP_THREAD_INTERRUPTED, /* it has a core, and an interrupt runs there */
    TXTAP_THREAD_READY,       /* it waits for a core */
    TXTAP_THREAD_BLOCKED,     /* it waits for something else */
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

/* "queue", "event_flags", ...: the same in every format. */
const char *txtap_wait_name(enum txtap_wait wait);

/* Of STATE and PAST. */
struct txtap_change_state {
    struct txtap_change_party thread;
    enum txtap_thread_state state;
    enum txtap_wait reason;           /* if state is BLOCKED; else NONE */
    struct txtap_change_party object; /* that it waits for, if it is known */
    uint64_t since;                   /* of PAST: when the state began, in ticks. Of STATE: ticks */
    uint32_t core;                    /* that it has, if it is RUNNING or INTERRUPTED; else NONE */
};

/* Why a wait ended. */
enum txtap_ending {
    TXTAP_ENDING_UNKNOWN,
    TXTAP_ENDING_SERVED, /* it got what it waited for */
    TXTAP_ENDING_TIMEOUT,
    TXTAP_ENDING_DELETED,
    TXTAP_ENDING_ABORTED,
};

struct txtap_change_wake {
    struct txtap_change_party thread;
    enum txtap_wait reason;           /* that it waited for, */
    struct txtap_change_party object; /* if it is known */
    uint64_t since;                   /* when it began to wait, in ticks; */
    bool since_known;                 /* false: earlier, or then */
    enum txtap_ending ending;
    enum txtap_running waker;               /* THREAD, ISR or INIT; UNKNOWN: other kernels may not record it */
    struct txtap_change_party waker_thread; /* if waker is THREAD */
    uint32_t interrupt;                     /* if waker is ISR: its number; TXTAP_CHANGE_NONE: not known */
    uint32_t service;                       /* id of the event whose service woke it; 0: none, or not known */
};

struct txtap_change_priority {
    struct txtap_change_party thread;
    uint32_t priority;
};

/* Interrupts that are nested deeper than 16 are left out. */
struct txtap_change_isr {
    uint32_t number; /* as the firmware gives it */
    uint32_t depth;  /* interrupts entered and not left, this one included: from 1. 0: when it ends is not recorded */
    uint64_t start;  /* in ticks */
    bool seen;       /* of EXIT: false: it did not say that it was left; later events prove it */
};

/*
 * What an object holds now: a queue messages, a semaphore its count, a block pool free blocks, a mutex how often its
 * owner got it. A byte pool: the bytes that were free before the newest release; it does not record more.
 * Events say how much there was before a call. What there is after it follows from whether somebody waits; a later
 * change may correct it.
 */
struct txtap_change_counter {
    struct txtap_change_party object;
    bool known;
    uint32_t value;                  /* if known */
    struct txtap_change_party owner; /* of a mutex, if value is not 0 */
};

struct txtap_change_gap {
    uint64_t since; /* its start, in ticks */
    uint64_t lost;  /* events, at least; */
    bool exact;     /* exactly */
};

struct txtap_change {
    enum txtap_change_kind kind;
    uint32_t core;                             /* that recorded the event; of RUN, SWITCH, ISR: that it is about */
    uint64_t ticks, seq;                       /* of the event; of GAP and END: of the last one */
    const struct txtap_event *event;           /* NULL: none. Its entry and words are NULL, and its ticks go on
                                                  where a new trace begins. Valid until take() returns, as the change is */
    union {                                    /* which one, kind says */
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
    /* TXTAP_OK. Anything else: it takes no more. */
    enum txtap_status (*take)(void *self, const struct txtap_change *change);
    void *self;
};

/* The bytes that limits (exporter.h) need; 0: limits are out of range. */
size_t txtap_changes_bytes(const struct txtap_change_limits *limits);

/* Starts with nothing. memory: txtap_changes_bytes() bytes, aligned as malloc() aligns, borrowed. */
struct txtap_changes *txtap_changes_open(void *memory, const struct txtap_change_limits *limits,
                                         struct txtap_change_sink sink);

/*
 * From now on EVENT is told of all events of another kernel, also of those whose ids a translator made, and that mean
 * nothing outside of libtxtap: for who has the records that they are of.
 */
void txtap_changes_tell_all(struct txtap_changes *changes);

/* Learns capacities and priorities from the target's objects. Call it before the first event, and whenever the registry
 * changed. */
void txtap_changes_objects(struct txtap_changes *changes, const struct txtap_registry *registry);

/* Takes an item. A struct txtap_sink may use it, with the changes as self. Returns what the sink returned last. */
enum txtap_status txtap_changes_take(void *changes, const struct txtap_item *item);

/* No further items come: tells the last changes, and END. Returns what the sink returned last. */
enum txtap_status txtap_changes_end(struct txtap_changes *changes);

/* Gives the changes from which figures are computed to a sink, too. Before the first item, and up to
 * TXTAP_ANALYSIS_CHANGE_SINKS times. */
#define TXTAP_ANALYSIS_CHANGE_SINKS 4
void txtap_analysis_changes(struct txtap_analysis *analysis, struct txtap_change_sink sink);

#endif
