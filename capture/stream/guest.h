/* SPDX-License-Identifier: MIT */
/*
 * A guest reads target memory in the exchanges of a poller: variables, the program counter, the state of the core. The
 * ring has priority: guests get only reads and time that the ring does not need.
 */
#ifndef TXTAP_CAPTURE_STREAM_GUEST_H
#define TXTAP_CAPTURE_STREAM_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/sample_queue.h"
#include "txtap/sample.h"
#include "txtap/source.h"

/* A row of the list of guests. After plan() has returned reads, either commit() or failed() is called. */
struct guest_ops {
    /*
     * Chooses the next reads: at most `room` pieces with at most `bytes` bytes in all. The exchange does them in this
     * order, after the reads of the ring. Returns their number; 0: nothing is due now, or not enough room.
     */
    size_t (*plan)(void *self, struct txtap_read *reads, size_t room, uint32_t bytes, uint64_t now_us);
    /* Takes the answer: all reads were done between begin_us and end_us. Adds samples and marks to the queue. */
    void (*commit)(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us);
    /* The exchange failed with the reads of the guests, and succeeded without them. Another guest may be the reason. */
    void (*failed)(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us);
    /* Returns when the guest wants its next reads; UINT64_MAX: it wants none. */
    uint64_t (*due_us)(const void *self);
    /* The target was reset, or the ring was found again. NULL: the guest ignores this. */
    void (*restart)(void *self, uint64_t now_us);
};

struct guest {
    const struct guest_ops *ops;
    void *self;
};

#define GUESTS_MAX      4u
#define GUEST_READS_MAX 64u   /* reads in an exchange with reads of guests */
#define GUEST_BYTES_MAX 1024u /* bytes of all guests in one exchange */

/* The guests of a stream, and their samples. {0}: no guests. 900 KiB: not for the stack. */
struct guests {
    struct guest at[GUESTS_MAX];
    size_t count;
    struct txtap_channels channels; /* of all samples in the stream */
    struct sample_queue queue;      /* also takes samples that are not from target memory */
    uint64_t exchanges;             /* number of exchanges with reads of guests */
    uint64_t bytes;                 /* bytes that the guests have read */
    uint64_t failures;              /* exchanges that failed because of the guests' reads */
    uint64_t postponed;             /* exchanges without the guests' due reads, because the ring needed the time */

    /* private */
    uint32_t asked_bytes;                     /* bytes of all guests in the current exchange */
    uint32_t asked;                           /* bit i: guest i has reads in the current exchange */
    uint32_t bytes_most;                      /* bytes of all guests in the next exchange; 0: the first exchange */
    struct txtap_read reads[GUEST_READS_MAX]; /* all reads of an exchange: of the ring, then of the guests */
};

/* Adds a guest. At most GUESTS_MAX guests may be added. */
void guests_add(struct guests *guests, struct guest guest);

/* Adds a guest that gets its reads before all guests so far. */
void guests_add_first(struct guests *guests, struct guest guest);

/* Adds the reads of the guests to the `count` reads of the ring. *reads: replaced by all reads, if there are more.
 * Returns the number of all reads. */
size_t guests_plan(struct guests *guests, const struct txtap_read **reads, size_t count,
                   const struct txtap_source_ops *source, uint64_t now_us);

/* Gives the answers to the guests. spare_us: time that the exchange may take without danger for the ring; after a
 * longer exchange the guests read less. */
void guests_commit(struct guests *guests, uint64_t begin_us, uint64_t end_us, uint64_t spare_us);
void guests_failed(struct guests *guests, uint64_t begin_us, uint64_t end_us);

/* Returns when the first guest wants its next reads; UINT64_MAX: no guest wants reads. */
uint64_t guests_due_us(const struct guests *guests);

/* Counts an exchange without the guests, if their reads are due. */
void guests_postpone(struct guests *guests, uint64_t now_us);
void guests_restart(struct guests *guests, uint64_t now_us);

#endif
