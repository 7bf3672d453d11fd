/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The rows of a timeline: the states of each core, interrupt, thread and object over time. A viewer draws them and adds
 * them up at any zoom. struct txtap_rows is a sink of changes (change.h). It keeps all changes, or only the newest
 * changes.
 *
 *     struct txtap_rows *rows = txtap_rows_open(memory, pages, &options);
 *
 *     txtap_analysis_changes(analysis, (struct txtap_change_sink){txtap_rows_take, rows});
 *     while (...)
 *         txtap_analysis_take(analysis, &item);
 *     txtap_rows_edges(rows, &range, edges);
 *     for (uint32_t row = 0; row < count; row++)
 *         pieces = txtap_rows_columns(rows, row, edges, range.count, columns);
 *
 * A row is a step function: a step lasts until the next step of its row. Every 16th step also stores, for each state,
 * the total time before this step. So sums are exact, and a query takes equally long for a column with one step and for
 * a column with a million steps. Steps begin at events. Events have the indexes 0, 1, 2, ... in the order in which they
 * are taken. A change between two events, for example of another kernel (zephyr.h), gets its own index: a moment
 * without an event. Ticks are the ticks of the changes. They never decrease: if a change has lower ticks than the
 * change before, the higher ticks are used.
 */
#ifndef TXTAP_INNER_ROWS_H
#define TXTAP_INNER_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/definitions.h"
#include "txtap/inner/change.h"
#include "txtap/inner/user_value.h"
#include "txtap/item.h"
#include "txtap/status.h"

/* ---- memory ---- */

#define TXTAP_ROWS_PAGE_BYTES 11264u

/*
 * Provides memory in pages, and takes pages back. The number of rows is not known in advance, because the target adds
 * and removes threads and objects.
 */
struct txtap_rows_pages {
    /* Returns TXTAP_ROWS_PAGE_BYTES bytes, aligned as malloc() aligns, with any content; NULL: no page is left. */
    void *(*page)(void *self);
    void (*release)(void *self, void *page);
    void *self;
};

struct txtap_rows_options {
    /* At least this number of newest events is kept. When an eighth more events are stored, the oldest are dropped. 0:
     * all events are kept. */
    uint32_t keep;
    unsigned profile; /* TXTAP_PROFILE_* bits, for the classes of events */
    uint32_t samples; /* limit of the samples that all rows keep (rows_samples.h); 0: TXTAP_ROWS_SAMPLES_MAX */
};

struct txtap_rows; /* the rows, stored in the caller's memory and in pages */

size_t txtap_rows_bytes(void);

/* Starts without rows. memory: txtap_rows_bytes() bytes, aligned as malloc() aligns, borrowed. Takes no page yet. */
struct txtap_rows *txtap_rows_open(void *memory, struct txtap_rows_pages pages,
                                   const struct txtap_rows_options *options);

/* Gives all pages back; only txtap_rows_open() may follow. */
void txtap_rows_close(struct txtap_rows *rows);

/* ---- taking ---- */

/*
 * Takes a change; self: the rows. TXTAP_ERROR_SPACE: there is no page for the change, or 2^32 - 2 events were taken. If
 * keep is not 0, the function first drops the oldest events to get a page. After this error, this event and all later
 * events are not taken, and the rows do not change.
 */
enum txtap_status txtap_rows_take(void *self, const struct txtap_change *change);

/*
 * Takes a mark (item.h). The mark may arrive before earlier events. It gets its index when the event with the mark's
 * seq arrives. The text is cut to TXTAP_ROW_MARK_TEXT_BYTES. Returns the same statuses as txtap_rows_take().
 */
enum txtap_status txtap_rows_take_mark(struct txtap_rows *rows, const struct txtap_mark *mark);

/*
 * From now on, events that are in a counter or slice line of the definitions also change the rows of user values.
 * definitions: borrowed, may be NULL, and may be parsed again between two changes.
 */
void txtap_rows_define(struct txtap_rows *rows, const struct txtap_definitions *definitions);

