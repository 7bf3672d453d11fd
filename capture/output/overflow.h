/* SPDX-License-Identifier: MIT */
/*
 * A sink that passes on while there is room behind it: what did not fit because a reader or disk was too slow is
 * counted, and is a gap at its place in the end.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_OVERFLOW_H
#define TXTAP_CAPTURE_OUTPUT_OVERFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/item.h"

struct overflow {
    struct txtap_sink next;
    /* Is there room for one more of whatever comes? Once something was lost there is no hurry: with more room there are
     * fewer and larger gaps. */
    bool (*has_room)(const void *self, bool after_loss);
    const void *self;
    bool apart; /* what does not follow what was lost before is a gap of its own: nothing was lost between the two */

    bool any;           /* there is a gap that was not passed on yet: */
    uint64_t seq, lost; /* of it */
    bool exact;
    uint64_t estimate;     /* of what was lost, where a part of it is not exact */
    bool has_estimate;     /* of all such parts */
    uint64_t events, gaps; /* in all: events that came and were not passed on */
};

/* For a sink whose self is a struct overflow. Marks are never left out: they wait where there is no room at all. */
enum txtap_status overflow_take(void *self, const struct txtap_item *item);

/* Passes the gap on that is due, if there is one, whether there is room or not. */
enum txtap_status overflow_flush(struct overflow *overflow);

#endif
