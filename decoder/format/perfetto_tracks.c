/* SPDX-License-Identifier: MIT */
/* Who is who in a file for Perfetto: the process, threads, interrupts, and objects as counters; and threads' states. */
#include "format/perfetto.h"
#include "txtap/inner/change.h"

#include <stdio.h>

enum { PACKET_DESCRIPTOR = 60 };

static uint8_t *describe_open(struct txtap_exporter *self, struct packet *packet, uint64_t track)
{
    uint8_t *descriptor;

    packet_begin(self, packet);
    descriptor = protobuf_open(&packet->message, PACKET_DESCRIPTOR);
    protobuf_number(&packet->message, 1, track);
    return descriptor;
}

static enum txtap_status describe_close(struct txtap_exporter *self, struct packet *packet, uint8_t *descriptor)
{
    protobuf_close(&packet->message, descriptor);
    return packet_end(self, packet);
}

static enum txtap_status describe_child(struct txtap_exporter *self, uint64_t track, const char *name, const char *unit,
                                        uint64_t parent)
{
    struct packet packet;
    uint8_t *descriptor = describe_open(self, &packet, track), *counter;

    protobuf_text(&packet.message, 2, name);
    protobuf_number(&packet.message, 5, parent);
    if (unit != NULL) {
        counter = protobuf_open(&packet.message, 8);
        protobuf_text(&packet.message, 6, unit);
        protobuf_close(&packet.message, counter);
    }
    return describe_close(self, &packet, descriptor);
}

enum txtap_status perfetto_describe(struct txtap_exporter *self, uint64_t track, const char *name, const char *unit)
{
    return describe_child(self, track, name, unit, TRACK_PROCESS);
}

/* Threads stand in the order of their ranks, which are their priorities. */
static enum txtap_status describe_order(struct txtap_exporter *self)
{
    struct packet packet;
    uint8_t *descriptor = describe_open(self, &packet, TRACK_ROOT);

    protobuf_number(&packet.message, 20, 1);
    return describe_close(self, &packet, descriptor);
}

static enum txtap_status describe_process(struct txtap_exporter *self)
{
    const char *title = self->options.title != NULL ? self->options.title : "ThreadX";
    struct packet packet;
    uint8_t *descriptor = describe_open(self, &packet, TRACK_PROCESS), *process;
    char name[PROTOBUF_TEXT_BYTES];

    snprintf(name, sizeof name, self->options.tick_hz > 0 ? "%.200s" : "%.200s (1 tick shown as 1 us)", title);
    process = protobuf_open(&packet.message, 3);
    protobuf_number(&packet.message, 1, TASK_PROCESS);
    protobuf_text(&packet.message, 6, name);
    protobuf_close(&packet.message, process);
    return describe_close(self, &packet, descriptor);
}

enum txtap_status perfetto_begin(struct txtap_exporter *self)
{
    static const struct {
        uint64_t track;
        const char *name;
    } tracks[] = {{TRACK_INIT, "Initialization"},
                  {TRACK_MARKS, "Marks"},
                  {TRACK_LOST, "Lost events"},
                  {TRACK_OBJECTS, "Objects"}};
    enum txtap_status status = perfetto_first(self);

    if (status == TXTAP_OK)
        status = describe_order(self);
    if (status == TXTAP_OK)
        status = describe_process(self);
    for (size_t i = 0; i < sizeof tracks / sizeof *tracks && status == TXTAP_OK; i++)
        status = perfetto_describe(self, tracks[i].track, tracks[i].name, NULL);
    return status;
}

enum txtap_status perfetto_describe_interrupts(struct txtap_exporter *self, uint32_t core)
{
    struct perfetto *perfetto = self->changes.state;
    char name[32] = "Interrupts";

    if (perfetto->cores[core].interrupts_described)
        return TXTAP_OK;
    perfetto->cores[core].interrupts_described = true;
    if (core > 0)
        snprintf(name, sizeof name, "Interrupts core %u", (unsigned)core);
    return perfetto_describe(self, track_of(ROW_INTERRUPTS, core), name, NULL);
}

/* ---- threads and objects ---- */

static bool same_name(const struct txtap_exporter *self, const struct perfetto_name *name,
                      const struct txtap_object *object)
{
    return name->object == object && name->generation == self->registry->generation;
}

