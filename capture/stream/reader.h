/* SPDX-License-Identifier: MIT */
/*
 * The seam between the poller and the ring that it reads. The poller does the exchanges, the pace, the statistics and
 * the delivery. A reader knows its kind of ring: what to read next, and which of it is valid. Plan and commit
 * alternate; after each commit, next gives batches until there are no more.
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
 * Delivered in this order: entries that were held back, a gap, other entries; or bytes. These are not items yet: the
 * poller first learns object names from all entries of a batch.
 */
struct reader_batch {
    struct txtap_ring_batch ring;
    const uint32_t *words; /* of the batch's only entry, if it may have more or fewer than four; else NULL */
    size_t word_count;
    const uint8_t *bytes; /* of a ring that has no entries */
    size_t byte_count;
};

/* Positions count units of unit_bytes, of which the ring consists. */
struct reader_state {
    uint64_t head, next;       /* positions: the end of what is written; the first that is not delivered yet */
    uint64_t next_seq;         /* sequence number of next */
    uint64_t seq_at_attach;    /* sequence number of the first event written after the ring was first read */
    uint64_t unread;           /* about how many events wait in the ring */
    uint64_t held;             /* how many were read and are not delivered yet */
    uint64_t capacity;         /* how many events fit into it, */
    uint64_t bytes;            /* and how many bytes it has */
    uint32_t pointer;          /* address of the write pointer that says where head is; 0: not known */
    size_t batch_events;       /* the most events in a batch, held back ones included */
    enum txtap_ring_laps laps; /* whether the target counts what it overwrites */
    bool head_known;           /* everything before head can be delivered or reported as lost */
    bool started;              /* next_seq is known */
    bool idle;                 /* the last plan read no entries */
    bool poll_now;             /* another exchange at once would tell more */
    bool overtaken;            /* events are being lost while they are read */
    bool behind;               /* the writer may be beyond head, which an earlier exchange read, */
    bool laps_behind;          /* or even laps beyond it */
    bool doubtful;             /* and how many laps may never be known */
};

/* When the entries before a position had been written: what one exchange says; see batch_items.h. */
struct reader_write_time {
    bool any;                  /* it says something */
    bool counted;              /* no loss of unknown size came before it */
    bool exact;                /* nothing beyond head was written then */
    uint64_t head;             /* all entries before this position were written then */
    uint64_t base;             /* position of entry number 0 */
    uint64_t begin_us, end_us; /* of the exchange */
    uint64_t next;             /* position of the first entry that it can have delivered */
};

struct reader_place;

/* What a reader is opened with. */
struct reader_setup {
    const struct reader_place *place;
    uint32_t address;
    const struct txtap_header *header;
    uint32_t read_bytes_max; /* of the source */
    enum txtap_ring_from from;
    uint64_t patience_us;            /* how long an event waits for a word that is written late; 0: the default */
    struct txtap_registry *registry; /* gets the names that the ring itself contains; borrowed */
};

struct reader_ops {
    const char *name;        /* of such a ring in messages: "NAME at 0x20000100: " and one of these: */
    const char *bad_pointer; /* commit returned TXTAP_ERROR_POINTER */
    const char *restarted;   /* commit returned TXTAP_ERROR_MOVED */
    uint32_t unit_bytes;     /* size of what a position counts */
    bool unit_is_event;      /* and that is an event */
    bool guards_by_stamp;    /* laps are noticed by the stamps of old entries: not if the time stamps stand still */
    /* On failure error is one line. After success close() is due. */
    enum txtap_status (*open)(void **self, const struct reader_setup *setup, struct error *error);
    void (*close)(void *self);
    /* What to read next. *reads stays valid until commit. */
    size_t (*plan)(void *self, const struct txtap_read **reads, uint64_t now_us);
    /* As txtap_ring_commit(). The caller sets *write_time to zero. */
    enum txtap_status (*commit)(void *self, uint64_t begin_us, uint64_t end_us, struct reader_write_time *write_time);
    bool (*next)(void *self, struct reader_batch *batch);
    /* As txtap_ring_finish(); then next. NULL: nothing is ever held back. */
    void (*finish)(void *self, uint64_t until);
    struct reader_state (*state)(const void *self);
    /* The next loss may be larger than it looks: the target may have been reset. NULL: such a ring has no losses. */
    void (*mark_inexact)(void *self);
};

#define READER_PLACE_WORDS 16

/* Which kind of ring it is, and where. */
struct reader_place {
    const struct reader_ops *ops;
    uint32_t own[READER_PLACE_WORDS]; /* what its kind of ring knows of the place, for open: copied in and out */
    /* The name of what lies at an address; false: it has none. NULL: no names are known. */
    bool (*name_at)(void *self, uint32_t address, char *name, size_t name_bytes);
    void *self;
};

#endif
