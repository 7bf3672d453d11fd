/* SPDX-License-Identifier: MIT */
/*
 * One random run of a ring and its reader, from one seed. The writer may make any number of stores between any two
 * words read, and stops at awkward places; tracing is enabled again; the current pointer is invalid. In every run
 * each event is delivered once, in order and intact, or counted.
 */
#ifndef TXTAP_TESTS_RING_MODEL_H
#define TXTAP_TESTS_RING_MODEL_H

#include "ring/stream_check.h"
#include "ring/txtb_inside.h"
#include "ring/txtb_target.h"

struct ring_run {
    struct ring_target target;
    union {
        struct txtap_ring ring;
        struct ring_inside inside; /* internals of the same ring */
    };
    uint8_t buffer[TARGET_ENTRIES_MAX * TXTB_ENTRY_BYTES];
    uint32_t eagerness;   /* about this many stores for each word read */
    uint32_t pause_words; /* the writer pauses while this many words are read */
    bool slow;            /* an exchange may take long */
    uint32_t quick_words; /* if slow: time passes only before the last of this many words */

    bool wants_restart;  /* tracing is enabled again once in this run */
    bool to_shrink;      /* tracing is enabled again with a smaller ring, at any moment */
    uint32_t in_reads;   /* the ring shrinks before the last of this many reads from now on; 0: not yet decided */
    bool of_laps;        /* `in_reads` counts only reads of the lap count */
    uint64_t from_lap;   /* if of_laps: `in_reads` counts reads only from this lap on */
    uint16_t count_read; /* the last lap count read */
    bool is_restarted;   /* tracing restarted, and the reader has not noticed yet */

    struct stream_check stream;
    uint64_t head_at_attach; /* number of the next event when the header was read */
    bool guarded;            /* the reader had read an entry when the last exchange began */
    uint64_t not_before;     /* number of the first event wanted */
    bool from_start;         /* the stream must begin with this trace's first event */
    bool inexact;            /* there was an "at least" gap in this trace's stream */
    bool as_uncounted;       /* found after exactly 65,536 laps, so it looks as if laps are not counted */
    uint64_t number;         /* number of the last delivered event */
    unsigned traces;         /* number of traces read, one after the other */
};

/* Runs to the end or to the first violation. */
void ring_model_run(struct ring_run *run, uint64_t seed);

#endif
