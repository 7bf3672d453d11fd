/* SPDX-License-Identifier: MIT */
/* An exporter that writes into memory. It has a registry and a header of its own, and serves the tests of all formats.
 */
#ifndef TXTAP_TESTS_CAPTURE_SINK_H
#define TXTAP_TESTS_CAPTURE_SINK_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "buffer/registry_parts.h"
#include "txtap/exporter.h"

static struct {
    char text[65536];
    size_t length, writes;
    enum txtap_status answer;
} captured;

static struct txtap_object objects[16];
static struct txtap_registry registry;
static struct txtap_header header;
static struct txtap_exporter exporter;
static struct txtap_exporter_memory memory;

static enum txtap_status capture(void *self, const char *bytes, size_t length)
{
    cr_assert_eq(self, &captured);
    cr_assert_lt(captured.length + length, sizeof(captured.text));
    memcpy(captured.text + captured.length, bytes, length);
    captured.length += length;
    captured.text[captured.length] = '\0';
    captured.writes++;
    return captured.answer;
}

/* Returns the text that was written since the last call of this function. */
static inline const char *written(void)
{
    static char text[sizeof(captured.text)];

    cr_assert_eq(txtap_exporter_flush(&exporter), captured.answer);
    memcpy(text, captured.text, sizeof(text));
    captured.length = captured.writes = 0;
    captured.text[0] = '\0';
    return text;
}

/* Adds an object. Objects must be added in the order of their addresses. */
static inline void add_object(uint8_t type, uint32_t pointer, const char *name)
{
    struct txtap_object *object = &objects[registry.count++];

    memset(object, 0, sizeof(*object));
    object->type = type;
    object->pointer = pointer;
    object->live = true;
    strncpy(object->name, name, sizeof(object->name) - 1);
}

static void open_exporter(const char *format, double tick_hz)
{
    txtap_registry_init(&registry, objects, sizeof(objects) / sizeof(objects[0]));
    memset(&captured, 0, sizeof(captured));
    memset(&header, 0, sizeof(header));
    memset(&exporter, 0, sizeof(exporter));
    memset(&memory, 0, sizeof(memory));
    exporter.memory = &memory;
    exporter.ops = txtap_exporter_find(format);
    cr_assert_not_null(exporter.ops);
    exporter.writer.write = capture;
    exporter.writer.self = &captured;
    exporter.registry = &registry;
    exporter.header = &header;
    exporter.options.tick_hz = tick_hz;
}

/* Gives an object another name, as an update of the registry does. */
static inline void rename_object(size_t index, const char *name)
{
    memset(objects[index].name, 0, sizeof(objects[index].name));
    memcpy(objects[index].name, name, strnlen(name, sizeof(objects[index].name) - 1));
    registry.generation++;
}

/* Returns an event of the thread at 0x100. */
static inline struct txtap_event event_of(uint32_t id, uint32_t info1, uint32_t info2, uint32_t info3, uint32_t info4)
{
    struct txtap_event event = {.id = id, .thread = 0x100, .info = {info1, info2, info3, info4}};

    return event;
}

/* Sets the types of the objects in an event's fields to the types that the fields expect, so that names are shown. */
static inline void give_types(const struct txtap_event *event)
{
    const struct txtap_event_info *info = txtap_event_find(event->id, exporter.options.profile);

    for (size_t i = 0; i < 4; i++) {
        uint8_t type = lifetime_field_type(info, i);

        for (size_t o = 0; o < registry.count && type != TXTAP_OBJECT_NONE; o++)
            if (objects[o].pointer == event->info[i] && objects[o].pointer != event->thread)
                objects[o].type = type;
    }
}

static inline void send(struct txtap_event event)
{
    give_types(&event);
    cr_assert_eq(exporter.ops->event(&exporter, &event), TXTAP_OK);
}

#endif
