/* SPDX-License-Identifier: MIT */
/* Notes the changes of the model, finds the span that the caller wants, and cuts it when it ends. */
#include "txtap/inner/why.h"

#include <string.h>

#include "analysis/analyses.h"
#include "base/min_max.h"
#include "why/parts.h"

#define STEPS_LEAST    16u
#define STEPS_DEFAULT  (1u << 17)
#define STEPS_MOST     (1u << 24)
#define PIECES_DEFAULT 256u
#define PIECES_MOST    65536u

/* ---- memory ---- */

struct txtap_why_limits txtap_why_limits_default(const struct txtap_analysis_limits *analysis)
{
    return (struct txtap_why_limits){*analysis, STEPS_DEFAULT, PIECES_DEFAULT};
}

static struct txtap_why *layout(struct arena *arena, const struct txtap_why_limits *limits)
{
    struct log log = {0};
    struct txtap_why *why = arena_take(arena, 1, sizeof(*why));
    struct activity *threads = arena_take(arena, limits->analysis.threads, sizeof(*threads));
    struct worst *jobs = arena_take(arena, limits->analysis.threads, sizeof(*jobs));
    struct worst *wakes = arena_take(arena, limits->analysis.threads, sizeof(*wakes));
    struct piece *pieces = arena_reserve(arena, limits->pieces, sizeof(*pieces));

    log_layout(&log, arena, limits->analysis.threads, limits->analysis.objects, limits->steps);
    if (why == NULL)
        return NULL;
    why->log = log;
    why->threads = threads;
    why->jobs = jobs;
    why->wakes = wakes;
    why->cut.pieces = pieces;
    why->cut.pieces_max = limits->pieces;
    return why;
}

size_t txtap_why_bytes(const struct txtap_why_limits *limits)
{
    struct arena arena = {0};

    if (txtap_analysis_bytes(&limits->analysis, 0) == 0 || limits->steps < STEPS_LEAST || limits->steps > STEPS_MOST ||
        limits->pieces == 1 || limits->pieces > PIECES_MOST)
        return 0;
    (void)layout(&arena, limits);
    return arena.used;
}

/* ---- spans ---- */

static bool bounds_job(const struct model *model, uint32_t reason)
{
    return reason != REASON_MUTEX || model->any_wait_ends_job;
}

static const struct step *wake_of(const struct txtap_why *why, uint32_t thread, struct moment start)
{
    const struct step *wake = log_get(&why->log, log_chain(&why->log, STEP_WAKE, thread), why->threads[thread].wake);

    return wake != NULL && wake->now.seq == start.seq ? wake : NULL;
}

static void cut(struct txtap_why *why, struct span span)
{
    const struct step *wake = span.kind == TXTAP_WHY_JOB ? wake_of(why, span.thread, span.start) : NULL;

    span.wake = wake != NULL ? wake->at : 0;
    cut_span(&why->cut, &span);
}

/* Keeps the span that was cut. */
static void note_worst(struct txtap_why *why, struct worst *worst)
{
    const struct span *span = &why->cut.span;
    const struct piece *main;

    *worst = (struct worst){.span = *span, .before_known = why->cut.origin_known, .used = true};
    worst->before = worst->before_known ? span->start.ticks - why->cut.origin : 0;
    main = cut_main(&why->cut, &worst->ticks, &worst->unknown);
    if (main != NULL)
        worst->main = *main;
}

/* Keeps the span if it is the longest of its thread so far. */
static void keep_worst(struct txtap_why *why, struct worst *worst, const struct span *span)
{
    if (worst->used && span->end.ticks - span->start.ticks <= worst->span.end.ticks - worst->span.start.ticks)
        return;
    cut(why, *span);
    note_worst(why, worst);
}

static void cut_again(struct txtap_why *why, struct span span)
{
    cut_span(&why->cut, &span);
}

/* Several cores: only later events may show that the activity of a core was uncertain, or that there is a further core.
 * So all spans are cut again at the end of the trace. */
static void cut_all_again(struct txtap_why *why)
{
    if (why->found)
        cut_again(why, why->cut.span);
    for (uint32_t i = 0; why->wish.select == TXTAP_WHY_WORST && i < why->model->thread_numbers.count; i++) {
        struct worst *const kept[] = {&why->jobs[i], &why->wakes[i]};

        for (size_t k = 0; k < sizeof(kept) / sizeof(*kept); k++) {
            if (!kept[k]->used)
                continue;
            cut_again(why, kept[k]->span);
            note_worst(why, kept[k]);
        }
    }
}

