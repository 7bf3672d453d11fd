/* SPDX-License-Identifier: MIT */
/* Losses without a gap. Where laps are not counted, a poller notices an overwritten entry by its changed time stamp. If
 * the time stamps stand still, events may be lost unseen. */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_UNSEEN_H
#define TXTAP_CAPTURE_STREAM_POLLER_UNSEEN_H

#include "stream/poller.h"

/* Returns true if the reader can notice a lap only by the changed stamp of an overwritten entry. */
bool poller_guards_by_stamp(const struct poller *poller);

/* Asks the target whether it counts laps while the time stamps stand still, and sets stats.unseen if it does not. now:
 * on the poller's clock. Asks at most once in a second. If the target cannot be read, error is one line. */
enum txtap_status poller_watch_unseen(struct poller *poller, uint64_t now, struct error *error);

/* Sets stats.unseen if events may have been lost without a gap. Call it at the end. Reads a part of the ring if the
 * delivered events do not decide this. poller_drain() calls it. */
enum txtap_status poller_judge_unseen(struct poller *poller, struct error *error);

#endif
