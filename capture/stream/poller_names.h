/* SPDX-License-Identifier: MIT */
/*
 * Part of the poller: delivers items, some of them later, because they wait until it is known which objects they mean.
 * Knows which events wait, and for how long; knows nothing of how the registry is copied.
 */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_NAMES_H
#define TXTAP_CAPTURE_STREAM_POLLER_NAMES_H

#include "stream/poller.h"
#include "txtap/event.h"

/* Allocates for poller->objects_bytes. False: out of memory. */
bool names_init(struct poller *poller);
void names_free(struct poller *poller);

/* Gives the sink an event, which has no time yet, or a gap: now, or once the names in it are known. */
enum txtap_status names_take(struct poller *poller, struct txtap_item *item);

/* Delivers what has waited long enough. */
enum txtap_status names_release(struct poller *poller);

/* Does an event of that row change the registry? info may be NULL. */
bool names_event_changes(const struct txtap_event_info *info);

/* The first event for which a copy with that low_seq is too old; UINT64_MAX: none. */
uint64_t names_find_wanted(const struct poller_names *names, uint64_t seq);

/* Is any event waiting? */
bool names_wait(const struct poller *poller);

/* Would another exchange at once let the waiting events go? */
bool names_hurry(const struct poller *poller);

#endif
