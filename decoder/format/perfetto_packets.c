/* SPDX-License-Identifier: MIT */
/* The packets of a file for Perfetto. Each says how much later it is than the one before, which takes fewer bytes. */
#include "format/perfetto.h"

#include <string.h>

#include "base/text.h"

enum { TRACE_PACKET = 1 };
enum {
    PACKET_CLOCKS = 6,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_FLAGS = 13,
    PACKET_CLOCK = 58,
    PACKET_DEFAULTS = 59,
    PACKET_FIRST = 87,
    PACKET_TASK_STATE = 117,
};
enum { CLOCKS_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME = 2, CLOCK_IS_INCREMENTAL = 3 };
enum { CLOCK_ABSOLUTE = 6 /* Perfetto's own */, CLOCK_LATER = 64 /* the first one that a file can define */ };
enum { FLAG_TEXTS_CLEARED = 1, FLAG_NEEDS_TEXTS = 2 };

#define SEQUENCE 1

void packet_begin(struct txtap_exporter *self, struct packet *packet)
{
    exporter_line_start(self, &packet->line);
    packet->message = (struct protobuf){(uint8_t *)packet->line.at, (uint8_t *)packet->line.end};
    packet->begin = protobuf_open(&packet->message, TRACE_PACKET);
    protobuf_number(&packet->message, PACKET_SEQUENCE, SEQUENCE);
}

void packet_begin_at(struct txtap_exporter *self, struct packet *packet, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;

    packet_begin(self, packet);
    if (ns >= perfetto->packet_ns) {
        protobuf_number(&packet->message, PACKET_TIMESTAMP, ns - perfetto->packet_ns);
        perfetto->packet_ns = ns;
        return;
    }
    protobuf_number(&packet->message, PACKET_TIMESTAMP, ns);
    protobuf_number(&packet->message, PACKET_CLOCK, CLOCK_ABSOLUTE);
}

enum txtap_status packet_end(struct txtap_exporter *self, struct packet *packet)
{
    protobuf_close(&packet->message, packet->begin);
    packet->line.at = (char *)packet->message.at;
    return exporter_line_end(self, &packet->line, "");
}

/* Both clocks are 0 at the beginning. */
static void write_clock(struct protobuf *message, unsigned id)
{
    uint8_t *clock = protobuf_open(message, CLOCKS_CLOCK);

    protobuf_number(message, CLOCK_ID, id);
    protobuf_number(message, CLOCK_TIME, 0);
    if (id == CLOCK_LATER)
        protobuf_number(message, CLOCK_IS_INCREMENTAL, 1);
    protobuf_close(message, clock);
}

enum txtap_status perfetto_first(struct txtap_exporter *self)
{
    struct packet packet;
    uint8_t *part;

    packet_begin(self, &packet);
    protobuf_number(&packet.message, PACKET_FLAGS, FLAG_TEXTS_CLEARED | FLAG_NEEDS_TEXTS);
    protobuf_number(&packet.message, PACKET_FIRST, 1);
    part = protobuf_open(&packet.message, PACKET_DEFAULTS);
    protobuf_number(&packet.message, PACKET_CLOCK, CLOCK_LATER);
    protobuf_close(&packet.message, part);
    part = protobuf_open(&packet.message, PACKET_CLOCKS);
    write_clock(&packet.message, CLOCK_ABSOLUTE);
    write_clock(&packet.message, CLOCK_LATER);
    protobuf_close(&packet.message, part);
    return packet_end(self, &packet);
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
                                       uint64_t ns, uint64_t name)
{
    struct packet packet;
    uint8_t *event;

    packet_begin_at(self, &packet, ns);
    event = track_event_open(&packet, type, track);
    if (name != 0)
        protobuf_number(&packet.message, 10, name);
    protobuf_close(&packet.message, event);
    return packet_end(self, &packet);
}

enum txtap_status perfetto_counter(struct txtap_exporter *self, uint64_t track, uint64_t ns, uint64_t value)
{
    struct packet packet;
    uint8_t *event;

    packet_begin_at(self, &packet, ns);
    event = track_event_open(&packet, TRACK_COUNTER, track);
    protobuf_number(&packet.message, 30, value);
    protobuf_close(&packet.message, event);
    return packet_end(self, &packet);
}

/* Perfetto reads the priority only where a thread gets a core, and a core that is left out as 0. */
enum txtap_status perfetto_task(struct txtap_exporter *self, uint64_t ns, uint64_t task, enum task_state state,
                                uint32_t core, uint32_t priority)
{
    struct packet packet;
    uint8_t *event;

    packet_begin_at(self, &packet, ns);
    event = protobuf_open(&packet.message, PACKET_TASK_STATE);
    if (core != 0)
        protobuf_number(&packet.message, 1, core);
    protobuf_number(&packet.message, 3, task);
    protobuf_number(&packet.message, 4, state);
    if (state == TASK_RUNNING)
        protobuf_number(&packet.message, 5, priority);
    protobuf_close(&packet.message, event);
    return packet_end(self, &packet);
}

/* ---- texts, which are written once and then are numbers ---- */

enum { PACKET_TEXTS = 12, TEXT_NUMBER = 1, TEXT_BYTES = 2 };

static uint32_t hash_of(const char *text)
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

    packet_begin(self, &packet);
    texts = protobuf_open(&packet.message, PACKET_TEXTS);
    entry = protobuf_open(&packet.message, slot->kind);
    protobuf_number(&packet.message, TEXT_NUMBER, slot->number);
    protobuf_text(&packet.message, TEXT_BYTES, slot->text);
    protobuf_close(&packet.message, entry);
    protobuf_close(&packet.message, texts);
    (void)packet_end(self, &packet); /* the packet that uses it fails, too */
}

/* Copies what fits, cut between two characters. Bytes that are no characters are cut anywhere. */
static void copy_text(char room[static INTERNED_BYTES], const char *text)
{
    size_t used = 0, bytes;

    for (; text[used] != '\0'; used += bytes) {
        bytes = utf8_length(text + used);
        bytes = bytes > 0 ? bytes : 1;
        if (used + bytes >= INTERNED_BYTES)
            break;
    }
    memcpy(room, text, used);
    room[used] = '\0';
}

uint64_t perfetto_text(struct txtap_exporter *self, enum interned_kind kind, const char *text)
{
    struct perfetto *perfetto = self->changes.state;
    char cut[INTERNED_BYTES];
    struct interned *slot;
    uint32_t hash;

    if (strlen(text) >= INTERNED_BYTES) {
        copy_text(cut, text);
        text = cut;
    }
    hash = hash_of(text) + (uint32_t)kind;
    slot = &perfetto->interned[(hash ^ hash >> 16) % INTERNED];
    if (slot->number != 0 && slot->hash == hash && slot->kind == kind && strcmp(slot->text, text) == 0)
        return slot->number;
    *slot = (struct interned){.number = ++perfetto->texts, .hash = hash, .kind = (uint8_t)kind};
    memcpy(slot->text, text, strlen(text) + 1);
    write_text(self, slot);
    return slot->number;
}

uint64_t perfetto_placed_text(struct txtap_exporter *self, enum interned_kind kind, const char *text)
{
    struct perfetto *perfetto = self->changes.state;
    uintptr_t address = (uintptr_t)text;
    struct placed *slot = &perfetto->placed[(address ^ address >> 10) % PLACED];

    if (slot->text != text || slot->kind != kind || slot->generation != self->registry->generation)
        *slot = (struct placed){.text = text,
                                .number = perfetto_text(self, kind, text),
                                .generation = self->registry->generation,
                                .kind = (uint8_t)kind};
    return slot->number;
}
