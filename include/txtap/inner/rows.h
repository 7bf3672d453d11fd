/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The rows of a timeline: what each core, interrupt, thread and object does over time, to be drawn and added up at any
 * zoom. A sink of changes (change.h) that keeps them all, or the newest ones.
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
 * A row is a step function: a step lasts until the next one of its row. Beside every 16th step stands how long the row
 * was in each state before, so a query takes the same time whether a column has one step or a million, and its sums are
 * exact. Steps begin at events; an event's index is 0, 1, 2, ... in the order in which they were taken. Changes that
 * come between events, as those of other kernels do (zephyr.h), get an index of their own: a moment without an event.
 * Ticks are those of the changes: they never go back, those that would stand still.
 */
#ifndef TXTAP_INNER_ROWS_H
#define TXTAP_INNER_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/inner/change.h"
#include "txtap/item.h"
#include "txtap/status.h"

/* ---- memory ---- */

#define TXTAP_ROWS_PAGE_BYTES 11264u

/* Gives memory in pages, and takes them back. Rows come and go with what a target does, so their number is not known
 * before. */
struct txtap_rows_pages {
    /* TXTAP_ROWS_PAGE_BYTES bytes, aligned as malloc() aligns, with any content; NULL: there is no more. */
    void *(*page)(void *self);
    void (*release)(void *self, void *page);
    void *self;
};

struct txtap_rows_options {
    uint32_t keep;    /* events that are kept at least: of more, up to an eighth, the oldest are dropped. 0: all */
    unsigned profile; /* TXTAP_PROFILE_* bits, for the classes of events */
};

struct txtap_rows; /* lies in the caller's memory, and in pages */

size_t txtap_rows_bytes(void);

/* Starts with nothing. memory: txtap_rows_bytes() bytes, aligned as malloc() aligns, borrowed. Takes no page yet. */
struct txtap_rows *txtap_rows_open(void *memory, struct txtap_rows_pages pages,
                                   const struct txtap_rows_options *options);

/* Gives all pages back; only txtap_rows_open() may follow. */
void txtap_rows_close(struct txtap_rows *rows);

/* ---- taking ---- */

/*
 * Takes a change; self: the rows. TXTAP_ERROR_SPACE: there is no page for it, even after the oldest events were dropped
 * (keep is not 0), or 2^32 - 2 events were taken. Then this event and all that follow are not taken, and what was taken
 * before stays as it was.
 */
enum txtap_status txtap_rows_take(void *self, const struct txtap_change *change);

/* Takes a mark (item.h), which may come before the events in front of it: it gets its index when the event with its seq
 * comes. The text is cut to TXTAP_ROW_MARK_TEXT_BYTES. Statuses as above. */
enum txtap_status txtap_rows_take_mark(struct txtap_rows *rows, const struct txtap_mark *mark);

/* Forgets that many of the oldest events, rounded down to whole pages of 1,024; the newest page stays. What is left
 * stays exact. Steps that began before are cut: they begin with the first event left. */
void txtap_rows_drop(struct txtap_rows *rows, uint32_t events);

struct txtap_rows_summary {
    uint32_t first, end;         /* indexes of the oldest event and behind the newest; the same: there is none */
    uint64_t from_ticks;         /* of the oldest event */
    uint64_t to_ticks;           /* of the newest: nothing is known behind it */
    uint32_t rows;               /* how many; they are never dropped */
    uint32_t rows_version;       /* changes whenever a row comes or what txtap_rows_row() says changes */
    uint32_t version;            /* changes with everything that is taken or dropped */
    uint32_t pages;              /* that are in use now */
    uint64_t gaps, lost, resets; /* in all, dropped ones included; lost: events, at least */
    bool lost_exact;             /* exactly */
    bool ended;                  /* END was taken */
    bool full;                   /* TXTAP_ERROR_SPACE was returned */
    uint64_t left_out;           /* changes of parties without a number, and of interrupts or rows beyond the limits */
};

