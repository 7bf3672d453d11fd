/* SPDX-License-Identifier: MIT */
/*
 * The activity of each core: the thread that gets the core or leaves it. An interrupt does not become the occupant: the
 * core keeps its thread.
 */
#include "model/model_parts.h"

#include "base/min_max.h"

static void account_occupant(struct model *model, const struct core *core, const struct change *at)
{
    if (core->occupant == RUNNING_THREAD)
        thread_account(model, core->thread, at);
}

/* Reports the new activity of the core. */
static void emit_runs(struct model *model, const struct core *core, const struct change *event)
{
    struct change change;

    if (!model_is_heard(model, CHANGE_RUNS))
        return;
    change_start(&change, event, CHANGE_RUNS);
    change.to = core->running;
    change.thread = core->running == RUNNING_THREAD ? core->thread : NONE;
    model_emit(model, &change);
}

void core_add_doubt(struct model *model, struct core *core, enum running ran, unsigned maybe, uint64_t ticks)
{
    if (maybe == 0)
        return;
    core->doubt[ran].less += ticks;
    if (ran == RUNNING_THREAD)
        model->threads[core->thread].doubt.less += ticks;
    for (unsigned i = 0; i < RUNNINGS; i++)
        if ((maybe & MAYBE(i)) != 0)
            core->doubt[i].more += ticks;
}

struct change core_running(const struct model *model, uint32_t number, uint64_t ticks)
{
    const struct core *core = &model->cores[number];

    return (struct change){.kind = CHANGE_RUNNING,
                           .now = {ticks, 0},
                           .core = (uint8_t)number,
                           .before = core->running,
                           .maybe = core->maybe,
                           .thread = core->running == RUNNING_THREAD ? core->thread : NONE,
                           .ticks = ticks - core->running_since};
}

/* Adds the time since the last call to the core's activity. */
static void settle(struct model *model, uint32_t number, uint64_t ticks)
{
    struct core *core = &model->cores[number];
    struct change change = core_running(model, number, ticks);

    if (core->running != RUNNING_UNKNOWN)
        model_emit(model, &change);
    else if (model->core_count > 1)
        model->doubted += change.ticks;
    core->spent[core->running] += change.ticks;
    core_add_doubt(model, core, core->running, core->maybe, change.ticks);
    core->running_since = ticks;
}

void core_settle(struct model *model, uint64_t ticks)
{
    for (uint32_t i = 0; i < model->core_count; i++)
        if (model->cores[i].seen)
            settle(model, i, ticks);
}

uint64_t core_ran(const struct model *model, enum running what)
{
    uint64_t ticks = 0;

    for (uint32_t i = 0; i < model->core_count; i++) {
        const struct core *core = &model->cores[i];

        ticks += core->spent[what];
        if (core->seen && core->running == what)
            ticks += model->last.ticks - core->running_since;
    }
    return ticks;
}

uint64_t model_unseen(const struct model *model)
{
    uint64_t seen = 0;

    for (unsigned what = 0; what < RUNNINGS; what++)
        seen += core_ran(model, (enum running)what);
    return model->core_count * model_observed(model) - seen;
}

static uint64_t unsettled(const struct model *model, const struct core *core)
{
    return core->seen ? model->last.ticks - core->running_since : 0;
}

/*
 * Returns the ticks since the outermost interrupt was entered. The interrupt may have ended since then without an
 * event.
 */
static uint64_t entered_for(const struct model *model, const struct core *core)
{
    return core->seen && core->depth > 0 ? model->last.ticks - core->isr[0].start.ticks : 0;
}

/*
 * Returns the activity that may have run instead of the interrupt. Older kernels do not name the interrupted thread, so
 * another thread may have run.
 */
static enum running instead_of_interrupt(const struct model *model, const struct core *core)
{
    return model->names_interrupted ? core->interrupted : RUNNING_UNKNOWN;
}

struct doubt core_own_doubt(const struct model *model, const struct core *core, enum running what)
{
    struct doubt doubt = core->doubt[what];

    if (core->maybe != 0 && core->running == what)
        doubt.less += unsettled(model, core);
    if ((core->maybe & MAYBE(what)) != 0)
        doubt.more += unsettled(model, core);
    if (model->core_count > 1 && core->running == what)
        doubt.less += core_open_doubt(model, core);
    if (model->core_count > 1 && what == RUNNING_UNKNOWN)
        doubt.more += core_open_doubt(model, core);
    if (what == RUNNING_ISR)
        doubt.less += entered_for(model, core);
    else if (what == instead_of_interrupt(model, core))
        doubt.more += entered_for(model, core);
    return doubt;
}

