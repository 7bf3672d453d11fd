/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The screen of "txtap top": what the threads, interrupts and objects of a target do now. A monitor takes the items
 * that an analysis (analysis.h) takes, and keeps sliding windows and maxima. A state is what it knows at one moment.
 * Drawing turns a state into characters.
 */
#ifndef TXTAP_INNER_TOP_H
#define TXTAP_INNER_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/check.h"
#include "txtap/registry.h"

#define TXTAP_TOP_THREADS    256 /* that a state can hold; of more, only the number is known */
#define TXTAP_TOP_INTERRUPTS 64
#define TXTAP_TOP_OBJECTS    256
#define TXTAP_TOP_CHECKS     64
#define TXTAP_TOP_NAME_BYTES 40 /* of a name, escaped, NUL included */
#define TXTAP_TOP_WINDOWS    3  /* 1, 2 and 10 s */
#define TXTAP_TOP_REASONS    16 /* of waiting: the kernel's states of threads, the last for any other */

/* In all figures below a negative number is one that is not known. Times are in ticks. */
#define TXTAP_TOP_UNKNOWN (-1.0)

/* ---- what is known at one moment ---- */

enum txtap_top_thread_state { TXTAP_TOP_STATE_UNKNOWN, TXTAP_TOP_RUNNING, TXTAP_TOP_READY, TXTAP_TOP_WAITING };

/* Of many durations; all since the last reset of the maxima. */
struct txtap_top_durations {
    uint64_t n;
    double mean, p50, p99, max;
    double at_least; /* the longest of those that have not ended, or whose start or end was not seen */
};

struct txtap_top_thread {
    uint32_t id; /* above 0; no other thread has it, at no time */
    uint32_t address;
    char name[TXTAP_TOP_NAME_BYTES]; /* of the object, or the address */
    double priority, base;           /* now, and without what it inherited */
    enum txtap_top_thread_state state;
    char waits[TXTAP_TOP_NAME_BYTES + 16]; /* WAITING: for what; "mutex model" */
    double waiting;                        /* for how long; of a READY one, for how long it waits for a core */
    bool late;                             /* longer than 99 % of the waits for that object */
    double cpu, ready;                     /* in the window: percent of a core, and of its time waiting for one */
    double activations, preemptions;       /* in the window, per second */
    struct txtap_top_durations run, wake, response; /* of its jobs */
    double stack;                                   /* used at most, in percent */
    uint32_t stack_bytes, stack_free;               /* its size and the smallest rest; 0 bytes: not known */
    double waits_for[TXTAP_TOP_REASONS];            /* percent of its time that it waited, by reason */
};

struct txtap_top_interrupt {
    uint32_t number;  /* UINT32_MAX: not known */
    double rate, cpu; /* in the window: per second, and percent of a core */
    double run_max;   /* without those that interrupted it */
    double gap_min;   /* from one to the next */
};

struct txtap_top_object {
    uint32_t address;
    uint8_t type;                      /* enum txtap_object_type */
    char name[TXTAP_TOP_NAME_BYTES];   /* or the address */
    char now[TXTAP_TOP_NAME_BYTES];    /* "3/8", "2 free", the owner's name; "" if not known */
    char extreme[16];                  /* "8/8", "0 free"; "" if there is none */
    bool extreme_is_low;               /* the true one may be lower, where events are missing */
    char waiter[TXTAP_TOP_NAME_BYTES]; /* the first that waits; "" for none */
    unsigned waiters;
    struct txtap_top_durations wait;
    uint64_t uses, failed; /* calls, and those that got nothing */
};

struct txtap_top_check {
    char text[64]; /* as it was written; a longer one is cut */
    enum txtap_verdict verdict;
    char subject[TXTAP_TOP_NAME_BYTES]; /* whose figure decides; "": no one's */
};

