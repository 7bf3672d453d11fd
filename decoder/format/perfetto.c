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

#define NS_PER_S 1000000000u
#define NS_MAX   (UINT64_C(1) << 62) /* Perfetto's times are signed */

/* The first whole nanosecond in the tick, so that it can be turned back into it. */
static uint64_t ns_of(const struct txtap_exporter *self, uint64_t ticks)
{
    double hz = self->options.tick_hz > 0 ? self->options.tick_hz : 1e6, ns;
    uint64_t whole = hz < 1e10 ? (uint64_t)hz : 0, rest;

    if (whole == 0 || (double)whole != hz) {
        ns = (double)ticks * (NS_PER_S / hz);
        return ns < (double)NS_MAX ? (uint64_t)ns + 1 : NS_MAX;
    }
    rest = ticks % whole * (uint64_t)NS_PER_S;
    if (ticks / whole >= NS_MAX / NS_PER_S)
        return NS_MAX;
    return ticks / whole * NS_PER_S + (rest + whole - 1) / whole;
}

/* A time for the next thing to be written: not before the tick, and behind all that was written. */
static uint64_t advance(struct txtap_exporter *self, uint64_t ticks)
{
    struct perfetto *perfetto = self->changes.state;
    uint64_t ns = ns_of(self, ticks);

    return perfetto->now_ns = ns > perfetto->now_ns ? ns : perfetto->now_ns + 1;
}

/* ---- threads ---- */

/* Ends the slice that says what the thread waits for. */
static enum txtap_status end_wait(struct txtap_exporter *self, uint32_t thread, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;

    if (!perfetto->threads[thread].waits)
        return TXTAP_OK;
    perfetto->threads[thread].waits = false;
    return perfetto_track_event(self, TRACK_END, thread_track(thread), ns, NULL);
}

static enum txtap_status begin_wait(struct txtap_exporter *self, const struct txtap_change *change, uint64_t ns)
{
    const struct txtap_change_state *state = &change->state;
    struct perfetto *perfetto = self->changes.state;
    char object[TXTAP_OBJECT_NAME_BYTES], name[128];

    snprintf(name, sizeof name, "blocked: %s%s%s", txtap_wait_name(state->reason),
             state->object.number != TXTAP_CHANGE_NONE ? " " : "",
             state->object.number != TXTAP_CHANGE_NONE ? perfetto_name(self, state->object, change->seq, object) : "");
    perfetto->threads[state->thread.number].waits = true;
    return perfetto_track_event(self, TRACK_BEGIN, thread_track(state->thread.number), ns, name);
}

/* A woken thread has a core: the end of an arrow that began where it was woken. */
static enum txtap_status end_flow(struct txtap_exporter *self, uint32_t thread, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    uint64_t flow = perfetto->threads[thread].flow, number;
    struct packet packet;
    uint8_t *event;

    if (flow == 0)
        return TXTAP_OK;
    perfetto->threads[thread].flow = 0;
    number = perfetto_text(self, INTERNED_EVENT, "woken");
    packet_begin(self, &packet, PACKET_TIMED_TEXTS, ns);
    event = track_event_open(&packet, TRACK_INSTANT, thread_track(thread));
    protobuf_number(&packet.message, 10, number);
    protobuf_fixed64(&packet.message, 48, flow);
    protobuf_close(&packet.message, event);
    return packet_end(self, &packet);
}

static enum task_state task_state_of(enum txtap_thread_state state)
{
    static const enum task_state states[] = {
        [TXTAP_THREAD_UNKNOWN] = TASK_STOPPED,     [TXTAP_THREAD_RUNNING] = TASK_RUNNING,
        [TXTAP_THREAD_INTERRUPTED] = TASK_RUNNING, [TXTAP_THREAD_READY] = TASK_RUNNABLE,
        [TXTAP_THREAD_BLOCKED] = TASK_SLEEPS,
    };

    return states[state];
}

static enum txtap_status write_state(struct txtap_exporter *self, uint32_t thread, enum task_state state, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_thread *row = &perfetto->threads[thread];

    if (state == row->state)
        return TXTAP_OK;
    row->state = state;
    row->last_ns = ns;
    return perfetto_task(self, ns, (uint64_t)thread + 1, state, row->core, row->priority);
}