static bool is_subject(const struct model *model, const struct txtap_subject *subject, uint32_t thread, uint32_t object)
{
    if (subject->kind == TXTAP_SUBJECT_THREAD)
        return thread != NONE && model->threads[thread].address == subject->number;
    if (subject->kind == TXTAP_SUBJECT_OBJECT)
        return object != NONE && model->objects[object].address == subject->number;
    return subject->kind == TXTAP_SUBJECT_SYSTEM;
}

enum span_of span_of(enum txtap_figure_id figure)
{
    switch (figure) {
    case TXTAP_FIGURE_RUN:
    case TXTAP_FIGURE_RESPONSE:
    case TXTAP_FIGURE_RESPONSE_READY:
    case TXTAP_FIGURE_RESPONSE_INTERRUPTED:
    case TXTAP_FIGURE_RESPONSE_MUTEX:
    case TXTAP_FIGURE_TURNS:
    case TXTAP_FIGURE_PATH:
    case TXTAP_FIGURE_LONGEST_RUN:
    case TXTAP_FIGURE_LONGEST_READY:
    case TXTAP_FIGURE_LONGEST_INTERRUPTED:
    case TXTAP_FIGURE_LONGEST_MUTEX:
        return OF_JOB;
    case TXTAP_FIGURE_BLOCK:
    case TXTAP_FIGURE_WAITS:
    case TXTAP_FIGURE_WAIT:
        return OF_WAIT;
    case TXTAP_FIGURE_INVERSION:
        return OF_MUTEX_WAIT;
    case TXTAP_FIGURE_WAKE:
    case TXTAP_FIGURE_FIRST_RUN:
    case TXTAP_FIGURE_READY:
    case TXTAP_FIGURE_WAKE_BY:
        return OF_READY;
    case TXTAP_FIGURE_HOLD:
        return OF_HOLD;
    default:
        return OF_NOTHING;
    }
}

bool txtap_why_explains(enum txtap_figure_id figure)
{
    return span_of(figure) != OF_NOTHING;
}

static bool contains(const struct span *span, uint64_t seq)
{
    return span->start.seq <= seq && seq <= span->end.seq;
}

/* Returns true if the caller wants this span. between_jobs: it is a job, or a wait between two jobs. */
static bool is_wanted(const struct txtap_why *why, const struct span *span, enum span_of of, bool between_jobs)
{
    const struct txtap_why_wish *wish = &why->wish;

    switch (wish->select) {
    case TXTAP_WHY_FIGURE:
        return of == span_of(wish->figure) &&
               (span->end.seq == wish->seq || (of == OF_MUTEX_WAIT && contains(span, wish->seq))) &&
               is_subject(why->model, &wish->subject, span->thread, span->object);
    case TXTAP_WHY_EVENT:
        return between_jobs && span->thread == why->event_thread && contains(span, wish->seq);
    case TXTAP_WHY_TIME:
        return between_jobs && is_subject(why->model, &wish->subject, span->thread, NONE) &&
               span->start.ticks <= wish->ticks && wish->ticks <= span->end.ticks;
    default:
        return false;
    }
}

/* Takes a span that ends now. */
static void end_span(struct txtap_why *why, struct span span, enum span_of of, bool between_jobs)
{
    if (span.kind != TXTAP_WHY_READY)
        span.core = NONE;
    if (why->wish.select == TXTAP_WHY_WORST) {
        if (of == OF_JOB)
            keep_worst(why, &why->jobs[span.thread], &span);
        else if (of == OF_READY && span.woken)
            keep_worst(why, &why->wakes[span.thread], &span);
        return;
    }
    if (why->found || !is_wanted(why, &span, of, between_jobs))
        return;
    cut(why, span);
    why->found = true;
}

/* An inversion is a part of a wait for a mutex. Returns OF_MUTEX_WAIT if the caller wants an inversion. */
static enum span_of of_wait(const struct txtap_why *why, const struct thread *thread)
{
    return why->wish.figure == TXTAP_FIGURE_INVERSION && model_waits_for_owner(why->model, thread) ? OF_MUTEX_WAIT
                                                                                                   : OF_WAIT;
}

