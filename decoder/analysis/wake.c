/* SPDX-License-Identifier: MIT */
/* Wake-up latency: the time from a thread's resumption until the kernel chose the thread to run. Ready time: each wait
 * for a core, including a wait after another thread displaced the thread. */
#include "analysis/analyses.h"

#include "base/min_max.h"

#define ENDING_OPEN (ENDING_ABORTED + 1u)

struct wake {
    struct base base;
    struct spread *woken, *ready; /* index: thread */
    struct table wakers;          /* keys: thread, ending and waker */
    uint64_t *wakes;              /* index: the waker's number in wakers */
    struct spread *by_waker;      /* index: the waker's number in wakers; the woken times that this waker caused */
    uint32_t *waker;              /* index: thread; value: 1 + the number in wakers of the thread's last waker; 0:
                                     unknown */
    struct spread *in_init;       /* index: thread; time from the thread's resumption by the initialization to its
                                     first run */
    struct vague *woken_vague, *ready_vague, *in_init_vague, *by_waker_vague;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct wake *wake = state;

    wake->woken = arena_take(arena, limits->threads, sizeof(*wake->woken));
    wake->in_init = arena_take(arena, limits->threads, sizeof(*wake->in_init));
    table_layout(&wake->wakers, arena, limits->pairs);
    wake->wakes = arena_take(arena, limits->pairs, sizeof(*wake->wakes));
    wake->by_waker = arena_take(arena, limits->pairs, sizeof(*wake->by_waker));
    wake->waker = arena_take(arena, limits->threads, sizeof(*wake->waker));
    wake->ready = arena_take(arena, limits->threads, sizeof(*wake->ready));
    wake->woken_vague = arena_take(arena, limits->threads, sizeof(*wake->woken_vague));
    wake->ready_vague = arena_take(arena, limits->threads, sizeof(*wake->ready_vague));
    wake->in_init_vague = arena_take(arena, limits->threads, sizeof(*wake->in_init_vague));
    wake->by_waker_vague = arena_take(arena, limits->pairs, sizeof(*wake->by_waker_vague));
}

/* Adds a sample with bounds. With several cores, the thread may have been given a core earlier or later. */
static void add_vague(struct wake *wake, struct spread *spread, struct vague *vague, const struct change *change)
{
    const struct thread *thread = &wake->base.model->threads[change->thread];
    uint64_t bounds[2] = {0, UINT64_MAX};

    if (thread->given < UINT64_MAX)
        bounds[1] = thread->given - thread->waiting_earliest;
    add_vague_sample(&wake->base, spread, vague, bounds, change->ticks, change);
}

static inline void add(struct wake *wake, struct spread *spread, struct vague *vague, const struct change *change)
{
    if (change->vague)
        add_vague(wake, spread, vague, change);
    else
        add_sample(&wake->base, spread, change->ticks, change);
}

/* Notes that the thread may have been ready any number of times without an event. most: the longest possible time, in
 * ticks. */
static void ready_perhaps(struct wake *wake, uint32_t thread, uint64_t most)
{
    spread_perhaps(&wake->ready_vague[thread], most);
    wake->ready_vague[thread].perhaps = UINT64_MAX;
}

static void take_dispatch(void *self, const struct change *change)
{
    struct wake *wake = self;
    uint32_t waker = wake->waker[change->thread];

    if (!change->known) {
        if (change->vague)
            ready_perhaps(wake, change->thread, change->ticks);
        cut_sample(&wake->base, &wake->ready[change->thread], change->ticks, change);
        return;
    }
    add(wake, &wake->ready[change->thread], &wake->ready_vague[change->thread], change);
    if (change->vague) /* another thread may have displaced the thread again without an event */
        ready_perhaps(wake, change->thread, 0);
    if (!change->woken)
        return;
    if (wake->base.model->threads[change->thread].woken_in_init) {
        add(wake, &wake->in_init[change->thread], &wake->in_init_vague[change->thread], change);
        return;
    }
    add(wake, &wake->woken[change->thread], &wake->woken_vague[change->thread], change);
    if (waker > 0)
        add(wake, &wake->by_waker[waker - 1], &wake->by_waker_vague[waker - 1], change);
}

/*
 * Returns the ending, or ENDING_OPEN if several endings are possible. A wait for an object can have several endings.
 * All other waits have only one possible ending.
 */
