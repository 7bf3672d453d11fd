/* SPDX-License-Identifier: MIT */
/*
 * A trace for ui.perfetto.dev: threads with their states and waits, interrupts, events, counters, wake-ups. A file is a
 * sequence of packets. A file that is cut at any place can still be opened. The states of threads use the packets for a
 * generic kernel (protos/perfetto/trace/generic_kernel/). All other data are track events.
 */
#include "format/perfetto.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "format/value.h"

/* ---- threads: states, waits as slices, wakes as arrows ---- */

/* Returns a time for the next packet. The time is not before the tick, and is after all times returned earlier. */
static uint64_t perfetto_advance(struct txtap_exporter *self, uint64_t ticks)
{
    struct perfetto *perfetto = self->changes.state;
    uint64_t ns = perfetto_ns(self, ticks);

    return perfetto->now_ns = ns > perfetto->now_ns ? ns : perfetto->now_ns + 1;
}

/* Ends the slice that shows the thread's wait. */
static enum txtap_status end_wait(struct txtap_exporter *self, uint32_t thread, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;

    if (!perfetto->threads[thread].waits)
        return TXTAP_OK;
    perfetto->threads[thread].waits = false;
    return perfetto_track_event(self, TRACK_END, track_of(ROW_THREAD, thread), ns, 0);
}

static enum txtap_status begin_wait(struct txtap_exporter *self, const struct txtap_change *change, uint64_t ns)
{
    uint32_t thread = change->state.thread.number;
    struct perfetto *perfetto = self->changes.state;
    uint64_t text = perfetto_wait_text(self, &perfetto->threads[thread], change);

    perfetto->threads[thread].waits = true;
    return perfetto_track_event(self, TRACK_BEGIN, track_of(ROW_THREAD, thread), ns, text);
}

static const char woken[] = "woken";

/* Ends the arrow to a thread that was woken and now has a core. The arrow began at the wake. */
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

/* Returns a time after the thread's last state. All times that are returned later are after this time. */
static uint64_t past_ns(struct perfetto *perfetto, const struct perfetto_thread *row, uint64_t ns)
{
    if (ns <= row->last_ns)
        ns = row->last_ns + 1;
    if (ns > perfetto->now_ns)
        perfetto->now_ns = ns;
    return ns;
}

static enum txtap_status perfetto_state(struct txtap_exporter *self, const struct txtap_change *change)
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
    ns = perfetto_ns(self, to->since);
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

static enum txtap_status perfetto_wake(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_held *held = &perfetto->held;
    uint32_t thread = change->wake.thread.number;

    if (thread == TXTAP_CHANGE_NONE || !held->any || held->flow_count == HELD_FLOWS)
        return TXTAP_OK;
    held->flows[held->flow_count++] = perfetto->threads[thread].flow = ++perfetto->flows;
    return TXTAP_OK;
}

static enum txtap_status perfetto_priority(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_thread *row;

    if (change->priority.thread.number == TXTAP_CHANGE_NONE)
        return TXTAP_OK;
    row = &perfetto->threads[change->priority.thread.number];
    if (!row->priority_known)
        row->name.written = false; /* write it again: the priority decides the thread's place in the list */
    row->priority = change->priority.priority;
    row->priority_known = true;
    return perfetto_describe_thread(self, change->priority.thread, change->seq);
}

/* Ends the thread's state. */
static enum txtap_status perfetto_stop_thread(struct txtap_exporter *self, uint32_t thread, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = end_wait(self, thread, ns);

    perfetto->threads[thread].flow = 0;
    if (status != TXTAP_OK || perfetto->threads[thread].state == TASK_NONE)
        return status;
    return write_state(self, thread, TASK_STOPPED, ns);
}

/* ---- events: an event is an instant on its thread's track, with its fields and the changes that it caused ---- */

