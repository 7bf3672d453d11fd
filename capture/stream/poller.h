/* SPDX-License-Identifier: MIT */
/*
 * A trace buffer being read: the ring reader, the object registry and the pace of polling, over a memory source. One
 * poller_step() is one bounded exchange. What is delivered goes item by item to a sink.
 */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_H
#define TXTAP_CAPTURE_STREAM_POLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "stream/gap_estimate.h"
#include "stream/reader.h"
#include "stream/stream_stats.h"
#include "stream/unseen.h"
#include "stream/write_time.h"
#include "txtap/event_maker.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/source.h"

struct poller_settings {
    enum txtap_ring_from from; /* of the first ring */
    uint64_t (*now_us)(void);  /* monotonic */
    uint64_t (*unix_us)(void); /* since 1970. NULL: nobody wants to know when events were by the clock of the day */
    double tick_hz;            /* of the time stamps; 0: it is measured */
    uint64_t patience_us;      /* how long an event waits for a word that is written late; 0: TXTAP_RING_PATIENCE_US */
    bool waits_for_names;      /* events wait until it is known which objects they mean */
};

/* Where a trace buffer was found. */
struct poller_place {
    struct txtap_source source;
    uint32_t address;
    struct txtap_header header; /* of a ring that has none: what its events have as TXTB's */
    struct reader_place reader;
    bool at_rest;     /* nobody writes there: it is an image */
    uint32_t pointer; /* address of the word that has this address while the firmware records here; 0: not known */
};

/* Who waits until it is known which objects the events mean: see poller_names.h. */
struct poller_names {
    struct poller_names_item *items; /* in a circle, the oldest at first */
    size_t capacity, first, count;
    uint8_t *copy, *again;    /* the registry as read last, twice */
    uint64_t wanted_seq;      /* the first event that wants the registry read; UINT64_MAX: none */
    uint64_t wanted_low_seq;  /* what low_seq must be for the last one */
    bool reading, has_before; /* copy waits to be believed; poller->objects is the one believed before it */
    bool high_known;
    bool owed;                  /* the registry is to be read when there is time */
    uint64_t low_seq, high_seq; /* of that copy */
    uint64_t passed_seq;        /* once events behind it are read, high_seq is certain */
    /* The ring's write pointer when it began and when it ended. */
    uint8_t pointer_before[4], pointer_after[4];
    uint64_t head_seq;      /* of the last exchange */
    bool head_exact;        /* nothing was written behind it then */
    uint64_t read_us;       /* when the registry was last read */
    uint64_t read_at_bytes; /* stats.bytes_read then */
};

struct poller {
    struct txtap_source source;
    uint32_t address;
    struct txtap_header header;
    bool at_rest;
    uint32_t pointer;    /* as in poller_place */
    bool elsewhere;      /* it has another address: the firmware records there */
    uint64_t in_use_us;  /* since then the firmware may have left this buffer */
    bool unknown_before; /* of what was before the entry that comes next, nobody knows how much is missing */
    const struct reader_ops *reader;
    void *reader_self; /* the reader's; NULL: the ring is over, and nothing of it counts any more */
    struct txtap_registry registry;
    struct write_times write_times;
    struct gap_estimator estimator;
    uint64_t estimator_us; /* when the last event in it was delivered */
    struct unseen unseen;
    struct poller_settings settings;
    uint64_t (*now_us)(void); /* of the settings */
    struct txtap_sink sink;
    struct txtap_event_maker maker; /* of all events delivered */
    struct txtap_item *items;       /* those of one batch, before they have their time */
    struct stream_stats stats;

    struct txtap_read reads[TXTAP_RING_READS_MAX]; /* those of an idle plan, and the pointer */
    uint8_t pointer_bytes[4];

    uint8_t *objects; /* the registry as it was last believed */
    uint32_t objects_bytes;
    struct txtap_object *known;
    uint64_t head_counted;    /* up to where stats.written goes; 0: nothing was read yet */
    uint64_t seq_offset;      /* of the ring's event 0 in the stream */
    uint64_t write_time_base; /* position of the ring's event 0, as write_times count */
    struct poller_names names;