/*
 * Forgets the oldest `events` events. This number is rounded down to whole pages of 1,024 events. The newest page
 * stays. The remaining rows stay exact. A step that began earlier now begins with the first remaining event.
 */
void txtap_rows_drop(struct txtap_rows *rows, uint32_t events);

struct txtap_rows_summary {
    uint32_t first, end;   /* index of the oldest event, and index after the newest event; equal: there are no events */
    uint64_t from_ticks;   /* ticks of the oldest event */
    uint64_t to_ticks;     /* ticks of the newest event; nothing is known after this time */
    uint32_t rows;         /* number of rows; a row is never dropped */
    uint32_t rows_version; /* changes if a row is added or the result of txtap_rows_row() changes */
    uint32_t version;      /* changes with each item that is taken or dropped */
    uint32_t pages;        /* pages in use */
    uint64_t gaps, lost, resets; /* numbers since the start, also of dropped events; lost is a lower bound */
    bool lost_exact;             /* lost is exact */
    bool ended;                  /* END was taken */
    bool full;                   /* TXTAP_ERROR_SPACE was returned */
    uint64_t samples_dropped;    /* number of kept samples that were dropped, because there were too many */
    uint64_t left_out; /* number of changes that were ignored: their party has no number, or the limit of interrupts or
                          rows is reached */
};

void txtap_rows_summary(const struct txtap_rows *rows, struct txtap_rows_summary *summary);

/* ---- rows ---- */

enum txtap_row_kind {
    TXTAP_ROW_CORE,
    TXTAP_ROW_INTERRUPT, /* one row for each interrupt number, on any core */
    TXTAP_ROW_THREAD,
    TXTAP_ROW_IDLE, /* time in which one core is idle */
    TXTAP_ROW_QUEUE,
    TXTAP_ROW_SEMAPHORE,
    TXTAP_ROW_MUTEX,
    TXTAP_ROW_FLAGS,
    TXTAP_ROW_BLOCK_POOL,
    TXTAP_ROW_BYTE_POOL,
    TXTAP_ROW_TIMER,
    TXTAP_ROW_OTHER, /* an object of any other type */
    /* Counter and slice lines of the definitions: see "user values" below. */
    TXTAP_ROW_USER_VALUE,
    TXTAP_ROW_USER_STATE,
    TXTAP_ROW_SLICE,
    /* Channels of samples: see rows_samples.h. */
    TXTAP_ROW_SAMPLED_VALUE,
    TXTAP_ROW_SAMPLED_STATE, /* the values have words: forms STATE and BOOL */
    TXTAP_ROW_LOG,
    TXTAP_ROW_PC,
    TXTAP_ROW_KINDS
};

/* Returns "core", "isr", "thread", "queue", "block_pool", "user_value", "user_state", "slice", ...; static. */
const char *txtap_row_kind_name(enum txtap_row_kind kind);

#define TXTAP_ROW_NONE 0xFFFFu

struct txtap_row {
    enum txtap_row_kind kind;
    /* The steps of the row have values and no states: queues, semaphores, pools, user values. Rows of flags, timers and
     * other objects have neither values nor states: they only represent objects that threads wait for. */
    bool counter;
    /* Number of the thread or object (struct txtap_change_party), the interrupt, the core, the line of the definitions
     * (struct txtap_definition_row), or the channel. */
    uint32_t number;
    uint32_t address; /* address of the thread or object; for other kinds 0 */
    uint8_t type;     /* object: enum txtap_object_type; thread: TXTAP_OBJECT_THREAD; other kinds: TXTAP_OBJECT_NONE */
    bool priority_known; /* thread: the priority is known */
    uint32_t priority;   /* the newest priority */
    uint32_t events;     /* number of kept events that the row recorded; 0 for a channel */
    uint32_t samples;    /* channel: number of samples that were taken, also of equal and dropped samples */
    const struct txtap_channel *channel; /* channel; other kinds: NULL */
    uint16_t id;       /* user value: id of the event with the value; slice: id of the event that begins it */
    uint8_t word;      /* user value: the word of the event */
    uint8_t form;      /* user value: enum txtap_value_form */
    uint32_t deepest;  /* slice: the largest number of slices that were open at the same time */
    uint32_t unpaired; /* slice: number of ends without a begin; the events that began them were not lost */
};