struct doubt core_doubt(const struct model *model, enum running what)
{
    struct doubt sum = {0, 0};

    for (uint32_t i = 0; i < model->core_count; i++) {
        struct doubt doubt = core_own_doubt(model, &model->cores[i], what);

        sum.less += doubt.less;
        sum.more += doubt.more;
    }
    return sum;
}

struct doubt core_thread_doubt(const struct model *model, uint32_t number)
{
    const struct thread *thread = &model->threads[number];
    const struct core *core = thread->core >= 0 ? &model->cores[thread->core] : NULL;
    struct doubt doubt = thread->doubt;

    if (core != NULL && core->running == RUNNING_THREAD && core->maybe != 0)
        doubt.less += unsettled(model, core);
    if (core != NULL && core->running == RUNNING_THREAD && model->core_count > 1)
        doubt.less += core_open_doubt(model, core);
    if (core != NULL && instead_of_interrupt(model, core) == RUNNING_THREAD && core->interrupted_thread == number)
        doubt.more += entered_for(model, core);
    return doubt;
}

void core_doubt_interrupt(struct model *model, const struct change *at, uint64_t from)
{
    struct core *core = &model->cores[at->core];
    struct change change;

    change_start(&change, at, CHANGE_DOUBT);
    if (core->running != RUNNING_ISR) /* model_next.c has already ended the interrupt */
        change.now.ticks = core->running_since;
    if (change.now.ticks <= from || core->interrupted == RUNNING_INIT)
        return;
    change.ticks = change.now.ticks - from;
    change.before = RUNNING_ISR;
    change.maybe = MAYBE(instead_of_interrupt(model, core));
    change.thread = change.maybe == MAYBE(RUNNING_THREAD) ? core->interrupted_thread : NONE;
    core_add_doubt(model, core, RUNNING_ISR, change.maybe, change.ticks);
    if (change.thread != NONE)
        model->threads[change.thread].doubt.more += change.ticks;
    model_emit(model, &change);
}

void cores_end(struct model *model, const struct change *at)
{
    for (uint32_t i = 0; i < model->core_count; i++) {
        struct core *core = &model->cores[i];
        struct change change = *at;

        change.core = (uint8_t)i;
        if (entered_for(model, core) > 0)
            core_doubt_interrupt(model, &change, core->isr[0].start.ticks);
        core->depth = 0;
        core->maybe = 0;
    }
}

void core_forget(struct core *core)
{
    core->seen = false;
    core->running = core->occupant = RUNNING_UNKNOWN;
    core->depth = 0;
    core->in_burst = false;
    core->last_isr = core->outer_isr = core->last_init = (struct service){.thread = NONE};
    core->certain = UINT64_MAX;
    core->awaited = ANY_THREAD;
    core->doubted_for = NONE;
    core->chosen = core->caused = core->left_interrupts = false;
}

void cores_add(struct model *model, uint32_t number)
{
    struct change change = {.kind = CHANGE_SEVERAL, .now = model->last, .thread = NONE};
    bool was_alone = model->core_count == 1 && number > 0;

    while (model->core_count <= number) {
        model->cores[model->core_count] = (struct core){0};
        core_forget(&model->cores[model->core_count++]);
    }
    if (!was_alone)
        return;
    model->cores[0].met = model->last.ticks;
    threads_on_several_cores(model);
    if (!model->other_kernel)
        model_emit(model, &change);
}

static void dispatch(struct model *model, const struct change *event, uint32_t number, const struct run *run);

