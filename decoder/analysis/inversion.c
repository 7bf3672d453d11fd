/* SPDX-License-Identifier: MIT */
/*
 * Priority inversion: a thread waits for a mutex (or a semaphore used as a lock) whose owner has a lower priority of
 * its own. The inversion may begin or end during the wait, when another thread gets the mutex. The unbounded part of
 * the inversion is the time in which unrelated threads of lower priority ran. An unrelated thread owns neither the
 * mutex nor an object for which the owner waits.
 *
 * Each time span is judged by the state during that span: the span is settled before an event changes the state.
 */
#include "analysis/analyses.h"

#include "base/min_max.h"
#include "txtap/registry.h"

/* A thread's call for a mutex that another thread owns, and the thread's wait for the mutex. */
struct window {
    bool open, blocked; /* open: the thread called for the mutex; blocked: the thread waits for the mutex */
    bool inverted;      /* the owner's priority is lower than the thread's priority */
    bool doubtful;      /* the owner's priority is unknown */
    bool began_earlier; /* the inversion may have begun before the moment in start */
    bool paused;        /* the owner's priority became unknown during an inversion; the inversion may continue */
    uint32_t priority;  /* the thread's own priority; if unknown, the smallest possible number */
    uint32_t object, owner;
    uint64_t call;            /* seq of the call's event */
    struct moment start;      /* start of the inversion */
    struct moment piece;      /* the moment at which the thread in owner got the mutex */
    bool piece_began_earlier; /* the thread in owner may have owned the mutex before the moment in piece */
    uint64_t paused_at;       /* tick at which paused was set */
    uint64_t unbounded;
    uint64_t perhaps;     /* ticks that may be part of unbounded: some facts are unknown */
    uint32_t unknown;     /* 1 + the thread that ran last, if its priority is unknown; 0: no such thread */
    uint64_t unknown_ran; /* ticks that the thread in unknown has run */
};

/* The unbounded inversions of a thread at a mutex. */
struct on_mutex {
    uint64_t ticks, longest;
    struct moment longest_at; /* end of the inversion with the longest unbounded part */
};

struct inversion {
    struct base base;
    struct window *windows; /* index: the waiting thread */
    uint32_t *open;         /* the first open_count elements: waiting threads with a window */
    uint32_t open_count;
    uint64_t settled; /* tick up to which the open windows are settled */
    struct spread all;
    uint64_t unbounded, unbounded_ticks;
    uint64_t doubtful, perhaps, perhaps_ticks; /* doubtful: windows that may be inversions; perhaps: windows that may
                                                  have an unbounded part; perhaps_ticks: ticks that may be unbounded */
    struct table pairs;                        /* keys: waiting thread and owner */
    struct spread *by_pair;
    struct table runners; /* keys: waiting thread, and a thread that ran in the unbounded part */
    uint64_t *ran;
    struct table mutexes; /* keys: waiting thread and mutex of inversions with an unbounded part */
    struct on_mutex *on;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct inversion *inversion = state;

    inversion->windows = arena_take(arena, limits->threads, sizeof(*inversion->windows));
    inversion->open = arena_take(arena, limits->threads, sizeof(*inversion->open));
    table_layout(&inversion->pairs, arena, limits->pairs);
    inversion->by_pair = arena_take(arena, limits->pairs, sizeof(*inversion->by_pair));
    table_layout(&inversion->runners, arena, limits->pairs);
    inversion->ran = arena_take(arena, limits->pairs, sizeof(*inversion->ran));
    table_layout(&inversion->mutexes, arena, limits->pairs);
    inversion->on = arena_take(arena, limits->pairs, sizeof(*inversion->on));
}

/* ---- past time ---- */

/*
 * Returns the thread that must run so that a wait for the owner can end. If the owner waits for another thread's mutex,
 * this is the last thread of the chain of waiting threads. If the chain is a circle, this is a thread of the circle.
 * NONE: unknown.
 */
