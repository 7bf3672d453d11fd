/* SPDX-License-Identifier: MIT */
/*
 * The writer's position by the words that txtap's recorder keeps beside its buffer: pointer, half-laps, life. They are
 * all the evidence that an exchange needs. A ring without them (half_laps_at is 0) never comes here.
 */
#ifndef TXTAP_DECODER_RING_TXTB_HALF_LAPS_H
#define TXTAP_DECODER_RING_TXTB_HALF_LAPS_H

#include "ring/txtb_writer.h"

/* Takes over the words as they were when the ring was found; the header's were read before them. */
void half_laps_init(struct txtap_ring *ring, const struct txtap_ring_half_laps *words);

/*
 * Takes the words from the plan's answers. TXTAP_ERROR_MOVED: another trace is recorded into this ring.
 * TXTAP_ERROR_POINTER: an impossible pointer. TXTAP_AGAIN: they say nothing of this ring any more, for the firmware was
 * reset, or records into another buffer, or will soon; from now on the header is the evidence.
 */
enum txtap_status half_laps_take(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct live *live);

/* As find_writer(), of words that were taken with TXTAP_OK. upper < ring->head: it went backwards. */
struct bounds half_laps_bounds(const struct txtap_ring *ring, struct live live);

/*
 * Once the words have left the ring they are still read, last in each exchange. TXTAP_OK: their life is elsewhere, so
 * nobody has touched this buffer since. TXTAP_AGAIN: a trace is being set up, perhaps here. TXTAP_ERROR_MOVED: it is
 * here, or there was another one in between.
 */
enum txtap_status half_laps_watch(const struct txtap_ring *ring, const struct txtap_ring_plan *plan);

#endif