/*
 * Sets *out to a row. Returns false if there is no such row. Rows are numbered 0, 1, 2, ... in the order in which they
 * are first seen.
 */
bool txtap_rows_row(const struct txtap_rows *rows, uint32_t row, struct txtap_row *out);

/* ---- states ---- */

/*
 * The states of each kind of row:
 *   - threads: UNKNOWN, RUNNING to BLOCKED
 *   - cores: UNKNOWN, RUNNING (object: the thread's row), IN_ISR (object: the interrupt's row), IS_IDLE, IN_INIT
 *   - interrupts: UNKNOWN, IN_ISR, INTERRUPTED by another interrupt, OFF
 *   - idle: UNKNOWN, IS_IDLE, OFF
 *   - mutexes: UNKNOWN, HELD (object: the owner's row; reason: the count, at most 255), OFF
 */
enum txtap_row_state {
    TXTAP_ROW_UNKNOWN,
    TXTAP_ROW_RUNNING,
    TXTAP_ROW_INTERRUPTED,
    TXTAP_ROW_READY,
    TXTAP_ROW_BLOCKED,
    TXTAP_ROW_IS_IDLE,
    TXTAP_ROW_IN_ISR,
    TXTAP_ROW_IN_INIT,
    TXTAP_ROW_OFF,  /* an interrupt is not entered, a core is not idle, a mutex is not owned */
    TXTAP_ROW_HELD, /* a mutex has an owner */
    TXTAP_ROW_STATES
};

/*
 * Sets sums to the exact time in each state between two times, in ticks. Times before the first event and after the
 * newest event do not count. All sums are 0 if the row has no states.
 */
void txtap_rows_sums(const struct txtap_rows *rows, uint32_t row, uint64_t from_ticks, uint64_t to_ticks,
                     uint64_t sums[TXTAP_ROW_STATES]);

struct txtap_row_step {
    uint64_t from_ticks, to_ticks; /* for the newest step, to_ticks is the ticks of the newest event */
    uint32_t index;                /* index of the event that began the step */
    uint32_t next; /* index of the event that ended the step; above the newest index: the step has not ended */
    /* False: the step may have begun earlier, because the trace begins here or earlier events were dropped. */
    bool from_known;
    bool to_known;   /* false: the step has not ended */
    uint8_t state;   /* enum txtap_row_state; for counters UNKNOWN */
    uint8_t reason;  /* BLOCKED: enum txtap_wait */
    uint16_t object; /* row that a thread waits for, row that runs on a core, or row of a mutex's owner; TXTAP_ROW_NONE:
                        no row */
    bool value_known; /* counter: the value is known */
    uint32_t value;   /* of a user value: the word */
};

/*
 * Sets *step to the row's step at the time `ticks`. If several steps begin at this time, sets *step to the last of
 * these steps. Returns false if the time is outside the trace.
 */
bool txtap_rows_at(const struct txtap_rows *rows, uint32_t row, uint64_t ticks, struct txtap_row_step *step);

/* Sets *step to the row's step at event `index`. Returns false if there is no such step. */
bool txtap_rows_step(const struct txtap_rows *rows, uint32_t row, uint32_t index, struct txtap_row_step *step);

/* ---- events ---- */

enum txtap_event_class {
    TXTAP_CLASS_NONE, /* a moment without an event */
    TXTAP_CLASS_THREAD,
    TXTAP_CLASS_QUEUE,
    TXTAP_CLASS_SEMAPHORE,
    TXTAP_CLASS_MUTEX,
    TXTAP_CLASS_FLAGS,
    TXTAP_CLASS_POOL,
    TXTAP_CLASS_TIME,
    TXTAP_CLASS_ISR,
    TXTAP_CLASS_USER,
    TXTAP_CLASS_FILE,
    TXTAP_CLASS_NET,
    TXTAP_CLASS_USB,
    TXTAP_CLASS_OTHER,
    TXTAP_CLASSES
};

