/* SPDX-License-Identifier: MIT */
/*
 * The results of all analyses in one form: named figures of threads, interrupts and objects. Reports, checks and
 * comparisons read figures, and do not depend on any analysis.
 */
#ifndef TXTAP_FIGURE_H
#define TXTAP_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

/* The kind of a figure's subject, or of the other party that the figure names ("as other" below). */
enum txtap_subject_kind {
    TXTAP_SUBJECT_SYSTEM,    /* the whole trace; as other: there is no other party */
    TXTAP_SUBJECT_THREAD,    /* number: its address */
    TXTAP_SUBJECT_INTERRUPT, /* number: as the firmware records it; UINT32_MAX: unknown */
    TXTAP_SUBJECT_OBJECT,    /* number: address of a queue, a semaphore, a mutex, ... */
    TXTAP_SUBJECT_CORE,      /* number: from 0 */
    TXTAP_SUBJECT_EVENT,     /* number: an event's id */
    TXTAP_SUBJECT_IDLE,      /* as other: nothing ran */
    TXTAP_SUBJECT_INIT,      /* as other: the initialization */
    TXTAP_SUBJECT_UNKNOWN,   /* as other: the trace does not show the other party */
    TXTAP_SUBJECT_VARIABLE,  /* number: of its channel (sample.h); name is set: the channel's name, or "NAME:WORD" */
    TXTAP_SUBJECT_KINDS
};

struct txtap_subject {
    enum txtap_subject_kind kind;
    uint8_t type;      /* enum txtap_object_type of a thread or an object; TXTAP_OBJECT_NONE for all other kinds */
    uint32_t number;   /* the meaning depends on kind */
    bool joined;       /* several threads existed at this address, one after another; they are counted as one */
    uint32_t life;     /* 0: the only thread at this address. 1, 2, ...: number of this thread among the threads with
                          different names at this address, see txtap_analysis_names() */
    const char *name;  /* if life is above 0: the thread's name, or "" if it is unknown; valid as long as the figure.
                          NULL: get the name from txtap_subject_name() */
    const void *lives; /* private. If the thread has no name: the named threads at its address; it may be one of them */
};

enum txtap_unit {
    TXTAP_UNIT_COUNT,
    TXTAP_UNIT_TICKS,
    TXTAP_UNIT_PERCENT, /* from 0 to 100, or more on several cores */
    TXTAP_UNIT_BYTES,
    TXTAP_UNIT_NUMBER, /* the value of a variable: any number, also negative */
    TXTAP_UNIT_KINDS
};

/* The statistics that a figure can have. */
enum txtap_stat {
    TXTAP_STAT_VALUE, /* the only number of a figure without samples; otherwise equal to MAX */
    TXTAP_STAT_N,     /* number of complete samples; unit: count */
    TXTAP_STAT_MIN,
    TXTAP_STAT_MEAN,
    TXTAP_STAT_P50,
    TXTAP_STAT_P95,
    TXTAP_STAT_P99,
    TXTAP_STAT_MAX,
    TXTAP_STAT_SUM,
    TXTAP_STAT_RATE, /* n per second; without n: sum per second. Per tick if the tick rate is unknown. Unit: count */
    TXTAP_STATS
};

/* Returns "value", "n", "min", "mean", "p50", ...; NULL if there is no such statistic. */
const char *txtap_stat_name(enum txtap_stat stat);

/*
 * A number and its bounds: the true value is in [lower, upper]. The three numbers are equal if the trace has no gaps
 * and if its ends cut off no samples. Percentiles are an exception: their bounds are the bounds of a histogram bucket.
 * Integers are exact up to 2^53. upper is infinite if the true value has no upper bound.
 */
struct txtap_measure {
    bool known; /* false: the figure does not have this statistic, or nothing was measured */
    double value, lower, upper;
};

/* The event in the trace at which a minimum or a maximum was measured. */
struct txtap_place {
    bool known;
    uint64_t seq, ticks; /* seq and ticks of the event that ended the measured interval, as in struct txtap_event */
};

