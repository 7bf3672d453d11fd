/* SPDX-License-Identifier: MIT */
/*
 * Priority inversion: a thread waits for a mutex, or a semaphore that is used as a lock, whose owner's own priority is
 * lower. Its unbounded part is the time in which others of lower priority ran, who neither own the mutex nor something
 * that the owner waits for.
 */
#include "analysis/analyses.h"

#include "base/min_max.h"
#include "txtap/registry.h"

struct window {
    bool open, blocked; /* asked for the mutex; waits for it */
    uint32_t owner;
    uint64_t call;       /* its event */
    struct moment start; /* of the wait */
    uint64_t unbounded;
};

struct inversion {
    struct base base;
    struct window *windows; /* by the thread that waits */
    uint32_t open_windows;
    struct spread all;
    uint64_t unbounded, unbounded_ticks;
    struct table pairs; /* of waiting thread and owner */
    struct spread *by_pair;
    struct table runners; /* of waiting thread and a thread that ran in the unbounded part */
    uint64_t *ran;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct inversion *inversion = state;

    inversion->windows = arena_take(arena, limits->threads, sizeof(*inversion->windows));
    table_layout(&inversion->pairs, arena, limits->pairs);
    inversion->by_pair = arena_take(arena, limits->pairs, sizeof(*inversion->by_pair));
    table_layout(&inversion->runners, arena, limits->pairs);
    inversion->ran = arena_take(arena, limits->pairs, sizeof(*inversion->ran));
}

static void drop(struct inversion *inversion, uint32_t thread)
{
    inversion->open_windows -= inversion->windows[thread].open;
    inversion->windows[thread] = (struct window){0};
}

/* Did the thread call nothing since then? If it did, it did not wait, or does so no longer. */
static bool is_open(const struct inversion *inversion, uint32_t thread)
{
    const struct window *window = &inversion->windows[thread];

    return window->open && inversion->base.model->threads[thread].last.seq == window->call;
}

static bool is_blocked(const struct inversion *inversion, uint32_t thread)
{
    return inversion->windows[thread].blocked && is_open(inversion, thread);
}

/* The owner that a call finds, and waits for unless it gives up; NONE. */
static uint32_t owner_found(const struct model *model, const struct service *service)
{
    if (service->info[1] == 0) /* it would not wait */
        return NONE;
    if (service->id == EVENT_MUTEX_GET && service->info[2] != 0)
        return model_thread_find(model, service->info[2]);
    if (service->id == EVENT_SEMAPHORE_GET && service->info[2] == 0 && model_is_lock(model, service->object))
        return model->objects[service->object].owner;
    return NONE;
}

static void take_call(void *self, const struct change *change)
{
    struct inversion *inversion = self;
    const struct service *service = change->service;
    const struct model *model = inversion->base.model;
    const struct thread *thread, *owner;
    uint32_t number;

    if (change->thread == NONE)
        return;
    if (inversion->windows[change->thread].open)
        drop(inversion, change->thread);
    number = owner_found(model, service);
    if (number == NONE || number == change->thread)
        return;
    thread = &model->threads[change->thread];
    owner = &model->threads[number];
    if (!thread->priority_known || !owner->priority_known || owner->base <= thread->priority)
        return;
    inversion->windows[change->thread] =
        (struct window){.open = true, .owner = number, .call = service->seq, .start = change->now};
    inversion->open_windows++;
}

static void take_blocked(void *self, const struct change *change)
{
    struct inversion *inversion = self;
    struct window *window = &inversion->windows[change->thread];
    bool added;

    if (!window->open)
        return;
    if (!is_open(inversion, change->thread) ||
        !model_waits_for_owner(inversion->base.model, &inversion->base.model->threads[change->thread])) {
        drop(inversion, change->thread);
        return;
    }
    window->blocked = true;
    window->start = change->now;
    (void)table_add(&inversion->pairs, table_pair(change->thread, window->owner), &added);
}

/* Is it the owner, or may the owner wait for it, over any number of mutexes? */
static bool delays_by_right(const struct model *model, uint32_t owner, uint32_t thread)
{
    for (uint32_t steps = 0; steps <= model->thread_numbers.count; steps++) {
        const struct thread *of = &model->threads[owner];

        if (owner == thread)
            return true;
        if (of->state != THREAD_UNKNOWN && (of->state != THREAD_BLOCKED || !model_waits_for_owner(model, of)))
            return false;
        if (of->state == THREAD_UNKNOWN || of->object == NONE || model->objects[of->object].owner == NONE)
            return true;
        owner = model->objects[of->object].owner;
    }
    return false;
}

/* A thread ran for that long until now: it counts for a window if it had no right to delay. */
static void count_run(struct inversion *inversion, uint32_t waiter, uint32_t thread, uint64_t ticks, uint64_t now)
{
    const struct model *model = inversion->base.model;
    struct window *window = &inversion->windows[waiter];
    uint64_t part = min_u64(ticks, now - window->start.ticks);
    bool added;
    uint32_t pair;

    if (part == 0 || thread == waiter || model->threads[thread].priority <= model->threads[waiter].priority ||
        delays_by_right(model, window->owner, thread))
        return;
    window->unbounded += part;
    pair = table_add(&inversion->runners, table_pair(waiter, thread), &added);
    if (pair != NONE)
        inversion->ran[pair] += part;
    else
        inversion->base.left_out++;
}

