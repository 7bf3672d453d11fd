/* SPDX-License-Identifier: MIT */
/*
 * Turns a reader's batch into a list of items: events with the window in which they were written, gaps with an
 * estimate, and bytes. Judges from the time stamps how fast the target writes and whether its clock runs. It does no
 * I/O.
 */
#ifndef TXTAP_CAPTURE_STREAM_BATCH_ITEMS_H
#define TXTAP_CAPTURE_STREAM_BATCH_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/gap_estimate.h"
#include "stream/reader.h"
#include "txtap/item.h"

/* ---- when each entry was written ---- */

/* The window of an entry begins with the last exchange that found the write pointer not yet beyond the entry. The
 * window ends with the end of the first exchange that found the pointer beyond the entry. */
#define WRITE_TIMES_MAX 64

struct write_time {
    uint64_t head;     /* all entries before this position were written by first_us */
    uint64_t first_us; /* end of the first exchange that found this head */
    uint64_t last_us;  /* start of the last exchange during which no entry from `head` on was written; 0: not known */
};

/* One element for each head, in increasing order. */
struct write_times {
    struct write_time at[WRITE_TIMES_MAX];
    size_t count;
};

/* Notes the first exchange; arguments as in write_times_note(). It is unknown when the entries before `head` were
 * written. */
void write_times_start(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us);

/* Notes an exchange that lasted from begin_us to end_us and found the writer at `head`. exact: false if the writer may
 * be beyond `head`. Entries before `next` may be forgotten. */
void write_times_note(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us,
                      uint64_t next);

/* Finds when the entry at `position` was written: between *from_us (0: not known) and *to_us. The same window applies
 * to all entries up to *until, which is above `position`. */
void write_times_find(const struct write_times *write_times, uint64_t position, uint64_t *from_us, uint64_t *to_us,
                      uint64_t *until);

/* ---- whether the clock of the time stamps runs ---- */

enum stamp_clock {
    STAMP_CLOCK_UNKNOWN, /* too few stamps so far, and all are equal */
    STAMP_CLOCK_RUNS,
    STAMP_CLOCK_STANDS
};

/* All zero: no stamp seen yet. */
struct stamps_seen {
    uint64_t count;
    uint64_t equal; /* number of newest stamps in a row that are equal */
    uint32_t last;
};

/* Notes the next event's stamp, masked. */
void stamps_seen_note(struct stamps_seen *seen, uint32_t stamp);

/* Judges the clock. entries: size of the ring. A clock that stands still for less than half a ring counts as slow. */
enum stamp_clock stamps_seen_clock(const struct stamps_seen *seen, uint32_t entries);

/* ---- the items ---- */

/* The ticks and the host's time from the first event to the last, across gaps. */
struct stamp_span {
    bool any;       /* there is a first event */
    uint32_t stamp; /* stamp of the last event */
    double ticks, us;
};

struct batch_items {
    struct txtap_item *at; /* items of the batch, still without ticks */
    size_t count;
    uint64_t excess; /* number of events that the batch's gaps may hide beyond their estimates; see stats.excess */

    struct txtap_header header;
    uint64_t first_seq;  /* sequence number of the ring's event 0 in the stream */
    bool unknown_before; /* an unknown number of entries is missing before the next entry */
    struct write_times write_times;
    uint64_t write_time_base; /* position of the ring's event 0, as counted in write_times */
    struct gap_estimator estimator;
    uint64_t estimator_us; /* when the last event noted in `estimator` was delivered */
    struct stamp_span span;
    struct stamps_seen seen;
};

/* The state of the ring when the batch is taken. */
struct batch_context {
    const struct reader_state *state;
    uint64_t polled_us;   /* the end of the exchange that read the batch */
    bool guards_by_stamp; /* a lap goes unnoticed if the new entries look like the overwritten entries */
};

/*
 * Prepares the struct. batch_events: the largest number of events in a batch. False: out of memory. After success, call
 * batch_items_close().
 */
bool batch_items_open(struct batch_items *items, const struct txtap_header *header, uint64_t first_seq,
                      size_t batch_events);
void batch_items_close(struct batch_items *items);

/* Notes when entries were written. Call it after each exchange. */
void batch_items_note_write_time(struct batch_items *items, const struct reader_write_time *seen);

/* Sets the items to the items of the batch, in order, and learns from their stamps. */
void batch_items_make(struct batch_items *items, const struct reader_batch *batch, const struct batch_context *context);

/* Returns the number of events written per second, computed from the stamps of the events that were read, with an error
 * of about 10 %; 0: unknown. capacity: the largest number of events in the ring. */
double batch_items_rate(const struct batch_items *items, uint64_t capacity);

#endif