void txtap_rows_summary(const struct txtap_rows *rows, struct txtap_rows_summary *summary);

/* ---- rows ---- */

enum txtap_row_kind {
    TXTAP_ROW_CORE,
    TXTAP_ROW_INTERRUPT, /* each number has one, whatever core it comes on */
    TXTAP_ROW_THREAD,
    TXTAP_ROW_IDLE, /* of a core */
    TXTAP_ROW_QUEUE,
    TXTAP_ROW_SEMAPHORE,
    TXTAP_ROW_MUTEX,
    TXTAP_ROW_FLAGS,
    TXTAP_ROW_BLOCK_POOL,
    TXTAP_ROW_BYTE_POOL,
    TXTAP_ROW_TIMER,
    TXTAP_ROW_OTHER, /* an object of another type */
    TXTAP_ROW_KINDS
};

/* "core", "isr", "thread", "idle", "queue", "semaphore", "mutex", "flags", "block_pool", ...; static. */
const char *txtap_row_kind_name(enum txtap_row_kind kind);

#define TXTAP_ROW_NONE 0xFFFFu

struct txtap_row {
    enum txtap_row_kind kind;
    bool counter;        /* its steps have values and no states: queues, semaphores, pools. Flags, timers and others
                            have neither; they stand for what threads wait for */
    uint32_t number;     /* of the thread, of the object (struct txtap_change_party), of the interrupt, of the core */
    uint32_t address;    /* of the thread or the object; else 0 */
    uint8_t type;        /* of the object: enum txtap_object_type; of a thread TXTAP_OBJECT_THREAD; else NONE */
    bool priority_known; /* of a thread: */
    uint32_t priority;   /* the newest one */
    uint32_t events;     /* that it recorded, and that are still held */
};

/* False: there is no such row. Rows are 0, 1, 2, ... in the order in which they come. */
bool txtap_rows_row(const struct txtap_rows *rows, uint32_t row, struct txtap_row *out);

/* ---- states ---- */

/*
 * Of threads: UNKNOWN, RUNNING to BLOCKED. Of cores: UNKNOWN, RUNNING with the thread as object, ISR with the
 * interrupt's row as object, IDLE, INIT. Of interrupts: UNKNOWN, ISR, INTERRUPTED by another one, OFF. Of idle:
 * UNKNOWN, IDLE, OFF. Of mutexes: UNKNOWN, HELD with the owner as object and the count, at most 255, as reason; OFF.
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
    TXTAP_ROW_OFF,  /* not entered, not idle, not owned */
    TXTAP_ROW_HELD, /* a mutex: it has an owner */
    TXTAP_ROW_STATES
};

/* How long the row was in each state between two times, in ticks; exact. What is before the first event or behind the
 * newest does not count. All 0: it has no states. */
void txtap_rows_sums(const struct txtap_rows *rows, uint32_t row, uint64_t from_ticks, uint64_t to_ticks,
                     uint64_t sums[TXTAP_ROW_STATES]);

struct txtap_row_step {
    uint64_t from_ticks, to_ticks; /* to_ticks of the newest step: of the newest event */
    uint32_t index;                /* of the event that began it */
    uint32_t next;                 /* of the event that ended it; behind the newest event: nothing did */
    bool from_known;               /* false: it may have begun earlier: the trace begins here, or what was before it was
                                      dropped */
    bool to_known;                 /* false: it goes on, as far as is known */
    uint8_t state;                 /* enum txtap_row_state; of counters UNKNOWN */
    uint8_t reason;                /* BLOCKED: enum txtap_wait */
    uint16_t object;               /* row that it waits for, that runs, or that owns it; TXTAP_ROW_NONE: none */
    bool value_known;              /* of counters: */
    uint32_t value;
};

/* The row's step at that time: of several that begin then, the last. False: there is none, the time is outside. */
bool txtap_rows_at(const struct txtap_rows *rows, uint32_t row, uint64_t ticks, struct txtap_row_step *step);

/* The row's step at that event. */
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

