/* SPDX-License-Identifier: MIT */
/* Takes items in order, holds events back until those that follow say what ran after them, and applies them one by one.
 */
#include "model/model_parts.h"

#include "base/min_max.h"

#define CORES_MAX 32u /* of ThreadX SMP: its sets of cores are words */

/* What comes behind the events that wait. */
enum behind { BEHIND_MORE, BEHIND_GAP, BEHIND_NOTHING };

/* Applies the events for which those behind them are enough: the last one always waits for more. */
static void drain(struct model *model, enum behind behind)
{
    size_t kept = behind == BEHIND_MORE ? 1 : 0;
    struct run run;

    while (model->count > kept) {
        if (!next_find(model, behind == BEHIND_MORE, &run)) {
            model->wanted = min_u64(2 * model->count, TXTAP_NEXT_CONTEXT_LOOK_AHEAD);
            return;
        }
        model_apply(model, &model->buffer[model->from], &run, behind != BEHIND_GAP || !run.last);
        model->from++;
        model->count--;
    }
    model->wanted = 2;
}

/* ---- items ---- */

/* Nothing is known from the last event to the next one. */
static void gap(struct model *model)
{
    struct change change = {.kind = CHANGE_GAP, .now = model->last, .thread = NONE};

    drain(model, BEHIND_GAP);
    change.now = model->last;
    txtap_next_context_init(&model->next);
    if (!model->begun || model->in_gap)
        return;
    cores_part(model, &change);
    core_settle(model, model->last.ticks);
    thread_left_end(model);
    model_emit(model, &change);
    cores_end(model, &change);
    threads_before_gap(model);
    for (uint32_t i = 0; i < model->thread_numbers.count; i++) {
        thread_settle(&model->threads[i], model->last.ticks);
        thread_lose(&model->threads[i]);
    }
    for (uint32_t i = 0; i < model->core_count; i++)
        core_forget(&model->cores[i]);
    mutex_forget(model);
    count_forget(model);
    model->gap_lost = 0;
    model->gap_exact = true;
    model->gaps++;
    model->in_gap = true;
}

static void hide(uint32_t *word, uint32_t idle)
{
    if (*word == idle)
        *word = 0;
}

/* The idle thread's address, wherever an event names a thread that runs, becomes 0: no thread. */
static void hide_idle_thread(struct txtap_event *event, uint32_t idle)
{
    if (event->thread == idle) {
        event->thread = 0;
        if (event->context == TXTAP_CONTEXT_ISR)
            event->context = TXTAP_CONTEXT_IDLE;
    }
    if (event->id == EVENT_THREAD_RESUME || event->id == EVENT_THREAD_SUSPEND)
        hide(&event->info[3], idle);
    if (event->id == EVENT_TIME_SLICE)
        hide(&event->info[0], idle);
    if (event->id == EVENT_THREAD_RELINQUISH)
        hide(&event->info[1], idle);
}

/*
 * The top byte of an id is the core on SMP, but an application may choose any 32 bits as the id of its own event. A
 * core exists once the kernel's events have named it; until then such an event is of the core that has its thread, or
 * the first one.
 */
static uint8_t proven_core(struct model *model, const struct txtap_event *event)
{
    uint32_t thread = NONE;
    bool proven;

    if (event->core < CORES_MAX && event->id < THREADX_IDS)
        model->proven_cores |= 1u << event->core;
    proven = event->core == 0 || (event->core < CORES_MAX && (model->proven_cores >> event->core & 1) != 0);
    if (model->proven_cores > 1 && event->context == TXTAP_CONTEXT_THREAD)
        thread = model_thread(model, event->thread);
    if (proven && thread != NONE)
        model->threads[thread].recorded_on = event->core;
    return proven ? event->core : thread != NONE ? model->threads[thread].recorded_on : 0;
}

static void take_event(struct model *model, const struct txtap_event *event)
{
    struct txtap_event *last = model->count > 0 ? &model->buffer[model->from + model->count - 1] : NULL;
    uint64_t ticks = last ? last->ticks : model->last.ticks;
    struct txtap_event *copy;

    if (model->restarted && event->seq != (last ? last->seq : model->last.seq) + 1)
        gap(model);
    model->restarted = false;
    if (event->ticks_doubtful || event->ticks + model->ticks_base < ticks)
        gap(model);
    if (event->ticks + model->ticks_base < ticks)
        model->ticks_base = ticks - event->ticks;
    if (model->from >= MODEL_EVENTS_KEPT && model->from >= model->count) {
        memmove(model->buffer, model->buffer + model->from, model->count * sizeof(*model->buffer));
        model->from = 0;
    }
    copy = &model->buffer[model->from + model->count++];
    *copy = *event;
    copy->ticks += model->ticks_base;
    copy->entry = NULL;
    copy->words = NULL;
    copy->core = proven_core(model, event);
    if (copy->core > 0 && copy->core >= model->core_count)
        cores_add(model, copy->core);
    if (model->idle_thread != 0 && (event->id & OTHER_KERNEL) == 0)
        hide_idle_thread(copy, model->idle_thread);
    if (model->count >= model->wanted)
        drain(model, BEHIND_MORE);
}

static void take_mark(struct model *model, const struct txtap_mark *mark)
{
    switch (mark->kind) {
    case TXTAP_MARK_RESET:
    case TXTAP_MARK_MOVED:
        model->lost_exact = false; /* what was written just before it may never have been read */
        gap(model);
        break;
    case TXTAP_MARK_ENABLED:
        gap(model);
        break;
    case TXTAP_MARK_UNSURE:
        model->unsure = true;
        break;
    default:
        break;
    }
}

void model_take(struct model *model, const struct txtap_item *item)
{
    switch (item->kind) {
    case TXTAP_ITEM_EVENT:
        take_event(model, &item->event);
        break;
    case TXTAP_ITEM_GAP:
        gap(model);
        model->lost += item->gap.lost;
        model->lost_exact = model->lost_exact && item->gap.exact;
        model->gap_lost += item->gap.lost;
        model->gap_exact = model->gap_exact && item->gap.exact;
        break;
    case TXTAP_ITEM_MARK:
        take_mark(model, &item->mark);
        break;
    case TXTAP_ITEM_RESTART:
        model->restarted = true; /* perhaps only another file of the same trace */
        break;
    case TXTAP_ITEM_BYTES:
        break;
    }
}

void model_end(struct model *model)
{
    struct change change = {.kind = CHANGE_END, .thread = NONE};

    drain(model, BEHIND_NOTHING);
    if (model->in_gap) {
        struct change gap_end = {.kind = CHANGE_GAP_END, .now = model->last, .thread = NONE};

        gap_end.now.ticks = max_u64(model->skipped, model->last.ticks);
        gap_end.ticks = gap_end.now.ticks - model->last.ticks;
        model->unknown += gap_end.ticks;
        model->last = gap_end.now;
        model_emit(model, &gap_end);
    }
    change.now = model->last;
    for (uint32_t i = 0; i < model->thread_numbers.count; i++)
        service_close(model, &change, &model->threads[i].last);
    for (uint32_t i = 0; i < model->core_count; i++) {
        service_close(model, &change, &model->cores[i].last_isr);
        service_close(model, &change, &model->cores[i].outer_isr);
        service_close(model, &change, &model->cores[i].last_init);
    }
    cores_part(model, &change);
    core_settle(model, model->last.ticks);
    thread_left_end(model);
    model_emit(model, &change);
    cores_end(model, &change);
}