/* Field numbers: first of a debug annotation, then of a track event. */
enum { NOTE_LABEL_NUMBER = 1 };
enum note_value { NOTE_UINT = 3, NOTE_INT = 4, NOTE_TEXT = 6, NOTE_POINTER = 7, NOTE_TEXT_NUMBER = 17 };
enum { EVENT_NOTE = 4, EVENT_NAME_NUMBER = 10, EVENT_COUNTER_VALUE = 12, EVENT_COUNTER_TRACK = 31, EVENT_FLOW = 47 };

struct note {
    uint64_t label_number;
    enum note_value kind;
    uint64_t number;
    char text[64]; /* set if kind is TEXT */
};

/* Notes a value as text. A value that is not a number becomes an interned text. Numbers are not interned, because they
 * seldom repeat. */
static void note_rendered(struct txtap_exporter *self, struct note *note, const struct value *value)
{
    char room[LINE_ROOM_BYTES];
    struct line line;

    line_start(&line, room);
    value_write(value, &line);
    *line.at = '\0';
    note->kind = value_is_number(value) ? NOTE_TEXT : NOTE_TEXT_NUMBER;
    if (note->kind == NOTE_TEXT)
        snprintf(note->text, sizeof note->text, "%.63s", room);
    else
        note->number = perfetto_text(self, INTERNED_STRING, room);
}

static void note_value(struct txtap_exporter *self, struct note *note, const struct value *value)
{
    bool scaled = value_is_number(value) && value->field->format != NULL && value->field->format->decimals > 0;

    note->number = value->number;
    if (value->form == VALUE_NAME || value->form == VALUE_WORD) {
        note->kind = NOTE_TEXT_NUMBER;
        note->number = perfetto_placed_text(self, INTERNED_STRING, value->text);
    } else if (value->form == VALUE_NUMBER && !scaled)
        note->kind = NOTE_UINT;
    else if (value->form == VALUE_SIGNED && !scaled) {
        note->kind = NOTE_INT;
        note->number = (uint64_t)(int64_t)(int32_t)value->number;
    } else if (value->form == VALUE_ADDRESS || value->form == VALUE_HEX)
        note->kind = NOTE_POINTER;
    else
        note_rendered(self, note, value);
}

/* Collects the event's fields. Leaves out stack pointers, which few users need, unless the options request them. */
static size_t collect_notes(struct txtap_exporter *self, const struct txtap_event *event,
                            const struct txtap_event_info *info, struct note notes[static 4])
{
    size_t count = 0;

    if (!exporter_shows_all(self, TXTAP_COLUMN_FIELDS))
        return 0;
    for (size_t i = 0; i < 4; i++) {
        struct note *note = &notes[count];
        struct value value;
        const char *label;

        if (!value_of_word(self->registry, event, info, i, &label, &value) || value.form == VALUE_NOTHING)
            continue;
        if (!self->options.wide && value.form == VALUE_ADDRESS && strcmp(label, "stack") == 0)
            continue;
        exporter_name_function(self, &value);
        note->label_number = perfetto_placed_text(self, INTERNED_LABEL, label);
        note_value(self, note, &value);
        count++;
    }
    return count;
}

static void write_note(struct packet *packet, const struct note *note)
{
    uint8_t *begin = protobuf_open(&packet->message, EVENT_NOTE);

    protobuf_number(&packet->message, NOTE_LABEL_NUMBER, note->label_number);
    if (note->kind == NOTE_TEXT)
        protobuf_text(&packet->message, NOTE_TEXT, note->text);
    else
        protobuf_number(&packet->message, note->kind, note->number);
    protobuf_close(&packet->message, begin);
}

static void write_consequences(struct packet *packet, const struct perfetto_held *held)
{
    for (size_t i = 0; i < held->counter_count; i++) {
        protobuf_number(&packet->message, EVENT_COUNTER_TRACK, held->counters[i].track);
        protobuf_number(&packet->message, EVENT_COUNTER_VALUE, held->counters[i].value);
    }
    for (size_t i = 0; i < held->flow_count; i++)
        protobuf_fixed64(&packet->message, EVENT_FLOW, held->flows[i]);
}