static uint32_t end_of_chain(const struct model *model, uint32_t owner)
{
    uint32_t passed = owner; /* the thread after the last 1, 2, 4, ... steps */

    if (owner == NONE)
        return NONE;

    for (uint32_t steps = 1;; steps++) {
        const struct thread *of = &model->threads[owner];

        if (of->state == THREAD_UNKNOWN)
            return NONE;
        if (of->state != THREAD_BLOCKED || !model_waits_for_owner(model, of))
            return owner;
        if (of->object == NONE || model->objects[of->object].owner == NONE)
            return NONE;
        owner = model->objects[of->object].owner;
        if (owner == passed)
            return owner;
        if ((steps & (steps - 1)) == 0)
            passed = owner;
    }
}

static void count_runner(struct inversion *inversion, uint32_t waiter, uint32_t thread, uint64_t ticks)
{
    bool added;
    uint32_t pair = table_add(&inversion->runners, table_pair(waiter, thread), &added);

    if (pair != NONE)
        inversion->ran[pair] += ticks;
    else
        inversion->base.left_out++;
}

/* Returns the unbounded inversions of the waiting thread at the mutex of its window; NULL: no room. */
static struct on_mutex *on_mutex(struct inversion *inversion, uint32_t waiter)
{
    bool added;
    uint32_t number = table_add(&inversion->mutexes, table_pair(waiter, inversion->windows[waiter].object), &added);

    return number != NONE ? &inversion->on[number] : NULL;
}

/* Counts the ticks that a thread ran in the unbounded part of an inversion. */
static void add_unbounded(struct inversion *inversion, uint32_t waiter, uint32_t thread, uint64_t ticks)
{
    inversion->windows[waiter].unbounded += ticks;
    count_runner(inversion, waiter, thread, ticks);
    if (on_mutex(inversion, waiter) == NULL) /* adds the mutex to the list now, not only when the inversion ends */
        inversion->base.left_out++;
}

static void note_unknown(struct window *window, uint32_t thread, uint64_t ticks)
{
    if (window->unknown != thread + 1) {
        window->perhaps += window->unknown_ran;
        window->unknown_ran = 0;
    }
    window->unknown = thread + 1;
    window->unknown_ran += ticks;
}

/*
 * Decides whether the run time in window->unknown_ran counts as unbounded. Call it when the priority of the thread that
 * ran becomes known.
 */
static void decide_unknown(struct inversion *inversion, uint32_t waiter, uint32_t thread)
{
    struct window *window = &inversion->windows[waiter];

    if (window->unknown != thread + 1)
        return;
    if (inversion->base.model->threads[thread].priority > window->priority)
        add_unbounded(inversion, waiter, thread, window->unknown_ran);
    window->unknown = 0;
    window->unknown_ran = 0;
}

/* Counts the ticks that a thread ran. They count as unbounded if the thread delayed the waiter and has a lower
 * priority. If this is unknown, the thread is listed, too. */
static void count_run(struct inversion *inversion, uint32_t waiter, uint32_t thread, uint64_t ticks)
{
    const struct model *model = inversion->base.model;
    const struct thread *ran = &model->threads[thread];
    struct window *window = &inversion->windows[waiter];
    bool known = ran->runs_at_known && !ran->changes_priority;
    uint32_t end;

    if (known)
        decide_unknown(inversion, waiter, thread);
    if (thread == window->owner || thread == waiter || (known && ran->runs_at <= window->priority))
        return;
    end = end_of_chain(model, window->owner);
    /* the thread at the end of the chain runs on this core or on another core */
    if (end != NONE && (end == thread || model->threads[end].core >= 0))
        return;
    if (end == NONE || !window->inverted || ran->changes_priority) {
        window->perhaps += ticks;
        count_runner(inversion, waiter, thread, 0);
        return;
    }
    if (!known) {
        note_unknown(window, thread, ticks);
        count_runner(inversion, waiter, thread, 0);
        return;
    }
    add_unbounded(inversion, waiter, thread, ticks);
}

/* Settles the open windows with several cores. It is uncertain which threads ran, and whether the owner ran, because
 * each core may have run other threads all the time. */
