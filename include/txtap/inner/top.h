/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The screen of "txtap top": the present state of a target's threads, interrupts and objects. A monitor takes the items
 * that an analysis (analysis.h) takes, and keeps sliding windows and maxima. A state is a copy of the monitor's data at
 * one moment. Drawing turns a state into characters.
 */
#ifndef TXTAP_INNER_TOP_H
#define TXTAP_INNER_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/check.h"
#include "txtap/registry.h"

#define TXTAP_TOP_THREADS    256 /* threads in a state; of further threads, only their number is known */
#define TXTAP_TOP_INTERRUPTS 64
#define TXTAP_TOP_OBJECTS    256
#define TXTAP_TOP_CHECKS     64
#define TXTAP_TOP_NAME_BYTES 40 /* bytes of an escaped name, NUL included */
#define TXTAP_TOP_WINDOWS    3  /* 1, 2 and 10 s */
/* Reasons for waiting: the kernel's states of threads; the last one means any other reason */
#define TXTAP_TOP_REASONS 16

/* In all figures below, a negative number means unknown. Times are in ticks. */
#define TXTAP_TOP_UNKNOWN (-1.0)

/* ---- a state ---- */

enum txtap_top_thread_state { TXTAP_TOP_STATE_UNKNOWN, TXTAP_TOP_RUNNING, TXTAP_TOP_READY, TXTAP_TOP_WAITING };

/* Statistics of durations since the last reset of the maxima. */
struct txtap_top_durations {
    uint64_t n;
    double mean, p50, p99, max;
    double at_least; /* the longest duration that has not ended, or whose start or end was not seen */
};

struct txtap_top_thread {
    uint32_t id; /* above 0; never the id of another thread */
    uint32_t address;
    char name[TXTAP_TOP_NAME_BYTES]; /* name of the object; its address if it has no name */
    double priority, base;           /* current priority, and priority without inheritance */
    enum txtap_top_thread_state state;
    char waits[TXTAP_TOP_NAME_BYTES + 16]; /* if WAITING: the object that it waits for, such as "mutex model" */
    /* How long the thread has been WAITING; if it is READY: how long it has waited for a core. */
    double waiting;
    bool late; /* waiting is longer than 99 % of the waits for that object */
    /* In the window: percent of a core, and percent of the time in which the thread waited for a core. */
    double cpu, ready;
    double activations, preemptions;                /* in the window, per second */
    struct txtap_top_durations run, wake, response; /* of its jobs */
    double stack;                                   /* maximum use in percent */
    uint32_t stack_bytes, stack_free;               /* size, and smallest free part; 0 bytes: unknown */
    double waits_for[TXTAP_TOP_REASONS];            /* percent of the time spent waiting, by reason */
};

struct txtap_top_interrupt {
    uint32_t number;  /* UINT32_MAX: unknown */
    double rate, cpu; /* in the window: entries per second, and percent of a core */
    double run_max;   /* without the time of interrupts that interrupted it */
    double gap_min;   /* from one entry to the next */
};

struct txtap_top_object {
    uint32_t address;
    uint8_t type;                      /* enum txtap_object_type */
    char name[TXTAP_TOP_NAME_BYTES];   /* its address if it has no name */
    char now[TXTAP_TOP_NAME_BYTES];    /* "3/8", "2 free", the owner's name; "" if unknown */
    char extreme[16];                  /* "8/8", "0 free"; "" if there is no extreme */
    bool extreme_is_low;               /* events are missing, so the true extreme may be lower */
    char waiter[TXTAP_TOP_NAME_BYTES]; /* the first thread that waits; "" if no thread waits */
    unsigned waiters;
    struct txtap_top_durations wait;
    uint64_t uses, failed; /* calls, and calls that failed */
};

struct txtap_top_check {
    char text[64]; /* the check as the user wrote it, cut if it is too long */
    enum txtap_verdict verdict;
    char subject[TXTAP_TOP_NAME_BYTES]; /* the subject whose figure decides; "": no subject */
};

struct txtap_top_state {
    char source[80];    /* the target: "demo.elf via 127.0.0.1:6666" */
    char condition[24]; /* "LIVE", "PAUSED", "REPLAY": without the brackets */
    double tick_hz;     /* 0: unknown, times are shown in ticks */
    bool tick_hz_measured;
    double seconds;       /* from the first event to the last; unknown if tick_hz is 0 */
    double window;        /* actual length of the window in seconds; 0: everything since the start */
    bool window_gap;      /* events are, or may be, missing in the window */
    bool gap;             /* events are, or may be, missing since the last reset of the maxima */
    uint64_t window_lost; /* least number of events lost in the window */
    uint64_t lost;        /* least number of events lost since the start */
    bool lost_exact;
    double event_rate, switch_rate; /* in the window, per second */
    double load, load_max, idle;    /* percent of all cores; load_max: in the busiest second */
    /* Bounds of idle if no events are missing; they differ if interrupts do not record their start and end. */
    double idle_least, idle_most;
    /* Percent of the time of all cores in which it is unknown whether an interrupt ran. */
    double uncertain;
    double interrupt_cpu, interrupt_rate;
    unsigned nesting, cores;
    double ring_used; /* maximum percent of the ring that waited to be read; unknown if the source is a file */