/* Finds the track on which the event is shown. The event's context decides. */
static enum txtap_status find_track(struct txtap_exporter *self, const struct perfetto_held *held, uint64_t *track)
{
    if (held->event.context == TXTAP_CONTEXT_INIT) {
        *track = TRACK_INIT;
        return TXTAP_OK;
    }
    if (held->thread != TXTAP_CHANGE_NONE) {
        *track = track_of(ROW_THREAD, held->thread);
        return TXTAP_OK;
    }
    *track = track_of(ROW_INTERRUPTS, held->event.core);
    return perfetto_describe_interrupts(self, held->event.core);
}

static uint64_t event_name(struct txtap_exporter *self, const struct txtap_event *event,
                           const struct txtap_event_info *info)
{
    char unknown[32];

    if (info != NULL)
        return perfetto_placed_text(self, INTERNED_EVENT, info->name);
    snprintf(unknown, sizeof unknown, "event %u", (unsigned)event->id);
    return perfetto_text(self, INTERNED_EVENT, unknown);
}

/* Writes the waiting event, if there is one. */
static enum txtap_status write_held(struct txtap_exporter *self)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_held *held = &perfetto->held;
    const struct txtap_event_info *info;
    enum txtap_status status;
    struct note notes[4];
    struct packet packet;
    uint64_t name, track;
    size_t count;
    uint8_t *begin;

    if (!held->any)
        return TXTAP_OK;
    held->any = false;
    status = find_track(self, held, &track);
    if (status != TXTAP_OK)
        return status;
    info = exporter_words(self, held->event.id)->info;
    name = event_name(self, &held->event, info);
    count = collect_notes(self, &held->event, info, notes);
    packet_begin_at(self, &packet, held->ns);
    begin = track_event_open(&packet, TRACK_INSTANT, track);
    protobuf_number(&packet.message, EVENT_NAME_NUMBER, name);
    for (size_t i = 0; i < count; i++)
        write_note(&packet, &notes[i]);
    write_consequences(&packet, held);
    protobuf_close(&packet.message, begin);
    status = packet_end(self, &packet);
    if (status != TXTAP_OK || info == NULL || info->definition == NULL)
        return status;
    return perfetto_write_defined(self, &held->event, info->definition, held->ns);
}

/* ---- gaps, and the end: all slices end, and the cores run "(lost events)" ---- */

/* Ends all states and slices. */
static enum txtap_status stop_all(struct txtap_exporter *self, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = TXTAP_OK;

    for (uint32_t i = 0; i < self->changes.limits.threads && status == TXTAP_OK; i++)
        status = perfetto_stop_thread(self, i, ns);
    for (uint32_t i = 0; i < TXTAP_CORES_MAX; i++)
        for (; perfetto->cores[i].depth > 0 && status == TXTAP_OK; perfetto->cores[i].depth--)
            status = perfetto_track_event(self, TRACK_END, track_of(ROW_INTERRUPTS, i), ns, 0);
    return status == TXTAP_OK ? perfetto_stop_defined(self, ns) : status;
}

/* Shows on each core's track that the running thread is unknown from now on, or is known again. */
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
    enum txtap_status status = write_held(self);
    uint64_t ns = perfetto_advance(self, change->ticks);

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
    uint64_t text;
    char name[64];

    if (gap->lost == 0) /* the target was reset, or the firmware recorded no events for a while */
        snprintf(name, sizeof name, "events may be missing");
    else
        snprintf(name, sizeof name, "%s%" PRIu64 " event%s lost", gap->exact ? "" : "at least ", gap->lost,
                 gap->lost == 1 ? "" : "s");
    text = perfetto_text(self, INTERNED_EVENT, name);
    if (!perfetto->in_gap)
        return perfetto_track_event(self, TRACK_INSTANT, TRACK_LOST, ns, text);
    status = perfetto_track_event(self, TRACK_BEGIN, TRACK_LOST, perfetto->gap_ns, text);
    return status == TXTAP_OK ? perfetto_track_event(self, TRACK_END, TRACK_LOST, ns, 0) : status;
}