static enum txtap_status take_state(struct txtap_exporter *self, const struct txtap_change *change)
{
    const struct txtap_change_state *to = &change->state;
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_thread *row;
    enum task_state state = task_state_of(to->state);
    enum txtap_status status;
    uint64_t ns;

    if (to->thread.number == TXTAP_CHANGE_NONE)
        return TXTAP_OK;
    row = &perfetto->threads[to->thread.number];
    if (state == row->state && state != TASK_SLEEPS)
        return TXTAP_OK;
    if (state == TASK_STOPPED && row->state == TASK_NONE)
        return TXTAP_OK;
    ns = ns_of(self, to->since);
    if (change->kind == TXTAP_CHANGE_STATE)
        ns = advance(self, change->ticks);
    else if (ns <= row->last_ns)
        ns = row->last_ns + 1;
    if (state == TASK_RUNNING)
        row->core = to->core < TXTAP_CORES_MAX ? to->core : change->core;
    status = perfetto_describe_thread(self, to->thread, change->seq);
    if (status == TXTAP_OK)
        status = end_wait(self, to->thread.number, ns);
    if (status == TXTAP_OK)
        status = write_state(self, to->thread.number, state, ns);
    if (status == TXTAP_OK && state == TASK_SLEEPS)
        status = begin_wait(self, change, ns);
    if (status == TXTAP_OK && state == TASK_RUNNING)
        status = end_flow(self, to->thread.number, ns);
    return status;
}

static enum txtap_status take_wake(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_held *held = &perfetto->held;
    uint32_t thread = change->wake.thread.number;

    if (thread == TXTAP_CHANGE_NONE || !held->any || held->flow_count == HELD_FLOWS)
        return TXTAP_OK;
    held->flows[held->flow_count++] = perfetto->threads[thread].flow = ++perfetto->flows;
    return TXTAP_OK;
}

static enum txtap_status take_priority(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_thread *row;

    if (change->priority.thread.number == TXTAP_CHANGE_NONE)
        return TXTAP_OK;
    row = &perfetto->threads[change->priority.thread.number];
    row->described = row->described && row->priority_known; /* its first one is its place among the others */
    row->priority = change->priority.priority;
    row->priority_known = true;
    return perfetto_describe_thread(self, change->priority.thread, change->seq);
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
    held->ns = advance(self, change->ticks);
    held->counter_count = held->flow_count = 0;
    if (held->thread == TXTAP_CHANGE_NONE)
        return TXTAP_OK;
    return perfetto_describe_thread(self, change->recorded.thread, change->seq);
}

static enum txtap_status take_isr(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_core *core = &perfetto->cores[change->core];
    uint64_t track = TRACK_CORES + (uint64_t)change->core, ns = advance(self, change->ticks);
    enum txtap_status status = perfetto_describe_interrupts(self, change->core);
    char name[32];

    if (status != TXTAP_OK)
        return status;
    snprintf(name, sizeof name, "ISR %" PRIu32, change->isr.number);
    if (change->kind == TXTAP_CHANGE_ISR_EXIT) {
        core->depth--;
        return perfetto_track_event(self, TRACK_END, track, ns, NULL);
    }
    if (change->isr.depth == 0)
        return perfetto_track_event(self, TRACK_INSTANT, track, ns, name);
    core->depth++;
    return perfetto_track_event(self, TRACK_BEGIN, track, ns, name);
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
    track = object_track(counter->object.number);
    status = perfetto_describe_object(self, counter->object, change->seq);
    if (status != TXTAP_OK)
        return status;
    if (!held->any || held->counter_count == HELD_COUNTERS)
        return perfetto_counter(self, track, advance(self, change->ticks), counter->value);
    held->counters[held->counter_count].track = track;
    held->counters[held->counter_count++].value = counter->value;
    return TXTAP_OK;
}

/* ---- gaps ---- */

/* All that goes on ends. */
static enum txtap_status stop_all(struct txtap_exporter *self, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = TXTAP_OK;

    for (uint32_t i = 0; i < self->changes.limits.threads && status == TXTAP_OK; i++) {
        status = end_wait(self, i, ns);
        if (status == TXTAP_OK && perfetto->threads[i].state != TASK_NONE)
            status = write_state(self, i, TASK_STOPPED, ns);
        perfetto->threads[i].flow = 0;
    }
    for (uint32_t i = 0; i < TXTAP_CORES_MAX; i++)
        for (; perfetto->cores[i].depth > 0 && status == TXTAP_OK; perfetto->cores[i].depth--)
            status = perfetto_track_event(self, TRACK_END, TRACK_CORES + (uint64_t)i, ns, NULL);
    return status;
}

