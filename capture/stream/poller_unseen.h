/* SPDX-License-Identifier: MIT */
/* Part of the poller: whether events may be lost that no gap shows, where only the ring can tell. */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_UNSEEN_H
#define TXTAP_CAPTURE_STREAM_POLLER_UNSEEN_H

#include "stream/poller.h"

/* As far as is known now, can the ring have been lapped without the guard showing it? */
bool poller_may_lose_unseen(const struct poller *poller);

/*
 * While the time stamps stand still: asks the ring, and sets stats.unseen if laps are not counted. now:
 * poller->now_us().
 */
enum txtap_status poller_watch_for_unseen(struct poller *poller, uint64_t now, struct error *error);

#endif
