/* SPDX-License-Identifier: MIT */
/*
 * Several cores of ThreadX SMP: decides how certain it is that a core still runs a given thread. Each event names its
 * core and that core's thread, or the thread that an interrupt interrupted there. But another core can make this core
 * switch: by resuming or suspending a thread, by a time slice or by a change of priority. The kernel then chooses a
 * thread for this core, and interrupts the core or lets its idle loop find the thread. No event records the switch. So
 * after such an event the core may run anything until its own next event.
 *
 * The model ignores events that cannot affect the core. It knows these events from the kernel's rules for placing
 * threads (tx_thread_system_resume.c, tx_thread_system_suspend.c). These rules apply only without preemption thresholds
 * and without excluded cores. Events show thresholds, but no event shows the calls that exclude cores.
 */
#include "model/model_parts.h"

#include "base/min_max.h"

/* ---- doubt ---- */

/* Marks the core's activity as uncertain from the tick `from` on. */
static void doubt_since(struct model *model, uint32_t number, const struct change *at, uint64_t from)
{
    struct core *core = &model->cores[number];
    struct change change;

    if (core->running == RUNNING_UNKNOWN || from >= at->now.ticks)
        return;
    change_start(&change, at, CHANGE_DOUBT);
    change.core = (uint8_t)number;
    change.before = core->running;
    change.maybe = MAYBE(RUNNING_UNKNOWN);
    change.thread = core->running == RUNNING_THREAD ? core->thread : NONE;
    change.ticks = at->now.ticks - from;
    core_add_doubt(model, core, core->running, change.maybe, change.ticks);
    model->doubted += change.ticks;
    model_emit(model, &change);
}

static bool is_in_interrupt(const struct core *core)
{
    return core->running == RUNNING_ISR && core->depth > 0;
}

uint64_t core_open_doubt(const struct model *model, const struct core *core)
{
    uint64_t now = model->last.ticks;

    return core->seen && core->running != RUNNING_UNKNOWN ? now - min_u64(core->certain, now) : 0;
}

/* Returns true if a core may be running the thread, although no event shows it. */
static bool cores_may_run(const struct model *model, uint32_t thread)
{
    for (uint32_t i = 0; i < model->core_count; i++) {
        const struct core *core = &model->cores[i];

        if (!core->seen || core->running == RUNNING_UNKNOWN || core->occupant == RUNNING_UNKNOWN ||
            core->certain != UINT64_MAX || core->awaited == ANY_THREAD || core->awaited == thread)
            return true;
    }
    return false;
}

bool cores_are_vague(const struct model *model, uint32_t thread, uint64_t doubted, uint64_t since)
{
    return model_is_vague(model) &&
           (doubted != model->doubted || since < model->core_added || cores_may_run(model, thread));
}

/* ---- the next threads ---- */

/*
 * The thread is known to run on core `number`, so the other cores no longer await it. Only a core whose own event named
 * the thread still awaits the thread.
 */
static void resolve(struct model *model, uint32_t thread, uint32_t number)
{
    for (uint32_t i = 0; i < model->core_count; i++) {
        struct core *core = &model->cores[i];

        if (core->awaited != thread || (core->chosen && i != number))
            continue;
        core->awaited = NONE;
        if (core->doubted_for == thread)
            core->certain = UINT64_MAX;
    }
}

/* Notes that another core may have placed the thread on this core. */
static void mark(struct core *core, uint32_t thread, uint64_t now)
{
    now = max_u64(now, core->met);
    if (!is_in_interrupt(core) && core->certain == UINT64_MAX) {
        core->certain = core->awaited != NONE ? core->met : now;
        core->doubted_for = core->awaited != NONE ? ANY_THREAD : thread;
    } else {
        core->doubted_for = ANY_THREAD;
    }
    core->awaited = core->awaited == NONE ? thread : ANY_THREAD;
    core->chosen = false;
    core->caused = true;
}

