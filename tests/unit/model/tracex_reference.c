/* SPDX-License-Identifier: MIT */
#include "model/tracex_reference.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

void decoded_load(struct decoded *decoded, size_t index)
{
    struct txtap_item item;

    memset(decoded, 0, sizeof(*decoded));
    sample_load(&decoded->sample, index);
    cr_assert_eq(txtap_trace_open(&decoded->trace, decoded->sample.bytes, decoded->sample.length, decoded->objects,
                                  DECODED_OBJECTS_MAX),
                 TXTAP_OK);
    cr_assert_leq(decoded->trace.ring_entries, DECODED_EVENTS_MAX);
    while (txtap_trace_next(&decoded->trace, &item) == TXTAP_OK) {
        cr_assert_eq(item.kind, TXTAP_ITEM_EVENT);
        decoded->events[decoded->count++] = item.event;
    }
}

static uint32_t context_of(const char *text)
{
    unsigned value = 0;

    if (strcmp(text, "interrupt") == 0)
        return TXTB_THREAD_ISR;
    if (strcmp(text, "initialization") == 0)
        return TXTB_THREAD_INIT;
    if (strcmp(text, "idle") == 0)
        return 0;
    cr_assert_eq(sscanf(text, "%x", &value), 1, "'%s' is no context", text);
    return value;
}

static void take_line(struct reference *reference, const char *line)
{
    struct reference_event *event = &reference->events[reference->event_count];
    struct reference_object *object = &reference->objects[reference->object_count];
    char here[24], there[24];
    unsigned id, count, index;

    if (sscanf(line, "count %u %u", &id, &count) == 2) {
        cr_assert_lt(id, sizeof(reference->counts) / sizeof(reference->counts[0]));
        reference->counts[id] = count;
    } else if (sscanf(line, "object %x %15[^|]|%63[^\n]", &object->pointer, object->type, object->name) == 3) {
        cr_assert_lt(++reference->object_count, DECODED_OBJECTS_MAX);
    } else {
        cr_assert_eq(sscanf(line, "event %u %llu %u %23s %23s %x", &index, &event->ticks, &event->id, here, there,
                            &event->stamp),
                     6, "%s", line);
        cr_assert_eq(index, reference->event_count);
        event->context = context_of(here);
        event->next = context_of(there);
        cr_assert_lt(++reference->event_count, DECODED_EVENTS_MAX);
    }
}

void reference_load(struct reference *reference, size_t index)
{
    static char text[65536];
    char path[512];
    size_t length;
    FILE *file;

    (void)snprintf(path, sizeof(path), TXTAP_TEST_DATA "/%s.tracex.expect", sample_names[index]);
    file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    length = fread(text, 1, sizeof(text) - 1, file);
    cr_assert_lt(length, sizeof(text) - 1, "%s is larger than expected", path);
    (void)fclose(file);
    memset(reference, 0, sizeof(*reference));
    text[length] = '\0';
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        take_line(reference, line);
    cr_assert_gt(reference->event_count, 0);
}