static void settle_vaguely(struct inversion *inversion, const struct change *at)
{
    for (uint32_t j = 0; at->now.ticks > inversion->settled && j < inversion->open_count; j++)
        inversion->windows[inversion->open[j]].perhaps +=
            (at->now.ticks - inversion->settled) * inversion->base.model->core_count;
}

static void settle(struct inversion *inversion, const struct change *at)
{
    const struct model *model = inversion->base.model;

    if (model_is_vague(model))
        settle_vaguely(inversion, at);
    for (uint32_t i = 0; !model_is_vague(model) && at->now.ticks > inversion->settled && i < model->core_count; i++) {
        const struct core *core = &model->cores[i];
        uint64_t ticks = at->now.ticks - max_u64(inversion->settled, core->running_since);

        if (core->running != RUNNING_THREAD || ticks == 0)
            continue;
        for (uint32_t j = 0; j < inversion->open_count; j++)
            if (inversion->windows[inversion->open[j]].inverted || inversion->windows[inversion->open[j]].doubtful)
                count_run(inversion, inversion->open[j], core->thread, ticks);
    }
    inversion->settled = at->now.ticks;
}

/* Settles the time before the event. It must be settled now, because the event may change owners and priorities,
 * too. */
static void take_event(void *self, const struct change *change)
{
    struct inversion *inversion = self;

    if (inversion->open_count > 0)
        settle(inversion, change);
}

static void take_running(void *self, const struct change *change)
{
    struct inversion *inversion = self;

    if (inversion->open_count > 0)
        settle(inversion, change);
}

/* ---- inversions ---- */

/* Adds a sample from start to the tick end. complete: false if the sample is cut off. */
static void sample(struct inversion *inversion, struct spread *spread, struct moment start, uint64_t end,
                   const struct change *change, bool complete)
{
    uint64_t ticks = end - start.ticks;

    if (spread == NULL)
        inversion->base.left_out++;
    else if (complete)
        spread_add(spread, inversion->base.pool, ticks, change->now.seq, change->now.ticks);
    else
        spread_cut(spread, ticks, change->now.seq, change->now.ticks);
}

static struct spread *pair_of(struct inversion *inversion, uint32_t thread)
{
    bool added;
    uint32_t pair = table_add(&inversion->pairs, table_pair(thread, inversion->windows[thread].owner), &added);

    return pair != NONE ? &inversion->by_pair[pair] : NULL;
}

static void end_piece(struct inversion *inversion, uint32_t thread, const struct change *change, bool complete)
{
    const struct window *window = &inversion->windows[thread];

    sample(inversion, pair_of(inversion, thread), window->piece, change->now.ticks, change,
           complete && !window->piece_began_earlier);
}

/* Adds the unbounded part of the window to the thread's inversions at the mutex. */
static void count_mutex(struct inversion *inversion, uint32_t thread, struct moment now)
{
    const struct window *window = &inversion->windows[thread];
    struct on_mutex *on = window->unbounded > 0 ? on_mutex(inversion, thread) : NULL;

    if (on == NULL)
        return;
    on->ticks += window->unbounded;
    if (window->unbounded <= on->longest)
        return;
    on->longest = window->unbounded;
    on->longest_at = now;
}

/* Ends an inversion, or a wait that may be an inversion. Call it also if the wait continues with another owner or
 * another priority. */
static void end_inversion(struct inversion *inversion, uint32_t thread, const struct change *change, bool complete)
{
    struct window *window = &inversion->windows[thread];
    uint64_t perhaps = window->perhaps + window->unknown_ran;

    complete = complete && !window->began_earlier;
    if (window->inverted)
        sample(inversion, &inversion->all, window->start, change->now.ticks, change, complete);
    else if (window->paused)
        sample(inversion, &inversion->all, window->start, window->paused_at, change, complete && !window->doubtful);
    else
        inversion->doubtful += window->doubtful;
    window->paused = window->began_earlier = false;
    inversion->unbounded += window->unbounded > 0;
    count_mutex(inversion, thread, change->now);
    inversion->perhaps += window->unbounded == 0 && perhaps > 0;
    inversion->unbounded_ticks += window->unbounded;
    inversion->perhaps_ticks += perhaps;
    window->unbounded = window->perhaps = window->unknown_ran = 0;
    window->unknown = 0;
}

