/* SPDX-License-Identifier: MIT */
/*
 * A trace buffer being read: the ring reader, the object registry and the pace of polling, over a memory source. One
 * session_step() is one bounded exchange. What is delivered goes item by item to a sink.
 */
#ifndef TXTAP_CAPTURE_STREAM_SESSION_H
#define TXTAP_CAPTURE_STREAM_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "stream/gap_estimate.h"
#include "stream/reader.h"
#include "stream/unseen.h"
#include "stream/write_time.h"
#include "txtap/event_maker.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/source.h"

struct session_settings {
    enum txtap_ring_from from; /* of the first ring */
    uint64_t (*now_us)(void);  /* monotonic */
    uint64_t (*unix_us)(void); /* since 1970. NULL: nobody wants to know when events were by the clock of the day */
    double tick_hz;            /* of the time stamps; 0: it is measured */
    uint64_t patience_us;      /* how long an event waits for a word that is written late; 0: TXTAP_RING_PATIENCE_US */
    bool waits_for_names;      /* events wait until it is known which objects they mean */
};

/* Where a trace buffer was found. */
struct session_place {
    struct txtap_source source;
    uint32_t address;
    struct txtap_header header; /* of a ring that has none: what its events have as TXTB's */
    struct reader_place reader;
    bool at_rest;     /* nobody writes there: it is an image */
    uint32_t pointer; /* address of the word that has this address while the firmware records here; 0: not known */
};

#define SESSION_EXCESS_MAX (UINT64_C(1) << 60)

struct session_stats {
    uint64_t events;  /* delivered */
    uint64_t written; /* since the first look, lost or not; without a lap counter at least. ThreadX's ring only: 0 */
    uint64_t lost, gaps;
    uint64_t lost_estimate; /* the same, with the estimates of gaps that have one */
    uint64_t excess;        /* how much more the other gaps may be; SESSION_EXCESS_MAX and more: nobody knows */
    bool lost_exact;        /* false: lost is a lower bound */
    bool unseen;            /* events may have been lost that are in no gap: see unseen.h */
    uint64_t resets;        /* traces that restarted, or went on elsewhere: counted by follow.c */
    uint64_t reconnections; /* read again after it could not be: counted by follow.c */
    uint64_t polls;         /* exchanges for the ring; those for the registry and the header apart */
    uint64_t requests;      /* exchanges with the source, all of them */
    uint64_t bytes_read;    /* of target memory, all of them */
    double tick_hz_low, tick_hz_high; /* bounds of the time stamps' rate: filled in by the command, 0: not known */
    uint64_t unread, unread_max;      /* entries that were waiting in the ring at the last poll, and most of them */
};

/* Who waits until it is known which objects the events mean: see session_names.h. */
struct session_names {
    struct session_names_item *items; /* in a circle, the oldest at first */
    size_t capacity, first, count;
    uint8_t *copy, *again;    /* the registry as read last, twice */
    uint64_t wanted_seq;      /* the first event that wants the registry read; UINT64_MAX: none */
    uint64_t wanted_low_seq;  /* what low_seq must be for the last one */
    bool reading, has_before; /* copy waits to be believed; session->objects is the one believed before it */
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

struct session {
    struct txtap_source source;
    uint32_t address;
    struct txtap_header header;
    bool at_rest;
    uint32_t pointer;    /* as in session_place */
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
    struct session_settings settings;
    uint64_t (*now_us)(void); /* of the settings */
    struct txtap_sink sink;
    struct txtap_event_maker maker; /* of all events delivered */
    struct txtap_item *items;       /* those of one batch, before they have their time */
    struct session_stats stats;

    struct txtap_read reads[TXTAP_RING_READS_MAX]; /* those of an idle plan, and the pointer */
    uint8_t pointer_bytes[4];

