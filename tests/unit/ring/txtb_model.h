/* SPDX-License-Identifier: MIT */
/*
 * One random run of a ring and its reader; a seed determines it. The writer may make any number of stores between any
 * two words read, and stops at awkward places. Tracing may be enabled again, and the current pointer may be invalid. In
 * every run each event must be delivered once, in order and intact, or be counted.
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
    uint32_t eagerness;   /* on average, the writer makes about this many stores for each word read */
    uint32_t pause_words; /* the writer pauses while this many words are read */
    bool slow;            /* an exchange may take long */
    uint32_t quick_words; /* if slow: of this many words read, time passes only before the last */

    bool wants_restart;  /* tracing will be enabled again once in this run */
    bool to_shrink;      /* tracing will be enabled again with a smaller ring, at any moment */
    uint32_t in_reads;   /* the ring shrinks before the last of the next `in_reads` reads; 0: not planned */
    bool of_laps;        /* `in_reads` counts only reads of the lap count */
    uint64_t from_lap;   /* if of_laps: `in_reads` counts reads only from this lap on */
    uint16_t count_read; /* the last lap count read */
    bool is_restarted;   /* tracing was enabled again, and the reader has not noticed it yet */

    struct stream_check stream;
    uint64_t head_at_attach; /* number of the next event when the header was read */
    bool guarded;            /* when the last exchange began, the reader had already read an entry */
    uint64_t not_before;     /* number of the first event that may be delivered */
    bool from_start;         /* the stream must begin with this trace's first event */
    bool inexact;            /* this trace's stream has a gap of "at least" n events */
    bool as_uncounted;       /* attached after exactly 65,536 laps: laps seem not to be counted */
    uint64_t number;         /* number of the last delivered event */
    unsigned traces;         /* number of traces read, one after the other */
};

/* Runs until the end, or until the first violation. */
void ring_model_run(struct ring_run *run, uint64_t seed);

#endif