    uint64_t interval_us; /* from one poll to the next while nothing hurries */
    bool poll_now;        /* poll again at once */
    double event_rate;    /* per second, smoothed */
    uint64_t polled_us;   /* the end of the last poll */
    uint64_t last_step_us;
    uint64_t begin_us; /* of the last exchange */
};

/*
 * place: as found just now. The sink gets all that is delivered; what it returns other than TXTAP_OK ends the step. The
 * poller owns what it allocates here; nothing is allocated later. Reads the object registry. On failure error is one
 * line and the poller needs no poller_free(). TXTAP_ERROR_RING: the target writes into a ring of one entry, of which
 * nothing can be read in time.
 */
enum txtap_status poller_init(struct poller *poller, const struct poller_place *place,
                              const struct poller_settings *settings, struct txtap_sink sink, struct error *error);
void poller_free(struct poller *poller);

/*
 * Goes on with another trace, or another buffer, after poller_finish(): its events follow those before in the stream,
 * and the statistics go on. place's source may be another one. What it has overwritten already is lost,
 * if from is TXTAP_RING_FROM_START; at least one lap, if it has wrapped and counts no laps. Otherwise as
 * poller_init(); after a failure nothing but poller_free() and poller_restart() is allowed.
 */
enum txtap_status poller_restart(struct poller *poller, const struct poller_place *place, enum txtap_ring_from from,
                                 struct error *error);

/* The stream's number of the first event that was neither delivered nor reported as lost. */
uint64_t poller_next_seq(const struct poller *poller);

/* The position behind what is known to be written. */
uint64_t poller_head(const struct poller *poller);

/* All that was known to be written at the last exchange was delivered or reported as lost. */
bool poller_is_read(const struct poller *poller);

/* Before the event that comes next any number may be missing: a gap says so. */
void poller_mark_all_inexact(struct poller *poller);

/* Nobody can tell whether the target lived on while it was not read. */
void poller_mark_inexact(struct poller *poller);

/* One exchange. TXTAP_END or an error of the sink's is passed on; of the source's, error says it in one line. */
enum txtap_status poller_step(struct poller *poller, struct error *error);

/* The two halves of a step, for a caller that has a word to say between them: poller_head() knows what was written. */
enum txtap_status poller_fetch(struct poller *poller, struct error *error);
enum txtap_status poller_deliver(struct poller *poller, struct error *error);

/* How long to wait before the next step, in microseconds. */
uint64_t poller_delay_us(const struct poller *poller);

/*
 * Reads what the target has written up to now, for at most limit_us, then delivers what is held back, and as a gap what
 * could not be read any more.
 */
enum txtap_status poller_drain(struct poller *poller, uint64_t limit_us, struct error *error);

/* Delivers what is held back, and as a gap what was written before the ring position until and not read. */
enum txtap_status poller_finish(struct poller *poller, uint64_t until);

/*
 * At the end of what is read: sets stats.unseen if losses may have been that nobody could see, after a look at the ring
 * where the events that came do not tell. poller_drain() does it.
 */
enum txtap_status poller_judge_unseen(struct poller *poller, struct error *error);

/* Delivers what waits for names at once: something is to be said about the stream that stands behind it. */
enum txtap_status poller_flush(struct poller *poller);

/* Is all known of names that is going to be known of the events so far? */
bool poller_is_settled(const struct poller *poller);

/* What the ring's reader knows; zero when the ring is over. */
struct reader_state poller_state(const struct poller *poller);

/* One exchange of a few words. */
enum txtap_status poller_exchange(struct poller *poller, const struct txtap_read *reads, size_t count,
                                  struct error *error);

/* Copies target memory in as many exchanges as the source needs. length: a multiple of 4. */
enum txtap_status poller_read(struct poller *poller, uint32_t address, uint32_t length, uint8_t *buffer,
                              struct error *error);

#endif
