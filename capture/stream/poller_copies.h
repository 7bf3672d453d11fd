/* SPDX-License-Identifier: MIT */
/*
 * Part of the poller: copies of the object registry. Addresses are reused, so what a copy says is certain for the
 * events around it only once all events up to it are known. Knows objects and the exchanges that copy them; delivers
 * nothing.
 */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_COPIES_H
#define TXTAP_CAPTURE_STREAM_POLLER_COPIES_H

#include "stream/poller.h"

/* Reads the registry for the first time: which objects there are, but not yet since when. */
enum txtap_status copies_begin(struct poller *poller, struct error *error);

/* To be called after each exchange. exact: nothing was written beyond the ring's head then. */
void copies_see_head(struct poller *poller, bool exact);

/* Learns about objects from a batch, whose events are poller->items, before these are delivered. */
void copies_note(struct poller *poller, const struct txtap_ring_batch *batch);

/* Accepts the copy of the registry if that is possible by now, and reads another one if it is needed. */
enum txtap_status copies_follow(struct poller *poller, struct error *error);

#endif