/* Notes a time in which the activity of a core is uncertain: it may have run another thread. */
static void add_doubt(struct txtap_why *why, uint32_t core, uint64_t from, uint64_t to)
{
    uint32_t chain = log_chain(&why->log, STEP_DOUBT, core);

    (void)log_add(&why->log, chain, (struct step){.now = {from, 0}, .what = 1});
    (void)log_add(&why->log, chain, (struct step){.now = {to, 0}});
}

/* ---- changes of threads ---- */

/* Call it when the thread's wait becomes known or ends. If an interrupt suspended the thread that it had interrupted,
 * the thread seems interrupted until now. This is right with one core only, and a later event may show a second core.
 */
static void doubt_interrupt(struct txtap_why *why, const struct change *change)
{
    const struct thread *thread = &why->model->threads[change->thread];
    const struct step *was = log_newest(&why->log, log_chain(&why->log, STEP_STATE, change->thread));

    if (was != NULL && was->what == ACCOUNT_INTERRUPTED && thread->since_known &&
        thread->since.ticks < change->now.ticks)
        add_doubt(why, was->core, thread->since.ticks, change->now.ticks);
}

static void take_account(void *self, const struct change *change)
{
    struct txtap_why *why = self;
    const struct thread *thread = &why->model->threads[change->thread];
    bool blocked = thread->account >= ACCOUNT_BLOCKED;

    if (blocked)
        doubt_interrupt(why, change);
    (void)log_add(&why->log, log_chain(&why->log, STEP_STATE, change->thread),
                  (struct step){.now = change->now,
                                .what = (uint8_t)thread->account,
                                .other = blocked && thread->state == THREAD_BLOCKED ? thread->object : NONE,
                                .core = thread->core >= 0 ? (uint8_t)thread->core : 0,
                                .known = thread->runs_at_known,
                                .priority = thread->runs_at});
}

/* Adds the state that the thread had while its state was unknown. */
static void take_past(void *self, const struct change *change)
{
    struct txtap_why *why = self;

    log_learn(&why->log, log_chain(&why->log, STEP_STATE, change->thread), change->now.ticks - change->ticks,
              (uint8_t)change->count);
}

static void take_ready(void *self, const struct change *change)
{
    struct txtap_why *why = self;
    const struct model *model = why->model;
    const struct thread *thread = &model->threads[change->thread];
    const struct waker *waker = change->waker;
    const struct core *core = &model->cores[change->core];
    struct activity *activity = &why->threads[change->thread];
    struct step wake = {.now = change->now,
                        .what = (uint8_t)waker->kind,
                        .core = change->core,
                        .other = waker->number,
                        .ending = (uint8_t)waker->ending};
    uint64_t number;

    if (waker->kind == RUNNING_ISR) {
        wake.since = core->depth > 0 && core->depth <= ISR_DEPTH_MAX ? core->isr[core->depth - 1].start.ticks
                                                                     : change->now.ticks;
    } else if (waker->kind == RUNNING_THREAD && waker->number != NONE && model->threads[waker->number].job.open) {
        const struct step *first = wake_of(why, waker->number, model->threads[waker->number].job.start);

        wake.since = first != NULL ? first->at : 0;
    }
    doubt_interrupt(why, change);
    number = log_add(&why->log, log_chain(&why->log, STEP_WAKE, change->thread), wake);
    if (!thread->job.open)
        activity->wake = number;
    end_span(why,
             (struct span){.kind = TXTAP_WHY_WAIT,
                           .thread = change->thread,
                           .object = thread->object,
                           .start = {change->now.ticks - change->ticks, thread->since.seq},
                           .end = change->now,
                           .began_earlier = !change->known},
             of_wait(why, thread), bounds_job(model, thread->reason));
    if (bounds_job(model, thread->reason)) {
        activity->begins = change->now;
        activity->crosses = false;
    }
}

static void take_job(void *self, const struct change *change)
{
    struct txtap_why *why = self;

    why->threads[change->thread].crosses = false;
    why->threads[change->thread].told = true;
    end_span(why,
             (struct span){.kind = TXTAP_WHY_JOB,
                           .thread = change->thread,
                           .object = NONE,
                           .start = change->job->start,
                           .end = change->now,
                           .vague = change->vague},
             OF_JOB, true);
}

