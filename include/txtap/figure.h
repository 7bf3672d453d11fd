/* SPDX-License-Identifier: MIT */
/*
 * What analyses find out, in one shape: named figures of threads, interrupts and objects. Reports, checks and
 * comparisons read figures and know no analysis.
 */
#ifndef TXTAP_FIGURE_H
#define TXTAP_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

/* What a figure, or one side of it, is about. */
enum txtap_subject_kind {
    TXTAP_SUBJECT_SYSTEM,    /* the whole trace; as other: nothing */
    TXTAP_SUBJECT_THREAD,    /* number: its address */
    TXTAP_SUBJECT_INTERRUPT, /* number: as the firmware gives it; UINT32_MAX: not known */
    TXTAP_SUBJECT_OBJECT,    /* number: its address; of a queue, a semaphore, a mutex, ... */
    TXTAP_SUBJECT_CORE,      /* number: from 0 */
    TXTAP_SUBJECT_EVENT,     /* number: an event's id */
    TXTAP_SUBJECT_IDLE,      /* as other: nothing ran */
    TXTAP_SUBJECT_INIT,      /* as other: the initialization */
    TXTAP_SUBJECT_UNKNOWN,   /* as other: the trace does not say */
    TXTAP_SUBJECT_KINDS
};

struct txtap_subject {
    enum txtap_subject_kind kind;
    uint8_t type;      /* of a thread or an object: enum txtap_object_type, or TXTAP_OBJECT_NONE */
    uint32_t number;   /* its meaning depends on kind */
    bool joined;       /* several threads were created at this address, one after another, and are counted as one */
    uint32_t life;     /* 1, 2, ...: of the threads that were created at this address, which their names tell apart, see
                          txtap_analysis_names(). 0: it is the only one */
    const char *name;  /* of such a thread, "" if it is not known; valid as long as the figure is. NULL: the registry
                          has it; ask txtap_subject_name() */
    const void *lives; /* private: the others at the address of one without a name. It may be one of them */
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
    TXTAP_STAT_VALUE, /* the one number of a figure that is a single number; else the same as MAX */
    TXTAP_STAT_N,     /* how many samples are complete; unit: count */
    TXTAP_STAT_MIN,
    TXTAP_STAT_MEAN,
    TXTAP_STAT_P50,
    TXTAP_STAT_P95,
    TXTAP_STAT_P99,
    TXTAP_STAT_MAX,
    TXTAP_STAT_SUM,
    TXTAP_STAT_RATE, /* n, or of a sum without n the sum, per second, or per tick if ticks cannot be converted; unit:
                        count */
    TXTAP_STATS
};

/* "value", "n", "min", "mean", "p50", ... NULL if there is no such statistic. */
const char *txtap_stat_name(enum txtap_stat stat);

/*
 * A number and what is certain of it: the true one is in [lower, upper]. Without gaps, and without pieces that the ends
 * of the trace cut off, the three are equal, but for percentiles, whose bounds are those of a histogram's bucket.
 * Integers are exact up to 2^53. upper is infinite if nothing limits it.
 */
struct txtap_measure {
    bool known; /* false: the figure does not have it, or nothing was measured */
    double value, lower, upper;
};

/* Where in the trace a minimum or a maximum is. */
struct txtap_place {
    bool known;
    uint64_t seq, ticks; /* of the event with which it ended, as in struct txtap_event */
};

/* A part of the trace's time, in ticks. */
struct txtap_span {
    bool known;
    uint64_t from, to;
};

struct txtap_figure {
    const char *section; /* the analysis it is from: "cpu", "wake", ... */
    const char *name;    /* what is measured: "cpu", "wake", "hold", ...; what --check names */
    struct txtap_subject subject;
    struct txtap_subject other; /* whom else it concerns: a mutex's owner, an interrupt that woke; SYSTEM: nobody */
    const char *detail;         /* what kind of subject or event: "queue", "unbounded"; "" for none; never bytes of the
                                   target */
    enum txtap_unit unit;       /* of all statistics but N and RATE */
    struct txtap_measure stat[TXTAP_STATS];
    struct txtap_place min_at, max_at;
    const void *samples, *pool; /* private: where its samples are counted, as long as the analysis lives */
    struct txtap_span span;     /* known: the figure is of that part alone, and max_at its first event */
    uint64_t censored;          /* pieces whose start or end is not in the trace: in bounds, in no other statistic */
};

/* How many of a figure's samples are in a range of values. */
struct txtap_bar {
    uint64_t from, to; /* both belong to it */
    uint64_t count;
};

/*
 * Fills at most bars_max of bars with the samples of a figure that has a distribution, from the smallest to the
 * largest, without holes. The bars are of equal width where samples are close together, and become wider with the
 * values where they are far apart, up to a factor from each to the next. Counts are exact. Returns how many bars; 0:
 * the figure has no samples, or not all were kept. To be called before the analysis takes a further item. bars_max: at
 * least 2.
 */
size_t txtap_figure_bars(const struct txtap_figure *figure, struct txtap_bar *bars, size_t bars_max);

struct txtap_figure_sink {
    /* Takes a figure, which is valid until this returns. Anything but TXTAP_OK ends the list. */
    enum txtap_status (*take)(void *self, const struct txtap_figure *figure);
    void *self;
};

TXTAP_API_END

#endif