/* Returns true if the thread waits for a thread of lower priority. Sets *doubtful to true if this is unknown. */
static bool is_inverted(const struct inversion *inversion, uint32_t thread, uint32_t owner, bool *doubtful)
{
    const struct thread *waits = &inversion->base.model->threads[thread],
                        *of = owner != NONE ? &inversion->base.model->threads[owner] : NULL;
    bool known = of != NULL && of->priority_known, is = known && thread_base_least(of) > thread_base_most(waits);

    *doubtful = !is && (!known || thread_base_most(of) > thread_base_least(waits));
    return is;
}

static void pause(struct window *window, const struct change *change)
{
    window->paused = true;
    window->paused_at = change->now.ticks;
}

/*
 * Counts a wait that may have been an inversion until now. Call it if the mutex's owner or a priority changes, and it
 * is unknown whether the wait was an inversion. again: after the change, the wait is an inversion or may be an
 * inversion.
 */
static void lose(struct inversion *inversion, uint32_t thread, const struct change *change, bool again)
{
    struct window *window = &inversion->windows[thread];

    if (window->paused && again)
        inversion->doubtful++; /* the paused inversion may continue, or a new inversion may begin */
    else
        end_inversion(inversion, thread, change, true);
    window->began_earlier = again;
}

static void judge(struct inversion *inversion, uint32_t thread, uint32_t owner)
{
    struct window *window = &inversion->windows[thread];

    window->owner = owner;
    window->inverted = is_inverted(inversion, thread, owner, &window->doubtful);
    if (window->inverted)
        (void)pair_of(inversion, thread); /* adds the pair to the list now, not only when the inversion ends */
}

/* Decides again whether a wait is an inversion. Call it after the mutex's owner or a priority of the two threads has
 * changed. learnt: the priority was unknown and is now known, but it has not changed. */
static void judge_again(struct inversion *inversion, uint32_t thread, uint32_t owner, const struct change *change,
                        bool learnt)
{
    struct window *window = &inversion->windows[thread];
    bool was = window->inverted, other = owner != window->owner, doubtful;
    bool is = is_inverted(inversion, thread, owner, &doubtful), lost = window->doubtful && (other || !learnt);

    if (was && (other || !is))
        end_piece(inversion, thread, change, owner != NONE);
    if (was && !is && doubtful)
        pause(window, change);
    else if (lost)
        lose(inversion, thread, change, is || doubtful);
    else if (!is && !doubtful && (was || window->paused))
        end_inversion(inversion, thread, change, true);
    else if (!is && !doubtful)
        window->perhaps = window->unknown_ran = 0; /* the wait was no inversion */
    if (other || (was != is && !learnt))
        window->piece = change->now;
    if (other || lost)
        window->piece_began_earlier = window->owner == NONE || !other;
    if (!was && (!window->paused || (is && !learnt)))
        window->start = window->piece;
    judge(inversion, thread, owner);
    window->paused = window->paused && !window->inverted;
}

/* ---- windows ---- */

static void drop(struct inversion *inversion, uint32_t thread)
{
    uint32_t i = 0;

    inversion->windows[thread].open = false;
    while (inversion->open[i] != thread)
        i++;
    inversion->open[i] = inversion->open[--inversion->open_count];
}

/* Returns true if the window's call is the thread's last call. After another call the thread no longer waits for the
 * mutex. */
static bool is_open(const struct inversion *inversion, uint32_t thread)
{
    const struct window *window = &inversion->windows[thread];

    return window->open && inversion->base.model->threads[thread].last.seq == window->call;
}

static bool is_blocked(const struct inversion *inversion, uint32_t thread)
{
    return inversion->windows[thread].blocked && is_open(inversion, thread);
}

