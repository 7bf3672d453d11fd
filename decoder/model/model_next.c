/* SPDX-License-Identifier: MIT */
/*
 * Finds the activity of a core after an event, and other activities that are possible until its next event. The rules
 * are TraceX's (next_context.h), except for interrupts. An interrupt certainly runs from its enter event to its exit
 * event. If the interrupt records only other events, it certainly runs only at these events. The time around them
 * belongs to the interrupt, or to the thread or the idle loop that it interrupted. An interrupt without events cannot
 * be seen, and its time counts for the interrupted activity.
 */
#include "model/model_parts.h"

#include "model/event_ids.h"
#include "txtap/inner/next_context.h"
#include "txtap/txtb.h"

/*
 * Returns true if a thread recorded the event, a thread on the same core recorded the next event, and the event shows
 * nothing about other threads. Then the thread of the next event runs after the event.
 */
static inline bool next_is_simple(const struct txtap_event *events, size_t count)
{
    return count > 1 && events[0].context == TXTAP_CONTEXT_THREAD && events[1].context == TXTAP_CONTEXT_THREAD &&
           events[1].thread != 0 && events[0].core == events[1].core && events[0].id != EVENT_THREAD_SUSPEND &&
           events[0].id != EVENT_THREAD_RESUME && events[0].id != EVENT_THREAD_RELINQUISH;
}

/* Makes the step for an event for which next_is_simple() is true. */
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

static bool in_interrupt(const struct txtap_event *event)
{
    return event->context == TXTAP_CONTEXT_ISR || event->context == TXTAP_CONTEXT_IDLE;
}

/*
 * Returns the index of the same core's next event, relative to the first waiting event; count if there is no such
 * event.
 */
static size_t following(const struct model *model)
{
    const struct txtap_event *events = &model->buffer[model->from];
    size_t i = 1;

    while (i < model->count && events[i].core != events[0].core)
        i++;
    return i;
}

/* Returns the context that runs after an event of another kernel. The event's member next names this context. */
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
 * Returns true if the next event shows which thread runs after a thread resumed another thread. If a thread recorded
 * the next event, that thread has had the core since the resumption, even if the resumption suggests another thread. It
 * may be the resuming thread, if preemption was disabled, as inside tx_mutex_put. It may be a third thread: threads
 * switch without an event only inside a service, for example after an inherited priority changes. With several cores,
 * another core may have caused the switch.
 */
static bool shows_who_runs(const struct model *model, const struct txtap_event *event, const struct txtap_event *then)
{
    return event->id == EVENT_THREAD_RESUME && then->context == TXTAP_CONTEXT_THREAD && then->thread != 0 &&
           (then->thread == event->thread || !model->next.core[0].several_cores);
}

/*
 * Returns true if the next event, and not this event, shows which thread runs. With several cores this event names the
 * next thread in the ready list. That thread may run on another core, or may have to wait.
 */
static bool shows_whose_turn(const struct txtap_event *event, const struct txtap_event *then)
{
    return event->id == EVENT_THREAD_RELINQUISH && then->context == TXTAP_CONTEXT_THREAD;
}

/* ---- after an event of an interrupt, or of the initialization ---- */

/* Returns the thread that the kernel has chosen; 0: no thread. A resumed thread may have been suspended at once: if the
 * next interrupt then interrupts no thread, the thread did not run. */
static uint32_t chosen(const struct model *model, const struct txtap_event *event, const struct txtap_event *then)
{
    uint32_t address = model->next.core[event->core].current, number = model_thread_find(model, address);
    bool perhaps_suspended = number != NONE && model->threads[number].perhaps_suspended;

    return perhaps_suspended && model->names_interrupted && then->context == TXTAP_CONTEXT_IDLE ? 0 : address;
}

/* Returns the context that the core runs after the event if no interrupt runs. */
static struct txtap_next next_of_occupant(const struct model *model, const struct txtap_event *event,
                                          const struct txtap_event *then)
{
    if (then->context == TXTAP_CONTEXT_INIT)
        return (struct txtap_next){TXTAP_RUNNER_INIT, 0};
    return next_thread(then->thread != 0 ? then->thread : chosen(model, event, then));
}

/* Sets the context that runs after an interrupt's event. entered: the interrupts after the event. */
static void after_interrupt(const struct model *model, const struct txtap_event *event, const struct txtap_event *then,
                            struct entered entered, struct run *run)
{
    if (entered.depth > 0 && !interrupts_were_left(then, entered.thread)) {
        run->next = (struct txtap_next){TXTAP_RUNNER_ISR, 0};
        return;
    }
    run->next = next_of_occupant(model, event, then);
    if (entered.depth > 0 || event->id != EVENT_ISR_EXIT)
        run->maybe = MAYBE(RUNNING_ISR); /* the interrupt did not record an exit event */
}

/* ---- several cores ---- */

/* Returns the thread that has the core at the core's next event; 0: no such thread or event. */
static uint32_t shown(const struct txtap_event *then)
{
    return then != NULL && then->context != TXTAP_CONTEXT_INIT ? then->thread : 0;
}

/*
 * Returns true if another thread of the same priority took the core. The event names the next thread in the ready list,
 * but another core may run that thread.
 */
