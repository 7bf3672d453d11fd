/* SPDX-License-Identifier: MIT */
/*
 * Part of the poller: makes items of the batches that the ring's reader gives. Knows entries, gaps and when they were
 * written; knows nothing of exchanges and of the pace.
 */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_BATCHES_H
#define TXTAP_CAPTURE_STREAM_POLLER_BATCHES_H

#include "stream/poller.h"

/* After each exchange: when the entries that it found had been written, and how many have been written so far. */
void batches_note_write_time(struct poller *poller, const struct reader_write_time *seen);
void batches_count_written(struct poller *poller);

/*
 * Delivers all batches, and sets *delivered to the number of their events. Then reads the names that they need, unless
 * named is NULL: *named is TXTAP_OK, and becomes the status of that. Returns the sink's status.
 */
enum txtap_status batches_take(struct poller *poller, enum txtap_status *named, size_t *delivered, struct error *error);

#endif
