/* SPDX-License-Identifier: MIT */
/* The packets of a file for Perfetto, and texts that are written once. */
#include <string.h>

#include "format/perfetto.h"

enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_FIRST = 87,
    PACKET_TASK_STATE = 117,
};
enum { FLAG_TEXTS_CLEARED = 1, FLAG_NEEDS_TEXTS = 2 };

#define SEQUENCE 1

/* ---- packets ---- */

static void packet_open(struct txtap_exporter *self, struct packet *packet)
{
    exporter_line_start(self, &packet->line);
    packet->message = (struct protobuf){(uint8_t *)packet->line.at, (uint8_t *)packet->line.end};
    packet->begin = protobuf_open(&packet->message, TRACE_PACKET);
}

void packet_begin(struct txtap_exporter *self, struct packet *packet, enum packet_kind kind, uint64_t ns)
{
    packet_open(self, packet);
    if (kind != PACKET_TIMELESS)
        protobuf_number(&packet->message, PACKET_TIMESTAMP, ns);
    protobuf_number(&packet->message, PACKET_SEQUENCE, SEQUENCE);
    if (kind != PACKET_TIMED)
        protobuf_number(&packet->message, PACKET_FLAGS, FLAG_NEEDS_TEXTS);
}

enum txtap_status packet_end(struct txtap_exporter *self, struct packet *packet)
{
    protobuf_close(&packet->message, packet->begin);
    packet->line.at = (char *)packet->message.at;
    return exporter_line_end(self, &packet->line, "");
}

enum txtap_status perfetto_first(struct txtap_exporter *self)
{
    struct packet packet;

    packet_open(self, &packet);
    protobuf_number(&packet.message, PACKET_SEQUENCE, SEQUENCE);
    protobuf_number(&packet.message, PACKET_FLAGS, FLAG_TEXTS_CLEARED | FLAG_NEEDS_TEXTS);
    protobuf_number(&packet.message, PACKET_FIRST, 1);
    return packet_end(self, &packet);
}

/* ---- texts ---- */

uint32_t perfetto_hash(const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

static void write_text(struct txtap_exporter *self, const struct interned *slot)
{
    struct packet packet;
    uint8_t *texts, *entry;

    packet_begin(self, &packet, PACKET_TIMELESS, 0);
    texts = protobuf_open(&packet.message, PACKET_INTERNED);
    entry = protobuf_open(&packet.message, slot->kind);
    protobuf_number(&packet.message, 1, slot->number);
    protobuf_text(&packet.message, 2, slot->text);
    protobuf_close(&packet.message, entry);
    protobuf_close(&packet.message, texts);
    (void)packet_end(self, &packet); /* the packet that uses it fails, too */
}

uint64_t perfetto_text(struct txtap_exporter *self, enum interned_kind kind, const char *text)
{
    struct perfetto *perfetto = self->changes.state;
    uint32_t hash = perfetto_hash(text) + (uint32_t)kind;
    struct interned *slot = &perfetto->interned[(hash ^ hash >> 16) % INTERNED];
    size_t length = strlen(text);

    if (length >= INTERNED_BYTES)
        return 0;
    if (slot->number != 0 && slot->hash == hash && slot->kind == kind && memcmp(slot->text, text, length + 1) == 0)
        return slot->number;
    *slot = (struct interned){.number = ++perfetto->texts, .hash = hash, .kind = (uint8_t)kind};
    memcpy(slot->text, text, length + 1);
    write_text(self, slot);
    return slot->number;
}

/* ---- track events, states ---- */

uint8_t *track_event_open(struct packet *packet, enum track_event_type type, uint64_t track)
{
    uint8_t *event = protobuf_open(&packet->message, PACKET_TRACK_EVENT);

    protobuf_number(&packet->message, 9, type);
    protobuf_number(&packet->message, 11, track);
    return event;
}

enum txtap_status perfetto_track_event(struct txtap_exporter *self, enum track_event_type type, uint64_t track,
                                       uint64_t ns, const char *name)
{
    uint64_t number = name != NULL ? perfetto_text(self, INTERNED_EVENT, name) : 0;
    struct packet packet;
    uint8_t *event;

    packet_begin(self, &packet, name != NULL ? PACKET_TIMED_TEXTS : PACKET_TIMED, ns);
    event = track_event_open(&packet, type, track);
    if (number != 0)
        protobuf_number(&packet.message, 10, number);
    else if (name != NULL)
        protobuf_text(&packet.message, 23, name);
    protobuf_close(&packet.message, event);
    return packet_end(self, &packet);
}

enum txtap_status perfetto_counter(struct txtap_exporter *self, uint64_t track, uint64_t ns, uint64_t value)
{
    struct packet packet;
    uint8_t *event;

    packet_begin(self, &packet, PACKET_TIMED, ns);
    event = track_event_open(&packet, TRACK_COUNTER, track);
    protobuf_number(&packet.message, 30, value);
    protobuf_close(&packet.message, event);
    return packet_end(self, &packet);
}

enum txtap_status perfetto_task(struct txtap_exporter *self, uint64_t ns, uint64_t task, enum task_state state,
                                uint32_t core, uint32_t priority)
{
    struct packet packet;
    uint8_t *event;

    packet_begin(self, &packet, PACKET_TIMED, ns);
    event = protobuf_open(&packet.message, PACKET_TASK_STATE);
    protobuf_number(&packet.message, 1, core);
    protobuf_number(&packet.message, 3, task);
    protobuf_number(&packet.message, 4, state);
    protobuf_number(&packet.message, 5, priority);
    protobuf_close(&packet.message, event);
    return packet_end(self, &packet);
}
