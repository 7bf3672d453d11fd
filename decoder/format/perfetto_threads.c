/* SPDX-License-Identifier: MIT */
/* Threads in a file for Perfetto: their states, what they wait for as slices, who woke them as arrows; and times. */
#include <stdio.h>

#include "format/perfetto.h"

#define NS_PER_S 1000000000u
#define NS_MAX   (UINT64_C(1) << 62) /* Perfetto's times are signed */

/* The first whole nanosecond in the tick, so that it can be turned back into it. */
static uint64_t compute_ns(const struct txtap_exporter *self, uint64_t ticks)
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

static uint64_t ns_of(struct txtap_exporter *self, uint64_t ticks)
{
    struct perfetto *perfetto = self->changes.state;

    if (ticks != perfetto->ticks) {
        perfetto->ticks = ticks;
        perfetto->ns = compute_ns(self, ticks);
    }
    return perfetto->ns;
}

uint64_t perfetto_advance(struct txtap_exporter *self, uint64_t ticks)
{
    struct perfetto *perfetto = self->changes.state;
    uint64_t ns = ns_of(self, ticks);

    return perfetto->now_ns = ns > perfetto->now_ns ? ns : perfetto->now_ns + 1;
}

/* Ends the slice that says what the thread waits for. */
static enum txtap_status end_wait(struct txtap_exporter *self, uint32_t thread, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;

    if (!perfetto->threads[thread].waits)
        return TXTAP_OK;
    perfetto->threads[thread].waits = false;
    return perfetto_track_event(self, TRACK_END, track_of(ROW_THREAD, thread), ns, 0);
}

/* The text that says what the thread waits for; it mostly is the same as the last time. */
static uint64_t wait_text(struct txtap_exporter *self, struct perfetto_thread *row, const struct txtap_change *change)
{
    const struct txtap_change_state *state = &change->state;
    bool object = state->object.number != TXTAP_CHANGE_NONE;
    bool renamed;
    char room[TXTAP_OBJECT_NAME_BYTES], text[INTERNED_BYTES];

    if (row->wait_number != state->object.number)
        row->wait_object.written = false;
    renamed = object && perfetto_renamed(self, &row->wait_object, state->object, change->seq);
    if (row->wait_text != 0 && row->wait_reason == state->reason && row->wait_number == state->object.number &&
        !renamed)
        return row->wait_text;
    snprintf(text, sizeof text, "blocked: %s%s%s", txtap_wait_name(state->reason), object ? " " : "",
             object ? perfetto_name(&row->wait_object, state->object, room) : "");
    row->wait_reason = state->reason;
    row->wait_number = state->object.number;
    return row->wait_text = perfetto_text(self, INTERNED_EVENT, text);
}

static enum txtap_status begin_wait(struct txtap_exporter *self, const struct txtap_change *change, uint64_t ns)
{
    uint32_t thread = change->state.thread.number;
    struct perfetto *perfetto = self->changes.state;
    uint64_t text = wait_text(self, &perfetto->threads[thread], change);

    perfetto->threads[thread].waits = true;
    return perfetto_track_event(self, TRACK_BEGIN, track_of(ROW_THREAD, thread), ns, text);
}

static const char woken[] = "woken";

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
    number = perfetto_placed_text(self, INTERNED_EVENT, woken);
    packet_begin_at(self, &packet, ns);
    event = track_event_open(&packet, TRACK_INSTANT, track_of(ROW_THREAD, thread));
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

/* Behind the thread's last state, and before all that comes next. */
static uint64_t past_ns(struct perfetto *perfetto, const struct perfetto_thread *row, uint64_t ns)
{
    if (ns <= row->last_ns)
        ns = row->last_ns + 1;
    if (ns > perfetto->now_ns)
        perfetto->now_ns = ns;
    return ns;
}

enum txtap_status perfetto_state(struct txtap_exporter *self, const struct txtap_change *change)
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
        ns = perfetto_advance(self, change->ticks);
    else
        ns = past_ns(perfetto, row, ns);
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

enum txtap_status perfetto_wake(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_held *held = &perfetto->held;
    uint32_t thread = change->wake.thread.number;

    if (thread == TXTAP_CHANGE_NONE || !held->any || held->flow_count == HELD_FLOWS)
        return TXTAP_OK;
    held->flows[held->flow_count++] = perfetto->threads[thread].flow = ++perfetto->flows;
    return TXTAP_OK;
}

enum txtap_status perfetto_priority(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_thread *row;

    if (change->priority.thread.number == TXTAP_CHANGE_NONE)
        return TXTAP_OK;
    row = &perfetto->threads[change->priority.thread.number];
    if (!row->priority_known)
        row->name.written = false; /* its first one is its place among the others */
    row->priority = change->priority.priority;
    row->priority_known = true;
    return perfetto_describe_thread(self, change->priority.thread, change->seq);
}

enum txtap_status perfetto_stop_thread(struct txtap_exporter *self, uint32_t thread, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = end_wait(self, thread, ns);

    perfetto->threads[thread].flow = 0;
    if (status != TXTAP_OK || perfetto->threads[thread].state == TASK_NONE)
        return status;
    return write_state(self, thread, TASK_STOPPED, ns);
}