/* What runs on each core is not known, or is known again. */
static enum txtap_status write_lost(struct txtap_exporter *self, enum task_state state, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = TXTAP_OK;

    for (uint32_t i = 0; i < TXTAP_CORES_MAX && status == TXTAP_OK; i++) {
        if (!perfetto->cores[i].seen)
            continue;
        status = perfetto_describe_lost(self, i);
        if (status == TXTAP_OK)
            status = perfetto_task(self, ns, TASK_LOST + i, state, i, 0);
    }
    return status;
}

static enum txtap_status take_gap(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = perfetto_write_held(self);
    uint64_t ns = advance(self, change->ticks);

    if (status == TXTAP_OK)
        status = stop_all(self, ns);
    if (status == TXTAP_OK)
        status = write_lost(self, TASK_RUNNING, ns);
    perfetto->in_gap = true;
    perfetto->gap_ns = ns;
    return status;
}

static enum txtap_status write_gap(struct txtap_exporter *self, const struct txtap_change_gap *gap, uint64_t ns)
{
    const struct perfetto *perfetto = self->changes.state;
    enum txtap_status status;
    char name[64];

    if (gap->lost == 0) /* a reset, or the firmware recorded none for a while */
        snprintf(name, sizeof name, "events may be missing");
    else
        snprintf(name, sizeof name, "%s%" PRIu64 " event%s lost", gap->exact ? "" : "at least ", gap->lost,
                 gap->lost == 1 ? "" : "s");
    if (!perfetto->in_gap)
        return perfetto_track_event(self, TRACK_INSTANT, TRACK_LOST, ns, name);
    status = perfetto_track_event(self, TRACK_BEGIN, TRACK_LOST, perfetto->gap_ns, name);
    return status == TXTAP_OK ? perfetto_track_event(self, TRACK_END, TRACK_LOST, ns, NULL) : status;
}

static enum txtap_status take_gap_end(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = perfetto_write_held(self);
    uint64_t ns = advance(self, change->ticks);

    if (status == TXTAP_OK)
        status = write_gap(self, &change->gap, ns);
    if (status == TXTAP_OK && perfetto->in_gap)
        status = write_lost(self, TASK_SLEEPS, ns);
    perfetto->in_gap = false;
    return status;
}

static enum txtap_status take_end(struct txtap_exporter *self, const struct txtap_change *change)
{
    enum txtap_status status = perfetto_write_held(self);

    return status == TXTAP_OK ? stop_all(self, advance(self, change->ticks)) : status;
}

/* ---- the format ---- */

static enum txtap_status perfetto_change(struct txtap_exporter *self, const struct txtap_change *change)
{
    static enum txtap_status (*const takers[TXTAP_CHANGE_KINDS])(struct txtap_exporter * self,
                                                                 const struct txtap_change *change) = {
        [TXTAP_CHANGE_EVENT] = take_event,       [TXTAP_CHANGE_STATE] = take_state,
        [TXTAP_CHANGE_PAST] = take_state,        [TXTAP_CHANGE_WAKE] = take_wake,
        [TXTAP_CHANGE_PRIORITY] = take_priority, [TXTAP_CHANGE_ISR_ENTER] = take_isr,
        [TXTAP_CHANGE_ISR_EXIT] = take_isr,      [TXTAP_CHANGE_COUNTER] = take_counter,
        [TXTAP_CHANGE_GAP] = take_gap,           [TXTAP_CHANGE_GAP_END] = take_gap_end,
        [TXTAP_CHANGE_END] = take_end,
    };

    return takers[change->kind] != NULL ? takers[change->kind](self, change) : TXTAP_OK;
}

static enum txtap_status perfetto_mark(struct txtap_exporter *self, const struct txtap_mark *mark)
{
    struct perfetto *perfetto = self->changes.state;
    char name[PROTOBUF_TEXT_BYTES];

    snprintf(name, sizeof name, "%s%s%.200s", txtap_mark_name(mark->kind), mark->text[0] != '\0' ? ": " : "",
             mark->text);
    return perfetto_track_event(self, TRACK_INSTANT, TRACK_MARKS, ++perfetto->now_ns, name);
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
