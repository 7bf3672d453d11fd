/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The values on the screen of "txtap top": sampled values, and values that the firmware records itself (counter lines
 * of the definitions). Both look the same.
 */
#ifndef TXTAP_INNER_TOP_VALUES_H
#define TXTAP_INNER_TOP_VALUES_H

#include "txtap/definitions.h"
#include "txtap/inner/top.h"
#include "txtap/item.h"

/* A value, since the last reset. */
struct txtap_top_watched {
    const struct txtap_channel *channel;       /* of a sampled value; otherwise NULL */
    const struct txtap_definition *definition; /* of a counter line; otherwise NULL */
    uint64_t n;                                /* number of values */
    bool has_range;                            /* least and most are set */
    uint64_t last, least, most;                /* bits of the channel, or words of the counter line */
    enum txtap_sample_state state;             /* of the last sample */
};

/* {0}: no values yet. */
struct txtap_top_values {
    size_t count;
    bool any; /* an event or a sample was taken since the last reset */
    uint64_t begin_ticks, ticks;
    struct txtap_top_watched at[TXTAP_TOP_VALUES];
};

/* Takes an item. definitions: for the meaning of user events; borrowed until txtap_top_values_forget(), or NULL. */
void txtap_top_values_take(struct txtap_top_values *values, const struct txtap_definitions *definitions,
                           const struct txtap_item *item);

/* Forgets the numbers and ranges of all values. New ranges begin now. */
void txtap_top_values_reset(struct txtap_top_values *values);

/* Forgets all values. Call it before the definitions change. */
void txtap_top_values_forget(struct txtap_top_values *values);

/* Sets the values in the state. Uses state->tick_hz for rates. names: names of the objects; NULL: no names. */
void txtap_top_values_look(const struct txtap_top_values *values, const struct txtap_registry *names,
                           struct txtap_top_state *state);

#endif
