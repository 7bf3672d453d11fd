/* SPDX-License-Identifier: MIT */
/*
 * What a core runs after an event, and what else it may have run until its next one. The rules are TraceX's
 * (next_context.h), but an interrupt has the core for certain only between its enter and its exit. Of an interrupt that
 * records other events alone, the kernel says only that it ran at these moments: the time before and after each belongs
 * to the thread or the idle loop that it interrupted, or to the interrupt. No event tells of an interrupt that records
 * none: it is part of what it interrupts.
 */
#include "analysis/model_parts.h"

#include "analysis/next_short.h"
#include "txtap/txtb.h"

static bool in_interrupt(const struct txtap_event *event)
{
    return event->context == TXTAP_CONTEXT_ISR || event->context == TXTAP_CONTEXT_IDLE;
}

/* Index of the same core's next event in the buffer, counted from the first; count if there is none. */
static size_t following(const struct model *model)
{
    const struct txtap_event *events = &model->buffer[model->from];
    size_t i = 1;

    while (i < model->count && events[i].core != events[0].core)
        i++;
    return i;
}

/* What runs after an event of another kernel: it says so itself. */
static struct txtap_next next_of_other_kernel(struct model *model, struct txtap_event *event)
{
    uint32_t word = event->next;

    model->other_kernel = true;
    event->id &= ~OTHER_KERNEL;
    return (struct txtap_next){word == 0                 ? TXTAP_RUNNER_IDLE
                               : word == TXTB_THREAD_ISR ? TXTAP_RUNNER_ISR
                                                         : TXTAP_RUNNER_THREAD,
                               word == RUNS_UNKNOWN ? 0 : word};
}

static struct txtap_next next_thread(uint32_t address)
{
    return (struct txtap_next){address != 0 ? TXTAP_RUNNER_THREAD : TXTAP_RUNNER_IDLE, address};
}

/* ---- after an event of a thread ---- */

/*
 * A thread resumes another one, and the next event is a thread's: that thread has had the core since then, whatever the
 * resumption suggests. It may be the one that resumed, because preemption was disabled, as inside tx_mutex_put. It may
 * be a third one: only inside of a service do threads switch without an event, as after a change of an inherited
 * priority. On several cores another core may have switched them.
 */
static bool shows_who_runs(const struct model *model, const struct txtap_event *event, const struct txtap_event *then)
{
    return event->id == EVENT_THREAD_RESUME && then->context == TXTAP_CONTEXT_THREAD && then->thread != 0 &&
           (then->thread == event->thread || !model->next.core[0].several_cores);
}

/* ---- after an event of an interrupt, or of the initialization ---- */

/* What the core runs then if no interrupt does. */
static struct txtap_next next_of_occupant(const struct model *model, const struct txtap_event *event,
                                          const struct txtap_event *then)
{
    if (then->context == TXTAP_CONTEXT_INIT)
        return (struct txtap_next){TXTAP_RUNNER_INIT, 0};
    return next_thread(then->thread != 0 ? then->thread : model->next.core[event->core].current);
}

/* entered: after the event. */
static void after_interrupt(const struct model *model, const struct txtap_event *event, const struct txtap_event *then,
                            struct entered entered, struct run *run)
{
    if (entered.depth > 0 && !interrupts_were_left(then, entered.thread)) {
        run->next = (struct txtap_next){TXTAP_RUNNER_ISR, 0};
        return;
    }
    run->next = next_of_occupant(model, event, then);
    if (entered.depth > 0 || event->id != EVENT_ISR_EXIT)
        run->maybe = MAYBE(RUNNING_ISR); /* it did not record when it was left */
}

/* ---- all ---- */

/* Does the core's next event, of an interrupt, not say when this one was entered? */
static bool lacks_start(const struct txtap_event *then, struct entered entered)
{
    return in_interrupt(then) && then->id != EVENT_ISR_ENTER &&
           (entered.depth == 0 || interrupts_were_left(then, entered.thread));
}

/* then: the core's next event. */
static void correct(const struct model *model, const struct txtap_event *event, const struct txtap_event *then,
                    struct entered entered, struct run *run)
{
    if (event->context == TXTAP_CONTEXT_THREAD && shows_who_runs(model, event, then)) {
        run->next = next_thread(then->thread);
    } else if (in_interrupt(event)) {
        after_interrupt(model, event, then, entered, run);
    } else if (event->context == TXTAP_CONTEXT_INIT && then->context != TXTAP_CONTEXT_INIT) {
        run->next = next_of_occupant(model, event, then);
        run->maybe = MAYBE(RUNNING_INIT);
    }
    if (lacks_start(then, entered))
        run->maybe |= MAYBE(RUNNING_ISR);
}

/* The resumed thread was suspended while it waited, and goes on to be: nobody runs, if the event names nobody. */
static bool resumes_nobody(const struct model *model, const struct txtap_event *event)
{
    uint32_t thread =
        event->id == EVENT_THREAD_RESUME && event->info[3] == 0 ? model_thread_find(model, event->info[0]) : NONE;

    return thread != NONE && (model->threads[thread].suspend_later || next_is_nobody(model, event));
}

bool next_find(struct model *model, bool more, struct run *run)
{
    struct txtap_event *event = &model->buffer[model->from];
    const struct txtap_event *then;
    struct entered entered;

    *run = (struct run){0};
    if ((event->id & OTHER_KERNEL) != 0) {
        run->next = next_of_other_kernel(model, event);
        return true;
    }
    model->interrupts_recorded = model->interrupts_recorded || in_interrupt(event) || event->id == EVENT_ISR_ENTER;
    model->names_next = model->names_next || (event->id == EVENT_THREAD_RESUME && event->info[3] != 0);
    model->names_interrupted = model->names_interrupted || event->context == TXTAP_CONTEXT_ISR;
    if (next_is_simple(event, model->count)) {
        next_simple_step(&model->next, event, &run->next);
        return true;
    }
    if (txtap_next_context_step(&model->next, event, model->count, more, &run->next) == TXTAP_AGAIN)
        return false;
    if (resumes_nobody(model, event))
        model->next.core[event->core].current = 0;
    entered = interrupts_after(model, event);
    model->next.core[event->core].nesting = entered.depth;
    then = event + following(model);
    if (then < event + model->count)
        correct(model, event, then, entered, run);
    else
        run->last = true;
    return true;
}
