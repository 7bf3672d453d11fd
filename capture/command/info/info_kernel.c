/* SPDX-License-Identifier: MIT */
/* The lines of "txtap info" about the kernel that writes the trace, from its lists. */
#include "command/info/info_kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text_maker.h"
#include "kernel/kernel_names.h"
#include "kernel/kernel_reader.h"
#include "txtap/inner/escape.h"

#define LINE_BYTES   1024
#define UNLISTED_MAX 8 /* names of objects without a place in the registry */

struct line {
    char text[LINE_BYTES];
    size_t length;
};

static void add(struct line *line, const char *separator, const char *text)
{
    int length =
        snprintf(line->text + line->length, LINE_BYTES - line->length, "%s%s", line->length > 0 ? separator : "", text);

    line->length += (size_t)length;
    if (line->length >= LINE_BYTES)
        line->length = LINE_BYTES - 1;
}

static void print_version(const struct kernel_reader *reader)
{
    const struct txtap_kernel_ops *ops = reader->layout.ops;
    char version[KERNEL_NAME_BYTES], escaped[TXTAP_ESCAPED_BYTES(KERNEL_NAME_BYTES)];
    struct line line = {.length = 0};
    uint32_t options;

    kernel_version(reader, version);
    add(&line, "", txtap_escape_terminal(escaped, sizeof escaped, version));
    if (ops->options != NULL && txtap_kernel_word(reader->kernel, ops->options_word, &options))
        for (size_t i = 0; i < ops->option_count; i++)
            if (options >> ops->options[i].bit & 1u)
                add(&line, ", ", ops->options[i].name);
    text_row("kernel", "%s", line.text);
}

static void print_counts(const struct kernel_reader *reader)
{
    struct line line = {.length = 0};
    char text[64];

    for (uint8_t type = 1; type < TXTAP_KERNEL_CLASSES; type++) {
        struct txtap_kernel_list list = txtap_kernel_list(reader->kernel, type);

        if (!list.present || list.created == 0)
            continue;
        snprintf(text, sizeof text, "%s %" PRIu32 "%s", txtap_object_type_name(type), list.created,
                 list.complete ? "" : " (its list changed while it was read)");
        add(&line, ", ", text);
    }
    if (line.length > 0)
        text_row("kernel", "%s", line.text);
}

static bool is_registered(const struct txtap_kernel_object *object, const struct info_objects *registry)
{
    for (size_t i = 0; i < registry->count; i++)
        if (registry->objects[i].live && registry->objects[i].pointer == object->address &&
            registry->objects[i].type == object->type)
            return true;
    return false;
}

/* Names the objects of the kernel that the registry does not have: their events have no names. */
static void print_unregistered(const struct kernel_reader *reader, const struct info_objects *registry, size_t slots)
{
    const struct txtap_kernel_object *objects;
    struct line line = {.length = 0};
    char name[KERNEL_NAME_BYTES], escaped[TXTAP_ESCAPED_BYTES(KERNEL_NAME_BYTES)];
    size_t count, missing = 0, live = 0;

    objects = txtap_kernel_objects(reader->kernel, &count);
    for (size_t i = 0; i < registry->count; i++)
        live += registry->objects[i].live;
    for (size_t i = 0; i < count; i++) {
        if (is_registered(&objects[i], registry) || missing++ >= UNLISTED_MAX)
            continue;
        kernel_object_name(reader, objects[i].address, name);
        add(&line, ", ", txtap_object_type_name(objects[i].type));
        add(&line, " ", txtap_escape_terminal(escaped, sizeof escaped, name));
    }
    if (missing > 0)
        text_row("kernel", "%zu of its objects %s not in the trace's registry%s: %s%s", missing,
                 missing == 1 ? "is" : "are",
                 live >= slots ? ", which is full: give tx_trace_enable() more registry entries" : "", line.text,
                 missing > UNLISTED_MAX ? ", ..." : "");
}

void info_kernel_print(const struct attachment *attachment, const struct info_objects *registry, size_t slots)
{
    const struct locate_wish *wished = &attachment->config.ring.wished;
    struct kernel_reader reader;
    struct error unused;

    if (!attachment->live || attachment->elf == NULL || attachment->firmware.firmware == FIRMWARE_OTHER)
        return;
    if (kernel_reader_open(&reader, attachment->elf, wished->ram, wished->ram_count, &unused) != TXTAP_OK)
        return;
    if (kernel_reader_walk(&reader, attachment->source, TXTAP_KERNEL_ALL, 0, &unused) == TXTAP_OK) {
        print_version(&reader);
        print_counts(&reader);
        print_unregistered(&reader, registry, slots);
    }
    kernel_reader_close(&reader);
}
