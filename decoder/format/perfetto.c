/* SPDX-License-Identifier: MIT */
/*
 * A trace for ui.perfetto.dev: threads with their states, what they wait for, interrupts, events, counters, wake-ups.
 * A file is packets behind each other, and can be opened wherever it is cut. States are those of a generic kernel
 * (protos/perfetto/trace/generic_kernel/), everything else is track events.
 */
#include "format/perfetto.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "format/value.h"

/* ---- slices and counters of the definitions: each has a track of its own, so they may overlap ---- */

enum { EVENT_COUNTER_DOUBLE = 44 };

/* The field that shows the word, for its unit. NULL: the text does not show it. */
static const struct txtap_definition_part *part_of(const struct txtap_definition *definition)
{
    for (size_t i = 0; i < definition->part_count; i++)
        if (definition->part[i].word == definition->row.word)
            return &definition->part[i];
    return NULL;
}

static enum txtap_status describe(struct txtap_exporter *self, const struct txtap_definition *definition,
                                  uint64_t track)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_defined *row = &perfetto->defined[definition->row.number];
    const struct txtap_definition_part *part = part_of(definition);
    const char *unit = NULL;

    if (row->described)
        return TXTAP_OK;
    row->described = true;
    if (definition->row.role == TXTAP_DEFINITION_COUNTER)
        unit = part != NULL ? part->format.unit : "";
    return perfetto_describe(self, track, definition->row.name, unit);
}

/* The value where it is no whole number. False: it is one. */
static bool fraction_of(const struct txtap_definition_part *part, uint32_t word, double *value)
{
    float number;

    if (part == NULL || (part->field.kind != TXTAP_FIELD_FLOAT && part->format.decimals == 0))
        return false;
    memcpy(&number, &word, sizeof number);
    *value = part->field.kind == TXTAP_FIELD_FLOAT    ? (double)number
             : part->field.kind == TXTAP_FIELD_SIGNED ? (double)(int32_t)word
                                                      : (double)word;
    for (unsigned i = 0; i < part->format.decimals; i++)
        *value /= 10;
    return true;
}

static enum txtap_status write_value(struct txtap_exporter *self, const struct txtap_definition *definition,
                                     uint32_t word, uint64_t track, uint64_t ns)
{
    const struct txtap_definition_part *part = part_of(definition);
    struct packet packet;
    uint64_t bits;
    uint8_t *event;
    double value;

    if (!fraction_of(part, word, &value))
        return perfetto_counter(
            self, track, ns,
            part != NULL && part->field.kind == TXTAP_FIELD_SIGNED ? (uint64_t)(int64_t)(int32_t)word : word);
    if (!isfinite(value))
        return TXTAP_OK; /* no graph has a place for it; the event shows it */
    memcpy(&bits, &value, sizeof bits);
    packet_begin_at(self, &packet, ns);
    event = track_event_open(&packet, TRACK_COUNTER, track);
    protobuf_fixed64(&packet.message, EVENT_COUNTER_DOUBLE, bits);
    protobuf_close(&packet.message, event);
    return packet_end(self, &packet);
}

/* What the event is besides an event. */
static enum txtap_status write_defined(struct txtap_exporter *self, const struct txtap_event *event,
                                       const struct txtap_definition *definition, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    uint64_t track = track_of(ROW_DEFINED, definition->row.number);
    struct perfetto_defined *row = &perfetto->defined[definition->row.number];
    enum txtap_status status;

    if (definition->row.role == TXTAP_DEFINITION_PLAIN)
        return TXTAP_OK;
    status = describe(self, definition, track);
    if (status != TXTAP_OK)
        return status;
    if (definition->row.role == TXTAP_DEFINITION_COUNTER)
        return write_value(self, definition, event->info[definition->row.word], track, ns);
    if (definition->row.role == TXTAP_DEFINITION_BEGIN) {
        uint64_t text = perfetto_placed_text(self, INTERNED_EVENT, definition->row.name);

        row->depth++;
        return perfetto_track_event(self, TRACK_BEGIN, track, ns, text);
    }
    if (row->depth == 0)
        return TXTAP_OK; /* its beginning was lost, or is not shown */
    row->depth--;
    return perfetto_track_event(self, TRACK_END, track, ns, 0);
}

/* All slices end. */
static enum txtap_status stop_defined(struct txtap_exporter *self, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = TXTAP_OK;

    for (uint32_t i = 0; i < TXTAP_DEFINITION_ROWS_MAX; i++)
        for (; perfetto->defined[i].depth > 0 && status == TXTAP_OK; perfetto->defined[i].depth--)
            status = perfetto_track_event(self, TRACK_END, track_of(ROW_DEFINED, i), ns, 0);
    return status;
}

/* ---- an event as an instant on the track of its thread, with its fields, and with what follows from it ---- */

/* Fields of a debug annotation, and of a track event. */
enum { NOTE_LABEL_NUMBER = 1 };
enum note_value { NOTE_UINT = 3, NOTE_INT = 4, NOTE_TEXT = 6, NOTE_POINTER = 7, NOTE_TEXT_NUMBER = 17 };
enum { EVENT_NOTE = 4, EVENT_NAME_NUMBER = 10, EVENT_COUNTER_VALUE = 12, EVENT_COUNTER_TRACK = 31, EVENT_FLOW = 47 };

struct note {
    uint64_t label_number;
    enum note_value kind;
    uint64_t number;
    char text[64]; /* if kind is TEXT */
};

/* Numbers hardly come again; other texts do. */
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

/* The event's fields. Stack pointers, which hardly anybody looks for, only if options say so. */
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

/* The track on which an event of that context is shown. */
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

/* Writes the event that waits, if there is one. */
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
    return write_defined(self, &held->event, info->definition, held->ns);
}

/* ---- gaps, and the end: nothing goes on, and "(lost events)" has the cores ---- */

/* All that goes on ends. */
static enum txtap_status stop_all(struct txtap_exporter *self, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = TXTAP_OK;

    for (uint32_t i = 0; i < self->changes.limits.threads && status == TXTAP_OK; i++)
        status = perfetto_stop_thread(self, i, ns);
    for (uint32_t i = 0; i < TXTAP_CORES_MAX; i++)
        for (; perfetto->cores[i].depth > 0 && status == TXTAP_OK; perfetto->cores[i].depth--)
            status = perfetto_track_event(self, TRACK_END, track_of(ROW_INTERRUPTS, i), ns, 0);
    return status == TXTAP_OK ? stop_defined(self, ns) : status;
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

    if (gap->lost == 0) /* a reset, or the firmware recorded none for a while */
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

/* Names may arrive behind the last event of a thread. */
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
    return status == TXTAP_OK ? stop_all(self, perfetto_advance(self, change->ticks)) : status;
}

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
    .use = "for ui.perfetto.dev",
    .begin = begin,
    .event = exporter_changes_event,
    .gap = exporter_changes_gap,
    .mark = perfetto_mark,
    .end = end,
    .binary = true,
    .change = perfetto_change,
    .state_bytes = state_bytes,
};
