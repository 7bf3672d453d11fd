/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The screen of "txtap top": the present state of a target's threads, interrupts and objects. A monitor takes the same
 * items as an analysis (analysis.h), and keeps sliding windows and maxima. A state is a copy of the monitor's data at
 * one moment. The drawing functions turn a state into characters.
 */
#ifndef TXTAP_INNER_TOP_H
#define TXTAP_INNER_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/check.h"
#include "txtap/registry.h"

#define TXTAP_TOP_THREADS    256 /* threads in a state; further threads are only counted */
#define TXTAP_TOP_INTERRUPTS 64
#define TXTAP_TOP_OBJECTS    256
#define TXTAP_TOP_VALUES     512 /* all channels, and all counter lines of the definitions */
#define TXTAP_TOP_CHECKS     64
#define TXTAP_TOP_NAME_BYTES 40 /* bytes of an escaped name, NUL included */
#define TXTAP_TOP_WINDOWS    3  /* 1, 2 and 10 s */
#define TXTAP_TOP_HISTORY    39 /* quarters of a second in a history */
/* Reasons for waiting: the kernel's thread states; the last index means any other reason */
#define TXTAP_TOP_REASONS 16

/* In all members of type double below, a negative number means unknown. Times are in ticks. */
#define TXTAP_TOP_UNKNOWN (-1.0)

/* ---- a state ---- */

enum txtap_top_thread_state { TXTAP_TOP_STATE_UNKNOWN, TXTAP_TOP_RUNNING, TXTAP_TOP_READY, TXTAP_TOP_WAITING };

/* Statistics of durations since the last reset of the maxima. */
struct txtap_top_durations {
    uint64_t n;
    double mean, p50, p99, max;
    double at_least; /* the longest of the durations that have not ended, or whose start or end was not seen */
};

struct txtap_top_thread {
    uint32_t id; /* unique id of the thread, above 0 */
    uint32_t address;
    char name[TXTAP_TOP_NAME_BYTES]; /* name of the object; its address if it has no name */
    double priority, base;           /* current priority, and priority without inheritance */
    enum txtap_top_thread_state state;
    char waits[TXTAP_TOP_NAME_BYTES + 16]; /* if WAITING: the object that the thread waits for, such as "mutex model" */
    /* WAITING: time since the wait began. READY: time since the thread began to wait for a core. */
    double waiting;
    bool late; /* waiting is longer than 99 % of the waits for this object */
    /* In the window. cpu: percent of a core. ready: percent of the time in which the thread waited for a core. */
    double cpu, ready;
    double activations, preemptions;                /* in the window, per second */
    float history[TXTAP_TOP_HISTORY];               /* percent of a core in each quarter of a second */
    struct txtap_top_durations run, wake, response; /* durations of the thread's jobs */
    double runs;      /* per second: how often the scheduler started the thread; only the kernel tells it */
    double stack;     /* maximum use in percent */
    bool stack_exact; /* stack is the deepest use since the thread was created; false: a lower bound */
    uint32_t stack_bytes, stack_free;    /* stack size, and smallest free part; stack_bytes 0: both are unknown */
    double waits_for[TXTAP_TOP_REASONS]; /* percent of the time spent waiting, by reason */
};

struct txtap_top_interrupt {
    uint32_t number;                 /* UINT32_MAX: unknown */
    char name[TXTAP_TOP_NAME_BYTES]; /* set by the caller after txtap_top_look(); "": not known */
    double rate, cpu;                /* in the window: entries per second, and percent of a core */
    double run_max; /* longest run time, without the time of interrupts that interrupted this interrupt */
    double gap_min; /* shortest time from one entry to the next */
};

struct txtap_top_object {
    uint32_t address;
    uint8_t type;                      /* enum txtap_object_type */
    char name[TXTAP_TOP_NAME_BYTES];   /* its address if it has no name */
    char now[TXTAP_TOP_NAME_BYTES];    /* "3/8", "2 free", the owner's name; "" if unknown */
    char extreme[16];                  /* "8/8", "0 free"; "" if there is no extreme */
    bool extreme_is_low;               /* extreme may be too high, because events are missing */
    char waiter[TXTAP_TOP_NAME_BYTES]; /* name of the first thread that waits; "" if no thread waits */
    unsigned waiters;
    float history[TXTAP_TOP_HISTORY]; /* a queue: largest percent of its capacity in each quarter of a second */
    struct txtap_top_durations wait;
    uint64_t uses, failed; /* number of calls, and number of failed calls */
};

