/* SPDX-License-Identifier: MIT */
/*
 * The interface between the poller and the ring that it reads. The poller does exchanges, pace, statistics and
 * delivery. A reader knows its kind of ring: which memory to read next, and which part of the answer is valid. Plan and
 * commit alternate; after each commit, next() gives batches until it returns false.
 */
#ifndef TXTAP_CAPTURE_STREAM_READER_H
#define TXTAP_CAPTURE_STREAM_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/registry.h"
#include "txtap/ring.h"

/* Either bytes, or three parts that are delivered in this order: entries that were held back, a gap, other entries.
 * They are not items yet, because the poller first learns object names from all entries of a batch. */
struct reader_batch {
    struct txtap_ring_batch ring;
    const uint32_t *words; /* words of the batch's only entry, if its number of words may differ from four; else NULL */
    size_t word_count;
    const uint8_t *bytes; /* content of a ring without entries */
    size_t byte_count;
};

/* Positions count units of unit_bytes. The ring consists of such units. */
struct reader_state {
    uint64_t head, next;       /* positions: end of the written entries; first entry that is not delivered yet */
    uint64_t next_seq;         /* sequence number of the event at `next` */
    uint64_t seq_at_attach;    /* sequence number of the first event written after the ring was first read */
    uint64_t unread;           /* approximate number of events that wait in the ring */
    uint64_t held;             /* number of events that were read but not delivered yet */
    uint64_t capacity;         /* largest number of events in the ring */
    uint64_t bytes;            /* size of the ring in bytes */
    uint32_t pointer;          /* address of the write pointer, from which `head` is read; 0: not known */
    size_t batch_events;       /* largest number of events in a batch, including events that were held back */
    enum txtap_ring_laps laps; /* whether the target counts laps */
    bool head_known;           /* everything before `head` can be delivered or reported as lost */
    bool started;              /* next_seq is known */
    bool idle;                 /* the last plan read no entries */
    bool poll_now;             /* another exchange at once would give more information */
    bool overtaken;            /* events are being lost while they are read */
    bool behind;               /* `head` comes from an earlier exchange: the writer may be beyond it */
    bool laps_behind;          /* the writer may be whole laps beyond `head` */
    bool doubtful;             /* the number of laps beyond `head` may never be known */
};

/* Result of one exchange: when the entries before a position were written; see batch_items.h. */
struct reader_write_time {
    bool any;                  /* the other members are valid */
    bool counted;              /* no loss of unknown size precedes this exchange */
    bool exact;                /* nothing was written beyond `head` during the exchange */
    uint64_t head;             /* all entries before this position were written by end_us */
    uint64_t base;             /* position of entry number 0 */
    uint64_t begin_us, end_us; /* start and end of the exchange */
    uint64_t next;             /* position of the first entry that this exchange can have delivered */
};

struct reader_place;

/* Parameters of open(). */
struct reader_setup {
    const struct reader_place *place;
    uint32_t address;
    const struct txtap_header *header;
    uint32_t read_bytes_max; /* most bytes per exchange with the source */
    enum txtap_ring_from from;
    uint64_t patience_us;            /* how long an event waits for a late word; 0: the default */
    struct txtap_registry *registry; /* gets the names that the ring itself contains; borrowed */
};

struct reader_ops {
    /* name of this kind of ring in messages: "NAME at 0x20000100: " followed by bad_pointer or restarted */
    const char *name;
    const char *bad_pointer; /* text for TXTAP_ERROR_POINTER from commit */
    const char *restarted;   /* text for TXTAP_ERROR_MOVED from commit */
    uint32_t unit_bytes;     /* bytes per unit of a position */
    bool unit_is_event;      /* each unit is an event */
    bool guards_by_stamp;    /* the stamps of old entries are the only sign of a lap, so laps go unnoticed if the stamps
                                stand still */
    /* Opens the reader. On failure error is one line. After success, call close(). */
    enum txtap_status (*open)(void **self, const struct reader_setup *setup, struct error *error);
    void (*close)(void *self);
    /* Chooses the next reads. *reads stays valid until commit. */
    size_t (*plan)(void *self, const struct txtap_read **reads, uint64_t now_us);
    /* Commits the exchange, like txtap_ring_commit(). The caller sets *write_time to zero. */
    enum txtap_status (*commit)(void *self, uint64_t begin_us, uint64_t end_us, struct reader_write_time *write_time);
    bool (*next)(void *self, struct reader_batch *batch);
    /* Ends reading, like txtap_ring_finish(); call next() afterwards. NULL: nothing is ever held back. */
    void (*finish)(void *self, uint64_t until);
    struct reader_state (*state)(const void *self);
    /* Notes that the target may have been reset: the next loss may be larger than it looks. NULL: this kind of ring has
     * no losses. */
    void (*mark_inexact)(void *self);
};

#define READER_PLACE_WORDS 16

/* The kind of ring, and its place. */
struct reader_place {
    const struct reader_ops *ops;
    uint32_t own[READER_PLACE_WORDS]; /* data of this kind of ring, for open(); copied */
    /* Gets the name of the object or function at an address. False: it has no name. NULL: no names are known. */
    bool (*name_at)(void *self, uint32_t address, char *name, size_t name_bytes);
    void *self;
};

#endif
