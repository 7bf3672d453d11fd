/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Finds the thread or interrupt that runs between an event and the next event. The kernel does not record this thread
 * or interrupt; the surrounding events imply it. The rules come from TraceX (src/ELTMLManaged/tml_library.cpp,
 * tml_initialize), which uses these rules to draw its execution profile.
 */
#ifndef TXTAP_INNER_NEXT_CONTEXT_H
#define TXTAP_INNER_NEXT_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/status.h"

enum txtap_runner {
    TXTAP_RUNNER_IDLE, /* no thread runs: the scheduler waits */
    TXTAP_RUNNER_THREAD,
    TXTAP_RUNNER_ISR,
    TXTAP_RUNNER_INIT,
};

struct txtap_next {
    enum txtap_runner runner;
    uint32_t thread; /* address of the thread, if runner is THREAD; otherwise 0 */
};

#define TXTAP_CORES_MAX 256 /* an event's core is one byte */

/* A step reads at most this number of events, even if the caller passes more. */
#define TXTAP_NEXT_CONTEXT_LOOK_AHEAD 1024

struct txtap_next_core {
    uint32_t current;   /* address of the thread that runs or is interrupted; 0: no thread */
    uint32_t nesting;   /* number of interrupts that were entered and have not ended */
    bool other_before;  /* the preceding event was recorded by a thread or the initialization */
    bool several_cores; /* used only in core[0]: an event of another core was seen */
};

/* Private, 3 KiB: each core's events are a separate stream. */
struct txtap_next_context {
    struct txtap_next_core core[TXTAP_CORES_MAX];
};

/* Starts with no thread on any core. */
void txtap_next_context_init(struct txtap_next_context *state);

/*
 * Sets *next to the thread or interrupt that runs after events[0]. events[0..count): the event and the events after it;
 * count is at least 1. In the next call, events[0] must be the events[1] of this call. more: the trace continues after
 * these events.
 *
 * TXTAP_AGAIN: these events are not enough; state and *next are unchanged. Call again with more events. If there is no
 * room for more events, call again with more = false; the function then treats the last event as the end of the trace.
 * If more is false, or if count is at least TXTAP_NEXT_CONTEXT_LOOK_AHEAD, the function never returns TXTAP_AGAIN.
 */
enum txtap_status txtap_next_context_step(struct txtap_next_context *state, const struct txtap_event *events,
                                          size_t count, bool more, struct txtap_next *next);

#endif
