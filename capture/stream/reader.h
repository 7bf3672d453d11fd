/* SPDX-License-Identifier: MIT */
/*
 * The seam between a poller and the ring that it reads. The poller does the exchanges, the pace, the statistics and
 * the delivery; a reader knows what to read and what of it stands. It alternates plan and commit, then gives out
 * batches until there are none.
 */
#ifndef TXTAP_CAPTURE_STREAM_READER_H
#define TXTAP_CAPTURE_STREAM_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/registry.h"
#include "txtap/ring.h"

/*
 * What is delivered, in this order: entries held back and a gap, or bytes; then entries. No items yet: the poller
 * first learns names from all that stands together.
 */
struct reader_batch {
    struct txtap_ring_batch ring;
    const uint32_t *words; /* all words of the one entry, where it may be more or fewer than four; else NULL */
    size_t word_count;
    const uint8_t *bytes; /* of a ring that is no ring of entries */
    size_t byte_count;
};

/* A position counts what the ring is made of: unit_bytes of it. */
struct reader_state {
    uint64_t head, next;       /* positions: behind what is written; of what is not delivered yet */
    uint64_t next_seq;         /* the stream's number of that */
    uint64_t seq_at_attach;    /* number of the first event that was not there when the ring was first read */
    uint64_t unread;           /* events, about, that wait in the ring, */
    uint64_t capacity;         /* which holds so many, */
    uint64_t bytes;            /* in so many bytes */
    size_t batch_events;       /* at most, those held back included */
    enum txtap_ring_laps laps; /* whether the target counts what it overwrites */
    bool head_known;           /* all before head can be told, or is told to be lost */
    bool started;              /* next_seq is known */
    bool idle;                 /* the last plan read nothing of them */
    bool poll_now;             /* something can be learned from another exchange at once */
    bool overtaken;            /* events are being lost while they are read */
    bool behind;               /* the writer may be further than head, which an earlier exchange told, */
    bool laps_behind;          /* or even laps further */
    bool doubtful;             /* and how many laps, nobody may ever tell */
};

/* When what was delivered had been written; see write_time.h. */
struct reader_write_time {
    bool any;      /* there is something to be noted */
    bool counted;  /* no loss of unknown size went by before it */
    bool exact;    /* nothing behind head was written then */
    uint64_t head; /* all entries before this position were written ... */
    uint64_t base; /* position of entry number 0 */
    uint64_t begin_us, end_us, next;
};

struct reader_place;

/* What a poller opens its ring with. */
struct reader_setup {
    const struct reader_place *place;
    uint32_t address;
    const struct txtap_header *header;
    uint32_t read_bytes_max; /* of the source */
    enum txtap_ring_from from;
    uint64_t patience_us;            /* how long an event waits for a word that is written late; 0: as long as usual */
    struct txtap_registry *registry; /* for the names that the ring itself tells; borrowed */
};

struct reader_ops {
    const char *name;        /* what messages call such a ring: "NAME at 0x20000100: " and one of: */
    const char *bad_pointer; /* commit returned TXTAP_ERROR_POINTER */
    const char *restarted;   /* commit returned TXTAP_ERROR_MOVED */
    uint32_t unit_bytes;     /* of what a position counts */
    bool unit_is_event;      /* which is an event */
    bool guards_by_stamp;    /* a lap is noticed by the stamps of old entries: where time stands still, it may not be */
    /* On failure error is one line. On success *self is to be closed. */
    enum txtap_status (*open)(void **self, const struct reader_setup *setup, struct error *error);
    void (*close)(void *self);
    /* What to read next; *reads stays until commit. */
    size_t (*plan)(void *self, const struct txtap_read **reads, uint64_t now_us);
    /* As txtap_ring_commit(). *write_time is zero before. */
    enum txtap_status (*commit)(void *self, uint64_t begin_us, uint64_t end_us, struct reader_write_time *write_time);
    bool (*next)(void *self, struct reader_batch *batch);
    /* As txtap_ring_finish(); then next. NULL: nothing is ever held back. */
    void (*finish)(void *self, uint64_t until);
    struct reader_state (*state)(const void *self);
    /* The next loss may be larger than it looks: it may be of another life of the target. NULL: there is none. */
    void (*mark_inexact)(void *self);
};

#define READER_PLACE_WORDS 16

/* Which kind of ring, and where it is. */
struct reader_place {
    const struct reader_ops *ops;
    uint32_t own[READER_PLACE_WORDS]; /* what its kind knows of the place, for open: copied in and out */
    /* The name of what lies at an address; false if nobody knows. NULL: nobody does. */
    bool (*name_at)(void *self, uint32_t address, char *name, size_t name_bytes);
    void *self;
};

#endif
