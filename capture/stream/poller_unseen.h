/* SPDX-License-Identifier: MIT */
/* Part of poller: whether events may be lost that no gap shows, where the ring itself has to be asked. */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_UNSEEN_H
#define TXTAP_CAPTURE_STREAM_POLLER_UNSEEN_H

#include "stream/poller.h"

/* By what is known now, can a lap have gone by that the guard did not show? */
bool poller_may_lose_unseen(const struct poller *poller);

/*
 * While time stamps stand still: sets stats.unseen once the ring says that laps are not counted. now: the poller's
 * now_us.
 */
enum txtap_status poller_watch_for_unseen(struct poller *poller, uint64_t now, struct error *error);

#endif