/* Returns "none", "thread", "queue", ...; static. */
const char *txtap_event_class_name(enum txtap_event_class class_of);

/* Returns the class of events with this id. profile: TXTAP_PROFILE_* bits. */
enum txtap_event_class txtap_event_class_of(uint32_t id, unsigned profile);

struct txtap_row_event {
    uint64_t ticks, seq; /* seq is 0 in a moment without an event */
    /*
     * Row of the thread, interrupt or core that recorded the event; TXTAP_ROW_NONE: a moment without an event.
     */
    uint16_t row;
    uint8_t event_class; /* enum txtap_event_class */
};

/* Sets *event to event `index`. Returns false if there is no such event, or if the event was dropped. */
bool txtap_rows_event(const struct txtap_rows *rows, uint32_t index, struct txtap_row_event *event);

/*
 * Returns the ticks of event `index`. If index is too low or too high, returns the ticks of the oldest or the newest
 * event. Returns 0 if there are no events.
 */
uint64_t txtap_rows_ticks(const struct txtap_rows *rows, uint32_t index);

/* Returns the index of the first event at the time `ticks` or later; summary.end if there is no such event. */
uint32_t txtap_rows_event_at(const struct txtap_rows *rows, uint64_t ticks);

/*
 * Returns the index of the first event with this seq (item.h) or a later seq; summary.end if there is no such event.
 * After resets, several stretches of events may contain this seq; the function then searches the newest of these
 * stretches.
 */
uint32_t txtap_rows_event_of_seq(const struct txtap_rows *rows, uint64_t seq);

#define TXTAP_ROWS_NO_INDEX UINT32_MAX

/*
 * Returns the index of the nearest event that the row recorded, after event `index` (forward) or before it;
 * TXTAP_ROWS_NO_INDEX if there is no such event.
 */
uint32_t txtap_rows_next_event(const struct txtap_rows *rows, uint32_t row, uint32_t index, bool forward);

/*
 * Returns the index of the nearest event that begins a step of the row, after event `index` (forward) or before it;
 * TXTAP_ROWS_NO_INDEX if there is no such event.
 */
uint32_t txtap_rows_next_step(const struct txtap_rows *rows, uint32_t row, uint32_t index, bool forward);

/* ---- columns ---- */

#define TXTAP_ROWS_COLUMNS_MAX 65534u

/*
 * A range, divided into columns of equal width. by_event true: from and to are indexes, and all events have the same
 * width. by_event false: from and to are ticks.
 */
struct txtap_rows_range {
    uint64_t from, to; /* from is below to */
    uint32_t count;    /* number of columns: 1 to TXTAP_ROWS_COLUMNS_MAX */
    bool by_event;
};

/* The begin of a column. */
struct txtap_rows_edge {
    uint64_t at;    /* ticks or index, as in the range */
    uint64_t ticks; /* limited to the trace */
    uint32_t index; /* index of the first event at or after the edge */
    bool by_event;
};

/*
 * Finds the edges of all columns, once for all rows. edges: room for range->count + 1 edges, which are valid until the
 * next item is taken or dropped. TXTAP_ERROR_USAGE: invalid range.
 */
enum txtap_status txtap_rows_edges(const struct txtap_rows *rows, const struct txtap_rows_range *range,
                                   struct txtap_rows_edge *edges);

#define TXTAP_COLUMNS_DENSE 1u /* several steps in one column: run and ready are their shares */

/*
 * A piece: adjacent columns that look the same. A step that begins inside a column is moved to the nearer side of the
 * column. A column is dense if two steps begin in it, or if a step would become narrower than a column. Only columns
 * that contain part of the trace are covered.
 *
 * run, ready: shares of the piece's time in 1/65535, rounded, but at least 1 if the state occurs. (A step without
 * duration is found if it is among the newest 32 steps of its column.) The states are RUNNING and READY of threads,
 * RUNNING and IN_ISR of cores, IN_ISR and INTERRUPTED of interrupts, IS_IDLE of idle, HELD of mutexes. In a piece that
 * is not dense, run and ready are 65535 or 0. state: in a dense piece, the state with the longest time.
 */