/* Returns the owner of the mutex for which a call waits; NONE: the mutex has no owner, or the call does not wait. */
static uint32_t owner_found(const struct model *model, const struct service *service)
{
    if (service->info[1] == 0) /* the call does not wait */
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
    uint32_t thread = change->thread, owner;

    if (thread == NONE)
        return;
    if (inversion->windows[thread].open)
        drop(inversion, thread);
    owner = owner_found(inversion->base.model, service);
    if (owner == NONE || owner == thread)
        return;
    inversion->settled = change->now.ticks; /* the other windows are settled up to now */
    inversion->open[inversion->open_count++] = thread;
    inversion->windows[thread] = (struct window){.open = true,
                                                 .owner = owner,
                                                 .object = service->object,
                                                 .priority = thread_base_least(&inversion->base.model->threads[thread]),
                                                 .call = service->seq};
    judge(inversion, thread, owner);
}

static void take_blocked(void *self, const struct change *change)
{
    struct inversion *inversion = self;
    struct window *window = &inversion->windows[change->thread];

    if (!window->open)
        return;
    if (!is_open(inversion, change->thread) ||
        !model_waits_for_owner(inversion->base.model, &inversion->base.model->threads[change->thread])) {
        drop(inversion, change->thread);
        return;
    }
    window->blocked = true;
    window->start = window->piece = change->now;
}

/* Decides again which waits for the mutex are inversions, because the mutex has a new owner. */
static void take_acquired(void *self, const struct change *change)
{
    struct inversion *inversion = self;

    for (uint32_t i = 0; i < inversion->open_count; i++) {
        const struct window *window = &inversion->windows[inversion->open[i]];

        if (window->object == change->object && window->owner != change->thread &&
            inversion->open[i] != change->thread && is_open(inversion, inversion->open[i]))
            judge_again(inversion, inversion->open[i], change->thread, change, false);
    }
}

static void note_priority(struct inversion *inversion, uint32_t thread, const struct change *change)
{
    bool changed = change->kind != CHANGE_SAME && change->event->id == EVENT_THREAD_PRIORITY_CHANGE &&
                   change->event->info[0] == inversion->base.model->threads[thread].address;

    if (inversion->open_count > 0)
        settle(inversion, change);
    for (uint32_t i = 0; i < inversion->open_count; i++) {
        uint32_t waiter = inversion->open[i];
        struct window *window = &inversion->windows[waiter];

        if (!is_open(inversion, waiter))
            continue;
        if (changed) /* the thread ran at its old priority until now */
            note_unknown(window, NONE, 0);
        else
            decide_unknown(inversion, waiter, thread);
        if (waiter == thread)
            window->priority = thread_base_least(&inversion->base.model->threads[thread]);
        if (waiter == thread || window->owner == thread)
            judge_again(inversion, waiter, window->owner, change, !changed);
    }
}

static void take_priority(void *self, const struct change *change)
{
    note_priority(self, change->thread, change);
}

/* Notes the new priority from a call. The call changes a thread's own priority, even while the thread inherits a higher
 * priority. */
static void take_priority_call(void *self, const struct change *change)
{
    struct inversion *inversion = self;
    uint32_t thread;

    if (inversion->open_count == 0 || change->service->id != EVENT_THREAD_PRIORITY_CHANGE)
        return;
    thread = model_thread_find(inversion->base.model, change->service->info[0]);
    if (thread != NONE)
        note_priority(inversion, thread, change);
}

static void end(struct inversion *inversion, uint32_t thread, const struct change *change, bool complete)
{
    struct window *window = &inversion->windows[thread];

    if (window->inverted)
        end_piece(inversion, thread, change, complete);
    if (window->inverted || window->doubtful)
        end_inversion(inversion, thread, change, complete);
    drop(inversion, thread);
}

static void take_ready(void *self, const struct change *change)
{
    struct inversion *inversion = self;

    if (is_blocked(inversion, change->thread))
        end(inversion, change->thread, change, true);
}

static void take_gap(void *self, const struct change *change)
{
    struct inversion *inversion = self;

    settle(inversion, change);
    while (inversion->open_count > 0) {
        uint32_t thread = inversion->open[0];
        struct window *window = &inversion->windows[thread];

        if (!window->blocked)
            window->start = window->piece = change->now;
        if (is_open(inversion, thread))
            end(inversion, thread, change, false);
        else
            drop(inversion, thread);
    }
}

