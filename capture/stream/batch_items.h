/* SPDX-License-Identifier: MIT */
/*
 * From a reader's batch to a list of items: events with the window in which they were written, gaps with an estimate,
 * bytes. Judges by their time stamps how fast the target writes, and whether its clock runs. Reads nothing, delivers
 * nothing.
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

/*
 * By when the ring's pointer was read: after the last exchange that found the pointer not beyond the entry, and before
 * the end of the first one that found it beyond.
 */
#define WRITE_TIMES_MAX 64

struct write_time {
    uint64_t head;     /* all entries before this position were written ... */
    uint64_t first_us; /* ... by then, the end of an exchange; */
    uint64_t last_us;  /* nothing from head on was written yet when this exchange began; 0: not known */
};

/* One for each head, in the order of heads. */
struct write_times {
    struct write_time at[WRITE_TIMES_MAX];
    size_t count;
};

/* The first exchange; arguments as in write_times_note(). When the entries before head were written is unknown. */
void write_times_start(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us);

/*
 * An exchange from begin_us to end_us found the writer at head, or further if not exact. next: entries before it will
 * not be asked for any more.
 */
void write_times_note(struct write_times *write_times, uint64_t head, bool exact, uint64_t begin_us, uint64_t end_us,
                      uint64_t next);

/* When the entry at position was written, and those behind it up to *until, which is beyond position. *from_us 0: not
 * known. */
void write_times_find(const struct write_times *write_times, uint64_t position, uint64_t *from_us, uint64_t *to_us,
                      uint64_t *until);

/* ---- whether the clock of the stamps runs ---- */

enum stamp_clock {
    STAMP_CLOCK_UNKNOWN, /* too few stamps so far, all equal */
    STAMP_CLOCK_RUNS,
    STAMP_CLOCK_STANDS
};

/* All zero: no stamp was seen. */
struct stamps_seen {
    uint64_t count;
    uint64_t equal; /* how many of the newest are equal */
    uint32_t last;
};

/* The next event's stamp, masked. */
void stamps_seen_note(struct stamps_seen *seen, uint32_t stamp);

/* Judges the clock, for a ring of that many entries. A clock that stands still for less than half a ring is just slow.
 */
enum stamp_clock stamps_seen_clock(const struct stamps_seen *seen, uint32_t entries);

/* ---- the items ---- */

/* The ticks from one event to a later one, with gaps between them, and how long that took by the host's clock. */
struct stamp_span {
    bool any;       /* there is a first event */
    uint32_t stamp; /* of the last one */
    double ticks, us;
};

struct batch_items {
    struct txtap_item *at; /* those of the batch, before they have their time */
    size_t count;
    uint64_t excess; /* how many more events than estimated the batch's gaps may hide: stats.excess */

    struct txtap_header header;
    uint64_t first_seq;  /* sequence number of the ring's event 0 in the stream */
    bool unknown_before; /* an unknown number of entries is missing before the next one */
    struct write_times write_times;
    uint64_t write_time_base; /* position of the ring's event 0, as write_times count */
    struct gap_estimator estimator;
    uint64_t estimator_us; /* when the last event in it was delivered */
    struct stamp_span span;
    struct stamps_seen seen;
};

/* What is known of the ring when the batch is taken. */
struct batch_context {
    const struct reader_state *state;
    uint64_t polled_us;   /* the end of the exchange that read the batch */
    bool guards_by_stamp; /* a lap that looks like the one before would not be noticed */
};

/* batch_events: the most in a batch. False: out of memory. After success batch_items_close() is due. */
bool batch_items_open(struct batch_items *items, const struct txtap_header *header, uint64_t first_seq,
                      size_t batch_events);
void batch_items_close(struct batch_items *items);

/* After each exchange. */
void batch_items_note_write_time(struct batch_items *items, const struct reader_write_time *seen);

/* Sets the items to those of the batch, in their order, and learns from their stamps. */
void batch_items_make(struct batch_items *items, const struct reader_batch *batch, const struct batch_context *context);

/*
 * How many events are written per second, by the time stamps of those read, to about a tenth; 0: unknown. capacity: the
 * most events in the ring.
 */
double batch_items_rate(const struct batch_items *items, uint64_t capacity);

#endif
