/* SPDX-License-Identifier: MIT */
/* What did not fit into a buffer because its reader or disk was too slow: counted, and a gap at its place in the end.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_OVERFLOW_H
#define TXTAP_CAPTURE_OUTPUT_OVERFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/exporter.h"

struct overflow {
    bool any;           /* there is a gap that is not written yet: */
    uint64_t seq, lost; /* of it */
    bool exact;
    uint64_t estimate;     /* of what was lost, where a part of it is not exact */
    bool has_estimate;     /* of all such parts */
    uint64_t events, gaps; /* in all: events that were read and not written */
};

/* One event, or a gap that was one before it came here. */
void overflow_add_event(struct overflow *overflow, uint64_t seq);
void overflow_add_gap(struct overflow *overflow, const struct txtap_gap *gap);

/* The gap that is to be written now: false if there is none. */
bool overflow_take(struct overflow *overflow, struct txtap_gap *gap);

#endif