/* Returns true if the event may change the owner of a mutex, a wait, or a priority. */
static bool changes_state(uint32_t id)
{
    return id == EVENT_THREAD_RESUME || id == EVENT_THREAD_SUSPEND ||
           (id >= EVENT_MUTEX_CREATE && id <= EVENT_MUTEX_PUT) ||
           (id >= EVENT_SEMAPHORE_CEILING_PUT && id <= EVENT_SEMAPHORE_PUT) || id == EVENT_THREAD_CREATE ||
           id == EVENT_THREAD_PRIORITY_CHANGE || id == EVENT_THREAD_TERMINATE;
}

static void open(void *state, struct model *model)
{
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_MUTEX, (struct change_sink){take_call, state});
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_SEMAPHORE, (struct change_sink){take_call, state});
    model_tell(model, CHANGE_BLOCKED, (struct change_sink){take_blocked, state});
    model_tell(model, CHANGE_READY, (struct change_sink){take_ready, state});
    for (uint32_t id = 0; id < COUNTED_IDS; id++)
        if (changes_state(id))
            model_tell_event(model, id, (struct change_sink){take_event, state});
    model_tell(model, CHANGE_RUNNING, (struct change_sink){take_running, state});
    model_tell(model, CHANGE_ACQUIRED, (struct change_sink){take_acquired, state});
    model_tell(model, CHANGE_PRIORITY, (struct change_sink){take_priority, state});
    model_tell(model, CHANGE_BASE, (struct change_sink){take_priority, state});
    model_tell(model, CHANGE_SAME, (struct change_sink){take_priority, state});
    model_tell_of(model, CHANGE_CALL, TXTAP_OBJECT_THREAD, (struct change_sink){take_priority_call, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

/* The figures of the open windows. An inversion that has not ended counts, too. */
struct open_figures {
    uint64_t unbounded, unbounded_ticks, doubtful, perhaps, perhaps_ticks;
};

/* Adds the open windows to the figures. Each window lasts at least until now. pair: only windows of this pair of
 * threads; NONE: all windows. */
static struct open_figures cut_open(const struct inversion *inversion, uint32_t pair, struct spread *spread)
{
    const struct moment now = inversion->base.model->last;
    struct open_figures open = {0};

    for (uint32_t i = 0; i < inversion->open_count; i++) {
        uint32_t thread = inversion->open[i];
        const struct window *window = &inversion->windows[thread];

        if (!is_blocked(inversion, thread))
            continue;
        if (pair != NONE) {
            if (window->inverted && inversion->pairs.keys[pair] == table_pair(thread, window->owner))
                spread_cut(spread, now.ticks - window->piece.ticks, now.seq, now.ticks);
            continue;
        }
        if (window->inverted || window->paused)
            spread_cut(spread, (window->paused ? window->paused_at : now.ticks) - window->start.ticks, now.seq,
                       now.ticks);
        else
            open.doubtful += window->doubtful;
        open.unbounded += window->unbounded > 0;
        open.unbounded_ticks += window->unbounded;
        open.perhaps += window->unbounded == 0 && window->perhaps + window->unknown_ran > 0;
        open.perhaps_ticks += window->perhaps + window->unknown_ran;
    }
    return open;
}

static void list_pair(const struct inversion *inversion, struct list *list, uint32_t pair)
{
    const struct model *model = inversion->base.model;
    struct spread spread = inversion->by_pair[pair];

    (void)cut_open(inversion, pair, &spread);
    list_spread(list,
                (struct heading){.id = TXTAP_FIGURE_INVERSION,
                                 .subject = list_thread(model, (uint32_t)(inversion->pairs.keys[pair] >> 32)),
                                 .other = list_thread(model, (uint32_t)inversion->pairs.keys[pair])},
                TXTAP_UNIT_TICKS, &spread);
}

/* Lists the unbounded inversions by waiting thread and mutex. An inversion that has not ended counts, too. */
static void list_mutexes(const struct inversion *inversion, struct list *list, uint64_t perhaps_ticks)
{
    const struct model *model = inversion->base.model;

    for (uint32_t i = 0; i < inversion->mutexes.count; i++) {
        uint32_t thread = (uint32_t)(inversion->mutexes.keys[i] >> 32), object = (uint32_t)inversion->mutexes.keys[i];
        const struct window *window = &inversion->windows[thread];
        struct on_mutex on = inversion->on[i];

        if (is_blocked(inversion, thread) && window->object == object) {
            on.ticks += window->unbounded;
            on.longest_at = window->unbounded > on.longest ? model->last : on.longest_at;
        }
        list_ticks_doubtful_at(list,
                               (struct heading){.id = TXTAP_FIGURE_UNBOUNDED_ON,
                                                .subject = list_thread(model, thread),
                                                .other = list_object(model, object)},
                               on.ticks, perhaps_ticks, on.longest_at);
    }
}

static void figures(const void *state, struct list *list)
{
    const struct inversion *inversion = state;
    const struct model *model = inversion->base.model;
    struct spread all = inversion->all;
    const struct open_figures open = cut_open(inversion, NONE, &all);
    uint64_t doubtful = inversion->doubtful + open.doubtful,
             perhaps_ticks = inversion->perhaps_ticks + open.perhaps_ticks;

    list_occurrences(list, (struct heading){.id = TXTAP_FIGURE_INVERSION}, TXTAP_UNIT_TICKS, &all, doubtful);
    list_count_doubtful(list, (struct heading){.id = TXTAP_FIGURE_INVERSIONS}, all.samples.n + all.cut, doubtful);
    list_count_doubtful(list, (struct heading){.id = TXTAP_FIGURE_UNBOUNDED}, inversion->unbounded + open.unbounded,
                        inversion->perhaps + open.perhaps + doubtful);
    list_at_least(list, (struct heading){.id = TXTAP_FIGURE_INVERSION_TICKS}, TXTAP_UNIT_TICKS,
                  (double)all.samples.sum);
    list_ticks_doubtful(list, (struct heading){.id = TXTAP_FIGURE_UNBOUNDED_TICKS},
                        inversion->unbounded_ticks + open.unbounded_ticks, perhaps_ticks);
    for (uint32_t i = 0; i < inversion->pairs.count; i++)
        list_pair(inversion, list, i);
    for (uint32_t i = 0; i < inversion->runners.count; i++)
        if (inversion->ran[i] + perhaps_ticks > 0)
            list_ticks_doubtful(
                list,
                (struct heading){.id = TXTAP_FIGURE_UNBOUNDED_BY,
                                 .subject = list_thread(model, (uint32_t)(inversion->runners.keys[i] >> 32)),
                                 .other = list_thread(model, (uint32_t)inversion->runners.keys[i])},
                inversion->ran[i], perhaps_ticks);
    list_mutexes(inversion, list, perhaps_ticks);
}

static const struct check_name names[] = {
    FIGURES(INVERSION, "inversion", CHECK_TIME, N, THREAD),
    FIGURE(INVERSIONS, "inversions", CHECK_COUNT, N, SYSTEM),
    FIGURE(UNBOUNDED, "unbounded", CHECK_COUNT, N, SYSTEM),
    FIGURE(INVERSION_TICKS, "inversion_ticks", CHECK_TIME, VALUE, SYSTEM),
    FIGURE(UNBOUNDED_TICKS, "unbounded_ticks", CHECK_TIME, VALUE, SYSTEM),
    FIGURES(UNBOUNDED_BY, "unbounded_by", CHECK_TIME, VALUE, THREAD),
    FIGURES(UNBOUNDED_ON, "unbounded_on", CHECK_TIME, VALUE, THREAD),
    {0},
};

const struct analysis_row inversion_analysis = {
    .section = {"inversion", "priority inversion"},
    .names = names,
    .state_bytes = sizeof(struct inversion),
    .layout = layout,
    .open = open,
    .figures = figures,
};
