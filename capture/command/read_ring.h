/* SPDX-License-Identifier: MIT */
/* Reads a ring once, for snapshot and decode. */
#ifndef TXTAP_CAPTURE_COMMAND_READ_RING_H
#define TXTAP_CAPTURE_COMMAND_READ_RING_H

#include "attach/attach.h"
#include "output/outlet.h"

/*
 * Writes the ring's events to the outlet. Leaves out events that the target writes after the first read. stats: counts
 * of events read and lost; valid also after a failure. On failure error is one line.
 */
enum txtap_status read_ring(const struct outlet_config *config, const struct attachment *attachment,
                            struct stream_stats *stats, struct error *error);

/* Adds a loss of an unknown number of events to stats. */
void read_ring_count_loss(struct stream_stats *stats);

#endif