static void mark_others(struct model *model, const struct change *event, bool unclear_only)
{
    bool after = event->event->id == EVENT_TIME_SLICE; /* the kernel records it after the switch */
    uint64_t since = after ? model->cores[event->core].before : event->now.ticks;

    for (uint32_t i = 0; i < model->core_count; i++)
        if (i != event->core && model->cores[i].seen && (!unclear_only || model->cores[i].awaited != NONE))
            mark(&model->cores[i], ANY_THREAD, since);
}

/* Returns true if the core's activity is certain, and the core will not switch. */
static bool is_clear(const struct core *core)
{
    return core->seen && core->awaited == NONE && core->occupant != RUNNING_UNKNOWN && core->occupant != RUNNING_INIT;
}

/* Returns the lowest priority (largest number) that the thread may have. */
static uint64_t lowest_priority(const struct thread *thread)
{
    return thread->priority_known ? max_u64(thread->priority, thread->base) : UINT64_MAX;
}

/* Returns the highest priority (smallest number) that the thread may have. After a change of its own priority, a thread
 * may still have a higher priority that it inherited, until its next event. */
static uint64_t highest_priority(const struct thread *thread)
{
    if (!thread->priority_known || !thread->runs_at_known)
        return 0;
    return min_u64(min_u64(thread->priority, thread->runs_at), thread->base);
}

/*
 * Returns true if another core is free, or runs a thread of lower priority. Then the kernel does not place the thread
 * on this core.
 */
static bool has_better_core(const struct model *model, uint32_t number, uint32_t recorder)
{
    uint64_t lowest = lowest_priority(&model->threads[model->cores[number].thread]);

    for (uint32_t i = 0; i < model->core_count; i++) {
        const struct core *core = &model->cores[i];

        if (i == number || i == recorder || !is_clear(core))
            continue;
        if (core->occupant == RUNNING_IDLE || highest_priority(&model->threads[core->thread]) > lowest)
            return true;
    }
    return false;
}

static bool may_take(const struct model *model, uint32_t number, uint32_t thread, uint32_t recorder)
{
    const struct core *core = &model->cores[number];

    if (model->thresholds || !is_clear(core) || core->occupant != RUNNING_THREAD || thread == NONE)
        return true;
    return highest_priority(&model->threads[thread]) < lowest_priority(&model->threads[core->thread]) &&
           !has_better_core(model, number, recorder);
}

static void note_resume(struct model *model, const struct change *event)
{
    const uint32_t *info = event->event->info;
    uint32_t thread = model_thread_find(model, info[0]);
    bool at_large = thread != NONE && model->threads[thread].core < 0 && !model->thresholds; /* no core has it */

    if (info[1] == REASON_PRIORITY) {
        mark_others(model, event, false);
        return;
    }
    if (info[1] == REASON_READY || (thread != NONE && model->threads[thread].state == THREAD_BLOCKED))
        return; /* the thread was already ready, or is suspended again at once */
    if (info[3] == info[0] && !model->thresholds)
        return; /* the kernel places the thread on the core that records the event */
    for (uint32_t i = 0; i < model->core_count; i++)
        if (i != event->core && model->cores[i].seen && may_take(model, i, thread, event->core))
            mark(&model->cores[i], at_large ? thread : ANY_THREAD, event->now.ticks);
}

/* Notes the cores that a suspension may affect. was_clear: is_clear() of the recording core before the event. */
static void note_suspend(struct model *model, const struct change *event, bool was_clear)
{
    const uint32_t *info = event->event->info;
    bool own = event->thread != NONE && model->threads[event->thread].address == info[0];

    for (uint32_t i = 0; i < model->core_count; i++) /* a core that has the thread will leave it */
        if (i != event->core && model->cores[i].occupant == RUNNING_THREAD &&
            model->threads[model->cores[i].thread].address == info[0])
            mark(&model->cores[i], ANY_THREAD, event->now.ticks);
    if (info[1] == REASON_PRIORITY || model->thresholds)
        mark_others(model, event, false);
    else if (!own || !was_clear)
        mark_others(model, event, true);
}