struct txtap_row_columns {
    uint16_t x0, x1; /* columns x0 to x1 - 1 */
    uint8_t state;   /* enum txtap_row_state */
    uint8_t reason;
    uint16_t run, ready;
    uint16_t object; /* as in struct txtap_row_step; in a dense piece: object of the last step in state */
    uint16_t flags;  /* TXTAP_COLUMNS_* */
    uint16_t steps;  /* number of steps that begin in a dense piece, at most 65535; otherwise 0 */
    uint32_t index;  /* index of the event that began the step; in a dense piece, index of the piece's first event */
};

/*
 * Finds the pieces of a row with states. count: number of columns in edges. out: room for count pieces. Returns the
 * number of pieces.
 */
size_t txtap_rows_columns(const struct txtap_rows *rows, uint32_t row, const struct txtap_rows_edge *edges,
                          uint32_t count, struct txtap_row_columns *out);

/*
 * Finds the share of each column in which the row was in the first of its two states above (RUNNING of a thread), or,
 * if `second` is true, in the second (IN_ISR of a core). A share is in 1/65535, exact but for rounding, and at least 1
 * if the state lasts in the column. out: count elements. False: all shares are 0.
 */
bool txtap_rows_shares(const struct txtap_rows *rows, uint32_t row, bool second, const struct txtap_rows_edge *edges,
                       uint32_t count, uint16_t *out);

/* The busiest window so far. Starts with all 0. */
struct txtap_rows_peak {
    uint64_t from; /* start of the window, in ticks */
    uint64_t busy; /* time of the window in which a thread or an interrupt ran */
    uint64_t next; /* the windows before this time were examined */
};

/*
 * Finds the busiest of the adjacent windows of `window` ticks from peak->next on; the first begins with the oldest
 * event. Examines at most `most` windows; windows without a change between them count as one. A window that the trace
 * does not fill is not examined. False: call it again for the rest. True also if the row is not a core.
 */
bool txtap_rows_peak(const struct txtap_rows *rows, uint32_t row, uint64_t window, uint32_t most,
                     struct txtap_rows_peak *peak);

/*
 * A piece of a counter: the smallest and the largest value in the columns of the piece. min above max: no value is
 * known in the whole piece. The values of a user value are keys (user_value.h); a NaN or an infinite number counts as
 * not known, because it has no place on an axis.
 */
struct txtap_row_values {
    uint16_t x0, x1;
    uint32_t min, max;
    uint32_t last;  /* value at the end of the piece, if it is known */
    uint32_t flags; /* TXTAP_VALUES_* */
};

#define TXTAP_VALUES_LAST     1u /* last is known */
#define TXTAP_VALUES_PARTLY   2u /* no value is known in a part of the piece */
#define TXTAP_VALUES_INFERRED 4u /* a slice that began before its row was known is in the piece */

/* Like txtap_rows_columns(), for a row that is a counter. */
size_t txtap_rows_values(const struct txtap_rows *rows, uint32_t row, const struct txtap_rows_edge *edges,
                         uint32_t count, struct txtap_row_values *out);

/* ---- user values ---- */

/*
 * The rows of the counter and slice lines of the definitions. A row exists from the first event that changes it.
 *   - USER_VALUE: a counter whose word is a number. Its value holds until its next event, or until a gap.
 *   - USER_STATE: a counter whose word is no number: the states of a state machine, flags, the name of an object.
 *   - SLICE: the value is the number of slices that are open, one inside the other. It is unknown at the start and
 * after each gap, until the line's next event. If this event ends a slice, then the slice was open from the start or
 * from the gap on. An end without a begin changes nothing, and is counted in struct txtap_row.
 */

