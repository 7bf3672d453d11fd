/* SPDX-License-Identifier: MIT */
/* Reads a ring once, for snapshot and decode. */
#ifndef TXTAP_CAPTURE_COMMAND_READ_RING_H
#define TXTAP_CAPTURE_COMMAND_READ_RING_H

#include "attach/attach.h"
#include "output/outlet.h"

/*
 * Writes the ring's events to the outlet, up to the last event written before the first read. stats: events read and
 * lost, also after a failure. On failure error is one line.
 */
enum txtap_status read_ring(const struct outlet_config *config, const struct attachment *attachment,
                            struct stream_stats *stats, struct error *error);

/* Counts a loss of unknown size. */
void read_ring_count_loss(struct stream_stats *stats);

#endif
