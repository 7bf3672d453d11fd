/* SPDX-License-Identifier: MIT */
/* Wake-up latency: from a thread's resumption until the kernel chose it to run. Ready time: all waits for a core, also
 * those after another thread displaced it. */
#include "analysis/analyses.h"

#define ENDING_OPEN (ENDING_ABORTED + 1u)

struct wake {
    struct base base;
    struct spread *woken, *ready; /* by thread */
    struct table wakers;          /* of thread, ending and waker */
    uint64_t *wakes;              /* by waker */
    struct spread *by_waker;      /* those of woken that it began */
    uint32_t *waker;              /* by thread: 1 + the number in wakers of who resumed it last; 0: not known */
    struct spread *in_init;       /* first runs after the initialization resumed it */
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
}

static void take_dispatch(void *self, const struct change *change)
{
    struct wake *wake = self;
    uint32_t waker = wake->waker[change->thread];

    if (!change->known) {
        spread_cut(&wake->ready[change->thread], change->ticks, change->now.seq, change->now.ticks);
        return;
    }
    add_sample(&wake->base, &wake->ready[change->thread], change->ticks, change);
    if (!change->woken)
        return;
    if (wake->base.model->threads[change->thread].woken_in_init) {
        add_sample(&wake->base, &wake->in_init[change->thread], change->ticks, change);
        return;
    }
    add_sample(&wake->base, &wake->woken[change->thread], change->ticks, change);
    if (waker > 0)
        add_sample(&wake->base, &wake->by_waker[waker - 1], change->ticks, change);
}

/* An ending, or ENDING_OPEN: it may be any of those. Waits for other things have only one. */
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

/* If it waits for a core, it does so at least until now. */
static void cut_wait(struct wake *wake, uint32_t number, struct moment now)
{
    const struct thread *thread = &wake->base.model->threads[number];
    uint64_t waited = now.ticks - thread->waiting_since;

    if (!thread_waits_for_core(thread))
        return;
    spread_cut(&wake->ready[number], waited, now.seq, now.ticks);
    if (!thread_is_woken(thread))
        return;
    spread_cut(&wake->woken[number], waited, now.seq, now.ticks);
    if (wake->waker[number] > 0)
        spread_cut(&wake->by_waker[wake->waker[number] - 1], waited, now.seq, now.ticks);
}

/* Another thread or an interrupt suspends it before it was given a core. */
static void take_blocked(void *self, const struct change *change)
{
    cut_wait(self, change->thread, change->now);
}

static void take_gap(void *self, const struct change *change)
{
    struct wake *wake = self;

    for (uint32_t i = 0; i < wake->base.model->thread_numbers.count; i++)
        cut_wait(wake, i, change->now);
}

static void open(void *state, struct model *model)
{
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
    struct heading heading = {
        .name = "woken_by", .subject = list_thread(model, (uint32_t)(key >> 48)), .detail = endings[key >> 40 & 0xFFu]};

    if (kind == RUNNING_THREAD)
        heading.other = list_thread(model, number);
    else if (kind == RUNNING_INIT)
        heading.other = list_number(TXTAP_SUBJECT_INIT, 0);
    else
        heading.other = list_number(TXTAP_SUBJECT_INTERRUPT, number);
    return heading;
}

static void figures(const void *state, struct list *list)
{
    const struct wake *wake = state;
    const struct model *model = wake->base.model;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        list_spread(list, (struct heading){.name = "wake", .subject = list_thread(model, i)}, TXTAP_UNIT_TICKS,
                    &wake->woken[i]);
        list_spread(list, (struct heading){.name = "first_run", .subject = list_thread(model, i)}, TXTAP_UNIT_TICKS,
                    &wake->in_init[i]);
        list_spread(list, (struct heading){.name = "ready", .subject = list_thread(model, i)}, TXTAP_UNIT_TICKS,
                    &wake->ready[i]);
    }
    for (uint32_t i = 0; i < wake->wakers.count; i++) {
        struct heading heading = heading_of_waker(model, wake->wakers.keys[i]);

        list_count(list, heading, wake->wakes[i]);
        heading.name = "wake_by";
        list_spread(list, heading, TXTAP_UNIT_TICKS, &wake->by_waker[i]);
    }
}

static const struct check_name names[] = {
    FIGURE("wake", CHECK_TIME, VALUE, THREAD),     FIGURE("first_run", CHECK_TIME, VALUE, THREAD),
    FIGURE("ready", CHECK_TIME, VALUE, THREAD),    FIGURES("woken_by", CHECK_COUNT, N, THREAD),
    FIGURES("wake_by", CHECK_TIME, VALUE, THREAD), {0},
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
