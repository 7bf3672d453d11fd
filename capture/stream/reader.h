/* SPDX-License-Identifier: MIT */
/*
 * The seam between a session and the ring that it reads: TXTB's, that of Zephyr's event logger, Zephyr's CTF in RAM.
 * The session does the exchanges, the pace, the statistics and the delivery; a reader knows what to read and what of it
 * stands. It alternates plan and commit, then gives out batches until there are none.
 */
#ifndef TXTAP_CAPTURE_STREAM_READER_H
#define TXTAP_CAPTURE_STREAM_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "base/ring_kind.h"
#include "txtap/logger_ring.h"
#include "txtap/ring.h"
#include "txtap/zephyr_ram.h"

/* What is delivered, in this order: entries held back and a gap, or bytes; then entries. */
struct reader_batch {
    struct txtap_ring_batch ring;
    const uint32_t *words; /* all words of the one entry, where it may be more or fewer than four; else NULL */
    size_t word_count;
    const uint8_t *bytes; /* of a ring that is no ring of entries */
    size_t byte_count;
};

struct reader_state {
    uint64_t head, next; /* positions: behind what is written; of what is not delivered yet */
    uint64_t next_seq;   /* the stream's number of that */
    uint64_t unread;     /* events, about, that wait in the ring, */
    uint64_t capacity;   /* which holds so many */
    bool idle;           /* the last plan read nothing of them */
    bool poll_now;       /* something can be learned from another exchange at once */
    bool overtaken;      /* events are being lost while they are read */
    bool behind;         /* the writer may be further than head, which an earlier exchange told */
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

struct reader_ops {
    /* What to read next; *reads stays until commit. */
    size_t (*plan)(void *self, const struct txtap_read **reads, uint64_t now_us);
    /* As txtap_ring_commit(). *write_time is zero before. */
    enum txtap_status (*commit)(void *self, uint64_t begin_us, uint64_t end_us, struct reader_write_time *write_time);
    bool (*next)(void *self, struct reader_batch *batch);
    /* As txtap_ring_finish(); then next. */
    void (*finish)(void *self, uint64_t until);
    struct reader_state (*state)(const void *self);
    void (*mark_inexact)(
        void *self); /* the next loss may be larger than it looks: it may be of another life of the target */
    /* Says in one line what commit refused. */
    enum txtap_status (*refused)(const void *self, enum txtap_status status, char error[static ERROR_TEXT_BYTES]);
};

/* Of a session whose ring is over: nothing is planned, nothing is delivered. */
extern const struct reader_ops reader_ended_ops;

/* A ring that is none of ThreadX's. */
struct reader_place {
    enum reader_kind kind; /* READER_TXTB: there is nothing to know */
    struct txtap_logger_place logger;
    struct txtap_zephyr_ram_place ram;
    /* The name of what lies at an address; false if nobody knows. NULL: nobody does. */
    bool (*name_at)(void *self, uint32_t address, char *name, size_t name_bytes);
    void *self;
};

#endif
