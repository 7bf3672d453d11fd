/* SPDX-License-Identifier: MIT */
/* Context switches: how often they occur, why, and which thread displaced which thread. A switch is a change from a
 * thread to another thread, from a thread to idle, or from idle to a thread. Interrupts do not count. */
#include "analysis/analyses.h"

struct counts {
    uint64_t suspended, resumed, suspends, resumes, preempted;
};

struct switches {
    struct base base;
    struct counts *threads;
    struct table pairs; /* keys: the displaced thread, and the thread that displaced it */
    uint64_t *displaced;
    uint64_t all, to_thread, to_idle, preempted, slices, slice_switches, relinquished, isr_resumes, init_resumes;
};

static void layout(void *state, struct arena *arena, const struct txtap_analysis_limits *limits)
{
    struct switches *switches = state;

    switches->threads = arena_take(arena, limits->threads, sizeof(*switches->threads));
    table_layout(&switches->pairs, arena, limits->pairs);
    switches->displaced = arena_take(arena, limits->pairs, sizeof(*switches->displaced));
}

static void take_event(void *self, const struct change *change)
{
    struct switches *switches = self;
    const struct txtap_event *event = change->event;
    struct counts *own = change->thread != NONE ? &switches->threads[change->thread] : NULL;
    uint32_t of;

    if (event->id == EVENT_TIME_SLICE) {
        switches->slices++;
        return;
    }
    of = model_thread_find(switches->base.model, event->info[0]);
    if (event->id == EVENT_THREAD_SUSPEND) {
        if (own != NULL)
            own->suspends++;
        if (of != NONE)
            switches->threads[of].suspended++;
    } else {
        if (own != NULL)
            own->resumes++;
        else if (event->context == TXTAP_CONTEXT_INIT)
            switches->init_resumes++;
        else
            switches->isr_resumes++;
        if (of != NONE)
            switches->threads[of].resumed++;
    }
}

static void displace(struct switches *switches, const struct change *change)
{
    bool added;
    uint32_t pair = table_add(&switches->pairs, table_pair(change->left, change->thread), &added);

    switches->preempted++;
    switches->threads[change->left].preempted++;
    if (pair != NONE)
        switches->displaced[pair]++;
    else
        switches->base.left_out++;
}

static void take_switch(void *self, const struct change *change)
{
    struct switches *switches = self;

    if (!change_is_context_switch(change))
        return;
    switches->all++;
    switches->to_thread += change->to == RUNNING_THREAD;
    switches->to_idle += change->to == RUNNING_IDLE;
    if (change->left == NONE)
        return;
    switches->slice_switches += change->way == WAY_TIME_SLICE;
    switches->relinquished += change->way == WAY_RELINQUISHED;
    if (change->way == WAY_PREEMPTED)
        displace(switches, change);
}

static void open(void *state, struct model *model)
{
    const struct change_sink events = {take_event, state};

    model_tell_event(model, EVENT_TIME_SLICE, events);
    model_tell_event(model, EVENT_THREAD_SUSPEND, events);
    model_tell_event(model, EVENT_THREAD_RESUME, events);
    model_tell(model, CHANGE_SWITCH, (struct change_sink){take_switch, state});
}

static void list_counts(struct list *list, const struct model *model, uint32_t thread, const struct counts *counts)
{
    const struct txtap_subject subject = list_thread(model, thread);

    list_count(list, (struct heading){.id = TXTAP_FIGURE_EVENTS, .subject = subject}, model->threads[thread].events);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_SUSPENDED, .subject = subject}, counts->suspended);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_RESUMED, .subject = subject}, counts->resumed);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_SUSPENDS_DONE, .subject = subject}, counts->suspends);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_RESUMES_DONE, .subject = subject}, counts->resumes);
    list_count_vague(list, (struct heading){.id = TXTAP_FIGURE_PREEMPTED, .subject = subject}, counts->preempted, 0);
}

static void figures(const void *state, struct list *list)
{
    const struct switches *switches = state;
    const struct model *model = switches->base.model;

    list_count_vague(list, (struct heading){.id = TXTAP_FIGURE_SWITCHES}, switches->all, 0);
    list_count_vague(list, (struct heading){.id = TXTAP_FIGURE_SWITCHES_TO_THREAD}, switches->to_thread, 0);
    list_count_vague(list, (struct heading){.id = TXTAP_FIGURE_SWITCHES_TO_IDLE}, switches->to_idle, 0);
    if (model->other_kernel) /* this kernel does not record the reason */
        return;
    list_count_vague(list, (struct heading){.id = TXTAP_FIGURE_PREEMPTIONS}, switches->preempted, 0);
    list_count_vague(list, (struct heading){.id = TXTAP_FIGURE_TIME_SLICES}, switches->slices, 0);
    list_count_vague(list, (struct heading){.id = TXTAP_FIGURE_TIME_SLICE_SWITCHES}, switches->slice_switches, 0);
    list_count_vague(list, (struct heading){.id = TXTAP_FIGURE_RELINQUISH_SWITCHES}, switches->relinquished, 0);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_RESUMES_DONE, .detail = "isr"}, switches->isr_resumes);
    list_count(list, (struct heading){.id = TXTAP_FIGURE_RESUMES_DONE, .detail = "init"}, switches->init_resumes);
    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        list_counts(list, model, i, &switches->threads[i]);
    for (uint32_t i = 0; i < switches->pairs.count; i++)
        list_count_vague(list,
                         (struct heading){.id = TXTAP_FIGURE_DISPLACED,
                                          .subject = list_thread(model, (uint32_t)(switches->pairs.keys[i] >> 32)),
                                          .other = (uint32_t)switches->pairs.keys[i] != NONE
                                                       ? list_thread(model, (uint32_t)switches->pairs.keys[i])
                                                       : list_number(TXTAP_SUBJECT_IDLE, 0)},
                         switches->displaced[i], 0);
}

static const struct check_name names[] = {
    FIGURE(SWITCHES, "switches", CHECK_COUNT, N, SYSTEM),
    FIGURE(SWITCHES_TO_THREAD, "switches_to_thread", CHECK_COUNT, N, SYSTEM),
    FIGURE(SWITCHES_TO_IDLE, "switches_to_idle", CHECK_COUNT, N, SYSTEM),
    FIGURE(PREEMPTIONS, "preemptions", CHECK_COUNT, N, SYSTEM),
    FIGURE(TIME_SLICES, "time_slices", CHECK_COUNT, N, SYSTEM),
    FIGURE(TIME_SLICE_SWITCHES, "time_slice_switches", CHECK_COUNT, N, SYSTEM),
    FIGURE(RELINQUISH_SWITCHES, "relinquish_switches", CHECK_COUNT, N, SYSTEM),
    FIGURE(EVENTS, "events", CHECK_COUNT, N, THREAD),
    FIGURE(SUSPENDED, "suspended", CHECK_COUNT, N, THREAD),
    FIGURE(RESUMED, "resumed", CHECK_COUNT, N, THREAD),
    FIGURE(SUSPENDS_DONE, "suspends_done", CHECK_COUNT, N, THREAD),
    FIGURE(RESUMES_DONE, "resumes_done", CHECK_COUNT, N, THREAD),
    FIGURE(PREEMPTED, "preempted", CHECK_COUNT, N, THREAD),
    FIGURES(DISPLACED, "displaced", CHECK_COUNT, N, THREAD),
    {0},
};

const struct analysis_row switches_analysis = {
    .section = {"switches", "context switches and preemption"},
    .names = names,
    .any_kernel = true,
    .state_bytes = sizeof(struct switches),
    .layout = layout,
    .open = open,
    .figures = figures,
};