static bool takes_turn(const struct model *model, const struct txtap_event *event, uint32_t address)
{
    uint32_t number = model_thread_find(model, address), own = model_thread_find(model, event->thread);
    const struct thread *thread = number != NONE ? &model->threads[number] : NULL;

    return thread != NULL && own != NONE && thread->state == THREAD_READY && thread->core < 0 &&
           thread->runs_at == event->priority;
}

/*
 * Returns the thread at the address. Returns idle if another core still has this thread: this core stays idle until the
 * other core releases the thread.
 */
static struct txtap_next next_if_free(const struct model *model, const struct txtap_event *event, uint32_t address)
{
    uint32_t number = model_thread_find(model, address);
    int core = number != NONE ? model->threads[number].core : -1;

    return next_thread(core >= 0 && core != event->core ? 0 : address);
}

static struct txtap_next after_thread(const struct model *model, const struct txtap_event *event,
                                      const struct txtap_event *then)
{
    bool own = event->info[0] == event->thread && event->info[1] != REASON_PRIORITY;

    if (event->id == EVENT_THREAD_SUSPEND && own)
        return next_if_free(model, event, event->info[3]);
    if ((event->id == EVENT_THREAD_RESUME || event->id == EVENT_THREAD_SUSPEND) && event->info[3] != 0 &&
        (event->info[1] == REASON_PRIORITY ? shown(then) == event->info[3] : shown(then) != event->thread))
        return next_thread(event->info[3]);
    if (event->id == EVENT_THREAD_RELINQUISH && takes_turn(model, event, shown(then)))
        return next_thread(then->thread);
    return next_thread(event->thread);
}

/* Returns true if the core's thread has the address and waits for a core: it was suspended and resumed during the
 * interrupt, maybe for another core. */
static bool was_resumed(const struct model *model, const struct core *core, uint32_t address)
{
    const struct thread *thread = core->occupant == RUNNING_THREAD ? &model->threads[core->thread] : NULL;

    return thread != NULL && thread->address == address && thread->waiting;
}

/*
 * Returns the context that runs after the last interrupt: the interrupted context, unless the kernel has chosen another
 * thread for this core.
 */
static struct txtap_next after_last_interrupt(const struct model *model, const struct txtap_event *event,
                                              const struct txtap_event *then)
{
    const struct core *core = &model->cores[event->core];
    bool says = event->id == EVENT_THREAD_RESUME || event->id == EVENT_THREAD_SUSPEND;
    uint32_t current = event->thread, next = shown(then), awaited;

    if (event->context == TXTAP_CONTEXT_IDLE && !model->names_interrupted)
        current = core->occupant == RUNNING_THREAD ? model->threads[core->thread].address : 0;
    if (next == current)
        return next_thread(current);
    if (core->awaited != NONE && was_resumed(model, core, current))
        return next_thread(0);
    if (next == 0)
        return next_thread(current);
    awaited = core->awaited < model->thread_numbers.count ? model->threads[core->awaited].address : 0;
    if ((says && event->info[3] == next) || next == awaited)
        return next_if_free(model, event, next);
    return next_thread(current);
}

/*
 * Corrects the context that runs next, with several cores. A core continues with its activity, unless its own event
 * shows another activity. If a later event contradicts this, cores_meet() corrects it.
 */
static void correct_on_several(const struct model *model, const struct txtap_event *event,
                               const struct txtap_event *then, struct run *run)
{
    run->until = then != NULL ? then->ticks : UINT64_MAX;
    if (event->context == TXTAP_CONTEXT_THREAD)
        run->next = after_thread(model, event, then);
    else if (event->context == TXTAP_CONTEXT_INIT && (then == NULL || then->context != TXTAP_CONTEXT_INIT))
        run->next = (struct txtap_next){TXTAP_RUNNER_INIT, 0};
    else if (in_interrupt(event) && run->next.runner != TXTAP_RUNNER_ISR)
        run->next = after_last_interrupt(model, event, then);
    if (run->next.runner == TXTAP_RUNNER_ISR || !in_interrupt(event))
        return;
    if (event->id == EVENT_ISR_EXIT ? event->info[2] > 1 : then == NULL)
        run->maybe |= MAYBE(RUNNING_ISR); /* exit event of a nested interrupt, or the core's last event */
}

/* ---- all events ---- */

/* Returns true if the core's next event comes from an interrupt without a recorded enter event. */
static bool lacks_start(const struct txtap_event *then, struct entered entered)
{
    return in_interrupt(then) && then->id != EVENT_ISR_ENTER &&
           (entered.depth == 0 || interrupts_were_left(then, entered.thread));
}

/* Corrects the context that runs next. then: the core's next event. */
static void correct(const struct model *model, const struct txtap_event *event, const struct txtap_event *then,
                    struct entered entered, struct run *run)
{
    if (event->context == TXTAP_CONTEXT_THREAD &&
        (shows_who_runs(model, event, then) || shows_whose_turn(event, then))) {
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

/*
 * Returns true if no thread runs next: the resumed thread was suspended while it waited and stays suspended, and the
 * event names no other thread.
 */
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
    if (next_is_simple(event, model->count) && (model->core_count < 2 || event[0].thread == event[1].thread)) {
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
    if (model->core_count > 1)
        correct_on_several(model, event, run->last ? NULL : then, run);
    return true;
}
