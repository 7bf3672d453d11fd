/* SPDX-License-Identifier: MIT */
/*
 * Part of the poller: when the object registry is read, and which events wait for it. Addresses are reused. So what a
 * copy of the registry says is certain for the events around it only once all events up to the copy are known.
 */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_NAMES_H
#define TXTAP_CAPTURE_STREAM_POLLER_NAMES_H

#include "stream/poller.h"

/* Allocates for poller->objects_bytes. False: out of memory. */
bool names_init(struct poller *poller);
void names_free(struct poller *poller);

/* Reads the registry for the first time: which objects there are, but not yet since when. */
enum txtap_status names_begin(struct poller *poller, struct error *error);

/* To be called after each exchange. exact: nothing was written beyond the ring's head then. */
void names_see_head(struct poller *poller, bool exact);

/* Learns about objects from a batch, whose events are poller->items, before these are delivered. */
void names_note(struct poller *poller, const struct txtap_ring_batch *batch);

/* Accepts the copy of the registry if that is possible by now, and reads another one if it is needed. */
enum txtap_status names_follow(struct poller *poller, struct error *error);

/* Gives the sink an event, which has no time yet, or a gap: now, or once the names in it are known. */
enum txtap_status names_take(struct poller *poller, struct txtap_item *item);

/* Delivers what has waited long enough. */
enum txtap_status names_release(struct poller *poller);

/* Is any event waiting? */
bool names_wait(const struct poller *poller);

/* Would another exchange at once let the waiting events go? */
bool names_hurry(const struct poller *poller);

#endif
