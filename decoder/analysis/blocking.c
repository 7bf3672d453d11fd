/* SPDX-License-Identifier: MIT */
/* Waits: how long threads were blocked, by reason and object. Also lists how much time each thread spent in each
 * state. */
#include "analysis/analyses.h"

#include "base/min_max.h"
#include "txtap/registry.h"
#include "txtap/inner/change.h"

struct blocking {
    struct base base;
    struct table of_thread, of_object; /* keys of of_thread: thread, reason and object; keys of of_object: reason and
                                          object */
    struct spread *by_thread, *by_object;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct blocking *blocking = state;

    table_layout(&blocking->of_thread, arena, limits->pairs);
    table_layout(&blocking->of_object, arena, limits->objects);
    blocking->by_thread = arena_take(arena, limits->pairs, sizeof(*blocking->by_thread));
    blocking->by_object = arena_take(arena, limits->objects, sizeof(*blocking->by_object));
}

/* Returns a key made of thread, reason and object. Objects are counted from 1; 0: no object. */
static uint64_t key_of(uint32_t thread, uint32_t reason, uint32_t object)
{
    return (uint64_t)thread << 32 | (uint64_t)reason << 24 | (object == NONE ? 0 : object + 1);
}

static void note(struct blocking *blocking, const struct change *change, uint32_t thread, bool complete)
{
    const struct thread *of = &blocking->base.model->threads[thread];
    bool added;
    uint32_t pair = table_add(&blocking->of_thread, key_of(thread, of->reason, of->object), &added);
    uint32_t object = table_add(&blocking->of_object, key_of(0, of->reason, of->object), &added);
    struct spread *spreads[2] = {pair != NONE ? &blocking->by_thread[pair] : NULL,
                                 object != NONE ? &blocking->by_object[object] : NULL};

    for (unsigned i = 0; i < 2; i++) {
        if (spreads[i] == NULL)
            blocking->base.left_out++;
        else if (complete)
            add_sample(&blocking->base, spreads[i], change->ticks, change);
        else
            cut_sample(&blocking->base, spreads[i], change->ticks, change);
    }
}

static void take_ready(void *self, const struct change *change)
{
    if (!change->waker->unsure)
        note(self, change, change->thread, change->known);
}

static void take_gap(void *self, const struct change *change)
{
    struct blocking *blocking = self;
    const struct model *model = blocking->base.model;
    struct change open = *change;

    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        if (model->threads[i].state != THREAD_BLOCKED)
            continue;
        open.ticks = change->now.ticks - model->threads[i].since.ticks;
        note(blocking, &open, i, false);
    }
}

static void open(void *state, struct model *model)
{
    model_tell(model, CHANGE_READY, (struct change_sink){take_ready, state});
    model_tell(model, CHANGE_GAP, (struct change_sink){take_gap, state});
    model_tell(model, CHANGE_END, (struct change_sink){take_gap, state});
}

static struct heading heading_of(const struct model *model, enum txtap_figure_id id, uint64_t key)
{
    uint32_t reason = key >> 24 & 0xFFu, object = key & 0xFFFFFFu;
    struct heading heading = {.id = id, .detail = txtap_wait_name((enum txtap_wait)reason)};

    if (object > 0)
        heading.other = list_object(model, object - 1);
    else if (reason == REASON_MUTEX || (reason >= REASON_QUEUE && reason <= REASON_BYTE_POOL))
        heading.other = list_number(TXTAP_SUBJECT_UNKNOWN, 0);
    return heading;
}

/*
 * Returns the uncertain ticks of one account of a thread. While it is uncertain whether an interrupt or a thread had a
 * core, the thread that had lost the core may have been ready or interrupted.
 */