/* Ends a job whose start is not in the trace, or that a gap cut off. */
static void take_blocked(void *self, const struct change *change)
{
    struct txtap_why *why = self;
    struct activity *activity = &why->threads[change->thread];
    const struct thread *thread = &why->model->threads[change->thread];
    struct moment start = activity->crosses ? activity->crossed : activity->begins;
    bool told = activity->told;

    activity->told = false;
    if (!bounds_job(why->model, thread->reason))
        return;
    if (!told && why->wish.select != TXTAP_WHY_FIGURE && why->wish.select != TXTAP_WHY_WORST)
        end_span(why,
                 (struct span){.kind = TXTAP_WHY_JOB,
                               .thread = change->thread,
                               .object = NONE,
                               .start = {max_u64(start.ticks, why->model->first.ticks), start.seq},
                               .end = change->now,
                               .began_earlier = !activity->crosses,
                               .gap = activity->crosses,
                               .vague = model_is_vague(why->model)},
                 OF_JOB, true);
    activity->crosses = false;
    activity->begins = change->now;
}

static void take_dispatch(void *self, const struct change *change)
{
    struct txtap_why *why = self;

    end_span(why,
             (struct span){.kind = TXTAP_WHY_READY,
                           .thread = change->thread,
                           .object = NONE,
                           .start = {change->now.ticks - change->ticks, why->model->threads[change->thread].since.seq},
                           .end = change->now,
                           .woken = change->woken && !why->model->threads[change->thread].woken_in_init,
                           .core = why->model->threads[change->thread].core >= 0
                                       ? (uint32_t)why->model->threads[change->thread].core
                                       : NONE,
                           .vague = change->vague},
             OF_READY, false);
}

/* ---- changes of mutexes, cores and the trace ---- */

static void add_owner(struct txtap_why *why, const struct change *change, uint32_t owner)
{
    const struct object *object = &why->model->objects[change->object];

    (void)log_add(&why->log, log_chain(&why->log, STEP_OWNER, change->object),
                  (struct step){.now = change->now, .other = owner, .known = object->held_known});
}

static void take_acquired(void *self, const struct change *change)
{
    add_owner(self, change, change->thread);
}

static void take_released(void *self, const struct change *change)
{
    struct txtap_why *why = self;
    const struct object *object = &why->model->objects[change->object];

    if (object->owner != NONE)
        end_span(why,
                 (struct span){.kind = TXTAP_WHY_HOLD,
                               .thread = object->owner,
                               .object = change->object,
                               .start = {change->now.ticks - change->ticks, object->held.seq},
                               .end = change->now,
                               .began_earlier = !change->known,
                               .vague = model_is_vague(why->model)},
                 OF_HOLD, false);
    add_owner(why, change, NONE);
}

static void add_runs(struct txtap_why *why, const struct change *change, struct step step)
{
    step.now = change->now;
    (void)log_add(&why->log, log_chain(&why->log, STEP_RUNS, change->core), step);
}

static void take_runs(void *self, const struct change *change)
{
    struct txtap_why *why = self;
    const struct core *core = &why->model->cores[change->core];
    struct step step = {.what = change->to, .other = NONE};

    if (change->to == RUNNING_THREAD && change->thread != NONE) {
        step.other = change->thread;
        step.known = why->model->threads[change->thread].runs_at_known;
        step.priority = why->model->threads[change->thread].runs_at;
    } else if (change->to == RUNNING_ISR && core->depth > 0 && core->depth <= ISR_DEPTH_MAX) {
        step.other = core->isr[core->depth - 1].number;
    }
    add_runs(why, change, step);
}

static void take_doubt(void *self, const struct change *change)
{
    if ((change->maybe & MAYBE(RUNNING_UNKNOWN)) != 0)
        add_doubt(self, change->core, change->now.ticks - change->ticks, change->now.ticks);
}

/* Notes that another interrupt runs, because it begins in an interrupt, or the interrupt in it has ended. */
static void take_interrupt(void *self, const struct change *change)
{
    struct txtap_why *why = self;
    const struct core *core = &why->model->cores[change->core];
    bool enters = change->kind == CHANGE_ISR_ENTER;
    uint32_t number = NONE;

    if (core->running != RUNNING_ISR || (!enters && core->depth == 0))
        return;
    if (enters && change->count > 0 && change->count <= ISR_DEPTH_MAX)
        number = change->isr->number;
    else if (!enters && core->depth <= ISR_DEPTH_MAX)
        number = core->isr[core->depth - 1].number;
    add_runs(why, change, (struct step){.what = RUNNING_ISR, .other = number});
}

