/* SPDX-License-Identifier: MIT */
/* One look at a ring, for snapshot and decode. */
#ifndef TXTAP_CAPTURE_COMMAND_LOOK_H
#define TXTAP_CAPTURE_COMMAND_LOOK_H

#include "attach/attach.h"

/*
 * Gives what the ring holds to where the options say: up to what was written when it was looked at first. stats: what
 * was read and lost, also after a failure, of which error says why.
 */
enum txtap_status look(const struct options *options, const struct attachment *attachment, struct stream_stats *stats,
                       struct error *error);

/* One loss, of nobody knows how much. */
void look_count_loss(struct stream_stats *stats);

#endif