static void take_running(void *self, const struct change *change)
{
    struct inversion *inversion = self;

    if (inversion->open_windows == 0 || change->thread == NONE)
        return;
    for (uint32_t i = 0; i < inversion->base.model->thread_numbers.count; i++)
        if (is_blocked(inversion, i))
            count_run(inversion, i, change->thread, change->ticks, change->now.ticks);
}

static void end(struct inversion *inversion, const struct change *change, uint32_t thread, bool complete)
{
    struct window *window = &inversion->windows[thread];
    uint64_t ticks = window->blocked ? change->now.ticks - window->start.ticks : 0;
    bool added;
    uint32_t pair = table_add(&inversion->pairs, table_pair(thread, window->owner), &added);
    struct spread *spreads[] = {&inversion->all, pair != NONE ? &inversion->by_pair[pair] : NULL};

    for (unsigned i = 0; i < 2; i++) {
        if (spreads[i] == NULL)
            inversion->base.left_out++;
        else if (complete)
            add_sample(&inversion->base, spreads[i], ticks, change);
        else
            spread_cut(spreads[i], ticks, change->now.seq, change->now.ticks);
    }
    inversion->unbounded += window->unbounded > 0;
    inversion->unbounded_ticks += window->unbounded;
    drop(inversion, thread);
}

static void take_ready(void *self, const struct change *change)
{
    struct inversion *inversion = self;
    const struct model *model = inversion->base.model;

    if (!is_blocked(inversion, change->thread))
        return;
    for (uint32_t i = 0; i < model->core_count; i++)
        if (model->cores[i].running == RUNNING_THREAD)
            count_run(inversion, change->thread, model->cores[i].thread,
                      change->now.ticks - model->cores[i].running_since, change->now.ticks);
    end(inversion, change, change->thread, true);
}

static void take_gap(void *self, const struct change *change)
{
    struct inversion *inversion = self;

    for (uint32_t i = 0; i < inversion->base.model->thread_numbers.count; i++) {
        if (is_open(inversion, i))
            end(inversion, change, i, false);
        else
            drop(inversion, i);
    }
}

static void open(void *state, struct model *model)
{
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_MUTEX, (struct change_sink){take_call, state});
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_SEMAPHORE, (struct change_sink){take_call, state});
    model_tell(model, CHANGE_BLOCKED, (struct change_sink){take_blocked, state});
    model_tell(model, CHANGE_READY, (struct change_sink){take_ready, state});
    model_tell(model, CHANGE_RUNNING, (struct change_sink){take_running, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

/* Those that last, at least until now. pair: of these threads, or NONE: of all. Returns how many are unbounded. */
static uint64_t cut_open(const struct inversion *inversion, uint32_t pair, struct spread *spread)
{
    const struct moment now = inversion->base.model->last;
    uint64_t unbounded = 0;

    for (uint32_t i = 0; inversion->open_windows > 0 && i < inversion->base.model->thread_numbers.count; i++) {
        const struct window *window = &inversion->windows[i];

        if (!is_blocked(inversion, i) || (pair != NONE && inversion->pairs.keys[pair] != table_pair(i, window->owner)))
            continue;
        spread_cut(spread, now.ticks - window->start.ticks, now.seq, now.ticks);
        unbounded += window->unbounded > 0;
    }
    return unbounded;
}

static void list_pair(const struct inversion *inversion, struct list *list, uint32_t pair)
{
    const struct model *model = inversion->base.model;
    struct spread spread = inversion->by_pair[pair];

    (void)cut_open(inversion, pair, &spread);
    list_spread(list,
                (struct heading){.name = "inversion",
                                 .subject = list_thread(model, (uint32_t)(inversion->pairs.keys[pair] >> 32)),
                                 .other = list_thread(model, (uint32_t)inversion->pairs.keys[pair])},
                TXTAP_UNIT_TICKS, &spread);
}

static void figures(const void *state, struct list *list)
{
    const struct inversion *inversion = state;
    const struct model *model = inversion->base.model;
    struct spread all = inversion->all;
    uint64_t unbounded = inversion->unbounded + cut_open(inversion, NONE, &all); /* one counts while it lasts */

    list_occurrences(list, (struct heading){.name = "inversion"}, TXTAP_UNIT_TICKS, &all);
    list_count(list, (struct heading){.name = "inversions"}, all.samples.n + all.cut);
    list_count(list, (struct heading){.name = "unbounded"}, unbounded);
    list_at_least(list, (struct heading){.name = "inversion_ticks"}, TXTAP_UNIT_TICKS, (double)all.samples.sum);
    list_at_least(list, (struct heading){.name = "unbounded_ticks"}, TXTAP_UNIT_TICKS,
                  (double)inversion->unbounded_ticks);
    for (uint32_t i = 0; i < inversion->pairs.count; i++)
        list_pair(inversion, list, i);
    for (uint32_t i = 0; i < inversion->runners.count; i++)
        list_at_least(list,
                      (struct heading){.name = "unbounded_by",
                                       .subject = list_thread(model, (uint32_t)(inversion->runners.keys[i] >> 32)),
                                       .other = list_thread(model, (uint32_t)inversion->runners.keys[i])},
                      TXTAP_UNIT_TICKS, (double)inversion->ran[i]);
}

const struct analysis_row inversion_analysis = {
    .section = {"inversion", "priority inversion"},
    .state_bytes = sizeof(struct inversion),
    .layout = layout,
    .open = open,
    .figures = figures,
};