    uint8_t *objects; /* the registry as it was last believed */
    uint32_t objects_bytes;
    struct txtap_object *known;
    uint64_t head_counted;    /* up to where stats.written goes; 0: nothing was read yet */
    uint64_t seq_offset;      /* of the ring's event 0 in the stream */
    uint64_t write_time_base; /* position of the ring's event 0, as write_times count */
    struct session_names names;

    uint64_t interval_us; /* from one poll to the next while nothing hurries */
    bool poll_now;        /* poll again at once */
    double event_rate;    /* per second, smoothed */
    uint64_t polled_us;   /* the end of the last poll */
    uint64_t last_step_us;
    uint64_t begin_us; /* of the last exchange */
};

/*
 * place: as found just now. The sink gets all that is delivered; what it returns other than TXTAP_OK ends the step. The
 * session owns what it allocates here; nothing is allocated later. Reads the object registry. On failure error is one
 * line and the session needs no session_free(). TXTAP_ERROR_RING: the target writes into a ring of one entry, of which
 * nothing can be read in time.
 */
enum txtap_status session_init(struct session *session, const struct session_place *place,
                               const struct session_settings *settings, struct txtap_sink sink, struct error *error);
void session_free(struct session *session);

/*
 * Goes on with another trace, or another buffer, after session_finish(): its events follow those before in the stream,
 * and the statistics go on. place's source may be another one. What it has overwritten already is lost,
 * if from is TXTAP_RING_FROM_START; at least one lap, if it has wrapped and counts no laps. Otherwise as
 * session_init(); after a failure nothing but session_free() and session_restart() is allowed.
 */
enum txtap_status session_restart(struct session *session, const struct session_place *place, enum txtap_ring_from from,
                                  struct error *error);

/* The stream's number of the first event that was neither delivered nor reported as lost. */
uint64_t session_next_seq(const struct session *session);

/* The position behind what is known to be written. */
uint64_t session_head(const struct session *session);

/* All that was known to be written at the last exchange was delivered or reported as lost. */
bool session_is_read(const struct session *session);

/* Before the event that comes next any number may be missing: a gap says so. */
void session_mark_all_inexact(struct session *session);

/* Nobody can tell whether the target lived on while it was not read. */
void session_mark_inexact(struct session *session);

/* One exchange. TXTAP_END or an error of the sink's is passed on; of the source's, error says it in one line. */
enum txtap_status session_step(struct session *session, struct error *error);

/* The two halves of a step, for a caller that has a word to say between them: session_head() knows what was written. */
enum txtap_status session_poll(struct session *session, struct error *error);
enum txtap_status session_deliver(struct session *session, struct error *error);

/* How long to wait before the next step, in microseconds. */
uint64_t session_delay_us(const struct session *session);

/*
 * Reads what the target has written up to now, for at most limit_us, then delivers what is held back, and as a gap what
 * could not be read any more.
 */
enum txtap_status session_drain(struct session *session, uint64_t limit_us, struct error *error);

/* Delivers what is held back, and as a gap what was written before the ring position until and not read. */
enum txtap_status session_finish(struct session *session, uint64_t until);

/*
 * At the end of what is read: sets stats.unseen if losses may have been that nobody could see, after a look at the ring
 * where the events that came do not tell. session_drain() does it.
 */
enum txtap_status session_judge_unseen(struct session *session, struct error *error);

/* Delivers what waits for names at once: something is to be said about the stream that stands behind it. */
enum txtap_status session_flush(struct session *session);

/* Is all known of names that is going to be known of the events so far? */
bool session_is_settled(const struct session *session);

/* What the ring's reader knows; zero when the ring is over. */
struct reader_state session_state(const struct session *session);

/* One exchange of a few words. */
enum txtap_status session_exchange(struct session *session, const struct txtap_read *reads, size_t count,
                                   struct error *error);

/* Copies target memory in as many exchanges as the source needs. length: a multiple of 4. */
enum txtap_status session_read(struct session *session, uint32_t address, uint32_t length, uint8_t *buffer,
                               struct error *error);

#endif
