/* SPDX-License-Identifier: MIT */
/* The packets of a file for Perfetto, and who is who in it. */
#include <stdio.h>
#include <string.h>

#include "format/perfetto.h"

enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_DESCRIPTOR = 60,
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

/* ---- texts ---- */

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
    uint32_t hash = hash_of(text) + (uint32_t)kind;
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

/* ---- tracks ---- */

static uint8_t *describe_open(struct txtap_exporter *self, struct packet *packet, uint64_t track)
{
    uint8_t *descriptor;

    packet_begin(self, packet, PACKET_TIMELESS, 0);
    descriptor = protobuf_open(&packet->message, PACKET_DESCRIPTOR);
    protobuf_number(&packet->message, 1, track);
    return descriptor;
}

static enum txtap_status describe_close(struct txtap_exporter *self, struct packet *packet, uint8_t *descriptor)
{
    protobuf_close(&packet->message, descriptor);
    return packet_end(self, packet);
}

static enum txtap_status describe(struct txtap_exporter *self, uint64_t track, const char *name)
{
    struct packet packet;
    uint8_t *descriptor = describe_open(self, &packet, track);

    protobuf_text(&packet.message, 2, name);
    protobuf_number(&packet.message, 5, TRACK_PROCESS);
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

static enum txtap_status write_first(struct txtap_exporter *self)
{
    struct packet packet;

    packet_open(self, &packet);
    protobuf_number(&packet.message, PACKET_SEQUENCE, SEQUENCE);
    protobuf_number(&packet.message, PACKET_FLAGS, FLAG_TEXTS_CLEARED | FLAG_NEEDS_TEXTS);
    protobuf_number(&packet.message, PACKET_FIRST, 1);
    return packet_end(self, &packet);
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
    enum txtap_status status = write_first(self);

    if (status == TXTAP_OK)
        status = describe_process(self);
    for (size_t i = 0; i < sizeof tracks / sizeof *tracks && status == TXTAP_OK; i++)
        status = describe(self, tracks[i].track, tracks[i].name);
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
    return describe(self, TRACK_CORES + core, name);
}

/* ---- threads and objects ---- */

const char *perfetto_name(const struct txtap_exporter *self, struct txtap_change_party party, uint64_t seq, char *room)
{
    const struct txtap_object *object = txtap_registry_find_at(self->registry, party.address, party.type, seq);

    if (object != NULL && object->name[0] != '\0')
        return object->name;
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
    const char *name = perfetto_name(self, thread, seq, room);
    uint32_t hash = hash_of(name);

    if (row->described && row->name_hash == hash)
        return TXTAP_OK;
    row->described = true;
    row->name_hash = hash;
    row->address = thread.address;
    return describe_task(self, thread_track(thread.number), thread.number + 1, name, row->priority);
}

enum txtap_status perfetto_describe_lost(struct txtap_exporter *self, uint32_t core)
{
    struct perfetto *perfetto = self->changes.state;

    if (perfetto->cores[core].lost_described)
        return TXTAP_OK;
    perfetto->cores[core].lost_described = true;
    return describe_task(self, TRACK_LOST_TASKS + core, TASK_LOST + core, "(lost events)", UINT16_MAX);
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
    struct packet packet;
    uint8_t *descriptor, *counter;
    uint32_t hash;

    snprintf(name, sizeof name, "%s %s", type != NULL ? type : "object", perfetto_name(self, object, seq, room));
    hash = hash_of(name);
    if (row->described && row->name_hash == hash)
        return TXTAP_OK;
    row->described = true;
    row->name_hash = hash;
    descriptor = describe_open(self, &packet, object_track(object.number));
    protobuf_text(&packet.message, 2, name);
    protobuf_number(&packet.message, 5, TRACK_OBJECTS);
    counter = protobuf_open(&packet.message, 8);
    protobuf_text(&packet.message, 6, unit_of(object.type));
    protobuf_close(&packet.message, counter);
    return describe_close(self, &packet, descriptor);
}