static enum txtap_status take_gap_end(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = write_held(self);
    uint64_t ns = perfetto_advance(self, change->ticks);

    if (status == TXTAP_OK)
        status = write_gap(self, &change->gap, ns);
    if (status == TXTAP_OK && perfetto->in_gap)
        status = write_lost(self, TASK_SLEEPS, ns);
    perfetto->in_gap = false;
    return status;
}

/* Writes the names of threads again, because names may arrive after a thread's last event. */
static enum txtap_status name_all(struct txtap_exporter *self, uint64_t seq)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = TXTAP_OK;

    for (uint32_t i = 0; i < self->changes.limits.threads && status == TXTAP_OK; i++)
        if (perfetto->threads[i].name.written)
            status = perfetto_describe_thread(
                self, (struct txtap_change_party){i, perfetto->threads[i].address, TXTAP_OBJECT_THREAD}, seq);
    return status;
}

static enum txtap_status take_end(struct txtap_exporter *self, const struct txtap_change *change)
{
    enum txtap_status status = write_held(self);

    if (status == TXTAP_OK)
        status = name_all(self, change->seq);
    if (status == TXTAP_OK)
        status = stop_all(self, perfetto_advance(self, change->ticks));
    return status == TXTAP_OK ? perfetto_stop_samples(self, perfetto_ns(self, change->ticks)) : status;
}

/* Returns true if the trace shows only the effect of this event (tx_trace.h: TX_TRACE_THREAD_SUSPEND, ISR_ENTER,
 * ISR_EXIT). */
static bool is_shown_otherwise(uint32_t id)
{
    return id == 2 || id == 3 || id == 4;
}

/* ---- events, interrupts, objects ---- */

static enum txtap_status take_event(struct txtap_exporter *self, const struct txtap_change *change)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_held *held = &perfetto->held;
    enum txtap_status status = write_held(self);

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
    char text[32 + TXTAP_DEFINITION_NAME_MAX];
    const char *name;

    txtap_interrupts_see(&self->interrupts, number);
    name = txtap_interrupts_name(&self->interrupts, number);
    if (known->text == 0 || known->number != number || known->name != name) {
        snprintf(text, sizeof text, "ISR %" PRIu32 "%s%s", number, name != NULL ? " " : "", name != NULL ? name : "");
        *known = (struct perfetto_interrupt){number, name, perfetto_text(self, INTERNED_EVENT, text)};
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
        [TXTAP_CHANGE_EVENT] = take_event,
        [TXTAP_CHANGE_STATE] = perfetto_state,
        [TXTAP_CHANGE_PAST] = perfetto_state,
        [TXTAP_CHANGE_WAKE] = perfetto_wake,
        [TXTAP_CHANGE_PRIORITY] = perfetto_priority,
        [TXTAP_CHANGE_ISR_ENTER] = take_isr,
        [TXTAP_CHANGE_ISR_EXIT] = take_isr,
        [TXTAP_CHANGE_COUNTER] = take_counter,
        [TXTAP_CHANGE_GAP] = take_gap,
        [TXTAP_CHANGE_GAP_END] = take_gap_end,
        [TXTAP_CHANGE_END] = take_end,
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
    perfetto->ticks = UINT64_MAX; /* no time was converted yet */
    return perfetto_begin(self);
}

static enum txtap_status end(struct txtap_exporter *self)
{
    enum txtap_status status = exporter_changes_end(self), flushed = txtap_exporter_flush(self);

    return status == TXTAP_OK ? flushed : status;
}

const struct txtap_exporter_ops perfetto_ops = {
    .name = "perfetto",
    .use = "for ui.perfetto.dev",
    .begin = begin,
    .event = exporter_changes_event,
    .gap = exporter_changes_gap,
    .mark = perfetto_mark,
    .sample = perfetto_sample,
    .end = end,
    .binary = true,
    .change = perfetto_change,
    .state_bytes = state_bytes,
};