/* Returns true if a ready thread without a core could take a core when another thread's time slice ends. */
static bool may_rotate(const struct model *model)
{
    for (uint32_t i = 0; i < model->core_count; i++)
        if (!is_clear(&model->cores[i]))
            return true;
    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        if (model->threads[i].state == THREAD_UNKNOWN ||
            (model->threads[i].state == THREAD_READY && model->threads[i].core < 0))
            return true;
    return false;
}

/* Notes the effects of the event on the other cores. */
static void note_others(struct model *model, const struct change *event, bool was_clear)
{
    switch (event->event->id) {
    case EVENT_THREAD_RESUME:
        note_resume(model, event);
        break;
    case EVENT_THREAD_SUSPEND:
        note_suspend(model, event, was_clear);
        break;
    case EVENT_TIME_SLICE:
        if (may_rotate(model)) {
            mark_others(model, event, false);
            model->cores[event->core].awaited = ANY_THREAD;
        }
        break;
    case EVENT_THREAD_PREEMPTION_CHANGE:
        mark_others(model, event, false);
        model->cores[event->core].awaited = ANY_THREAD;
        break;
    case EVENT_THREAD_RELINQUISH:
        if (!was_clear)
            mark_others(model, event, true);
        model->cores[event->core].awaited = ANY_THREAD;
        break;
    default:
        break;
    }
}

/* Returns true if another core may still have the thread, although that core is about to leave the thread. */
static bool may_be_elsewhere(const struct model *model, uint32_t thread, uint32_t number)
{
    for (uint32_t i = 0; i < model->core_count; i++) {
        const struct core *core = &model->cores[i];

        if (i != number && (!core->seen || core->awaited != NONE || core->occupant == RUNNING_UNKNOWN ||
                            (core->occupant == RUNNING_THREAD && core->thread == thread)))
            return true;
    }
    return false;
}

/* Returns the core's thread when the event was recorded; NONE: idle, or unknown. */
static uint32_t current_of(const struct model *model, const struct txtap_event *event)
{
    return event->context == TXTAP_CONTEXT_THREAD || event->context == TXTAP_CONTEXT_ISR
               ? model_thread_find(model, event->thread)
               : NONE;
}

static void await(struct core *core, uint32_t thread)
{
    core->awaited = thread != NONE ? thread : ANY_THREAD;
    core->chosen = thread != NONE;
}

/* Notes the next thread of the core. The core takes the thread at once, unless another core still has it: then this
 * core is idle until the thread is free. */
static void note_next(struct model *model, const struct change *event, const struct run *run, uint32_t current)
{
    struct core *core = &model->cores[event->core];
    uint32_t next = run->next.runner == TXTAP_RUNNER_THREAD ? model_thread_find(model, run->next.thread) : NONE;

    if (next == NONE || next == current || !may_be_elsewhere(model, next, event->core))
        return;
    core->certain = event->now.ticks;
    core->doubted_for = ANY_THREAD;
}

/* Notes the next thread of the event's own core. A resumption or suspension names this thread. */
static void note_own(struct model *model, const struct change *event, const struct run *run)
{
    struct core *core = &model->cores[event->core];
    const uint32_t *info = event->event->info;
    uint32_t next = model_thread_find(model, info[3]);
    bool switches = event->thread != NONE && run->next.runner == TXTAP_RUNNER_THREAD && run->next.thread == info[3];

    if (next != NONE)
        resolve(model, next, event->core);
    core->chosen = false;
    if (info[1] == REASON_PRIORITY)
        core->awaited = ANY_THREAD;
    else if (next == current_of(model, event->event))
        core->awaited = NONE;
    else if (event->thread != NONE && info[3] == 0 && run->next.runner == TXTAP_RUNNER_IDLE)
        core->awaited = NONE;
    else if (switches && !may_be_elsewhere(model, next, event->core))
        core->awaited = NONE;
    else
        await(core, next);
}

