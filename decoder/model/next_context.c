/* SPDX-License-Identifier: MIT */
/*
 * TraceX's rules for what runs after an event, applied to one event at a time. This file interprets only the words of
 * the events thread resume, suspend, time-slice and relinquish. It uses no names and no times.
 */
#include "txtap/inner/next_context.h"

#include <string.h>

#include "txtap/txtb.h"

#define RESUME     1u
#define SUSPEND    2u
#define ISR_ENTER  3u
#define ISR_EXIT   4u
#define TIME_SLICE 5u
#define RELINQUISH 109u

#define PRIORITY_CHANGE 14u /* state of a thread */

/* An event, the events after it, and whether the rules needed more events than these. */
struct window {
    const struct txtap_event *events;
    size_t count;
    const struct txtap_event *then; /* the same core's next event; NULL: not in the window */
    bool too_short;
    bool several_cores;
};

void txtap_next_context_init(struct txtap_next_context *state)
{
    memset(state, 0, sizeof(*state));
}

static bool in_interrupt(const struct txtap_event *event)
{
    return event->context == TXTAP_CONTEXT_ISR || event->context == TXTAP_CONTEXT_IDLE;
}

static bool in_thread(const struct txtap_event *event)
{
    return event->context == TXTAP_CONTEXT_THREAD;
}

/* Returns the context word as the kernel records it. */
static uint32_t context_word(const struct txtap_event *event)
{
    if (in_thread(event))
        return event->thread;
    return in_interrupt(event) ? TXTB_THREAD_ISR : TXTB_THREAD_INIT;
}

/* Returns the index of the same core's next event after index from; count if the window contains no such event. */
static size_t following(struct window *window, size_t from)
{
    size_t i = from + 1;

    while (i < window->count && window->events[i].core != window->events[0].core)
        i++;
    if (i >= window->count)
        window->too_short = true;
    return i;
}

/* Returns the index of the next thread event, or count. */
static size_t following_thread(struct window *window)
{
    size_t i = following(window, 0);

    while (i < window->count && !in_thread(&window->events[i]))
        i = following(window, i);
    return i;
}

/*
 * Returns the thread that runs after an interrupt resumed a thread, if the kernel did not record it. It is the current
 * thread or the resumed thread: whichever of the two records the next event. Events of a third thread do not count,
 * because an interrupt resumed that thread later.
 */
static uint32_t first_to_run(struct window *window, uint32_t current, uint32_t resumed)
{
    for (size_t i = following(window, 0); i < window->count; i = following(window, i)) {
        if (!in_thread(&window->events[i]))
            continue;
        if (window->events[i].thread == current)
            return current;
        if (window->events[i].thread == resumed)
            return resumed;
    }
    return current;
}

static void note_switch(struct txtap_next_core *core, struct window *window)
{
    const struct txtap_event *event = window->events;

    switch (event->id) {
    case ISR_ENTER:
        core->nesting++;
        break;
    case ISR_EXIT:
        if (core->nesting > 0) /* the ring may begin inside an interrupt */
            core->nesting--;
        break;
    case SUSPEND:
        core->current = event->info[3];
        break;
    case TIME_SLICE:
        core->current = event->info[0];
        break;
    case RESUME:
        if (event->info[3] != 0)
            core->current = event->info[3];
        else
            core->current = first_to_run(window, core->current, event->info[0]);
        break;
    default:
        break;
    }
}

static uint32_t after_interrupt(struct txtap_next_core *core, struct window *window)
{
    const struct txtap_event *then = window->then;

    note_switch(core, window);
    if (core->nesting > 0)
        return context_word(window->events);
    if (then == NULL)
        return core->current;
    if (in_interrupt(then) && then->id != RESUME)
        return then->thread != 0 ? then->thread : core->current;
    return context_word(then);
}

/*
 * Returns the thread that runs after a suspension. If a thread suspends itself and also records the next event of its
 * core, the thread did not stop: the kernel's priority inheritance took the thread out of a list and put it back. With
 * several cores only the state PRIORITY_CHANGE proves this, because another core may have resumed the thread. (TraceX
 * does not handle this case.)
 */
static uint32_t after_suspend(struct window *window)
{
    const struct txtap_event *event = window->events, *then = window->then;

    if (then != NULL && (!window->several_cores || event->info[1] == PRIORITY_CHANGE) &&
        event->thread == event->info[0] && context_word(then) == event->thread)
        return event->thread;
    return event->info[3];
}

