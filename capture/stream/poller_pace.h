/* SPDX-License-Identifier: MIT */
/* Part of the poller: how long it waits between two exchanges. Knows figures of the ring; knows no event and no item.
 */
#ifndef TXTAP_CAPTURE_STREAM_POLLER_PACE_H
#define TXTAP_CAPTURE_STREAM_POLLER_PACE_H

#include "stream/poller.h"

#define PACE_INTERVAL_MIN_US 1000 /* that of a ring that was just found */

/* After each step: delivered events, up to now. */
void pace_adapt(struct poller *poller, size_t delivered, uint64_t now);

#endif