/* A slice. depth 1 is the outermost of the slices of a row that are open at the same time. */
struct txtap_row_slice {
    uint64_t from_ticks, to_ticks;
    uint32_t index;  /* index of the event that began the slice */
    uint32_t next;   /* index of the event that ended it, as in struct txtap_row_step */
    bool from_known; /* false: it began earlier, at an unknown time */
    bool to_known;   /* false: it has not ended, or a gap hides its end */
    uint32_t depth;
};

/* Sets *slice to the slice of this depth, 1 or more, that is open at the time `ticks`. False: there is no such slice.
 */
bool txtap_rows_slice(const struct txtap_rows *rows, uint32_t row, uint64_t ticks, uint32_t depth,
                      struct txtap_row_slice *slice);

/* The events of one column. */
struct txtap_row_events {
    uint32_t index; /* index of the first event */
    uint16_t count; /* number of events; 65535: 65535 or more */
    /* The most frequent enum txtap_event_class of the events; if there are many events, of 16 of them. */
    uint8_t event_class;
    uint8_t more; /* 1: some events have another class */
};

/*
 * Finds the events of each column that the row recorded; row TXTAP_ROW_NONE: all events. out: count elements, one for
 * each column.
 */
void txtap_rows_events(const struct txtap_rows *rows, uint32_t row, const struct txtap_rows_edge *edges, uint32_t count,
                       struct txtap_row_events *out);

/* ---- wakes, gaps, marks: lists in the order of time ---- */

/* A thread was woken. */
struct txtap_row_wake {
    uint32_t index;       /* index of the event that woke the thread */
    uint32_t since;       /* index of the event that began the wait; TXTAP_ROWS_NO_INDEX: unknown */
    uint32_t run;         /* index of the event after which the thread ran; TXTAP_ROWS_NO_INDEX: not yet, or unknown */
    uint64_t ticks;       /* time of the wake */
    uint64_t since_ticks; /* valid if since is known */
    uint64_t run_ticks;   /* valid if run is known; the latency is run_ticks - ticks */
    uint16_t from;        /* row of the waker, a thread or an interrupt; TXTAP_ROW_NONE: unknown */
    uint16_t to;          /* row of the woken thread */
    uint16_t object;      /* row that the thread waited for; TXTAP_ROW_NONE: no row, or unknown */
    uint8_t reason;       /* enum txtap_wait */
    uint8_t ending;       /* enum txtap_ending */
};

/*
 * Returns the number of the first wake at event `index` or later. Numbers are consecutive; txtap_rows_wake() returns
 * false after the last wake.
 */
uint32_t txtap_rows_first_wake(const struct txtap_rows *rows, uint32_t index);
bool txtap_rows_wake(const struct txtap_rows *rows, uint32_t number, struct txtap_row_wake *wake);

struct txtap_row_gap {
    uint32_t index;                /* index of the first event after the gap; summary.end: there is no such event yet */
    uint64_t from_ticks, to_ticks; /* for a gap that has not ended, to_ticks is the newest known time */
    uint64_t lost;                 /* number of events; a lower bound unless exact is true */
    bool exact;                    /* lost is exact */
    bool ended;
};

/* Returns the number of the first gap that ends at the time `ticks` or later. */
uint32_t txtap_rows_first_gap(const struct txtap_rows *rows, uint64_t ticks);
bool txtap_rows_gap(const struct txtap_rows *rows, uint32_t number, struct txtap_row_gap *gap);

#define TXTAP_ROW_MARK_TEXT_BYTES 104u /* NUL included */

struct txtap_row_mark {
    enum txtap_mark_kind kind;
    uint32_t index; /* index of the next event; summary.end: there is no next event yet */
    uint64_t ticks; /* ticks of the next event; if there is no next event yet, ticks of the newest event */
    uint64_t unix_us;
    const char *text; /* any bytes; valid until the next item is taken or dropped */
};

/* Returns the number of the first mark at event `index` or later. */
uint32_t txtap_rows_first_mark(const struct txtap_rows *rows, uint32_t index);
bool txtap_rows_mark(const struct txtap_rows *rows, uint32_t number, struct txtap_row_mark *mark);

#endif
