/* SPDX-License-Identifier: MIT */
/*
 * Delivers entries, holds back those that the kernel may not have finished, and counts those that are lost. Needs the
 * meaning of entries only for fields that the kernel writes late.
 */
#ifndef TXTAP_DECODER_RING_TXTB_DELIVER_H
#define TXTAP_DECODER_RING_TXTB_DELIVER_H

#include "ring/txtb_writer.h"

/* Of the plan's entries, which bounds judges: fills the batch, and notes what the next plan depends on. */
void deliver_entries(struct txtap_ring *ring, const struct txtap_ring_plan *plan, struct bounds bounds, uint64_t now_us,
                     struct txtap_ring_batch *batch);

#endif
