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

/* The subject of a figure, or the other party that the figure names. */
enum txtap_subject_kind {
    TXTAP_SUBJECT_SYSTEM,    /* the whole trace; as other: no other party */
    TXTAP_SUBJECT_THREAD,    /* number: its address */
    TXTAP_SUBJECT_INTERRUPT, /* number: as the firmware gives it; UINT32_MAX: not known */
    TXTAP_SUBJECT_OBJECT,    /* number: its address; of a queue, a semaphore, a mutex, ... */
    TXTAP_SUBJECT_CORE,      /* number: from 0 */
    TXTAP_SUBJECT_EVENT,     /* number: an event's id */
    TXTAP_SUBJECT_IDLE,      /* as other: nothing ran */
    TXTAP_SUBJECT_INIT,      /* as other: the initialization */
    TXTAP_SUBJECT_UNKNOWN,   /* as other: the trace does not tell */
    TXTAP_SUBJECT_KINDS
};

struct txtap_subject {
    enum txtap_subject_kind kind;
    uint8_t type;      /* of a thread or an object: enum txtap_object_type, or TXTAP_OBJECT_NONE */
    uint32_t number;   /* its meaning depends on kind */
    bool joined;       /* several threads were created at this address, one after another, and are counted as one */
    uint32_t life;     /* 1, 2, ...: number of this thread among threads at the same address with different names, see
                          txtap_analysis_names(). 0: the only thread at its address */
    const char *name;  /* the name of such a thread, "" if unknown; valid as long as the figure is. NULL: the registry
                          has the name; ask txtap_subject_name() */
    const void *lives; /* private: other threads at the address of a thread without a name, which may be one of them */
};

enum txtap_unit {
    TXTAP_UNIT_COUNT,
    TXTAP_UNIT_TICKS,
    TXTAP_UNIT_PERCENT, /* 0 to 100, or more on several cores */
    TXTAP_UNIT_BYTES,
    TXTAP_UNIT_KINDS
};

/* The statistics that a figure can have. */
enum txtap_stat {
    TXTAP_STAT_VALUE, /* the number of a figure that has only one number; otherwise the same as MAX */
    TXTAP_STAT_N,     /* number of complete samples; unit: count */
    TXTAP_STAT_MIN,
    TXTAP_STAT_MEAN,
    TXTAP_STAT_P50,
    TXTAP_STAT_P95,
    TXTAP_STAT_P99,
    TXTAP_STAT_MAX,
    TXTAP_STAT_SUM,
    TXTAP_STAT_RATE, /* n per second, or sum per second if there is no n; per tick if the tick rate is unknown; unit:
                        count */
    TXTAP_STATS
};

/* "value", "n", "min", "mean", "p50", ... NULL if there is no such statistic. */
const char *txtap_stat_name(enum txtap_stat stat);

/*
 * A number and its bounds: the true value is in [lower, upper]. The three are equal if there are no gaps and no pieces
 * cut off by the ends of the trace, except for percentiles, whose bounds are the bounds of a histogram's bucket.
 * Integers are exact up to 2^53. upper is infinite if nothing limits it.
 */
struct txtap_measure {
    bool known; /* false: the figure does not have this statistic, or nothing was measured */
    double value, lower, upper;
};

/* The event in the trace at which a minimum or a maximum was measured. */
struct txtap_place {
    bool known;
    uint64_t seq, ticks; /* of the event that ended the measured interval, as in struct txtap_event */
};

/* A part of the trace's time, in ticks. */
struct txtap_span {
    bool known;
    uint64_t from, to;
};

struct txtap_figure {
    const char *section; /* name of its section: "cpu", "wake", ... */
    const char *name;    /* name of the quantity, as in --check: "cpu", "wake", "hold", ... */
    struct txtap_subject subject;
    struct txtap_subject other; /* another party: a mutex's owner, the interrupt that woke a thread; SYSTEM: no party */
    const char *detail;         /* kind of subject or event: "queue", "unbounded"; "": no detail; never bytes of the
                                   target */
    enum txtap_unit unit;       /* of all statistics except N and RATE */
    struct txtap_measure stat[TXTAP_STATS];
    struct txtap_place min_at, max_at;
    const void *samples, *pool; /* private: the counts of its samples, valid as long as the analysis is */
    struct txtap_span span;     /* known: the figure covers only this part, and max_at is the part's first event */
    uint64_t censored; /* pieces whose start or end is not in the trace; they widen bounds, and count nowhere else */
};

/* The number of a figure's samples in a range of values. */
struct txtap_bar {
    uint64_t from, to; /* both inclusive */
    uint64_t count;
};

/*
 * Fills bars with the distribution of a figure's samples, from the smallest to the largest, without holes. Bars have
 * equal widths if the samples are close together. Otherwise bars become wider with the values, each by at most a
 * constant factor. Counts are exact. Returns the number of bars, at most bars_max; 0: the figure has no samples, or not
 * all samples were kept. Call it before the analysis takes another item. bars_max: at least 2.
 */
size_t txtap_figure_bars(const struct txtap_figure *figure, struct txtap_bar *bars, size_t bars_max);

struct txtap_figure_sink {
    /* Takes a figure, which is valid until the function returns. Any status except TXTAP_OK ends the list. */
    enum txtap_status (*take)(void *self, const struct txtap_figure *figure);
    void *self;
};

TXTAP_API_END

#endif
