/* SPDX-License-Identifier: MIT */
/* Who is who in a file for Perfetto: the process, threads, interrupts, and objects as counters. */
#include <stdio.h>

#include "format/perfetto.h"

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

bool perfetto_renamed(const struct txtap_exporter *self, struct perfetto_name *name, struct txtap_change_party party,
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

const char *perfetto_name(const struct perfetto_name *name, struct txtap_change_party party, char *room)
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
    if (!perfetto_renamed(self, &row->name, thread, seq))
        return TXTAP_OK;
    return describe_task(self, track_of(ROW_THREAD, thread.number), (uint64_t)thread.number + 1,
                         perfetto_name(&row->name, thread, room), row->priority);
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

    if (!perfetto_renamed(self, &row->name, object, seq))
        return TXTAP_OK;
    snprintf(name, sizeof name, "%s %s", type != NULL ? type : "object", perfetto_name(&row->name, object, room));
    return describe_child(self, track_of(ROW_OBJECT, object.number), name, unit_of(object.type), TRACK_OBJECTS);
}