/* A part of the trace's time, in ticks. */
struct txtap_span {
    bool known;
    uint64_t from, to;
};

/* Figures, grouped by section. The name of a figure is the rest of its constant in lower case. */
/* clang-format off */
enum txtap_figure_id {
    TXTAP_FIGURE_NONE,
    /* trace */
    TXTAP_FIGURE_WINDOW, TXTAP_FIGURE_OBSERVED, TXTAP_FIGURE_GAPS, TXTAP_FIGURE_LOST, TXTAP_FIGURE_TOTAL_EVENTS,
    TXTAP_FIGURE_FAULTS,
    /* cpu */
    TXTAP_FIGURE_CPU, TXTAP_FIGURE_CPU_TICKS, TXTAP_FIGURE_LOAD, TXTAP_FIGURE_IDLE, TXTAP_FIGURE_INTERRUPTS,
    TXTAP_FIGURE_INIT, TXTAP_FIGURE_LOAD_TICKS, TXTAP_FIGURE_IDLE_TICKS, TXTAP_FIGURE_INTERRUPTS_TICKS,
    TXTAP_FIGURE_INIT_TICKS,
    /* buckets */
    TXTAP_FIGURE_BUCKET_LOAD, TXTAP_FIGURE_BUCKET_INTERRUPTS, TXTAP_FIGURE_BUCKET_CPU,
    /* wake */
    TXTAP_FIGURE_WAKE, TXTAP_FIGURE_FIRST_RUN, TXTAP_FIGURE_READY, TXTAP_FIGURE_WOKEN_BY, TXTAP_FIGURE_WAKE_BY,
    /* jobs */
    TXTAP_FIGURE_RUN, TXTAP_FIGURE_RESPONSE, TXTAP_FIGURE_RESPONSE_READY, TXTAP_FIGURE_RESPONSE_INTERRUPTED,
    TXTAP_FIGURE_RESPONSE_MUTEX, TXTAP_FIGURE_TURNS, TXTAP_FIGURE_PATH, TXTAP_FIGURE_LONGEST_RUN,
    TXTAP_FIGURE_LONGEST_READY, TXTAP_FIGURE_LONGEST_INTERRUPTED, TXTAP_FIGURE_LONGEST_MUTEX,
    /* period */
    TXTAP_FIGURE_PERIOD, TXTAP_FIGURE_JITTER, TXTAP_FIGURE_DEVIATION, TXTAP_FIGURE_DISPATCH_PERIOD,
    TXTAP_FIGURE_DISPATCH_JITTER, TXTAP_FIGURE_DISPATCH_DEVIATION,
    /* nominal */
    TXTAP_FIGURE_NOMINAL, TXTAP_FIGURE_PERIOD_ERROR, TXTAP_FIGURE_LATENESS, TXTAP_FIGURE_DRIFT, TXTAP_FIGURE_MISSED,
    TXTAP_FIGURE_EXTRA,
    /* blocking */
    TXTAP_FIGURE_BLOCK, TXTAP_FIGURE_WAITS, TXTAP_FIGURE_TIME, TXTAP_FIGURE_TIME_TICKS,
    /* stack */
    TXTAP_FIGURE_STACK, TXTAP_FIGURE_STACK_BYTES, TXTAP_FIGURE_STACK_SIZE, TXTAP_FIGURE_STACK_OUTSIDE,
    TXTAP_FIGURE_STACK_USED, TXTAP_FIGURE_STACK_USED_BYTES, TXTAP_FIGURE_STACK_SEEN_BYTES,
    /* queue */
    TXTAP_FIGURE_DEPTH, TXTAP_FIGURE_DEPTH_MEAN, TXTAP_FIGURE_CAPACITY, TXTAP_FIGURE_FULL, TXTAP_FIGURE_EMPTY,
    TXTAP_FIGURE_SENDS, TXTAP_FIGURE_RECEIVES, TXTAP_FIGURE_SEND_BLOCKED, TXTAP_FIGURE_RECEIVE_BLOCKED,
    TXTAP_FIGURE_HANDED_OVER, TXTAP_FIGURE_SEND_FAILED, TXTAP_FIGURE_RECEIVE_FAILED,
    /* mutex */
    TXTAP_FIGURE_HOLD, TXTAP_FIGURE_WAIT, TXTAP_FIGURE_GETS, TXTAP_FIGURE_PUTS, TXTAP_FIGURE_CONTENDED,
    TXTAP_FIGURE_RECURSIVE, TXTAP_FIGURE_FAILED_GETS, TXTAP_FIGURE_TIMEOUTS, TXTAP_FIGURE_ABOVE_ONE,
    TXTAP_FIGURE_WAITS_FOR,
    /* inversion */
    TXTAP_FIGURE_INVERSION, TXTAP_FIGURE_INVERSIONS, TXTAP_FIGURE_UNBOUNDED, TXTAP_FIGURE_INVERSION_TICKS,
    TXTAP_FIGURE_UNBOUNDED_TICKS, TXTAP_FIGURE_UNBOUNDED_BY, TXTAP_FIGURE_UNBOUNDED_ON,
    /* interrupts */
    TXTAP_FIGURE_ISR, TXTAP_FIGURE_ISR_SELF, TXTAP_FIGURE_ISR_INTERVAL, TXTAP_FIGURE_ISR_LOAD,
    TXTAP_FIGURE_ISR_LOAD_TICKS, TXTAP_FIGURE_ISR_ENTERED, TXTAP_FIGURE_ISR_NESTED, TXTAP_FIGURE_ISR_BURSTS,
    TXTAP_FIGURE_ISR_WITHOUT_EXIT, TXTAP_FIGURE_ISR_DEPTH,
    /* semaphore */
    TXTAP_FIGURE_COUNT, TXTAP_FIGURE_SETS, TXTAP_FIGURE_GET_BLOCKED, TXTAP_FIGURE_GET_AT_ONCE, TXTAP_FIGURE_GET_FAILED,
    TXTAP_FIGURE_GET_FAILED_OR_POLLED, TXTAP_FIGURE_PUT_WOKE, TXTAP_FIGURE_SET_WOKE, TXTAP_FIGURE_PUT_FAILED,
    TXTAP_FIGURE_SET_UNHEARD, TXTAP_FIGURE_WOKEN, TXTAP_FIGURE_TIMEOUT_WAIT,
    /* deadlock */
    TXTAP_FIGURE_DEADLOCK, TXTAP_FIGURE_DEADLOCK_FOR_EVER, TXTAP_FIGURE_DEADLOCK_MEMBER,
    TXTAP_FIGURE_DEADLOCK_OWNER,
    /* pool */
    TXTAP_FIGURE_AVAILABLE, TXTAP_FIGURE_OUTSTANDING, TXTAP_FIGURE_HELD, TXTAP_FIGURE_HELD_BYTES,
    TXTAP_FIGURE_ALLOCATIONS, TXTAP_FIGURE_RELEASES, TXTAP_FIGURE_ALLOC_FAILED, TXTAP_FIGURE_ALLOC_BLOCKED,
    TXTAP_FIGURE_LEAK, TXTAP_FIGURE_LIFETIME, TXTAP_FIGURE_POOL_SIZE,
    /* flow */
    TXTAP_FIGURE_FLOW, TXTAP_FIGURE_FLOW_BLOCKED, TXTAP_FIGURE_FLOW_FAILED, TXTAP_FIGURE_FLOW_TIMEOUTS,
    /* switches */
    TXTAP_FIGURE_SWITCHES, TXTAP_FIGURE_SWITCHES_TO_THREAD, TXTAP_FIGURE_SWITCHES_TO_IDLE, TXTAP_FIGURE_PREEMPTIONS,
    TXTAP_FIGURE_TIME_SLICES, TXTAP_FIGURE_TIME_SLICE_SWITCHES, TXTAP_FIGURE_RELINQUISH_SWITCHES, TXTAP_FIGURE_EVENTS,
    TXTAP_FIGURE_SUSPENDED, TXTAP_FIGURE_RESUMED, TXTAP_FIGURE_SUSPENDS_DONE, TXTAP_FIGURE_RESUMES_DONE,
    TXTAP_FIGURE_PREEMPTED, TXTAP_FIGURE_DISPLACED,
    /* between */
    TXTAP_FIGURE_BETWEEN, TXTAP_FIGURE_BETWEEN_UNFINISHED,
    /* network */
    TXTAP_FIGURE_MEDIA_OPENS, TXTAP_FIGURE_MEDIA_CLOSES, TXTAP_FIGURE_MEDIA_ABORTS, TXTAP_FIGURE_MEDIA_FLUSHES,
    TXTAP_FIGURE_DIRECTORY_READS, TXTAP_FIGURE_DIRECTORY_WRITES, TXTAP_FIGURE_DIRECTORY_CACHE_MISSES,
    TXTAP_FIGURE_FILE_OPENS, TXTAP_FIGURE_FILE_CLOSES, TXTAP_FIGURE_FILE_READS, TXTAP_FIGURE_FILE_WRITES,
    TXTAP_FIGURE_DRIVER_READS, TXTAP_FIGURE_DRIVER_WRITES, TXTAP_FIGURE_LOGICAL_SECTOR_CACHE_MISSES,
    TXTAP_FIGURE_ARP_REQUESTS_SENT, TXTAP_FIGURE_ARP_REQUESTS_RECEIVED, TXTAP_FIGURE_ARP_RESPONSES_SENT,
    TXTAP_FIGURE_ARP_RESPONSES_RECEIVED, TXTAP_FIGURE_PACKET_ALLOCATIONS, TXTAP_FIGURE_PACKET_RELEASES,
    TXTAP_FIGURE_TRANSMIT_RELEASES, TXTAP_FIGURE_IP_PACKETS_SENT, TXTAP_FIGURE_IP_PACKETS_RECEIVED,
    TXTAP_FIGURE_PINGS_SENT, TXTAP_FIGURE_PINGS6_SENT, TXTAP_FIGURE_ICMP_RECEIVED, TXTAP_FIGURE_TCP_CLIENT_CONNECTIONS,
    TXTAP_FIGURE_TCP_SERVER_CONNECTIONS, TXTAP_FIGURE_TCP_PACKETS_SENT, TXTAP_FIGURE_TCP_PACKETS_RECEIVED,
    TXTAP_FIGURE_UDP_PACKETS_SENT, TXTAP_FIGURE_UDP_PACKETS_RECEIVED, TXTAP_FIGURE_EMPTY_ALLOCATIONS,
    TXTAP_FIGURE_INVALID_RELEASES, TXTAP_FIGURE_LOGICAL_SECTOR_READS, TXTAP_FIGURE_LOGICAL_SECTOR_WRITES,
    TXTAP_FIGURE_FILE_BYTES_READ, TXTAP_FIGURE_FILE_BYTES_WRITTEN, TXTAP_FIGURE_IP_BYTES_SENT,
    TXTAP_FIGURE_IP_BYTES_RECEIVED, TXTAP_FIGURE_TCP_BYTES_SENT, TXTAP_FIGURE_TCP_BYTES_RECEIVED,
    TXTAP_FIGURE_UDP_BYTES_SENT, TXTAP_FIGURE_UDP_BYTES_RECEIVED, TXTAP_FIGURE_PACKETS_AVAILABLE,
    TXTAP_FIGURE_USB_HOST_TRANSFERS, TXTAP_FIGURE_USB_DEVICE_TRANSFERS, TXTAP_FIGURE_USB_STORAGE_READS,
    TXTAP_FIGURE_USB_STORAGE_WRITES, TXTAP_FIGURE_USB_DISK_READS, TXTAP_FIGURE_USB_DISK_WRITES,
    TXTAP_FIGURE_USB_ACM_READS, TXTAP_FIGURE_USB_ACM_WRITES, TXTAP_FIGURE_USB_DEVICE_ACM_READS,
    TXTAP_FIGURE_USB_DEVICE_ACM_WRITES, TXTAP_FIGURE_USB_SECTORS_READ, TXTAP_FIGURE_USB_SECTORS_WRITTEN,
    TXTAP_FIGURE_USB_DISK_SECTORS_READ, TXTAP_FIGURE_USB_DISK_SECTORS_WRITTEN, TXTAP_FIGURE_USB_DEVICE_ACM_BYTES_ASKED,
    TXTAP_FIGURE_USB_DEVICE_ACM_BYTES_WRITTEN,
    /* calls */
    TXTAP_FIGURE_FAILED, TXTAP_FIGURE_FAILED_BY, TXTAP_FIGURE_CALLS, TXTAP_FIGURE_THREAD_CALLS,
    /* cores */
    TXTAP_FIGURE_CORE_BUSY, TXTAP_FIGURE_CORE_IDLE, TXTAP_FIGURE_CORES_BUSY, TXTAP_FIGURE_CORE_BUSY_TICKS,
    TXTAP_FIGURE_CORE_IDLE_TICKS, TXTAP_FIGURE_CORES_BUSY_TICKS, TXTAP_FIGURE_MOVES,
    /* priority */
    TXTAP_FIGURE_PRIORITY, TXTAP_FIGURE_PRIORITY_CHANGES, TXTAP_FIGURE_THRESHOLD_CHANGES,
    /* lifetime */
    TXTAP_FIGURE_LIFE,
    /* values */
    TXTAP_FIGURE_VALUE, TXTAP_FIGURE_LAST_VALUE, TXTAP_FIGURE_STATE
};
/* clang-format on */

