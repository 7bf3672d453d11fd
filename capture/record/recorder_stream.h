/* SPDX-License-Identifier: MIT */
/*
 * The middle of a recording: events, gaps and marks become blocks in their order. What does not fit into the buffer
 * while the disk stalls becomes a gap in its place. Knows nothing of triggers. Statuses as in recorder_blocks.h.
 */
#ifndef TXTAP_CAPTURE_RECORD_RECORDER_STREAM_H
#define TXTAP_CAPTURE_RECORD_RECORDER_STREAM_H

#include "record/recorder.h"

/* Is there room for one more item? Always, without a buffer. self: the struct recording. */
bool recording_has_room(const void *self, bool after_loss);

/* Sets up overflow and limit. */
void recording_init_stream(struct recording *recording);

/* Passes an event, a gap or a mark through overflow and limit to its block. now: when it was read. TXTAP_END: limit. */
enum txtap_status recording_put(struct recording *recording, const struct txtap_item *item, uint64_t now);

#endif