    /* From the analyses, since the start: number of priority inversions, the longest inversion, inversions that
     * inheritance did not bound, and deadlocks. All 0 if these sections were not chosen. */
    double inversions, inversion_max, unbounded, deadlocks;
    bool inversion_lasts; /* inversion_max is a lower bound: the inversion has not ended, or its end was not seen */
    size_t check_count;
    uint64_t checks_more; /* number of checks that did not fit into the array */
    struct txtap_top_check checks[TXTAP_TOP_CHECKS];

    bool incomplete; /* there was no room for some threads, interrupts or objects, so no figure includes them */

    size_t thread_count, interrupt_count, object_count; /* elements of the arrays */
    /* Numbers of threads, interrupts, objects that are not in the arrays. */
    uint64_t threads_more, interrupts_more, objects_more;
    struct txtap_top_thread threads[TXTAP_TOP_THREADS]; /* all three arrays are in the order of first sight */
    struct txtap_top_interrupt interrupts[TXTAP_TOP_INTERRUPTS];
    struct txtap_top_object objects[TXTAP_TOP_OBJECTS];
};

/* ---- from items to a state ---- */

struct txtap_top; /* in the caller's memory */

/*
 * Returns the bytes that a monitor of the analysis needs: for as many threads and objects as the analysis has room for.
 * About 7 MB with txtap_analysis_limits_default().
 */
size_t txtap_top_bytes(struct txtap_analysis *analysis);

/*
 * Starts without events. memory: txtap_top_bytes() bytes, aligned as malloc() aligns, borrowed. analysis: borrowed, has
 * not taken any item. The monitor takes each item that the analysis takes, and shares its objects, names and end.
 */
struct txtap_top *txtap_top_open(void *memory, struct txtap_analysis *analysis);

/*
 * Sets the rate of the time stamps, in ticks per second, above 0. Before the first call there is one window, which
 * contains all events. The first call begins with empty windows.
 */
void txtap_top_rate(struct txtap_top *top, double tick_hz);

/* Forgets maxima and percentiles, which begin again now. */
void txtap_top_reset(struct txtap_top *top);

/*
 * Fills *state with the present state, and with the window number `window`. names: of the objects; may be NULL. Does
 * not set source, condition, tick_hz_measured, lost, lost_exact and ring_used, which the monitor does not know.
 */
void txtap_top_look(struct txtap_top *top, const struct txtap_registry *names, unsigned window,
                    struct txtap_top_state *state);

/* ---- drawing ---- */

enum txtap_top_page {
    TXTAP_TOP_PAGE_ALL,
    TXTAP_TOP_PAGE_OBJECTS,
    TXTAP_TOP_PAGE_INTERRUPTS,
    TXTAP_TOP_PAGE_THREAD,
    TXTAP_TOP_PAGE_CHECKS,
    TXTAP_TOP_PAGE_HELP
};

enum txtap_top_sort {
    TXTAP_TOP_SORT_PRIORITY,
    TXTAP_TOP_SORT_CPU,
    TXTAP_TOP_SORT_RUN,
    TXTAP_TOP_SORT_WAKE,
    TXTAP_TOP_SORT_STACK,
    TXTAP_TOP_SORTS
};

/* The user's choices. All zero is a valid view to start with. */
struct txtap_top_view {
    enum txtap_top_page page;
    enum txtap_top_sort sort;
    unsigned window;   /* 0 to TXTAP_TOP_WINDOWS - 1: 1, 2 or 10 s */
    uint32_t selected; /* id of a thread; 0: none */
    size_t scroll;     /* rows of the page's table above the screen */
    bool rows_only;    /* for pipes: shows no keys at the bottom, and all rows of all tables */
};

#define TXTAP_TOP_ROWS_MAX    1000u
#define TXTAP_TOP_COLUMNS_MAX 500u

struct txtap_top_screen {
    size_t rows, columns; /* 1 to TXTAP_TOP_ROWS_MAX, 1 to TXTAP_TOP_COLUMNS_MAX */
    char *cells;          /* borrowed: rows * columns printable ASCII characters, without line ends */
    size_t used;          /* number of rows from the first to the last that is not empty */
    size_t highlighted;   /* the selected thread's row; equal to rows: no thread is selected */
};

/* Draws the state. screen: rows, columns and cells must be set. */
void txtap_top_draw(const struct txtap_top_state *state, const struct txtap_top_view *view,
                    struct txtap_top_screen *screen);

/*
 * Returns the id of the thread `by` rows below the selected thread (above it if `by` is negative), or 0 if there are no
 * threads.
 */
uint32_t txtap_top_neighbour(const struct txtap_top_state *state, const struct txtap_top_view *view, int by);

#endif
