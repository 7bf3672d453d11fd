/* SPDX-License-Identifier: MIT */
/*
 * How far a writer that is faster than the reader moves while entries are read: fixed + entries * per_entry, learned
 * from recent exchanges. Knows numbers, neither positions nor I/O.
 */
#ifndef TXTAP_DECODER_RING_TXTB_PACE_H
#define TXTAP_DECODER_RING_TXTB_PACE_H

#include "txtap/ring.h"

/* One exchange read entries_read entries (> 0), and the writer moved so far between two reads of its pointer. */
void ring_pace_note(struct txtap_ring_pace *pace, uint64_t entries_read, uint64_t moved);

/* Forgets what was learned, except for per_entry as a first guess. */
void ring_pace_restart(struct txtap_ring_pace *pace);

/* How far the writer will move while entries_read entries are read, on the safe side. */
uint64_t ring_pace_predict(const struct txtap_ring_pace *pace, uint64_t entries_read);

/* How many entries can be read before the writer reaches the first of them, in a ring of readable entries. */
uint64_t ring_pace_fit(const struct txtap_ring_pace *pace, uint64_t readable);

#endif