/* Takes the first event of a core: the context that recorded the event occupies the core. */
static void begin(struct model *model, const struct change *event, struct core *core)
{
    enum txtap_context context = event->event->context;
    uint32_t thread = event->thread;
    struct change change;

    change_start(&change, event, CHANGE_OCCUPIED);
    core->seen = true;
    core->met = event->now.ticks;
    if (model->from_init && model->gaps == 0)
        core->last_isr.id = EVENT_ISR_EXIT; /* no interrupt of this core has called a service yet */
    core->slice = NONE;
    core->displaced = false;
    core->running_since = event->now.ticks;
    if (context == TXTAP_CONTEXT_ISR)
        thread = model_thread(model, event->event->thread);
    if (context == TXTAP_CONTEXT_INIT) {
        core->running = core->occupant = RUNNING_INIT;
    } else if (thread != NONE) {
        core->running = context == TXTAP_CONTEXT_ISR ? RUNNING_ISR : RUNNING_THREAD;
        core->occupant = RUNNING_THREAD;
        core->thread = thread;
        thread_prove_ready(model, thread, event);
        if (model->threads[thread].core >= 0)
            core_lose(model, (uint32_t)model->threads[thread].core, event);
        model->threads[thread].core = (int)event->core;
        if (model->threads[thread].state == THREAD_UNKNOWN)
            model->threads[thread].state = THREAD_READY;
        thread_account(model, thread, event);
    }
    if (core->running != RUNNING_UNKNOWN)
        emit_runs(model, core, event);
    change.to = core->occupant;
    change.thread = thread;
    if (core->occupant != RUNNING_UNKNOWN)
        model_emit(model, &change);
    if (core->occupant == RUNNING_THREAD && model->core_count > 1 && model->threads[thread].waiting)
        dispatch(model, event, thread, &(struct run){.late = true});
}

void core_begin(struct model *model, const struct change *event)
{
    model->core_added = event->now.ticks;
    cores_add(model, event->core);
    begin(model, event, &model->cores[event->core]);
}

/*
 * Returns true if the kernel chooses the resumed thread because of its higher priority. Call it only for kernels that
 * do not record the next thread.
 */
static bool outranks(const struct model *model, uint32_t number, const struct thread *other)
{
    const struct thread *thread = number != NONE ? &model->threads[number] : NULL;

    return !model->names_next && thread != NULL && thread->runs_at_known && other->runs_at_known &&
           thread->runs_at < other->runs_at;
}

static bool is_chosen_by_slice(const struct model *model, const struct core *core, uint32_t address)
{
    return core->slice != NONE && model_thread_find(model, address) == core->slice;
}

/*
 * Notes the thread that the kernel chooses in an interrupt. A tick of the timer may first wake a thread of higher
 * priority and then end a time slice. In this case the kernel switches to the woken thread.
 */
void core_note_next(struct model *model, const struct change *event)
{
    struct core *core = &model->cores[event->core];
    const uint32_t *info = event->event->info;
    const struct thread *occupant = core->occupant == RUNNING_THREAD ? &model->threads[core->thread] : NULL;

    if (event->event->id == EVENT_TIME_SLICE)
        core->slice = core->displaced ? NONE : model_thread(model, info[0]);
    else if (occupant != NULL && info[3] != 0)
        core->displaced = info[3] != occupant->address && !is_chosen_by_slice(model, core, info[3]);
    else if (occupant != NULL && outranks(model, model_thread_find(model, info[0]), occupant))
        core->displaced = true;
}

static enum way way_of(const struct change *change, const struct core *core, const struct thread *thread, bool late)
{
    if (thread->state == THREAD_BLOCKED)
        return WAY_BLOCKED;
    if (thread->state == THREAD_UNKNOWN || late)
        return WAY_UNKNOWN;
    if (change->thread != NONE && change->thread == core->slice)
        return WAY_TIME_SLICE;
    return change->event->id == EVENT_THREAD_RELINQUISH ? WAY_RELINQUISHED : WAY_PREEMPTED;
}

/* Takes the occupant off its core. */
static void release(struct model *model, struct core *core, struct change *change, const struct run *run)
{
    struct thread *thread;

    change->left = NONE;
    if (core->occupant != RUNNING_THREAD)
        return;
    thread = &model->threads[core->thread];
    change->left = core->thread;
    change->way = way_of(change, core, thread, run->late);
    if (thread->core >= 0 && thread->core != change->core)
        return; /* another core took the thread during an interrupt of this core */
    thread->core = -1;
    if (thread->state == THREAD_READY && !thread->waiting) {
        thread->waiting = true;
        thread->waiting_since = change->now.ticks;
        thread->waiting_earliest = run->late ? run->since : change->now.ticks;
        thread->waiting_doubted = model->doubted;
    }
    if (thread->account < ACCOUNT_BLOCKED) /* with several cores, the thread is already blocked since its suspension */
        thread_account(model, change->left, change);
}

