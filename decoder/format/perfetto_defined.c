/* SPDX-License-Identifier: MIT */
/* Slices and counters of the definitions in a file for Perfetto. Each has a track of its own, so they may overlap. */
#include <math.h>
#include <string.h>

#include "format/perfetto.h"

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

enum txtap_status perfetto_defined(struct txtap_exporter *self, const struct txtap_event *event,
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

enum txtap_status perfetto_stop_defined(struct txtap_exporter *self, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    enum txtap_status status = TXTAP_OK;

    for (uint32_t i = 0; i < TXTAP_DEFINITION_ROWS_MAX; i++)
        for (; perfetto->defined[i].depth > 0 && status == TXTAP_OK; perfetto->defined[i].depth--)
            status = perfetto_track_event(self, TRACK_END, track_of(ROW_DEFINED, i), ns, 0);
    return status;
}
