/* SPDX-License-Identifier: MIT */
/* Sinks that pass items on, each to the next. */
#ifndef TXTAP_CAPTURE_OUTPUT_SINKS_H
#define TXTAP_CAPTURE_OUTPUT_SINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/definitions.h"
#include "txtap/filter.h"
#include "txtap/item.h"
#include "txtap/registry.h"

/* Passes on the events that a filter lets through, and all other items. */
struct choice {
    struct txtap_sink next;
    const struct txtap_filter *filter;
    const struct txtap_registry *registry;       /* names of objects; borrowed */
    const struct txtap_definitions *definitions; /* names of user events; borrowed, or NULL */
    unsigned profile;                            /* TXTAP_PROFILE_*: names of other events */
    uint64_t left_out;                           /* events, */
    uint64_t undecided; /* and of these such that a name which is not known might have let through */
};

/* For a sink whose self is a struct choice. */
enum txtap_status choice_take(void *self, const struct txtap_item *item);

/* Passes on up to a number of events. */
struct limit {
    struct txtap_sink next;
    uint64_t most;   /* events; 0: no limit */
    uint64_t events; /* passed on */
};

/* For a sink whose self is a struct limit. TXTAP_END: that was the last one. */
enum txtap_status limit_take(void *self, const struct txtap_item *item);

/*
 * Passes on while there is room behind it. What does not fit, because a reader or a disk is too slow, is counted, and
 * becomes a gap in its place.
 */
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
