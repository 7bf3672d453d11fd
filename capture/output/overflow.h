/* SPDX-License-Identifier: MIT */
/*
 * A sink that passes on while there is room behind it. What does not fit, because a reader or a disk is too slow, is
 * counted, and becomes a gap in its place.
 */
#ifndef TXTAP_CAPTURE_OUTPUT_OVERFLOW_H
#define TXTAP_CAPTURE_OUTPUT_OVERFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/item.h"

struct overflow {
    struct txtap_sink next;
    /* Is there room for one more item? After a loss it may ask for more room: then there are fewer and larger gaps. */
    bool (*has_room)(const void *self, bool after_loss);
    const void *self;
    bool apart; /* losses that do not follow each other are gaps of their own: nothing was lost in between */

    bool any;           /* a gap waits to be passed on: */
    uint64_t seq, lost; /* of that gap */
    bool exact;
    uint64_t estimate;     /* of all losses in it, if some are not exact */
    bool has_estimate;     /* every loss that is not exact has an estimate */
    uint64_t events, gaps; /* in all; events: that came and were not passed on */
};

/* For a sink whose self is a struct overflow. Marks are never dropped: they wait for room. */
enum txtap_status overflow_take(void *self, const struct txtap_item *item);

/* Passes the waiting gap on, if there is one, whether there is room or not. */
enum txtap_status overflow_flush(struct overflow *overflow);

#endif
