/* SPDX-License-Identifier: MIT */
/* Sinks that pass items on to the next sink. */
#ifndef TXTAP_CAPTURE_OUTPUT_SINKS_H
#define TXTAP_CAPTURE_OUTPUT_SINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/definitions.h"
#include "txtap/filter.h"
#include "txtap/item.h"
#include "txtap/registry.h"

/* Passes on the events that match a filter, the samples in its time range, and all other items. */
struct choice {
    struct txtap_sink next;
    const struct txtap_filter *filter;
    const struct txtap_registry *registry;       /* names of objects; borrowed */
    const struct txtap_definitions *definitions; /* names of user events; borrowed, or NULL */
    struct txtap_interrupts *interrupts;         /* gets the numbers of interrupts in all events; borrowed */
    unsigned profile;                            /* TXTAP_PROFILE_*: names of other events */
    uint64_t left_out;                           /* number of events that were not passed on */
    uint64_t undecided;                          /* the part of `left_out` that may match, because a name is unknown */
};

/* Takes an item. A sink's function: self is a struct choice. */
enum txtap_status choice_take(void *self, const struct txtap_item *item);

/* Passes on a limited number of events. */
struct limit {
    struct txtap_sink next;
    uint64_t most;   /* maximum number of events; 0: no limit */
    uint64_t events; /* number of events passed on */
};

/* Takes an item. A sink's function: self is a struct limit. TXTAP_END: that was the last event. */
enum txtap_status limit_take(void *self, const struct txtap_item *item);

/* Passes on items while the output has room. Items that do not fit, because a reader or a disk is too slow, are
 * counted, and become a gap. */
struct overflow {
    struct txtap_sink next;
    /* Returns true if there is room for one more item. After a loss the function may ask for more room, so that there
     * are fewer and larger gaps. */
    bool (*has_room)(const void *self, bool after_loss);
    const void *self;
    bool apart; /* true: separate losses become separate gaps, because no events between them are lost */

    bool any;           /* a gap waits to be passed on; the next members describe it */
    uint64_t seq, lost; /* first event and size of that gap */
    bool exact;
    uint64_t estimate;     /* sum of the gap's losses, with estimates for inexact losses */
    bool has_estimate;     /* every inexact loss has an estimate */
    uint64_t events, gaps; /* totals; events: events that were not passed on */
    uint64_t samples;      /* total of samples that were not passed on */
};

/* Takes an item. A sink's function: self is a struct overflow. Marks are never dropped: they wait for room. A sample
 * that does not fit is dropped and counted. */
enum txtap_status overflow_take(void *self, const struct txtap_item *item);

/* Passes on the waiting gap, if any, even if there is no room. */
enum txtap_status overflow_flush(struct overflow *overflow);

#endif
