/* SPDX-License-Identifier: MIT */
/* An event as an instant on the track of its thread, with its fields, and with what follows from it. */
#include <stdio.h>
#include <string.h>

#include "format/perfetto.h"
#include "format/value.h"

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

enum txtap_status perfetto_write_held(struct txtap_exporter *self)
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
    return perfetto_defined(self, &held->event, info->definition, held->ns);
}
