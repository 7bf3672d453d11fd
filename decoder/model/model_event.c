/* SPDX-License-Identifier: MIT */
/* Applies one event to the model, part by part, once it is known what runs after it. */
#include "model/model_parts.h"

/* Behind a gap, which may have begun or ended in other interrupts, those of a core mean nothing until a thread runs. */
static bool is_hidden(const struct model *model, const struct txtap_event *event)
{
    return model->gaps > 0 && !model->cores[event->core].seen &&
           (event->context == TXTAP_CONTEXT_ISR || event->context == TXTAP_CONTEXT_IDLE);
}

static void emit_parallel(const struct model *model, const struct change *event)
{
    struct change change;

    change_start(&change, event, CHANGE_PARALLEL);
    model_emit(model, &change);
}

/* What the event does to threads and objects, while what its core runs is not known. */
static void apply_hidden(struct model *model, const struct change *event)
{
    static const struct run run = {0};
    const struct isr_frame frame = {event->event->info[1], event->now, 0};
    struct change change;

    if (event->event->id == EVENT_ISR_ENTER) {
        change_start(&change, event, CHANGE_ISR_ENTER);
        change.isr = &frame;
        model_emit(model, &change);
    }
    change_start(&change, event, CHANGE_EVENT);
    model_emit_event(model, &change);
    emit_parallel(model, &change);
    service_event(model, &change);
    cores_note(model, &change, &run);
}

/* The gap goes on, unless other cores are known by now. */
static void skip(struct model *model, const struct change *event)
{
    model_emit(model, event);
    model->events++;
    model->hidden = event->now.ticks;
    if (model->in_gap) {
        model->skipped = event->now.ticks;
        return;
    }
    apply_hidden(model, event);
    model->last = event->now;
}

/* The first event behind a gap, or the first of all. */
static void end_gap(struct model *model, struct moment now)
{
    struct change change = {.kind = CHANGE_GAP_END, .now = now, .thread = NONE};

    if (model->in_gap)
        change.ticks = now.ticks - model->last.ticks;
    model->unknown += change.ticks;
    if (model->in_gap || model->gap_lost > 0)
        model_emit(model, &change);
    model->known_from = now.ticks;
    model->in_gap = false;
}

/* The first event of all, or behind a gap. Threads that the registry named before it begin with it, too. */
static void begin(struct model *model, const struct txtap_event *event, struct moment now)
{
    if (!model->begun) {
        model->first = now;
        model->from_init = event->context == TXTAP_CONTEXT_INIT;
        for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
            model->threads[i].account_since = now.ticks;
            model->threads[i].suspension_unknown = !model->from_init;
        }
        if (model->names != NULL)
            model_learn_before(model, model->names, now.seq);
    }
    end_gap(model, now);
    model->begun = true;
}

/* A thread recorded an event. Mostly nothing else is new of it. */
static void note_thread(struct model *model, const struct change *event)
{
    struct thread *thread = &model->threads[event->thread];

    thread->events++;
    thread->seq = event->now.seq;
    if (thread->state == THREAD_UNKNOWN || !thread->priority_known || thread->base_doubtful ||
        thread->priority != event->event->priority)
        thread_own_event(model, event);
}

void model_apply(struct model *model, const struct txtap_event *event, const struct run *run, bool run_known)
{
    struct change change = {.kind = CHANGE_RECORDED,
                            .now = {event->ticks, event->seq},
                            .core = event->core,
                            .event = event,
                            .thread = NONE};

    if (is_hidden(model, event)) {
        skip(model, &change);
        return;
    }
    if (model->in_gap || !model->begun) {
        begin(model, event, change.now);
        threads_after_gap(model, &change);
    }
    model->skipped = 0;
    model->events++;
    if (event->context == TXTAP_CONTEXT_THREAD)
        change.thread = model_thread(model, event->thread);
    model_emit(model, &change);
    if (event->id == EVENT_THREAD_SUSPEND || event->id == EVENT_THREAD_RESUME)
        (void)model_thread(model, event->info[0]); /* so that it counts, even if this is the first event about it */
    if (event->id == EVENT_THREAD_CREATE)
        thread_created(model, &change);
    if (model->core_count > 1)
        emit_parallel(model, &change);
    if (!model->cores[event->core].seen)
        core_begin(model, &change);
    else if (model_is_vague(model))
        cores_meet(model, &change);
    if (change.thread != NONE)
        note_thread(model, &change);
    if (event->id < COUNTED_IDS)
        model->recorded[change.thread + 1][event->id]++; /* NONE + 1 is 0 */
    change.kind = CHANGE_EVENT;
    model_emit_event(model, &change);
    if (change.thread != NONE)
        thread_runs_at(&model->threads[change.thread], event->priority);
    interrupt_event(model, &change);
    service_event(model, &change);
    if (model_is_vague(model)) {
        cores_note(model, &change, run);
        if (!run_known) /* other cores go on until the gap */
            core_stop(model, &change);
    }
    if (run_known)
        core_run(model, &change, run);
    model->last = change.now;
}