/* A value that is sampled, or that the firmware records, since the last reset of the maxima. */
struct txtap_top_value {
    char name[TXTAP_TOP_NAME_BYTES]; /* its channel or counter line */
    char now[TXTAP_TOP_NAME_BYTES], least[TXTAP_TOP_NAME_BYTES],
        most[TXTAP_TOP_NAME_BYTES]; /* with unit; "": no value */
    double rate;                    /* values per second */
    uint64_t n;                     /* number of values */
};

struct txtap_top_check {
    char text[64]; /* the check as the user wrote it; a long text is cut */
    enum txtap_verdict verdict;
    char subject[TXTAP_TOP_NAME_BYTES]; /* subject of the deciding figure; "": no subject */
};

struct txtap_top_state {
    char source[80];    /* the target: "demo.elf via 127.0.0.1:6666" */
    char condition[24]; /* "LIVE", "PAUSED" or "REPLAY", without brackets */
    double tick_hz;     /* 0: unknown, times are shown in ticks */
    bool tick_hz_measured;
    double seconds;     /* time from the first event to the last; unknown if tick_hz is 0 */
    double window;      /* actual length of the window in seconds; 0: the window contains everything since the start */
    double window_full; /* length of the window, in seconds, once it has been observed for this time */
    bool window_gap;    /* events are, or may be, missing in the window */
    bool gap;           /* events are, or may be, missing since the last reset of the maxima */
    double gap_at;      /* ticks from the first event to the first gap since that reset; unknown: there was no gap */
    uint64_t window_lost; /* lower bound of the number of events lost in the window */
    uint64_t lost;        /* lower bound of the number of events lost since the start */
    bool lost_exact;
    double event_rate, switch_rate; /* in the window, per second */
    double load, load_max, idle;    /* percent of all cores; load_max: in the busiest second */
    /* Bounds of idle if no events are missing. The two bounds differ if interrupts do not record their start and
     * end. */
    double idle_least, idle_most;
    /* Percent of the time of all cores in which it is unknown whether an interrupt ran. */
    double uncertain;
    double interrupt_cpu, interrupt_rate;
    unsigned nesting, cores;
    /* Maximum percent of the ring that waited to be read; 100 or more: entries were overwritten unread. Unknown if the
     * source is a file. */
    double ring_used;

    /* The complete quarters of a second in each history, up to TXTAP_TOP_HISTORY: the last elements of the arrays. The
     * newest is the last. */
    size_t history_count;
    float load_history[TXTAP_TOP_HISTORY]; /* load in percent of all cores */

    /* Results of the analyses since the start. inversions: number of priority inversions. inversion_max: longest
     * inversion. unbounded: number of inversions that inheritance did not bound. deadlocks: number of deadlocks. All
     * are 0 if the sections of these analyses were not chosen. */
    double inversions, inversion_max, unbounded, deadlocks;
    bool inversion_lasts; /* inversion_max is a lower bound: the inversion has not ended, or its end was not seen */
    size_t check_count;
    uint64_t checks_more; /* number of checks that did not fit into the array */
    struct txtap_top_check checks[TXTAP_TOP_CHECKS];

    /* Name and version of the kernel whose lists are the only source, because the firmware has no trace; "": events are
     * the source. */
    char kernel[48];

    bool incomplete; /* the figures do not include some threads, interrupts or objects, because there was no room for
                        them */

    size_t thread_count, interrupt_count, object_count; /* number of elements in the arrays */
    /* Numbers of threads, interrupts and objects that did not fit into the arrays. */
    uint64_t threads_more, interrupts_more, objects_more;
    struct txtap_top_thread threads[TXTAP_TOP_THREADS]; /* the elements of all three arrays are in the order in which
                                                           they were first seen */
    struct txtap_top_interrupt interrupts[TXTAP_TOP_INTERRUPTS];
    struct txtap_top_object objects[TXTAP_TOP_OBJECTS];

    size_t value_count; /* set by txtap_top_values_look() (top_values.h); 0: no values */
    struct txtap_top_value values[TXTAP_TOP_VALUES];
};

/* ---- from items to a state ---- */

struct txtap_top; /* in the caller's memory */

