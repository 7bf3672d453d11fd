/* SPDX-License-Identifier: MIT */
/*
 * A trace for ui.perfetto.dev: threads with their states, what they wait for, interrupts, events, counters, wake-ups.
 * A file is packets behind each other, and can be opened wherever it is cut. States are those of a generic kernel
 * (protos/perfetto/trace/generic_kernel/), everything else is track events.
 */
#include "format/perfetto.h"

#include <inttypes.h>
#include <stdio.h>

/* Shown as what they mean, and not as events. tx_trace.h: TX_TRACE_THREAD_SUSPEND, ISR_ENTER, ISR_EXIT */
static bool is_shown_otherwise(uint32_t id)
{
    return id == 2 || id == 3 || id == 4;
}

/* ---- events, interrupts, objects ---- */

static enum txtap_status take_event(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_held *held = &perfetto->held;
    enum txtap_status status = perfetto_write_held(self);

    perfetto->cores[change->core].seen = true;
    if (status != TXTAP_OK || is_shown_otherwise(change->event->id) || !exporter_wants(self, change->event))
        return status;
    held->any = true;
    held->event = *change->event;
    held->thread = change->recorded.thread.number;
    held->ns = perfetto_advance(self, change->ticks);
    held->counter_count = held->flow_count = 0;
    if (held->thread == TXTAP_CHANGE_NONE)
        return TXTAP_OK;
    return perfetto_describe_thread(self, change->recorded.thread, change->seq);
}

static uint64_t interrupt_text(struct txtap_exporter *self, uint32_t number)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_interrupt *known = &perfetto->interrupts[number % INTERRUPTS];
    char name[32];

    if (known->text == 0 || known->number != number) {
        snprintf(name, sizeof name, "ISR %" PRIu32, number);
        *known = (struct perfetto_interrupt){number, perfetto_text(self, INTERNED_EVENT, name)};
    }
    return known->text;
}

static enum txtap_status take_isr(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_core *core = &perfetto->cores[change->core];
    uint64_t track = track_of(ROW_INTERRUPTS, change->core), ns = perfetto_advance(self, change->ticks), text;
    enum txtap_status status = perfetto_describe_interrupts(self, change->core);

    if (status != TXTAP_OK)
        return status;
    if (change->kind == TXTAP_CHANGE_ISR_EXIT) {
        core->depth--;
        return perfetto_track_event(self, TRACK_END, track, ns, 0);
    }
    text = interrupt_text(self, change->isr.number);
    if (change->isr.depth == 0)
        return perfetto_track_event(self, TRACK_INSTANT, track, ns, text);
    core->depth++;
    return perfetto_track_event(self, TRACK_BEGIN, track, ns, text);
}

static enum txtap_status take_counter(struct txtap_exporter *self, const struct txtap_change *change)
{
    const struct txtap_change_counter *counter = &change->counter;
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_held *held = &perfetto->held;
    enum txtap_status status;
    uint64_t track;

    if (counter->object.number == TXTAP_CHANGE_NONE || !counter->known)
        return TXTAP_OK;
    track = track_of(ROW_OBJECT, counter->object.number);
    status = perfetto_describe_object(self, counter->object, change->seq);
    if (status != TXTAP_OK)
        return status;
    if (!held->any || held->counter_count == HELD_COUNTERS)
        return perfetto_counter(self, track, perfetto_advance(self, change->ticks), counter->value);
    held->counters[held->counter_count].track = track;
    held->counters[held->counter_count++].value = counter->value;
    return TXTAP_OK;
}

/* ---- the format ---- */

static enum txtap_status perfetto_change(struct txtap_exporter *self, const struct txtap_change *change)
{
    static enum txtap_status (*const takers[TXTAP_CHANGE_KINDS])(struct txtap_exporter * self,
                                                                 const struct txtap_change *change) = {
        [TXTAP_CHANGE_EVENT] = take_event,           [TXTAP_CHANGE_STATE] = perfetto_state,
        [TXTAP_CHANGE_PAST] = perfetto_state,        [TXTAP_CHANGE_WAKE] = perfetto_wake,
        [TXTAP_CHANGE_PRIORITY] = perfetto_priority, [TXTAP_CHANGE_ISR_ENTER] = take_isr,
        [TXTAP_CHANGE_ISR_EXIT] = take_isr,          [TXTAP_CHANGE_COUNTER] = take_counter,
        [TXTAP_CHANGE_GAP] = perfetto_gap,           [TXTAP_CHANGE_GAP_END] = perfetto_gap_end,
        [TXTAP_CHANGE_END] = perfetto_trace_end,
    };

    return takers[change->kind] != NULL ? takers[change->kind](self, change) : TXTAP_OK;
}

static enum txtap_status perfetto_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    struct perfetto *perfetto = self->changes.state;
    char name[INTERNED_BYTES];
    uint64_t text;

    snprintf(name, sizeof name, "%s%s%.200s", txtap_mark_name(mark->kind), mark->text[0] != '\0' ? ": " : "",
             mark->text);
    text = perfetto_text(self, INTERNED_EVENT, name);
    return perfetto_track_event(self, TRACK_INSTANT, TRACK_MARKS, ++perfetto->now_ns, text);
}

static size_t state_bytes(const struct txtap_change_limits *limits)
{
    return sizeof(struct perfetto) + limits->threads * sizeof(struct perfetto_thread) +
           limits->objects * sizeof(struct perfetto_object);
}

static enum txtap_status begin(struct txtap_exporter *self)
{
    enum txtap_status status = exporter_changes_begin(self);
    struct perfetto *perfetto = self->changes.state;

    if (status != TXTAP_OK)
        return status;
    perfetto->threads = (struct perfetto_thread *)(perfetto + 1);
    perfetto->objects = (struct perfetto_object *)(perfetto->threads + self->changes.limits.threads);
    perfetto->ticks = UINT64_MAX; /* nothing was converted */
    return perfetto_begin(self);
}

static enum txtap_status end(struct txtap_exporter *self)
{
    enum txtap_status status = exporter_changes_end(self), flushed = txtap_exporter_flush(self);

    return status == TXTAP_OK ? flushed : status;
}

const struct txtap_exporter_ops perfetto_ops = {
    .name = "perfetto",
    .begin = begin,
    .event = exporter_changes_event,
    .gap = exporter_changes_gap,
    .mark = perfetto_mark,
    .end = end,
    .binary = true,
    .change = perfetto_change,
    .state_bytes = state_bytes,
};
