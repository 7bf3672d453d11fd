/* SPDX-License-Identifier: MIT */
/* How fast a probe reads: the same exchange again and again, for a while. */
#ifndef TXTAP_CAPTURE_RING_SPEED_H
#define TXTAP_CAPTURE_RING_SPEED_H

#include "base/failure.h"
#include "stream/session.h"

#define SPEED_US 300000 /* for so long */

/* Bytes per second of these reads, counted of the first one alone: what is read beside it is what it costs. */
enum txtap_status speed_measure(struct session *session, const struct txtap_read *reads, size_t count,
                                double *bytes_per_second, struct error *error);

#endif