void cores_note(struct model *model, const struct change *event, const struct run *run)
{
    struct core *core = &model->cores[event->core];
    uint32_t current = current_of(model, event->event);
    bool was_clear = core->awaited == NONE;

    if (event->event->context == TXTAP_CONTEXT_THREAD && event->event->threshold != event->event->priority)
        model->thresholds = true;
    if (current != NONE)
        resolve(model, current, event->core);
    if (event->event->id == EVENT_THREAD_RESUME || event->event->id == EVENT_THREAD_SUSPEND)
        note_own(model, event, run);
    note_others(model, event, was_clear);
    note_next(model, event, run, current);
    core->left_interrupts = event->event->id == EVENT_ISR_EXIT && core->depth == 0;
    core->caused = false;
}

/* ---- past time of a core ---- */

void core_lose(struct model *model, uint32_t number, const struct change *at)
{
    struct core *core = &model->cores[number];
    struct change change = *at;

    if (is_in_interrupt(core))
        return; /* the core keeps the thread until the interrupt ends */
    if (core->occupant == RUNNING_THREAD)
        model->threads[core->thread].core = -1;
    change.core = (uint8_t)number;
    if (core->running == RUNNING_THREAD || core->running == RUNNING_IDLE) {
        doubt_since(model, number, at, core->awaited != NONE ? core->met : core->certain);
        core_stop(model, &change);
    }
    core->occupant = RUNNING_UNKNOWN;
    core->awaited = ANY_THREAD;
}

/* Sets *run to the thread that the event shows on the core. Returns false if the event shows no thread: an interrupt
 * recorded the event, and this kernel may never name the interrupted thread. */
static bool shows(const struct model *model, const struct txtap_event *event, struct run *run)
{
    if (event->context == TXTAP_CONTEXT_IDLE && !model->names_interrupted)
        return false;
    *run = (struct run){.late = true};
    run->next.runner = event->thread != 0 ? TXTAP_RUNNER_THREAD : TXTAP_RUNNER_IDLE;
    run->next.thread = event->thread;
    return true;
}

static bool has(const struct model *model, const struct core *core, enum running running, const struct run *run)
{
    if (run->next.runner == TXTAP_RUNNER_IDLE)
        return running == RUNNING_IDLE;
    return running == RUNNING_THREAD && model->threads[core->thread].address == run->next.thread;
}

/* Returns true if the event that made the core uncertain explains why the core has the thread in run. */
static bool is_explained(const struct model *model, const struct core *core, const struct run *run)
{
    return core->certain != UINT64_MAX &&
           (core->doubted_for == ANY_THREAD || (core->doubted_for != NONE && run->next.runner == TXTAP_RUNNER_THREAD &&
                                                model->threads[core->doubted_for].address == run->next.thread));
}

void cores_meet(struct model *model, const struct change *event)
{
    struct core *core = &model->cores[event->core];
    struct run run;
    bool goes_on = is_in_interrupt(core) && !interrupts_were_left(event->event, core->entered_in);

    if (event->event->context == TXTAP_CONTEXT_INIT)
        return;
    if (!shows(model, event->event, &run)) {
        if (!goes_on)
            doubt_since(model, event->core, event, min_u64(core->certain, core->met));
        core->certain = event->now.ticks;
        core->doubted_for = ANY_THREAD;
        return;
    }
    if (!goes_on) {
        bool differs = !has(model, core, core->running, &run);

        doubt_since(model, event->core, event, differs && !is_explained(model, core, &run) ? core->met : core->certain);
        if (core->left_interrupts && !core->caused && run.next.runner == TXTAP_RUNNER_THREAD)
            core->awaited = NONE; /* the core switched when it left the interrupt, and nothing else changed */
    }
    core->certain = UINT64_MAX;
    run.since = core->before = core->met;
    core->met = event->now.ticks;
    if (!goes_on && !has(model, core, core->occupant, &run))
        core_change(model, event, &run);
}

void cores_part(struct model *model, const struct change *at)
{
    for (uint32_t i = 0; model_is_vague(model) && i < model->core_count; i++) {
        struct core *core = &model->cores[i];

        if (!core->seen || is_in_interrupt(core))
            continue;
        doubt_since(model, i, at, core->awaited != NONE ? min_u64(core->met, core->certain) : core->certain);
        core->certain = UINT64_MAX;
    }
}
