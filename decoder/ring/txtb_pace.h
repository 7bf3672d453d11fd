/* SPDX-License-Identifier: MIT */
/*
 * How far a writer that cannot be kept up with moves on while entries are read: fixed + entries * per_entry, learnt
 * from the exchanges of late. Knows numbers, neither positions nor I/O.
 */
#ifndef TXTAP_DECODER_RING_TXTB_PACE_H
#define TXTAP_DECODER_RING_TXTB_PACE_H

#include "txtap/ring.h"

/* One exchange read so many entries (> 0), and the writer moved so far from one look at its pointer to the next. */
void ring_pace_note(struct txtap_ring_pace *pace, uint64_t entries_read, uint64_t moved);

/* What was learnt does not hold any more; only what an entry costs is kept, until better is known. */
void ring_pace_restart(struct txtap_ring_pace *pace);

/* How far it will have moved when so many entries are read, on the safe side. */
uint64_t ring_pace_predict(const struct txtap_ring_pace *pace, uint64_t entries_read);

/* The most entries that can be read before the writer is at the first of them, in a ring of readable entries; 0: none.
 */
uint64_t ring_pace_fit(const struct txtap_ring_pace *pace, uint64_t readable);

#endif
