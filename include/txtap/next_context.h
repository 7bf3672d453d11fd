/* SPDX-License-Identifier: MIT */
/*
 * Who runs after an event: what the time between two events is spent on. The kernel does not record it; it follows from
 * the events around. The rules are those of TraceX (src/ELTMLManaged/tml_library.cpp, tml_initialize), which draws its
 * execution profile from them. No event is made up here: the answer stands beside the event.
 */
#ifndef TXTAP_NEXT_CONTEXT_H
#define TXTAP_NEXT_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/event.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

enum txtap_runner {
    TXTAP_RUNNER_IDLE, /* nobody: the scheduler waits */
    TXTAP_RUNNER_THREAD,
    TXTAP_RUNNER_ISR,
    TXTAP_RUNNER_INIT,
};

struct txtap_next {
    enum txtap_runner runner;
    uint32_t thread; /* its address when runner is THREAD, else 0 */
};

#define TXTAP_CORES_MAX 256 /* an event's core is one byte */

/* No more events than this are looked at to decide one, however many the caller has. */
#define TXTAP_NEXT_CONTEXT_LOOK_AHEAD 1024

struct txtap_next_core {
    uint32_t current;  /* the thread that runs, or is interrupted; 0: none */
    uint32_t nesting;  /* interrupts that were entered and not left */
    bool other_before; /* the event before was of a thread or of the initialization */
};

/* 3 KiB. Each core's events are a stream of their own. */
struct txtap_next_context {
    struct txtap_next_core core[TXTAP_CORES_MAX];
};

/* No thread has run yet on any core. */
void txtap_next_context_init(struct txtap_next_context *state);

/*
 * Who runs after events[0]: *next. events[0..count): the event and those that follow it, count at least 1; the next
 * call's events[0] is this one's events[1]. more: further events follow that are not in the window.
 * TXTAP_AGAIN: the window does not decide it, and neither state nor *next was changed: call again with more events, or,
 * when the window cannot grow, with more = false, which takes its end for the end of the trace. It is never returned
 * when more is false or count is TXTAP_NEXT_CONTEXT_LOOK_AHEAD or more.
 */
enum txtap_status txtap_next_context_step(struct txtap_next_context *state, const struct txtap_event *events,
                                          size_t count, bool more, struct txtap_next *next);

TXTAP_API_END

#endif