/*
 * Has the party another name than the last time? Where a gap hides who it is, it keeps its name. seq: of the event that
 * means it.
 */
static bool is_renamed(const struct txtap_exporter *self, struct perfetto_name *name, struct txtap_change_party party,
                       uint64_t seq)
{
    const struct txtap_object *object = txtap_registry_find_at(self->registry, party.address, party.type, seq);

    if (object != NULL && object->name[0] == '\0')
        object = NULL;
    if (name->written && (object == NULL || same_name(self, name, object)))
        return false;
    *name = (struct perfetto_name){.written = true, .generation = self->registry->generation, .object = object};
    return true;
}

/* The name, or the party's address. room: TXTAP_OBJECT_NAME_BYTES bytes. Returns it. */
static const char *name_of(const struct perfetto_name *name, struct txtap_change_party party, char *room)
{
    if (name->object != NULL)
        return name->object->name;
    snprintf(room, TXTAP_OBJECT_NAME_BYTES, "0x%08x", (unsigned)party.address);
    return room;
}

static enum txtap_status describe_task(struct txtap_exporter *self, uint64_t track, uint64_t task, const char *name,
                                       uint32_t rank)
{
    struct packet packet;
    uint8_t *descriptor = describe_open(self, &packet, track), *thread;

    thread = protobuf_open(&packet.message, 4);
    protobuf_number(&packet.message, 1, TASK_PROCESS);
    protobuf_number(&packet.message, 2, task);
    protobuf_text(&packet.message, 5, name);
    protobuf_close(&packet.message, thread);
    protobuf_number(&packet.message, 12, rank);
    return describe_close(self, &packet, descriptor);
}

enum txtap_status perfetto_describe_thread(struct txtap_exporter *self, struct txtap_change_party thread, uint64_t seq)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_thread *row = &perfetto->threads[thread.number];
    char room[TXTAP_OBJECT_NAME_BYTES];

    row->address = thread.address;
    if (!is_renamed(self, &row->name, thread, seq))
        return TXTAP_OK;
    return describe_task(self, track_of(ROW_THREAD, thread.number), (uint64_t)thread.number + 1,
                         name_of(&row->name, thread, room), row->priority);
}

enum txtap_status perfetto_describe_lost(struct txtap_exporter *self, uint32_t core)
{
    struct perfetto *perfetto = self->changes.state;

    if (perfetto->cores[core].lost_described)
        return TXTAP_OK;
    perfetto->cores[core].lost_described = true;
    return describe_task(self, track_of(ROW_LOST_TASK, core), TASK_LOST + core, "(lost events)", UINT16_MAX);
}

/* What an object's number counts. */
static const char *unit_of(uint8_t type)
{
    switch (type) {
    case TXTAP_OBJECT_QUEUE:
        return "messages";
    case TXTAP_OBJECT_BLOCK_POOL:
        return "blocks available";
    case TXTAP_OBJECT_BYTE_POOL:
        return "bytes available";
    case TXTAP_OBJECT_MUTEX:
        return "held";
    default:
        return "count";
    }
}

enum txtap_status perfetto_describe_object(struct txtap_exporter *self, struct txtap_change_party object, uint64_t seq)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_object *row = &perfetto->objects[object.number];
    const char *type = txtap_object_type_name(object.type);
    char room[TXTAP_OBJECT_NAME_BYTES], name[2 * TXTAP_OBJECT_NAME_BYTES];

    if (!is_renamed(self, &row->name, object, seq))
        return TXTAP_OK;
    snprintf(name, sizeof name, "%s %s", type != NULL ? type : "object", name_of(&row->name, object, room));
    return describe_child(self, track_of(ROW_OBJECT, object.number), name, unit_of(object.type), TRACK_OBJECTS);
}

/* ---- threads: their states, what they wait for as slices, who woke them as arrows; and times ---- */

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
    renamed = object && is_renamed(self, &row->wait_object, state->object, change->seq);
    if (row->wait_text != 0 && row->wait_reason == state->reason && row->wait_number == state->object.number &&
        !renamed)
        return row->wait_text;
    snprintf(text, sizeof text, "blocked: %s%s%s", txtap_wait_name(state->reason), object ? " " : "",
             object ? name_of(&row->wait_object, state->object, room) : "");
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