struct txtap_top_state {
    char source[80];    /* what is watched: "demo.elf via 127.0.0.1:6666" */
    char condition[24]; /* "LIVE", "PAUSED", "REPLAY": without the brackets */
    double tick_hz;     /* 0: not known, times are shown in ticks */
    bool tick_hz_measured;
    double seconds;       /* from the first event to the last; unknown without tick_hz */
    double window;        /* seconds that the window really has; 0: everything since the start */
    bool window_gap;      /* events are missing in the window, or may be */
    bool gap;             /* or since the last reset of the maxima */
    uint64_t window_lost; /* how many at least, in the window */
    uint64_t lost;        /* and since the start */
    bool lost_exact;
    double event_rate, switch_rate; /* in the window, per second */
    double load, load_max, idle;    /* percent of all cores; load_max: of the busiest second */
    double idle_least, idle_most;   /* bounds of idle if no events are missing: some interrupts do not record when they
                                       begin and end */
    double uncertain;               /* percent of the time of all cores: unknown whether an interrupt ran */
    double interrupt_cpu, interrupt_rate;
    unsigned nesting, cores;
    double ring_used; /* percent of the ring that was waiting to be read, at most; unknown of a file */

    /* Since the start, from the analyses: how many priority inversions, the longest, those that were not bounded by
     * inheritance, and deadlocks. All 0 if these sections were not chosen. */
    double inversions, inversion_max, unbounded, deadlocks;
    bool inversion_lasts; /* or its end was not seen: inversion_max is the least that it can be */
    size_t check_count;
    uint64_t checks_more; /* and not here */
    struct txtap_top_check checks[TXTAP_TOP_CHECKS];

    bool incomplete; /* there was no room for some threads, interrupts or objects: they are in no figure */

    size_t thread_count, interrupt_count, object_count;   /* here */
    uint64_t threads_more, interrupts_more, objects_more; /* and not here */
    struct txtap_top_thread threads[TXTAP_TOP_THREADS];   /* these three: as they were first seen */
    struct txtap_top_interrupt interrupts[TXTAP_TOP_INTERRUPTS];
    struct txtap_top_object objects[TXTAP_TOP_OBJECTS];
};

/* ---- from items to a state ---- */

struct txtap_top; /* lies in the caller's memory */

/* The bytes that a monitor of the analysis needs: for as many threads and objects as that has room for. About 7 MB
 * with txtap_analysis_limits_default(). */
size_t txtap_top_bytes(struct txtap_analysis *analysis);

/*
 * Starts with nothing. memory: txtap_top_bytes() bytes, aligned as malloc() aligns, borrowed. analysis: borrowed, has
 * not taken any item. The monitor takes each item that the analysis takes, and shares its objects, names and end.
 */
struct txtap_top *txtap_top_open(void *memory, struct txtap_analysis *analysis);

/*
 * The time stamps' ticks per second, above 0. Until it is called there is one window, of everything; the first call
 * begins with empty windows.
 */
void txtap_top_rate(struct txtap_top *top, double tick_hz);

/* Forgets maxima and percentiles: they begin again now. */
void txtap_top_reset(struct txtap_top *top);

/*
 * What is known now, with the window of that index. names: of the objects; may be NULL. Sets all of *state but source,
 * condition, tick_hz_measured, lost, lost_exact and ring_used, which the monitor does not know.
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

/* What the user wants to see. All of it 0 is a view to start with. */
struct txtap_top_view {
    enum txtap_top_page page;
    enum txtap_top_sort sort;
    unsigned window;   /* 0 to TXTAP_TOP_WINDOWS - 1: 1, 2 or 10 s */
    uint32_t selected; /* id of a thread; 0: none */
    size_t scroll;     /* rows of the page's table that are above the screen */
    bool rows_only;    /* for pipes: no keys at the bottom, and all rows of all tables */
};

#define TXTAP_TOP_ROWS_MAX    1000u
#define TXTAP_TOP_COLUMNS_MAX 500u

struct txtap_top_screen {
    size_t rows, columns; /* 1 to TXTAP_TOP_ROWS_MAX, 1 to TXTAP_TOP_COLUMNS_MAX */
    char *cells;          /* the caller's: rows * columns printable ASCII characters, without ends of lines */
    size_t used;          /* rows that are not empty, from the first */
    size_t highlighted;   /* the selected thread's row; rows: none */
};

/* Draws the state as the view wants it. screen: rows, columns and cells are set. */
void txtap_top_draw(const struct txtap_top_state *state, const struct txtap_top_view *view,
                    struct txtap_top_screen *screen);

/* The id of the thread that is by rows below the selected one, as sorted; by < 0: above it. 0 if there are none. */
uint32_t txtap_top_neighbour(const struct txtap_top_state *state, const struct txtap_top_view *view, int by);

#endif
