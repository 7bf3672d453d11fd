/* SPDX-License-Identifier: MIT */
/*
 * One life of a ring and its reader, all of it from one seed: a writer that may make any number of stores between any
 * two words read and stops where it is awkward, a trace that is enabled again, a pointer that is none. Whatever
 * happens, every event is delivered once, in order, intact, or counted.
 */
#ifndef TXTAP_TESTS_RING_MODEL_H
#define TXTAP_TESTS_RING_MODEL_H

#include "ring/txtb_target.h"

struct ring_run {
    struct ring_target target;
    struct txtap_ring ring;
    uint8_t buffer[TARGET_ENTRIES_MAX * TXTB_ENTRY_BYTES];
    uint32_t eagerness;   /* stores per word read, roughly */
    uint32_t pause_words; /* for so many words more the writer does nothing */
    bool slow;            /* an exchange may take long: */
    uint32_t quick_words; /* only before the last of so many words time goes by */

    bool wants_restart;  /* once, the trace is enabled again in this run: */
    bool to_shrink;      /* with a smaller ring, at any moment: */
    uint32_t in_reads;   /* before the last of so many reads, from now on; 0: not due */
    bool of_laps;        /* those reads are of the lap count, */
    uint64_t from_lap;   /* and only from this lap on */
    uint16_t count_read; /* the lap count when it was read last */
    bool is_restarted;   /* it was, and the reader has not said so yet */

    uint64_t head_at_attach; /* the number of the next event when the header had been read */
    bool guarded;            /* the reader had read something when the last exchange began */
    uint64_t not_before;     /* the number of the first event that is wanted */
    bool from_start;         /* the stream has to begin with this trace's first event */
    bool anything;           /* delivered */
    bool told;               /* delivered or counted */
    bool unsure;             /* since the last event there was a gap of "at least" */
    bool inexact;            /* in this trace's stream there was one */
    bool as_uncounted;       /* found after exactly 65,536 laps, it looks like one whose laps are not counted */
    uint64_t next_seq;       /* the stream so far ends before it */
    uint64_t number;         /* of the last event delivered */
    uint64_t base;           /* what an event's number is ahead of its sequence number; from the first one on */
    uint64_t delivered, lost, inexact_gaps;
    unsigned traces;       /* read, one after the other */
    const char *violation; /* NULL: all is well */
};

/* Runs it, from beginning to end or to the first violation. */
void ring_model_run(struct ring_run *run, uint64_t seed);

#endif