static struct doubt doubt_of_account(const struct model *model, uint32_t number, unsigned account, uint64_t ticks,
                                     uint64_t unsure)
{
    struct doubt doubt = {0, unsure}, isr = core_doubt(model, RUNNING_ISR), init = core_doubt(model, RUNNING_INIT);
    uint64_t shared = isr.less + isr.more + init.more, anything = core_doubt(model, RUNNING_UNKNOWN).more;

    if (model_is_vague(model) &&
        account < ACCOUNT_BLOCKED) { /* when a core's activity was uncertain, the thread may have run there */
        shared += anything + core_ran(model, RUNNING_UNKNOWN) + model_unseen(model);
        doubt.more += anything + core_ran(model, RUNNING_UNKNOWN) + model_unseen(model);
    }

    if (account == ACCOUNT_RUNNING) {
        uint64_t anywhere = doubt.more - unsure;

        doubt = core_thread_doubt(model, number);
        doubt.more += core_ran(model, RUNNING_UNKNOWN) + anywhere;
    } else if (account == ACCOUNT_INTERRUPTED) {
        doubt = (struct doubt){shared, shared + core_ran(model, RUNNING_UNKNOWN)};
    } else if (account == ACCOUNT_READY) {
        doubt = (struct doubt){shared, shared + unsure};
    } else if (account == ACCOUNT_UNKNOWN) {
        doubt.more = core_ran(model, RUNNING_UNKNOWN);
    }
    if (model_is_vague(model) && account < ACCOUNT_BLOCKED)
        doubt.more = min_u64(doubt.more, thread_not_blocked(model, &model->threads[number]) - ticks);
    return doubt;
}

/* Returns true if there are several cores, and the thread may have run on a core without an event. */
static bool is_doubtful(const struct model *model, uint32_t number)
{
    return model_is_vague(model) && model->threads[number].resumed &&
           core_doubt(model, RUNNING_UNKNOWN).more + core_ran(model, RUNNING_UNKNOWN) + model_unseen(model) > 0;
}

/* Lists the time that a thread spent in each state. The listed times add up to the length of the window. */
static void list_times(const struct model *model, struct list *list, uint32_t number)
{
    const struct thread *thread = &model->threads[number];
    static const char *const names[] = {"unknown", "running", "interrupted", "ready"};

    uint64_t unsure = thread->spent[ACCOUNT_UNKNOWN];

    if (thread->account == ACCOUNT_UNKNOWN)
        unsure += model->last.ticks - thread->account_since;
    for (unsigned i = 0; i < ACCOUNTS; i++) {
        uint64_t ticks = thread->spent[i] + (i == thread->account ? model->last.ticks - thread->account_since : 0);

        if (ticks > 0 || (i > ACCOUNT_UNKNOWN && i < ACCOUNT_BLOCKED && is_doubtful(model, number)))
            list_share(list,
                       (struct heading){.id = TXTAP_FIGURE_TIME,
                                        .subject = list_thread(model, number),
                                        .detail = i < ACCOUNT_BLOCKED
                                                      ? names[i]
                                                      : txtap_wait_name((enum txtap_wait)(i - ACCOUNT_BLOCKED))},
                       TXTAP_FIGURE_TIME_TICKS, ticks, doubt_of_account(model, number, i, ticks, unsure));
    }
}

static void figures(const void *state, struct list *list)
{
    const struct blocking *blocking = state;
    const struct model *model = blocking->base.model;

    for (uint32_t i = 0; i < blocking->of_thread.count; i++) {
        struct heading heading = heading_of(model, TXTAP_FIGURE_BLOCK, blocking->of_thread.keys[i]);

        heading.subject = list_thread(model, (uint32_t)(blocking->of_thread.keys[i] >> 32));
        list_spread(list, heading, TXTAP_UNIT_TICKS, &blocking->by_thread[i]);
    }
    for (uint32_t i = 0; i < blocking->of_object.count; i++) {
        struct heading heading = heading_of(model, TXTAP_FIGURE_WAITS, blocking->of_object.keys[i]);

        heading.subject = heading.other;
        heading.other = list_system();
        list_spread(list, heading, TXTAP_UNIT_TICKS, &blocking->by_object[i]);
    }
    for (uint32_t i = 0; i < model->thread_numbers.count && !model->switches_open; i++)
        list_times(model, list, i);
}

static const struct check_name names[] = {
    FIGURES(BLOCK, "block", CHECK_TIME, VALUE, THREAD),
    FIGURES(WAITS, "waits", CHECK_TIME, VALUE, OBJECT),
    FIGURES(TIME, "time", CHECK_SHARE, VALUE, THREAD),
    FIGURES(TIME_TICKS, "time_ticks", CHECK_TIME, VALUE, THREAD),
    {0},
};

const struct analysis_row blocking_analysis = {
    .section = {"blocking", "waits by object"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct blocking),
    .layout = layout,
    .open = open,
    .figures = figures,
};