static uint32_t after_resume(struct window *window)
{
    const struct txtap_event *event = window->events;
    size_t at;

    if (event->info[3] != 0)
        return event->info[3];
    at = following_thread(window);
    return at < window->count && window->events[at].thread == event->info[0] ? event->info[0] : event->thread;
}

/*
 * Returns the thread that runs after a relinquish. This is the thread that records the next event, unless an event in
 * between shows another reason for the switch.
 */
static uint32_t after_relinquish(struct window *window)
{
    const struct txtap_event *event = window->events;
    size_t end;

    if (event->info[1] != 0)
        return event->info[1];
    end = following_thread(window);
    if (end == window->count)
        return event->thread;
    for (size_t i = following(window, 0); i < end; i = following(window, i)) {
        const struct txtap_event *between = &window->events[i];

        if ((between->id == RESUME || between->id == SUSPEND) && between->info[0] == window->events[end].thread)
            return event->thread;
    }
    return window->events[end].thread;
}

static uint32_t after_thread(struct window *window)
{
    const struct txtap_event *event = window->events, *then = window->then;

    switch (event->id) {
    case SUSPEND:
        return after_suspend(window);
    case RESUME:
        return after_resume(window);
    case RELINQUISH:
        return after_relinquish(window);
    default:
        return then != NULL && in_thread(then) ? then->thread : event->thread;
    }
}

/*
 * Returns true if the event names the interrupted thread, as newer kernels do. This thread ran until the interrupt,
 * even if the preceding event suggests another thread.
 */
static bool names_interrupted(const struct txtap_event *event)
{
    return in_interrupt(event) && event->thread != 0 && event->thread != TXTB_THREAD_ISR;
}

static uint32_t next_word(struct txtap_next_core *core, struct window *window)
{
    const struct txtap_event *event = window->events;
    uint32_t word;

    if (in_thread(event)) {
        core->nesting = 0;
        word = after_thread(window);
        core->current = word;
    } else {
        if (names_interrupted(event) && core->other_before)
            core->current = event->thread;
        word = after_interrupt(core, window);
    }
    core->other_before = !in_interrupt(event);
    if (core->other_before && window->then != NULL && names_interrupted(window->then))
        word = window->then->thread;
    return word;
}

static struct txtap_next next_of_word(uint32_t word)
{
    switch (word) {
    case 0:
        return (struct txtap_next){TXTAP_RUNNER_IDLE, 0};
    case TXTB_THREAD_ISR:
        return (struct txtap_next){TXTAP_RUNNER_ISR, 0};
    case TXTB_THREAD_INIT:
        return (struct txtap_next){TXTAP_RUNNER_INIT, 0};
    default:
        return (struct txtap_next){TXTAP_RUNNER_THREAD, word};
    }
}

/*
 * Returns true if the event does not show which thread runs, so that several later events are needed. Most events need
 * at most one later event.
 */
static bool looks_further(const struct txtap_event *event)
{
    return (event->id == RESUME && event->info[3] == 0) || (event->id == RELINQUISH && event->info[1] == 0);
}

enum txtap_status txtap_next_context_step(struct txtap_next_context *state, const struct txtap_event *events,
                                          size_t count, bool more, struct txtap_next *next)
{
    bool full = count >= TXTAP_NEXT_CONTEXT_LOOK_AHEAD, further = looks_further(events);
    struct window window = {.events = events, .count = full ? TXTAP_NEXT_CONTEXT_LOOK_AHEAD : count};
    struct txtap_next_core *of = &state->core[events->core], core; /* *of becomes core only if the window sufficed */
    uint32_t word;
    size_t at;

    if (events->core > 0)
        state->core[0].several_cores = true;
    window.several_cores = state->core[0].several_cores;
    at = following(&window, 0);
    if (window.too_short && more && !full)
        return TXTAP_AGAIN;
    window.then = at < window.count ? &events[at] : NULL;
    if (further)
        core = *of;
    word = next_word(further ? &core : of, &window);
    if (window.too_short && more && !full)
        return TXTAP_AGAIN;
    if (further)
        *of = core;
    *next = next_of_word(word);
    return TXTAP_OK;
}
