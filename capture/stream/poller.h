/* SPDX-License-Identifier: MIT */
/*
 * Reads one ring by repeated exchanges with a memory source. It combines the ring reader, the object registry and the
 * pace of polling, and gives items to a sink. One poller_step() is one bounded exchange. A poller does not survive a
 * reset of the target: see event_stream.h.
 */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_H
#define TXTAP_CAPTURE_STREAM_POLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "stream/batch_items.h"
#include "stream/guest.h"
#include "stream/name_copies.h"
#include "stream/reader.h"
#include "stream/stream_stats.h"
#include "txtap/event_maker.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/source.h"

struct poller_settings {
    enum txtap_ring_from from;     /* where to begin in the first ring */
    uint64_t (*now_us)(void);      /* monotonic */
    void (*pause_us)(uint64_t us); /* sleeps for `us` microseconds, in poller_drain(). NULL: no pauses */
    uint64_t (*unix_us)(void);     /* microseconds since 1970. NULL: events get no time of day */
    double tick_hz;                /* tick rate of the time stamps; 0: measure it */
    bool stops;                    /* the target is halted while txtap reads */
    uint64_t patience_us;          /* how long an event waits for a late word; 0: TXTAP_RING_PATIENCE_US */
    uint64_t names_wait_us;        /* how long an event waits until the objects in it are known; 0: not at all */
    uint64_t past_events;          /* an object may be forgotten if this many events have followed its end; 0: never */
    struct guests *guests;         /* read in the exchanges of the ring; borrowed. NULL: no guests */
};

/* Where a trace buffer was found. */
struct poller_place {
    struct txtap_source source;
    uint32_t address;
    struct txtap_header header; /* for a ring without a header: a TXTB header that describes its events */
    struct reader_place reader;
    bool at_rest;     /* an image that nobody writes to */
    uint32_t pointer; /* address of the variable that points to this buffer while the firmware records into it; 0: not
                         known */
    uint32_t search_start; /* address of the kernel's _tx_trace_registry_search_start; 0: not known */
};

struct poller {
    struct txtap_source source;
    uint32_t address;
    struct txtap_header header;
    bool at_rest;
    uint32_t pointer;   /* as in poller_place */
    bool elsewhere;     /* the variable at `pointer` points elsewhere: the firmware records into another buffer */
    uint64_t in_use_us; /* the firmware still used this buffer at this time */
    const struct reader_ops *reader;
    void *reader_self;         /* NULL: the ring is closed */
    struct reader_state state; /* the reader's state after its last call */
    struct txtap_registry registry;
    struct txtap_object *known; /* the memory that registry uses */
    struct name_copies *names;  /* NULL: the ring is closed */
    struct batch_items batch;
    struct poller_settings settings;
    uint64_t (*now_us)(void); /* from the settings */
    struct txtap_sink sink;
    struct txtap_event_maker maker; /* sets the time of all events */
    struct stream_stats stats;

    struct txtap_read reads[TXTAP_RING_READS_MAX]; /* the reads of an idle plan, and of the variable at `pointer` */
    uint8_t pointer_bytes[4];

    uint64_t head_counted; /* stats.written counts up to this position; 0: nothing was read yet */
    uint64_t head_seq;     /* sequence number of the ring's head at the last exchange */
    uint64_t seq_offset;   /* sequence number of the ring's event 0 in the stream */
    uint64_t asked_us;     /* when the poller last asked the target whether its ring has wrapped */

    uint64_t interval_us; /* time from one poll to the next, unless state.poll_now is true */
    bool poll_now;        /* poll again at once */
    double event_rate;    /* events per second, smoothed */
    uint64_t polled_us;   /* end of the last poll */
    uint64_t last_step_us;
    uint64_t begin_us; /* start of the last exchange */
};

/*
 * Opens the ring and reads the object registry. place: where the ring was just found. The sink gets all items; a status
 * of the sink other than TXTAP_OK ends the step. Allocates all memory; after success, call poller_free(). On failure
 * nothing needs to be freed, and error is one line. TXTAP_ERROR_RING: the ring has only one entry, which the target may
 * overwrite at any time.
 */
enum txtap_status poller_init(struct poller *poller, const struct poller_place *place,
                              const struct poller_settings *settings, struct txtap_sink sink, struct error *error);
void poller_free(struct poller *poller);

/*
 * Continues with another trace or another buffer, after poller_finish(). The sequence numbers and statistics continue.
 * `place` may have another source. If `from` is TXTAP_RING_FROM_START, entries that the new trace has already
 * overwritten count as lost. If the new trace has wrapped and counts no laps, this loss is at least one lap. Otherwise
 * like poller_init(), but after a failure only poller_free() and poller_restart() may be called.
 */
enum txtap_status poller_restart(struct poller *poller, const struct poller_place *place, enum txtap_ring_from from,
                                 struct error *error);

/* Returns the sequence number of the first event that was neither delivered nor reported as lost. */
uint64_t poller_next_seq(const struct poller *poller);

/* Returns the position up to which the ring is known to be written. */
uint64_t poller_head(const struct poller *poller);

/* Returns true if everything before poller_head() was delivered or reported as lost. */
bool poller_is_read(const struct poller *poller);

/* Notes that an unknown number of events is missing before the next event: a gap will report the loss. */
void poller_mark_all_inexact(struct poller *poller);

/* Notes that the target may have been reset while it was not read: the next loss is then not exact. */
void poller_mark_inexact(struct poller *poller);

/* Does one exchange. Returns a status of the sink unchanged. If the source failed, error is one line. */
enum txtap_status poller_step(struct poller *poller, struct error *error);

/* Does the first half of a step, which updates poller_head(); poller_deliver() does the second half. Between the two
 * calls, the caller may look at the new head and deliver items of its own. */
enum txtap_status poller_fetch(struct poller *poller, struct error *error);
enum txtap_status poller_deliver(struct poller *poller, struct error *error);

/* Returns how long to wait before the next step, in microseconds. */
uint64_t poller_delay_us(const struct poller *poller);

/*
 * Reads everything that the target has written so far, and the names in it, for at most `limit_us`. Pauses when nothing
 * is left to read and only time can tell which fields and names are final. Then delivers the entries that were held
 * back, and a gap for entries that could not be read in time.
 */
enum txtap_status poller_drain(struct poller *poller, uint64_t limit_us, struct error *error);

/* Delivers the entries that were held back, and a gap for entries before the position `until` that were not read. */
enum txtap_status poller_finish(struct poller *poller, uint64_t until);

/* Delivers all items that wait for names, so that the caller can deliver something after them. */
enum txtap_status poller_flush(struct poller *poller);

/* Returns true if no more names will be learned for the events so far. */
bool poller_is_settled(const struct poller *poller);

/* Reads the current object registry. Call it instead of further steps. No names are learned from it. */
enum txtap_status poller_end_registry(struct poller *poller, struct error *error);

/* Returns the target's object registry as last read: *length bytes. */
const uint8_t *poller_objects(const struct poller *poller, uint32_t *length);

/* Returns the state of the ring's reader; all zero if the ring is closed. */
const struct reader_state *poller_state(const struct poller *poller);

/* Does one exchange of these reads, counted in the statistics. */
enum txtap_status poller_exchange(struct poller *poller, const struct txtap_read *reads, size_t count,
                                  struct error *error);

/* Reads target memory in as many exchanges as the source needs. length: a multiple of 4. */
enum txtap_status poller_read(struct poller *poller, uint32_t address, uint32_t length, uint8_t *buffer,
                              struct error *error);

#endif
