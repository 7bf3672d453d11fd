/* SPDX-License-Identifier: MIT */
/*
 * Reads one ring, exchange after exchange: the ring reader, the object registry and the pace of polling, over a memory
 * source. One poller_step() is one bounded exchange. Items go to a sink. A poller survives no reset: see
 * event_stream.h.
 */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_H
#define TXTAP_CAPTURE_STREAM_POLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "stream/batch_items.h"
#include "stream/name_copies.h"
#include "stream/reader.h"
#include "stream/stream_stats.h"
#include "txtap/event_maker.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/source.h"

struct poller_settings {
    enum txtap_ring_from from;     /* of the first ring */
    uint64_t (*now_us)(void);      /* monotonic */
    void (*pause_us)(uint64_t us); /* sleeps that long, for poller_drain(). NULL: it never pauses */
    uint64_t (*unix_us)(void);     /* since 1970. NULL: events get no time of day */
    double tick_hz;                /* of the time stamps; 0: measured */
    bool stops;                    /* the target stands still while it is read */
    uint64_t patience_us; /* how long an event waits for a word that is written late; 0: TXTAP_RING_PATIENCE_US */
    bool waits_for_names; /* events wait until it is known which objects they mean */
    uint64_t past_events; /* so many events back somebody may look for an object that ended; 0: any number */
};

/* Where a trace buffer was found. */
struct poller_place {
    struct txtap_source source;
    uint32_t address;
    struct txtap_header header; /* a ring that has none: the one that its events, as TXTB's, would have */
    struct reader_place reader;
    bool at_rest;          /* nobody writes there: it is an image */
    uint32_t pointer;      /* address of the variable that points here while the firmware records here; 0: not known */
    uint32_t search_start; /* address of the kernel's _tx_trace_registry_search_start; 0: not known */
};

struct poller {
    struct txtap_source source;
    uint32_t address;
    struct txtap_header header;
    bool at_rest;
    uint32_t pointer;   /* as in poller_place */
    bool elsewhere;     /* that variable points elsewhere: the firmware records there */
    uint64_t in_use_us; /* the firmware has not left this buffer before then */
    const struct reader_ops *reader;
    void *reader_self;         /* NULL: the ring is over, and nothing in it counts any more */
    struct reader_state state; /* of the reader, since it was last called */
    struct txtap_registry registry;
    struct txtap_object *known; /* the memory of registry */
    struct name_copies *names;  /* NULL: the ring is over */
    struct batch_items batch;
    struct poller_settings settings;
    uint64_t (*now_us)(void); /* from the settings */
    struct txtap_sink sink;
    struct txtap_event_maker maker; /* gives all events their time */
    struct stream_stats stats;

    struct txtap_read reads[TXTAP_RING_READS_MAX]; /* of an idle plan, and of the pointer */
    uint8_t pointer_bytes[4];

    uint64_t head_counted; /* stats.written counts up to this position; 0: nothing was read yet */
    uint64_t head_seq;     /* sequence number of the ring's head at the last exchange */
    uint64_t seq_offset;   /* of the ring's event 0 in the stream */
    uint64_t asked_us;     /* when the target was last asked whether its ring has wrapped */

    uint64_t interval_us; /* from one poll to the next, unless poll_now */
    bool poll_now;        /* poll again at once */
    double event_rate;    /* per second, smoothed */
    uint64_t polled_us;   /* the end of the last poll */
    uint64_t last_step_us;
    uint64_t begin_us; /* of the last exchange */
};

/*
 * Opens the ring and reads the object registry. place: where the ring was found just now. The sink gets all items; a
 * status of its other than TXTAP_OK ends the step. All memory is allocated here, and freed by poller_free(), which is
 * not due after a failure; error is then one line. TXTAP_ERROR_RING: the ring has one entry, which the target is always
 * about to overwrite.
 */
enum txtap_status poller_init(struct poller *poller, const struct poller_place *place,
                              const struct poller_settings *settings, struct txtap_sink sink, struct error *error);
void poller_free(struct poller *poller);

/*
 * Goes on with another trace, or another buffer, after poller_finish(). Its events follow in the stream, and the
 * statistics go on. place may have another source. from TXTAP_RING_FROM_START: what the new trace has overwritten
 * already is lost; at least one lap, if it has wrapped and counts no laps. Otherwise as poller_init(), but after a
 * failure only poller_free() and poller_restart() are allowed.
 */
enum txtap_status poller_restart(struct poller *poller, const struct poller_place *place, enum txtap_ring_from from,
                                 struct error *error);

/* Sequence number of the first event that was neither delivered nor reported as lost. */
uint64_t poller_next_seq(const struct poller *poller);

/* The position up to which the ring is known to be written. */
uint64_t poller_head(const struct poller *poller);

/* Everything before poller_head() was delivered or reported as lost. */
bool poller_is_read(const struct poller *poller);

/* An unknown number of events is missing before the next one: a gap will say so. */
void poller_mark_all_inexact(struct poller *poller);

/* Whether the target was reset while it was not read is unknown: the next loss is not exact. */
void poller_mark_inexact(struct poller *poller);

/* One exchange. A status of the sink is passed on; of an error of the source, error is one line. */
enum txtap_status poller_step(struct poller *poller, struct error *error);

/* The two halves of a step, for a caller that may deliver something in between: poller_head() is new after the first.
 */
enum txtap_status poller_fetch(struct poller *poller, struct error *error);
enum txtap_status poller_deliver(struct poller *poller, struct error *error);

/* How long to wait before the next step, in microseconds. */
uint64_t poller_delay_us(const struct poller *poller);

/*
 * Reads what the target has written up to now, and the names in it, for at most limit_us. Pauses while nothing is left
 * to read, and only time tells which fields and names are final. Then delivers what was held back, and a gap for what
 * could not be read in that time.
 */
enum txtap_status poller_drain(struct poller *poller, uint64_t limit_us, struct error *error);

/* Delivers what was held back, and a gap for what was written before the position until and was not read. */
enum txtap_status poller_finish(struct poller *poller, uint64_t until);

/*
 * At the end: sets stats.unseen if events may have been lost unseen. Reads some of the ring if the delivered events do
 * not tell. poller_drain() calls it.
 */
enum txtap_status poller_judge_unseen(struct poller *poller, struct error *error);

/* Delivers at once what waits for names, so that something else can be delivered behind it. */
enum txtap_status poller_flush(struct poller *poller);

/* Nothing more will be learned about the names in the events so far. */
bool poller_is_settled(const struct poller *poller);

/* Instead of more steps: reads the object registry as it is now. No names are learned from it. */
enum txtap_status poller_end_registry(struct poller *poller, struct error *error);

/* The target's object registry as it was last read: *length bytes. */
const uint8_t *poller_objects(const struct poller *poller, uint32_t *length);

/* What the ring's reader knows; all zero when the ring is over. */
const struct reader_state *poller_state(const struct poller *poller);

/* One exchange of these reads, counted in the statistics. */
enum txtap_status poller_exchange(struct poller *poller, const struct txtap_read *reads, size_t count,
                                  struct error *error);

/* Copies target memory in as many exchanges as the source needs. length: a multiple of 4. */
enum txtap_status poller_read(struct poller *poller, uint32_t address, uint32_t length, uint8_t *buffer,
                              struct error *error);

#endif
