/* SPDX-License-Identifier: MIT */
/*
 * The middle of a recording: entries, gaps and marks in their order become blocks; what does not fit into the buffer in
 * front of a disk that stalls is a gap at its place. Knows nothing of triggers. Statuses as in recorder_blocks.h.
 */
#ifndef TXTAP_CAPTURE_RECORD_RECORDER_STREAM_H
#define TXTAP_CAPTURE_RECORD_RECORDER_STREAM_H

#include "record/recorder.h"

/* Is there room for one more of whatever comes? Always, without a buffer. */
bool recording_has_room(const struct recording *recording);

/* now: when it was read. TXTAP_END: the limit is reached. */
enum txtap_status recording_put_entry(struct recording *recording, const uint8_t entry[TXTB_ENTRY_BYTES], uint64_t seq,
                                      uint64_t ticks, uint64_t now);
enum txtap_status recording_put_gap(struct recording *recording, const struct txtap_gap *gap);

/* Never left out: waits where there is no room at all. */
enum txtap_status recording_put_mark(struct recording *recording, const struct txtap_mark *mark);

/* The gap for what did not fit, behind the events that wait, if there is one; whether there is room or not. */
enum txtap_status recording_put_overflow(struct recording *recording);

#endif