/* "none", "thread", "queue", ...; static. */
const char *txtap_event_class_name(enum txtap_event_class class_of);

/* Of an event with that id. profile: TXTAP_PROFILE_* bits. */
enum txtap_event_class txtap_event_class_of(uint32_t id, unsigned profile);

struct txtap_row_event {
    uint64_t ticks, seq; /* seq: of a moment without an event 0 */
    uint16_t row; /* that recorded it: a thread, an interrupt, or the core; TXTAP_ROW_NONE: a moment without an event */
    uint8_t event_class; /* enum txtap_event_class */
};

/* False: there is no such event, or no longer. */
bool txtap_rows_event(const struct txtap_rows *rows, uint32_t index, struct txtap_row_event *event);

/* The ticks of an event; those of the oldest or newest if there is no such event; 0: there are no events. */
uint64_t txtap_rows_ticks(const struct txtap_rows *rows, uint32_t index);

/* The first event at that time or later; summary.end: there is none. */
uint32_t txtap_rows_event_at(const struct txtap_rows *rows, uint64_t ticks);

/* The first event with that number or a later one, as seq counts (item.h); summary.end: there is none. After a reset
 * that starts numbers again: in the newest stretch that has it. */
uint32_t txtap_rows_event_of_seq(const struct txtap_rows *rows, uint64_t seq);

#define TXTAP_ROWS_NO_INDEX UINT32_MAX

/* The next event that the row recorded, after or before that one; TXTAP_ROWS_NO_INDEX: none. */
uint32_t txtap_rows_next_event(const struct txtap_rows *rows, uint32_t row, uint32_t index, bool forward);

/* The event at which the row's next step begins, after or before that one; TXTAP_ROWS_NO_INDEX: none. */
uint32_t txtap_rows_next_step(const struct txtap_rows *rows, uint32_t row, uint32_t index, bool forward);

/* ---- columns ---- */

#define TXTAP_ROWS_COLUMNS_MAX 65534u

/* A range in equally wide columns. by_event: from and to are indexes, and every event is equally wide; else they are
 * ticks. */
struct txtap_rows_range {
    uint64_t from, to; /* from below to */
    uint32_t count;    /* of columns: 1 to TXTAP_ROWS_COLUMNS_MAX */
    bool by_event;
};

/* Where a column begins. */
struct txtap_rows_edge {
    uint64_t at;    /* ticks, or index, in the range's unit */
    uint64_t ticks; /* within the trace */
    uint32_t index; /* of the first event in the column or behind it */
    bool by_event;
};

/*
 * Finds the edges of all columns, once for all rows. edges: range->count + 1 of them; valid until something is taken or
 * dropped. TXTAP_ERROR_USAGE: the range is not one.
 */
enum txtap_status txtap_rows_edges(const struct txtap_rows *rows, const struct txtap_rows_range *range,
                                   struct txtap_rows_edge *edges);

#define TXTAP_COLUMNS_DENSE 1u /* several steps in one column: the shares say how much of it they have */

/*
 * Columns that look alike. A step that begins inside a column begins at the nearer one of its sides; where two begin,
 * or where a step would become narrower than a column, the column is dense.
 * run, ready: shares of the piece's time in 1/255, rounded, but at least 1 if there is any (a step that lasted no time
 * is found if it is among the newest 32 of its column): of threads RUNNING and
 * READY, of cores RUNNING and IN_ISR, of interrupts IN_ISR and INTERRUPTED, of idle IS_IDLE, of mutexes HELD. Of a
 * piece that is not dense 255 or 0. state: of a dense piece the one that lasts longest. Only columns that have part of
 * the trace are covered.
 */
struct txtap_row_columns {
    uint16_t x0, x1; /* columns x0 to x1 - 1 */
    uint8_t state;   /* enum txtap_row_state */
    uint8_t reason;
    uint8_t run, ready;
    uint16_t object; /* as in struct txtap_row_step; of a dense piece that of its last step in this state */
    uint16_t flags;  /* TXTAP_COLUMNS_* */
    uint32_t index;  /* of the event that began the step; of a dense piece, the first one in it */
};