static void occupy(struct model *model, const struct change *event, enum running to, uint32_t thread,
                   const struct run *run)
{
    struct core *core = &model->cores[event->core];
    struct change change;

    if (core->occupant == to && (to != RUNNING_THREAD || core->thread == thread))
        return;
    change_start(&change, event, CHANGE_SWITCH);
    change.from = core->occupant;
    change.to = to;
    change.thread = thread;
    release(model, core, &change, run);
    core->occupant = to;
    core->thread = thread;
    core->slice = NONE;
    core->displaced = false;
    if (to == RUNNING_THREAD) {
        struct thread *next = &model->threads[thread];

        if (next->core >= 0) /* the next thread was seen on another core */
            core_lose(model, (uint32_t)next->core, event);
        next->core = (int)event->core;
    }
    if (change.from == RUNNING_UNKNOWN)
        change.kind = CHANGE_OCCUPIED;
    model_emit(model, &change);
}

static bool resumptions_are_recorded(const struct txtap_event *event)
{
    return event->id == EVENT_SWITCH && event->info[0] == 1;
}

/* Marks the dispatch as vague if the thread may have been given its core earlier or later. */
static void dispatch_vaguely(struct model *model, struct change *change, const struct run *run)
{
    struct thread *thread = &model->threads[change->thread];

    change->vague =
        !change->known || run->late || thread->waiting_earliest < thread->waiting_since ||
        (change->ticks > 0 && cores_are_vague(model, change->thread, thread->waiting_doubted, thread->waiting_since));
    if (model->cores[change->core].certain < UINT64_MAX)
        thread->given = max_u64(run->until, change->now.ticks);
}

static void dispatch(struct model *model, const struct change *event, uint32_t number, const struct run *run)
{
    struct thread *thread = &model->threads[number];
    bool was_ready = thread->left && resumptions_are_recorded(event->event);
    struct change change;

    thread_prove_ready(model, number, event);
    if (thread->state == THREAD_BLOCKED && event->event->id == EVENT_SWITCH) {
        thread_runs_again(model, number, event);
        return;
    }
    if (!was_ready && thread->state == THREAD_UNKNOWN && model->other_kernel) {
        thread_found_ready(model, number, event);
        return;
    }
    if (!was_ready && thread->state != THREAD_UNKNOWN && !thread->waiting)
        return;
    change_start(&change, event, CHANGE_DISPATCH);
    change.known = true;
    change.ticks = event->now.ticks - thread->waiting_since;
    if (was_ready) {
        change.ticks = event->now.ticks - thread->since.ticks;
        thread_was_ready(model, number, event);
    } else if (thread->state == THREAD_UNKNOWN) {
        change.known = false;
        change.ticks = event->now.ticks - model->known_from;
        thread_found_ready(model, number, event);
    }
    change.thread = number;
    change.woken = thread->waking;
    thread->given = event->now.ticks;
    if (model_is_vague(model))
        dispatch_vaguely(model, &change, run);
    thread->job.turns++;
    model_emit(model, &change);
    thread->waking = thread->waiting = false;
}

void core_stop(struct model *model, const struct change *at)
{
    struct core *core = &model->cores[at->core];

    settle(model, at->core, at->now.ticks);
    core->running = RUNNING_UNKNOWN;
    core->maybe = 0;
    account_occupant(model, core, at);
    emit_runs(model, core, at);
}

void core_change(struct model *model, const struct change *event, const struct run *run)
{
    static const enum running kinds[] = {
        [TXTAP_RUNNER_IDLE] = RUNNING_IDLE,
        [TXTAP_RUNNER_THREAD] = RUNNING_THREAD,
        [TXTAP_RUNNER_ISR] = RUNNING_ISR,
        [TXTAP_RUNNER_INIT] = RUNNING_INIT,
    };
    struct core *core = &model->cores[event->core];
    uint32_t thread = run->next.runner == TXTAP_RUNNER_THREAD ? model_thread(model, run->next.thread) : NONE;
    enum running to = kinds[run->next.runner];
    bool changed;

    if (to == RUNNING_THREAD && thread == NONE)
        to = RUNNING_UNKNOWN; /* the thread table is full */
    changed = core->running != to || (to == RUNNING_THREAD && core->thread != thread);
    if (changed || core->maybe != run->maybe)
        settle(model, event->core, event->now.ticks);
    core->maybe = run->maybe;
    if (to != RUNNING_ISR && to != RUNNING_UNKNOWN)
        occupy(model, event, to, thread, run);
    if (to == RUNNING_THREAD)
        dispatch(model, event, thread, run);
    if (core->running != to || to == RUNNING_THREAD) {
        core->running = to;
        account_occupant(model, core, event);
    }
    if (changed)
        emit_runs(model, core, event);
}
