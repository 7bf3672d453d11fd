/* SPDX-License-Identifier: MIT */
/*
 * The packets of a file for Perfetto. Each time is relative to the time of the preceding packet, because this takes
 * fewer bytes. Descriptions exist for the process, threads, interrupts, counters of objects, and slices and counters
 * from the definitions.
 */
#include "format/perfetto.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "txtap/inner/change.h"
#include "txtap/inner/user_value.h"

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
enum { CLOCK_ABSOLUTE = 6 /* Perfetto's own */, CLOCK_LATER = 64 /* the first id that a file can define */ };
enum { FLAG_TEXTS_CLEARED = 1, FLAG_NEEDS_TEXTS = 2 };

#define SEQUENCE 1

/* ---- times ---- */

#define NS_PER_S 1000000000u
#define NS_MAX   (UINT64_C(1) << 62) /* Perfetto's times are signed */

/* Returns the first whole nanosecond of the tick. A reader can compute the tick from this time. */
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

uint64_t perfetto_ns(struct txtap_exporter *self, uint64_t ticks)
{
    struct perfetto *perfetto = self->changes.state;

    if (ticks != perfetto->ticks) {
        perfetto->ticks = ticks;
        perfetto->ns = compute_ns(self, ticks);
    }
    return perfetto->ns;
}

/* ---- packets ---- */

static void packet_begin(struct txtap_exporter *self, struct packet *packet)
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

/* Writes a clock in the first packet. Both clocks are 0 at the start of the trace. */
static void write_clock(struct protobuf *message, unsigned id)
{
    uint8_t *clock = protobuf_open(message, CLOCKS_CLOCK);

    protobuf_number(message, CLOCK_ID, id);
    protobuf_number(message, CLOCK_TIME, 0);
    if (id == CLOCK_LATER)
        protobuf_number(message, CLOCK_IS_INCREMENTAL, 1);
    protobuf_close(message, clock);
}

/* Writes the first packet. */
static enum txtap_status perfetto_first(struct txtap_exporter *self)
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

enum { EVENT_COUNTER_DOUBLE = 44 };

enum txtap_status perfetto_counter_double(struct txtap_exporter *self, uint64_t track, uint64_t ns, double value)
{
    struct packet packet;
    uint8_t *event;

    packet_begin_at(self, &packet, ns);
    event = track_event_open(&packet, TRACK_COUNTER, track);
    protobuf_fixed64(&packet.message, EVENT_COUNTER_DOUBLE, txtap_sample_bits(value));
    protobuf_close(&packet.message, event);
    return packet_end(self, &packet);
}

/* Writes a state. Perfetto uses the priority only if a thread gets a core. If the core is missing, Perfetto assumes
 * core 0. */
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

/* ---- texts: each text is written once, and packets refer to it by a number ---- */

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
    (void)packet_end(self, &packet); /* if it fails, the packet that uses the text fails, too */
}

/* Copies the text. A long text is cut between two characters. Bytes that are not UTF-8 may be cut at any place. */
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

/* ---- descriptions ---- */

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

enum txtap_status perfetto_describe_child(struct txtap_exporter *self, uint64_t track, const char *name,
                                          const char *unit, uint64_t parent)
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
    return perfetto_describe_child(self, track, name, unit, TRACK_PROCESS);
}

/* Makes Perfetto sort threads by their ranks. The rank of a thread is its priority. */
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
 * Returns true if the party's name has changed since the last call. If a gap hides the party's identity, the name
 * counts as unchanged. seq: seq of an event that refers to the party.
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

/* Returns the name. Without a name, returns the party's address as text. room: memory of TXTAP_OBJECT_NAME_BYTES
 * bytes. */
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

/* Returns the unit of an object's counter. */
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
    return perfetto_describe_child(self, track_of(ROW_OBJECT, object.number), name, unit_of(object.type),
                                   TRACK_OBJECTS);
}

uint64_t perfetto_wait_text(struct txtap_exporter *self, struct perfetto_thread *row, const struct txtap_change *change)
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

/* ---- slices and counters of the definitions: each has its own track, so they may overlap ---- */

static enum txtap_status describe_defined(struct txtap_exporter *self, const struct txtap_definition *definition,
                                          uint64_t track)
{
    struct perfetto *perfetto = self->changes.state;
    struct perfetto_defined *row = &perfetto->defined[definition->row.number];
    const struct txtap_definition_part *part = txtap_definition_part_of(definition, definition->row.word);
    const char *unit = NULL;

    if (row->described)
        return TXTAP_OK;
    row->described = true;
    if (definition->row.role == TXTAP_DEFINITION_COUNTER)
        unit = part != NULL ? part->format.unit : "";
    return perfetto_describe(self, track, definition->row.name, unit);
}

/* Sets *value and returns true if the value may have a fraction. Returns false for a whole number. */
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
    const struct txtap_definition_part *part = txtap_definition_part_of(definition, definition->row.word);
    double value;

    if (!fraction_of(part, word, &value))
        return perfetto_counter(
            self, track, ns,
            part != NULL && part->field.kind == TXTAP_FIELD_SIGNED ? (uint64_t)(int64_t)(int32_t)word : word);
    if (!isfinite(value))
        return TXTAP_OK; /* the graph cannot show this value, but the event on the thread's track shows it */
    return perfetto_counter_double(self, track, ns, value);
}

enum txtap_status perfetto_write_defined(struct txtap_exporter *self, const struct txtap_event *event,
                                         const struct txtap_definition *definition, uint64_t ns)
{
    struct perfetto *perfetto = self->changes.state;
    uint64_t track = track_of(ROW_DEFINED, definition->row.number);
    struct perfetto_defined *row = &perfetto->defined[definition->row.number];
    enum txtap_status status;

    if (definition->row.role == TXTAP_DEFINITION_PLAIN)
        return TXTAP_OK;
    status = describe_defined(self, definition, track);
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
        return TXTAP_OK; /* the event that began the slice was lost, or is not shown */
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
