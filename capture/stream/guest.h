/* SPDX-License-Identifier: MIT */
/*
 * A guest reads target memory in the exchanges of a poller: variables, the program counter, the state of the core. The
 * ring has priority: a guest gets only reads and time that the ring does not need. Plan and commit (or failed)
 * alternate.
 */
#ifndef TXTAP_CAPTURE_STREAM_GUEST_H
#define TXTAP_CAPTURE_STREAM_GUEST_H

#include <stddef.h>
#include <stdint.h>

#include "stream/sample_queue.h"
#include "txtap/source.h"

struct guest_ops {
    /*
     * Chooses the next reads of the guest: at most `room` pieces with at most `bytes` bytes in all. They are done in
     * this order, after the reads of the ring. Returns their number; 0: nothing is due now.
     */
    size_t (*plan)(void *self, struct txtap_read *reads, size_t room, uint32_t bytes, uint64_t now_us);
    /* Takes the answer. All reads were done between begin_us and end_us. Adds samples and marks to the queue. */
    void (*commit)(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us);
    /* The exchange failed with the reads of the guests, and succeeded without them. */
    void (*failed)(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us);
    /* Returns when the guest wants its next reads; UINT64_MAX: it wants none. */
    uint64_t (*due_us)(const void *self);
    /* The target was reset or exchanged, or the ring was found again. NULL: the guest ignores this. */
    void (*restart)(void *self, uint64_t now_us);
};

struct guest {
    const struct guest_ops *ops;
    void *self;
};

#define GUESTS_MAX      4u
#define GUEST_READS_MAX 64u   /* reads of all guests in one exchange */
#define GUEST_BYTES_MAX 1024u /* bytes of all guests in one exchange */

/* The guests of a stream, and their samples. {0}: no guests. Not for the stack. */
struct guests {
    struct guest at[GUESTS_MAX];
    size_t count;
    struct sample_queue queue;
    uint64_t exchanges; /* exchanges with reads of guests */
    uint64_t bytes;     /* bytes that the guests have read */
    uint64_t postponed; /* exchanges without the guests' due reads, because the ring needed the time */
    uint64_t failures;  /* exchanges that failed because of the guests' reads */
    uint64_t time_us;   /* time of exchanges that had only the guests' reads as a reason, or were longer for them */

    /* private */
    uint32_t asked;                           /* bit i: guest i has reads in the current exchange */
    struct txtap_read reads[GUEST_READS_MAX]; /* all reads of an exchange: the ring's, then the guests' */
};

/* Adds a guest. At most GUESTS_MAX guests may be added. */
void guests_add(struct guests *guests, struct guest guest);

/* Adds the reads of the guests to `count` reads of the ring. Returns the number of all reads, which are in *reads. */
size_t guests_plan(struct guests *guests, const struct txtap_read **reads, size_t count,
                   const struct txtap_source_ops *source, uint64_t now_us);
void guests_commit(struct guests *guests, uint64_t begin_us, uint64_t end_us);
void guests_failed(struct guests *guests, uint64_t begin_us, uint64_t end_us);

/* Returns when the first guest wants its next reads; UINT64_MAX: no guest wants reads. */
uint64_t guests_due_us(const struct guests *guests);
void guests_restart(struct guests *guests, uint64_t now_us);

#endif