/* The pieces of a row with states; out: room for count, the number of columns in edges. Returns how many. */
size_t txtap_rows_columns(const struct txtap_rows *rows, uint32_t row, const struct txtap_rows_edge *edges,
                          uint32_t count, struct txtap_row_columns *out);

/* Of a counter: the smallest and the largest value in the columns; min above max: it is unknown all the time. */
struct txtap_row_values {
    uint16_t x0, x1;
    uint32_t min, max;
    uint32_t last; /* at the end of the piece; UINT32_MAX: unknown then */
};

/* The same of a row that is a counter. */
size_t txtap_rows_values(const struct txtap_rows *rows, uint32_t row, const struct txtap_rows_edge *edges,
                         uint32_t count, struct txtap_row_values *out);

/* The events of one column. */
struct txtap_row_events {
    uint32_t index;      /* of the first one */
    uint16_t count;      /* 65535: that many or more */
    uint8_t event_class; /* enum txtap_event_class: of most of them; of many, of most of 16 of them */
    uint8_t more;        /* 1: there are other classes among these */
};

/* What the row recorded, for each column; row TXTAP_ROW_NONE: all events. out: count of them, for every column. */
void txtap_rows_events(const struct txtap_rows *rows, uint32_t row, const struct txtap_rows_edge *edges, uint32_t count,
                       struct txtap_row_events *out);

/* ---- wakes, gaps, marks: lists in the order of time ---- */

/* A thread was woken. */
struct txtap_row_wake {
    uint32_t index;       /* of the event that woke it */
    uint32_t since;       /* of the event with which it began to wait; TXTAP_ROWS_NO_INDEX: not known */
    uint32_t run;         /* of the event after which it ran; TXTAP_ROWS_NO_INDEX: not yet, or not known */
    uint64_t ticks;       /* when it was woken */
    uint64_t since_ticks; /* if since is known */
    uint64_t run_ticks;   /* if run is known; the latency is run_ticks - ticks */
    uint16_t from;        /* row of the thread or the interrupt that woke it; TXTAP_ROW_NONE: not known */
    uint16_t to;          /* row of the thread */
    uint16_t object;      /* row that it waited for; TXTAP_ROW_NONE: none, or not known */
    uint8_t reason;       /* enum txtap_wait */
    uint8_t ending;       /* enum txtap_ending */
};

/* The number of the first wake at that event or later. Count up from there; there are no more when txtap_rows_wake()
 * says so. */
uint32_t txtap_rows_first_wake(const struct txtap_rows *rows, uint32_t index);
bool txtap_rows_wake(const struct txtap_rows *rows, uint32_t number, struct txtap_row_wake *wake);

struct txtap_row_gap {
    uint32_t index;                /* of the first event behind it; summary.end: none yet */
    uint64_t from_ticks, to_ticks; /* of one that has not ended: the newest time known */
    uint64_t lost;                 /* events, at least; */
    bool exact;                    /* exactly */
    bool ended;
};

/* The number of the first gap that ends at that time or later. */
uint32_t txtap_rows_first_gap(const struct txtap_rows *rows, uint64_t ticks);
bool txtap_rows_gap(const struct txtap_rows *rows, uint32_t number, struct txtap_row_gap *gap);

#define TXTAP_ROW_MARK_TEXT_BYTES 104u /* NUL included */

struct txtap_row_mark {
    enum txtap_mark_kind kind;
    uint32_t index; /* of the next event; summary.end: it did not come yet */
    uint64_t ticks; /* of that event; of the newest one if it did not come */
    uint64_t unix_us;
    const char *text; /* valid until something is taken or dropped; any bytes */
};

/* The number of the first mark at that event or later. */
uint32_t txtap_rows_first_mark(const struct txtap_rows *rows, uint32_t index);
bool txtap_rows_mark(const struct txtap_rows *rows, uint32_t number, struct txtap_row_mark *mark);

#endif