static void take_event(void *self, const struct change *change)
{
    struct txtap_why *why = self;
    const struct txtap_event *event = change->event;

    if (why->wish.select != TXTAP_WHY_EVENT || change->now.seq != why->wish.seq)
        return;
    why->event_thread = change->thread;
    if (change->thread == NONE && (event->id == EVENT_THREAD_RESUME || event->id == EVENT_THREAD_SUSPEND))
        why->event_thread = model_thread_find(why->model, event->info[0]);
    else if (change->thread == NONE && event->context == TXTAP_CONTEXT_ISR)
        why->event_thread = model_thread_find(why->model, event->thread);
}

/* Ends all open spans at a gap, and at the end of the trace. */
static void take_gap(void *self, const struct change *change)
{
    struct txtap_why *why = self;
    const struct model *model = why->model;
    bool ends = change->kind == CHANGE_END;

    if (!ends)
        (void)log_add(&why->log, log_chain(&why->log, STEP_GAP, 0), (struct step){.now = change->now, .what = 1});
    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        const struct thread *thread = &model->threads[i];
        struct activity *activity = &why->threads[i];
        bool crosses = activity->crosses && !thread->job.open;
        struct span span = {.thread = i, .object = NONE, .end = change->now, .open = true};

        span.vague = model_is_vague(model);
        if (thread->job.open || crosses) {
            span.start = thread->job.open ? thread->job.start : activity->crossed;
            span.gap = crosses;
            activity->crosses = !ends && why->wish.select != TXTAP_WHY_FIGURE && why->wish.select != TXTAP_WHY_WORST;
            activity->crossed = span.start;
            if (!activity->crosses) /* otherwise the span continues after the gap */
                end_span(why, span, OF_JOB, true);
        }
        if (thread->state != THREAD_BLOCKED || thread->reason <= REASON_TERMINATED)
            continue;
        span.kind = TXTAP_WHY_WAIT;
        span.gap = false;
        span.object = thread->object;
        span.start = thread->since;
        span.began_earlier = !thread->since_known;
        end_span(why, span, of_wait(why, thread), bounds_job(model, thread->reason));
    }
    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        why->threads[i].begins = change->now;
    if (ends && model_is_vague(model))
        cut_all_again(why);
}

static void take_gap_end(void *self, const struct change *change)
{
    struct txtap_why *why = self;

    for (uint32_t i = 0; i < why->model->thread_numbers.count; i++)
        why->threads[i].begins = change->now;
    (void)log_add(&why->log, log_chain(&why->log, STEP_GAP, 0), (struct step){.now = change->now});
}

struct txtap_why *txtap_why_open(void *memory, const struct txtap_why_limits *limits, struct txtap_analysis *analysis,
                                 const struct txtap_why_wish *wish)
{
    static const struct {
        enum change_kind kind;
        void (*take)(void *self, const struct change *change);
    } sinks[] = {
        {CHANGE_EVENT, take_event},
        {CHANGE_ACCOUNT, take_account},
        {CHANGE_PAST, take_past},
        {CHANGE_READY, take_ready},
        {CHANGE_JOB, take_job},
        {CHANGE_BLOCKED, take_blocked},
        {CHANGE_DISPATCH, take_dispatch},
        {CHANGE_ACQUIRED, take_acquired},
        {CHANGE_RELEASED, take_released},
        {CHANGE_RUNS, take_runs},
        {CHANGE_DOUBT, take_doubt},
        {CHANGE_ISR_ENTER, take_interrupt},
        {CHANGE_ISR_EXIT, take_interrupt},
        {CHANGE_GAP, take_gap},
        {CHANGE_GAP_END, take_gap_end},
        {CHANGE_END, take_gap},
    };
    struct arena arena = {.memory = memory};
    struct txtap_why *why = layout(&arena, limits);
    struct model *model = analysis_model(analysis);

    why->model = why->cut.model = model;
    why->cut.log = &why->log;
    why->wish = *wish;
    why->event_thread = NONE;
    for (size_t i = 0; i < sizeof(sinks) / sizeof(*sinks); i++)
        if (sinks[i].kind != CHANGE_EVENT || wish->select == TXTAP_WHY_EVENT)
            model_tell(model, sinks[i].kind, (struct change_sink){sinks[i].take, why});
    return why;
}