struct txtap_figure {
    const char *section;     /* name of its section: "cpu", "wake", ... */
    enum txtap_figure_id id; /* identifies the name */
    const char *name;        /* name of the quantity, as in --check: "cpu", "wake", "hold", ... */
    struct txtap_subject subject;
    struct txtap_subject other; /* the other party: the owner of a mutex, the interrupt that woke a thread, ...; SYSTEM:
                                   there is no other party */
    const char *detail;   /* kind of the subject or the event: "queue", "unbounded"; "": no detail; never contains text
                             from the target */
    enum txtap_unit unit; /* unit of all statistics except N and RATE */
    struct txtap_measure stat[TXTAP_STATS];
    struct txtap_place min_at, max_at;
    const void *samples, *pool; /* private: the counts of the samples, valid as long as the analysis */
    struct txtap_span span;     /* if known: the figure covers only this part of the trace, which begins at max_at */
    uint64_t censored; /* number of samples whose start or end is not in the trace; they only widen the bounds */
};

/* The number of a figure's samples in a range of values. */
struct txtap_bar {
    uint64_t from, to; /* both inclusive */
    uint64_t count;
};

/*
 * Fills bars with the distribution of a figure's samples, from the smallest to the largest, without holes. All bars
 * have the same width if the samples are close together. Otherwise bars for larger values are wider, each by at most a
 * constant factor. Counts are exact. Returns the number of bars, at most bars_max; 0: the figure has no samples, or the
 * analysis did not keep all of them. Call the function before the analysis takes another item. bars_max: at least 2.
 */
size_t txtap_figure_bars(const struct txtap_figure *figure, struct txtap_bar *bars, size_t bars_max);

struct txtap_figure_sink {
    /* Takes a figure, which is valid until the function returns. Any status except TXTAP_OK ends the list. */
    enum txtap_status (*take)(void *self, const struct txtap_figure *figure);
    void *self;
};

TXTAP_API_END

#endif