static unsigned ending_of(const struct thread *thread, const struct waker *waker)
{
    bool has_several =
        thread->reason == REASON_MUTEX || (thread->reason >= REASON_QUEUE && thread->reason <= REASON_BYTE_POOL);

    return waker_perhaps_deletes(waker) || waker->unsure || (waker->ending == ENDING_UNKNOWN && has_several)
               ? ENDING_OPEN
               : waker->ending;
}

static void take_ready(void *self, const struct change *change)
{
    struct wake *wake = self;
    const struct waker *waker = change->waker;
    bool added;
    uint32_t number;

    wake->waker[change->thread] = 0;
    if (waker->kind == RUNNING_UNKNOWN)
        return;
    number = table_add(&wake->wakers,
                       (uint64_t)change->thread << 48 |
                           (uint64_t)ending_of(&wake->base.model->threads[change->thread], waker) << 40 |
                           (uint64_t)waker->kind << 32 | waker->number,
                       &added);
    wake->waker[change->thread] = number != NONE ? number + 1 : 0;
    if (number != NONE)
        wake->wakes[number]++;
    else
        wake->base.left_out++;
}

/* Returns true if several cores exist and a core may have run the waiting thread without an event. */
static bool wait_is_vague(const struct wake *wake, uint32_t number)
{
    const struct thread *thread = &wake->base.model->threads[number];

    return thread->waiting_earliest < thread->waiting_since ||
           cores_are_vague(wake->base.model, number, thread->waiting_doubted, thread->waiting_since);
}

/*
 * Notes that the thread may have become ready or been woken without an event until now. goes_on: the wait may continue
 * during a gap.
 */
static void note_unseen(struct wake *wake, uint32_t number, uint64_t now, bool goes_on)
{
    const struct thread *thread = &wake->base.model->threads[number];
    uint64_t waited = goes_on ? UINT64_MAX : now - thread->waiting_earliest;

    ready_perhaps(wake, number, waited);
    if (!thread->waking)
        return;
    spread_perhaps(thread->woken_in_init ? &wake->in_init_vague[number] : &wake->woken_vague[number], waited);
    if (!thread->woken_in_init && wake->waker[number] > 0)
        spread_perhaps(&wake->by_waker_vague[wake->waker[number] - 1], waited);
}

/* Cuts the wait for a core. The wait lasts at least until now, and may continue during a gap. */
static void cut_wait(struct wake *wake, uint32_t number, const struct change *at)
{
    const struct thread *thread = &wake->base.model->threads[number];
    uint64_t waited = at->now.ticks - thread->waiting_since;

    if (!thread_waits_for_core(thread))
        return;
    if (wait_is_vague(wake, number)) {
        note_unseen(wake, number, at->now.ticks, at->kind == CHANGE_GAP);
        return;
    }
    cut_sample(&wake->base, &wake->ready[number], waited, at);
    if (!thread_is_woken(thread))
        return;
    cut_sample(&wake->base, &wake->woken[number], waited, at);
    if (wake->waker[number] > 0)
        cut_sample(&wake->base, &wake->by_waker[wake->waker[number] - 1], waited, at);
}

/* Ends a thread's wait for a core as incomplete, because the thread was suspended before a core was given to it. */
static void take_blocked(void *self, const struct change *change)
{
    cut_wait(self, change->thread, change);
}

static void take_gap(void *self, const struct change *change)
{
    struct wake *wake = self;

    for (uint32_t i = 0; i < wake->base.model->thread_numbers.count; i++)
        cut_wait(wake, i, change);
}

/*
 * Makes all earlier waits vague when a second core is found. In each of these waits the thread may have been given a
 * core earlier, even if the wait was cut.
 */
static void doubt(const struct spread *spread, struct vague *vague, const struct spread *cut)
{
    const uint64_t high[2] = {spread->samples.min, spread->samples.max};

    spread_doubt(spread, vague, high, 0);
    if (cut->cut == 0)
        return;
    spread_perhaps(vague, cut->cut_longest);
    vague->perhaps = cut->cut;
}