/*
 * Returns the bytes of memory that a monitor needs for all threads and objects that the analysis has room for. About 7
 * MB with txtap_analysis_limits_default().
 */
size_t txtap_top_bytes(struct txtap_analysis *analysis);

/*
 * Starts without events. memory: txtap_top_bytes() bytes, aligned as malloc() aligns, borrowed. analysis: borrowed; it
 * must not have taken any item yet. From now on, the monitor takes each item that the analysis takes, and uses the
 * objects, names and end of the analysis.
 */
struct txtap_top *txtap_top_open(void *memory, struct txtap_analysis *analysis);

/*
 * Sets the rate of the time stamps, in ticks per second, above 0. Before the first call there is only one window, which
 * contains all events. At the first call all windows become empty.
 */
void txtap_top_rate(struct txtap_top *top, double tick_hz);

/* Forgets all maxima and percentiles. New maxima and percentiles begin now. */
void txtap_top_reset(struct txtap_top *top);

/*
 * Fills *state with the present state. window: number of the window whose figures are used. names: names of the
 * objects; may be NULL. The function does not set source, condition, tick_hz_measured, lost, lost_exact, ring_used and
 * kernel, because the monitor does not know them.
 */
void txtap_top_look(struct txtap_top *top, const struct txtap_registry *names, unsigned window,
                    struct txtap_top_state *state);

/* ---- from the kernel's lists to a state ---- */

/* The threads and objects of a running kernel (kernel.h). Values that only events tell are unknown. */
struct txtap_top_kernel {
    size_t thread_count, object_count;
    struct txtap_top_thread threads[TXTAP_TOP_THREADS];
    struct txtap_top_object objects[TXTAP_TOP_OBJECTS];
};

/* Writes a name as the members `name` of threads and objects have it. name: bytes of the target. */
void txtap_top_name(char out[TXTAP_TOP_NAME_BYTES], const char *name);

/* Returns a thread without a name of which only the address is known. */
struct txtap_top_thread txtap_top_unknown_thread(uint32_t address);

/*
 * Adds to a state the names, states, priorities and stacks that the events did not tell, and the threads that had no
 * event. Call it after txtap_top_look(). If state->kernel is set, it also adds the objects.
 */
void txtap_top_add_kernel(struct txtap_top_state *state, const struct txtap_top_kernel *kernel);

/* How often the scheduler had started a thread at a moment. */
struct txtap_top_runs {
    uint32_t address, runs; /* runs wraps at 2^32 */
    uint64_t us;            /* any clock */
};

/* Sets *rate to the runs per second between two moments. False: they are not moments of the same thread. */
bool txtap_top_runs_per_second(const struct txtap_top_runs *before, const struct txtap_top_runs *now, double *rate);

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
    uint32_t selected; /* id of the selected thread; 0: no thread is selected */
    size_t scroll;     /* number of table rows that are scrolled out above the screen */
    bool rows_only;    /* for pipes: show all rows of all tables, and no keys at the bottom */
};

/* Attributes of a cell: a sum of these bits. */
#define TXTAP_TOP_BOLD    1u
#define TXTAP_TOP_REVERSE 2u
#define TXTAP_TOP_RED     4u
#define TXTAP_TOP_YELLOW  8u

#define TXTAP_TOP_CELL_BAR 0x80u /* plus 1 to 8: a cell with a bar of this height, in eighths of the cell */

#define TXTAP_TOP_ROWS_MAX    1000u
#define TXTAP_TOP_COLUMNS_MAX 500u

struct txtap_top_screen {
    size_t rows, columns; /* 1 to TXTAP_TOP_ROWS_MAX, 1 to TXTAP_TOP_COLUMNS_MAX */
    char *cells;          /* borrowed: rows * columns printable ASCII characters or bars, without line ends */
    uint8_t *styles;      /* borrowed: the attributes of each cell; NULL: not wanted */
    size_t used;          /* number of rows up to the last row that is not empty */
};

/* Draws the state on the screen. The caller must have set rows, columns, cells and styles of the screen. */
void txtap_top_draw(const struct txtap_top_state *state, const struct txtap_top_view *view,
                    struct txtap_top_screen *screen);

/*
 * Returns the id of the thread that is `by` rows below the selected thread, or above it if `by` is negative. Returns 0
 * if there are no threads.
 */
uint32_t txtap_top_neighbour(const struct txtap_top_state *state, const struct txtap_top_view *view, int by);

#endif
