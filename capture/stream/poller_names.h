/* SPDX-License-Identifier: MIT */
/*
 * When the object registry is read, and which events wait for it. An address is used again and again: what a copy of
 * the registry says is certain for the events around it only once all events up to the copy's time are known.
 */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_NAMES_H
#define TXTAP_CAPTURE_STREAM_POLLER_NAMES_H

#include "stream/poller.h"

/* Memory for poller->objects_bytes. False if there is none. */
bool names_init(struct poller *poller);
void names_free(struct poller *poller);

/* Reads the registry for the first time: what there is, but not yet since when. */
enum txtap_status names_begin(struct poller *poller, struct error *error);

/* Where the target was at the end of an exchange. exact: nothing was written behind that. */
void names_see_head(struct poller *poller, bool exact);

/* Learns from a batch, whose events are poller->items, what it says of objects, before it is taken. */
void names_note(struct poller *poller, const struct txtap_ring_batch *batch);

/* Believes the copy of the registry if it can be by now, or reads one if one is wanted. */
enum txtap_status names_follow(struct poller *poller, struct error *error);

/* An event without its time yet, or a gap: to the sink, now or once the names in it are known. */
enum txtap_status names_take(struct poller *poller, struct txtap_item *item);

/* Delivers what has waited long enough. */
enum txtap_status names_release(struct poller *poller);

/* Does anything wait? */
bool names_wait(const struct poller *poller);

/* Would another exchange at once help? */
bool names_hurry(const struct poller *poller);

#endif
