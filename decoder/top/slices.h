/* SPDX-License-Identifier: MIT */
/*
 * Sliding windows: time is cut into slices of a quarter of a second, and each thing that is counted has a ring of
 * slices for the last ten seconds. A slice is emptied when it is used again, so nothing has to be done as time passes.
 */
#ifndef TXTAP_DECODER_TOP_SLICES_H
#define TXTAP_DECODER_TOP_SLICES_H

#include <stdint.h>

#define SLICES            40u
#define SLICES_PER_SECOND 4u

/* What is counted, each in ticks or in times. */
enum slice_sum {
    SLICE_RUN,
    SLICE_READY,
    SLICE_IDLE,
    SLICE_TICKS,
    SLICE_COUNT,
    SLICE_SWITCHES,
    SLICE_EVENTS,
    SLICE_LESS,
    SLICE_MORE,
    SLICE_DOUBT,
    SLICE_SUMS
};

/* Of a thread COUNT are its activations, and SWITCHES the times it was preempted; of the system they are interrupts
 * and switches, and RUN is the time in interrupts;
 * LESS and MORE are ticks by which IDLE may be wrong, and DOUBT those in which an interrupt may have run or not. */
struct slice {
    uint64_t next_number; /* its number plus one; 0: never used */
    uint64_t sum[SLICE_SUMS];
};

struct slices {
    struct slice slice[SLICES];
};

/* Adds at the slice of that number. */
void slices_add(struct slices *slices, uint64_t number, enum slice_sum sum, uint64_t amount);

/* Adds the ticks from..to - 1 to the slices that they are in, of slice_ticks each. */
void slices_add_span(struct slices *slices, uint64_t from, uint64_t to, uint64_t slice_ticks, enum slice_sum sum);

/* The sum over slices first..last. */
uint64_t slices_sum(const struct slices *slices, uint64_t first, uint64_t last, enum slice_sum sum);

#endif
