/* SPDX-License-Identifier: MIT */
/* What runs after most events, without the rules for the others: see txtap_next_context_step(). */
#ifndef TXTAP_DECODER_MODEL_NEXT_SHORT_H
#define TXTAP_DECODER_MODEL_NEXT_SHORT_H

#include "model/event_ids.h"
#include "txtap/inner/next_context.h"

/* An event of a thread that says nothing of others, and right behind it one of its core's threads: it runs then. */
static inline bool next_is_simple(const struct txtap_event *events, size_t count)
{
    return count > 1 && events[0].context == TXTAP_CONTEXT_THREAD && events[1].context == TXTAP_CONTEXT_THREAD &&
           events[1].thread != 0 && events[0].core == events[1].core && events[0].id != EVENT_THREAD_SUSPEND &&
           events[0].id != EVENT_THREAD_RESUME && events[0].id != EVENT_THREAD_RELINQUISH;
}

/* The step from an event for which next_is_simple(). */
static inline void next_simple_step(struct txtap_next_context *state, const struct txtap_event *events,
                                    struct txtap_next *next)
{
    struct txtap_next_core *core = &state->core[events->core];

    if (events->core > 0)
        state->core[0].several_cores = true;
    core->nesting = 0;
    core->current = events[1].thread;
    core->other_before = true;
    next->runner = TXTAP_RUNNER_THREAD;
    next->thread = events[1].thread;
}

#endif
