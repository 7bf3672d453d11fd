/* SPDX-License-Identifier: MIT */
/* The parts of the poller, which share its struct. Each file says what its part knows. */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_PARTS_H
#define TXTAP_CAPTURE_STREAM_POLLER_PARTS_H

#include "stream/poller.h"
#include "txtap/event.h"

/* ---- poller_names.c ---- */

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

/* Is any event waiting, or one before that event? */
bool names_wait(const struct poller *poller);
bool names_wait_before(const struct poller *poller, uint64_t seq);

/* Would another exchange at once let the waiting events go? */
bool names_hurry(const struct poller *poller);

/* ---- poller_copies.c ---- */

/* Reads the registry for the first time: which objects there are, but not yet since when. */
enum txtap_status copies_begin(struct poller *poller, struct error *error);

/* To be called after each exchange. exact: nothing was written beyond the ring's head then. */
void copies_see_head(struct poller *poller, bool exact);

/* Learns about objects from a batch, whose events are poller->items, before these are delivered. */
void copies_note(struct poller *poller, const struct txtap_ring_batch *batch);

/* Accepts the copy of the registry if that is possible by now, and reads another one if it is needed. */
enum txtap_status copies_follow(struct poller *poller, struct error *error);

/* ---- poller_batches.c ---- */

/* After each exchange: when the entries that it found had been written, and how many have been written so far. */
void batches_note_write_time(struct poller *poller, const struct reader_write_time *seen);
void batches_count_written(struct poller *poller);

/*
 * Delivers all batches, and sets *delivered to the number of their events. Then reads the names that they need, unless
 * named is NULL: *named is TXTAP_OK, and becomes the status of that. Returns the sink's status.
 */
enum txtap_status batches_take(struct poller *poller, enum txtap_status *named, size_t *delivered, struct error *error);

/* ---- poller_pace.c ---- */

#define PACE_INTERVAL_MIN_US 1000 /* that of a ring that was just found */

/* After each step: delivered events, up to now. */
void pace_adapt(struct poller *poller, size_t delivered, uint64_t now);

/* ---- poller_unseen.c ---- */

/* As far as is known now, can the ring have been lapped without the guard showing it? */
bool poller_may_lose_unseen(const struct poller *poller);

/*
 * While the time stamps stand still: asks the ring, and sets stats.unseen if laps are not counted. now:
 * poller->now_us().
 */
enum txtap_status poller_watch_for_unseen(struct poller *poller, uint64_t now, struct error *error);

#endif
