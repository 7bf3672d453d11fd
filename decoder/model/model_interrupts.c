/* SPDX-License-Identifier: MIT */
/* The interrupts that each core has entered. */
#include "model/model_parts.h"

#include "base/min_max.h"

static void enter(struct model *model, struct change *change, struct core *core)
{
    core->in_burst = false;
    if (core->depth == 0) {
        core->interrupted = core->occupant;
        core->interrupted_thread = core->thread;
        core->entered_in = change->event->thread;
    }
    if (core->depth < ISR_DEPTH_MAX)
        core->isr[core->depth] = (struct isr_frame){change->event->info[1], change->now, 0};
    core->depth++;
    change->kind = CHANGE_ISR_ENTER;
    change->isr = &core->isr[min_u64(core->depth, ISR_DEPTH_MAX) - 1];
    change->count = core->depth;
    model_emit(model, change);
}

/*
 * Returns the number (from 1) of the innermost frame with this interrupt number. The interrupts inside this frame did
 * not record exit events. If no frame matches, returns the innermost frame, because some firmware records another
 * number in the exit event. 0: no frame.
 */
static uint32_t frame_of(const struct core *core, uint32_t number)
{
    uint32_t depth = core->depth;

    while (depth > 0 && core->isr[depth - 1].number != number)
        depth--;
    return depth > 0 ? depth : core->depth;
}

bool interrupts_were_left(const struct txtap_event *event, uint32_t entered_in)
{
    if (event->context == TXTAP_CONTEXT_THREAD)
        return true;
    return event->context != TXTAP_CONTEXT_INIT && event->thread != entered_in;
}

struct entered interrupts_after(const struct model *model, const struct txtap_event *event)
{
    const struct core *core = &model->cores[event->core];
    struct entered after = {core->depth, event->thread};

    if (after.depth > 0 && interrupts_were_left(event, core->entered_in))
        after.depth = 0;
    if (after.depth > 0)
        after.thread = core->entered_in;
    if (event->id == EVENT_ISR_ENTER)
        after.depth++;
    else if (event->id == EVENT_ISR_EXIT && after.depth > 0)
        after.depth = (after.depth > ISR_DEPTH_MAX ? after.depth : frame_of(core, event->info[1])) - 1;
    return after;
}

static void leave(struct model *model, struct change *change, struct core *core)
{
    uint32_t depth = core->depth > ISR_DEPTH_MAX ? 0 : frame_of(core, change->event->info[1]);

    if (core->depth > ISR_DEPTH_MAX)
        core->depth--;
    if (depth == 0)
        return; /* the interrupt was entered before the trace began, or is too deep for a frame */
    if (depth < core->depth) {
        core_doubt_interrupt(model, change, core->isr[depth].start.ticks);
        change->kind = CHANGE_ISR_LOST;
        change->count = core->depth - depth;
        model_emit(model, change);
    }
    core->depth = depth - 1;
    change->kind = CHANGE_ISR_EXIT;
    change->isr = &core->isr[depth - 1];
    change->ticks = change->now.ticks - change->isr->start.ticks;
    if (depth > 1)
        core->isr[depth - 2].nested += change->ticks;
    model_emit(model, change);
}

static void leave_all(struct model *model, struct change *change, struct core *core)
{
    core_doubt_interrupt(model, change, core->isr[0].start.ticks);
    change->kind = CHANGE_ISR_LOST;
    change->count = core->depth;
    model_emit(model, change);
    core->depth = 0;
}

/* Reports that an interrupt recorded an event. Nothing else is known about this interrupt. */
static void came(struct model *model, struct change *change)
{
    const struct isr_frame frame = {change->event->info[1], change->now, 0};

    model->interrupts_open = true;
    change->kind = CHANGE_ISR_ENTER;
    change->isr = &frame;
    change->count = 0;
    model_emit(model, change);
}

void interrupt_change(struct model *model, const struct change *event)
{
    struct core *core = &model->cores[event->core];
    enum txtap_context context = event->event->context;
    struct change change;

    change_start(&change, event, CHANGE_ISR_BURST);
    if (core->depth > 0 && interrupts_were_left(event->event, core->entered_in)) {
        leave_all(model, &change, core);
        change_start(&change, event, CHANGE_ISR_BURST);
    }
    if (event->event->id == EVENT_INTERRUPT) {
        came(model, &change);
    } else if (event->event->id == EVENT_ISR_ENTER) {
        enter(model, &change, core);
    } else if (event->event->id == EVENT_ISR_EXIT) {
        leave(model, &change, core);
    } else if (context == TXTAP_CONTEXT_THREAD || context == TXTAP_CONTEXT_INIT) {
        core->in_burst = false; /* an interrupt in the initialization also has context INIT */
    } else if (core->depth == 0 && !core->in_burst) {
        core->in_burst = true;
        model_emit(model, &change);
    }
}