static void take_several(void *self, const struct change *change)
{
    struct wake *wake = self;

    (void)change;
    for (uint32_t i = 0; i < wake->base.model->thread_numbers.count; i++) {
        doubt(&wake->woken[i], &wake->woken_vague[i], &wake->woken[i]);
        doubt(&wake->in_init[i], &wake->in_init_vague[i], &wake->ready[i]);
        doubt(&wake->ready[i], &wake->ready_vague[i], &wake->ready[i]);
        if (wake->ready[i].samples.n + wake->ready[i].cut > 0)
            ready_perhaps(wake, i, 0);
    }
    for (uint32_t i = 0; i < wake->wakers.count; i++)
        doubt(&wake->by_waker[i], &wake->by_waker_vague[i], &wake->by_waker[i]);
}

static void open(void *state, struct model *model)
{
    model_tell(model, CHANGE_SEVERAL, (struct change_sink){take_several, state});
    model_tell(model, CHANGE_READY, (struct change_sink){take_ready, state});
    model_tell(model, CHANGE_DISPATCH, (struct change_sink){take_dispatch, state});
    model_tell(model, CHANGE_BLOCKED, (struct change_sink){take_blocked, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

static struct heading heading_of_waker(const struct model *model, uint64_t key)
{
    static const char *const endings[] = {"", "", "timeout", "deleted", "aborted", [ENDING_OPEN] = "unknown"};
    enum running kind = (enum running)(key >> 32 & 0xFFu);
    uint32_t number = (uint32_t)key;
    struct heading heading = {.id = TXTAP_FIGURE_WOKEN_BY,
                              .subject = list_thread(model, (uint32_t)(key >> 48)),
                              .detail = endings[key >> 40 & 0xFFu]};

    if (kind == RUNNING_THREAD)
        heading.other = list_thread(model, number);
    else if (kind == RUNNING_INIT)
        heading.other = list_number(TXTAP_SUBJECT_INIT, 0);
    else
        heading.other = list_number(TXTAP_SUBJECT_INTERRUPT, number);
    return heading;
}

/*
 * Returns the vague samples of the thread's ready time. While the activity of a core is uncertain, a thread that seems
 * to run may have been ready any number of times.
 */
static struct vague ready_vague(const struct wake *wake, uint32_t thread)
{
    const struct model *model = wake->base.model;
    struct vague vague = wake->ready_vague[thread];

    if (!model_is_vague(model) || (vague.perhaps == 0 && core_thread_doubt(model, thread).less == 0))
        return vague;
    vague.perhaps = UINT64_MAX;
    vague.high_max = max_u64(vague.high_max, core_doubt(model, RUNNING_UNKNOWN).more);
    return vague;
}

static void figures(const void *state, struct list *list)
{
    const struct wake *wake = state;
    const struct model *model = wake->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct vague vague = ready_vague(wake, i);

        list_spread_vague(list, (struct heading){.id = TXTAP_FIGURE_WAKE, .subject = list_thread(model, i)},
                          TXTAP_UNIT_TICKS, &wake->woken[i], &wake->woken_vague[i]);
        list_spread_vague(list, (struct heading){.id = TXTAP_FIGURE_FIRST_RUN, .subject = list_thread(model, i)},
                          TXTAP_UNIT_TICKS, &wake->in_init[i], &wake->in_init_vague[i]);
        list_spread_vague(list, (struct heading){.id = TXTAP_FIGURE_READY, .subject = list_thread(model, i)},
                          TXTAP_UNIT_TICKS, &wake->ready[i], &vague);
    }
    for (uint32_t i = 0; i < wake->wakers.count; i++) {
        struct heading heading = heading_of_waker(model, wake->wakers.keys[i]);

        list_count(list, heading, wake->wakes[i]);
        heading.id = TXTAP_FIGURE_WAKE_BY;
        list_spread_vague(list, heading, TXTAP_UNIT_TICKS, &wake->by_waker[i], &wake->by_waker_vague[i]);
    }
}

static const struct check_name names[] = {
    FIGURE(WAKE, "wake", CHECK_TIME, VALUE, THREAD),        FIGURE(FIRST_RUN, "first_run", CHECK_TIME, VALUE, THREAD),
    FIGURE(READY, "ready", CHECK_TIME, VALUE, THREAD),      FIGURES(WOKEN_BY, "woken_by", CHECK_COUNT, N, THREAD),
    FIGURES(WAKE_BY, "wake_by", CHECK_TIME, VALUE, THREAD), {0},
};

const struct analysis_row wake_analysis = {
    .section = {"wake", "wake-up latency"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct wake),
    .layout = layout,
    .open = open,
    .figures = figures,
};
