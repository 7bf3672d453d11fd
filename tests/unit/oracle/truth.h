/* SPDX-License-Identifier: MIT */
/*
 * The true figures of a simulated schedule, by the definitions of docs/user/analyses.md. They are counted while the
 * simulation runs, not computed from events.
 */
#ifndef TXTAP_TESTS_ORACLE_TRUTH_H
#define TXTAP_TESTS_ORACLE_TRUTH_H

#include "oracle/kernel.h"
#include "txtap/figure.h"

#define TRUTH_FIGURES 1024

enum truth_kind {
    TRUTH_VALUE,      /* one number */
    TRUTH_SHARE,      /* one number; it has bounds if interrupts are not recorded */
    TRUTH_SPREAD,     /* samples */
    TRUTH_OCCURRENCES /* samples; unfinished samples count, too */
};

struct truth_figure {
    const char *name, *detail;
    struct txtap_subject subject, other; /* subjects without their types */
    enum truth_kind kind;
    double value;
    uint64_t n, sum, min, max;
    uint64_t cut, cut_longest; /* samples that were unfinished at the trace's end */
    bool told;                 /* the comparison has found the figure in the report */
};

struct truth_thread {
    bool blocked, since_known, waking, waiting, in_init, job;
    unsigned reason, object; /* why and for which object a blocked thread waits */
    /* ticks before the thread first ran; its state in this time becomes known when it is resumed */
    uint64_t before;
    uint64_t since, called, waiting_since, job_start, job_run, job_ready, job_interrupted, job_mutex, job_turns;
    uint32_t wait_option;
    struct txtap_subject waker;
    const char *waker_detail;
    uint64_t asked; /* time of the event of the last service that the thread called */
    unsigned asked_object;
    const char *asked_action; /* of this service; "": it moves nothing */
    uint32_t asked_wait;
    bool alive;
    uint64_t born;
    unsigned own_priority; /* priority without inheritance; it changes when a service sets it */
    bool inverted;
    unsigned inverted_by;
    uint64_t inverted_since, piece_since, unbounded; /* piece: part of an inversion; the owner stays the same */
};

struct truth_circle {
    struct line members;
    uint64_t since;
};

struct truth {
    const struct kernel *kernel;
    bool begun;
    uint64_t first, last_init,
        init_doubt; /* ticks after the last initialization event that may belong to the initialization */
    unsigned occupant[KERNEL_CORES]; /* a thread; NOBODY: the core is idle; KERNEL_THREADS: initialization */
    unsigned slice_to;               /* with one core: the thread that runs after the end of a time slice */
    struct truth_thread threads[KERNEL_THREADS];
    struct {
        uint64_t since, put;  /* for a mutex: start of ownership, and time of the last put */
        bool deleted;         /* the mutex was deleted while it had this owner */
        bool called;          /* for a queue: a service was called for it */
        uint64_t full, empty; /* for a queue: total time in which it was full or empty */
        unsigned owner;       /* for a mutex that is being handed over: the previous owner */
    } objects[KERNEL_OBJECTS];
    struct {
        uint64_t start, nested;
        uint32_t number;
    } interrupts[KERNEL_CORES][KERNEL_DEPTH];
    struct truth_circle circles[8];
    unsigned circle_count;
    unsigned count;
    struct truth_figure figures[TRUTH_FIGURES];
    uint16_t slots[2 * TRUTH_FIGURES]; /* hash table: index of a figure plus 1; 0: a free place */
};

void truth_init(struct truth *truth, const struct kernel *kernel);
void truth_end(struct truth *truth);

/* Finds a figure. NULL: the figure has no samples. */
struct truth_figure *truth_find(struct truth *truth, const char *name, const struct txtap_subject *subject,
                                const struct txtap_subject *other, const char *detail);

/* The functions of struct kernel_world. */
void truth_before_event(struct truth *truth);
void truth_time(struct truth *truth, uint64_t ticks);
void truth_event(struct truth *truth);
void truth_blocked(struct truth *truth, unsigned thread);
void truth_ready(struct truth *truth, unsigned thread, enum kernel_ending ending);
void truth_ended(struct truth *truth, unsigned thread);
void truth_owner(struct truth *truth, unsigned mutex);
void truth_done(struct truth *truth, enum kernel_event id, unsigned object, enum kernel_outcome outcome,
                unsigned woken);

#endif
