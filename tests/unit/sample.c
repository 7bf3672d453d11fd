/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "txtap/clock.h"

const char *const sample_names[SAMPLES] = {
    "demo_threadx",
    "demo_netx_tcp",
    "threadx_qemu_wrapped",
    "threadx_qemu_unwrapped",
};

static size_t read_file(const char *name, const char *suffix, void *buffer, size_t size)
{
    char path[512];
    FILE *file;
    size_t length;

    (void)snprintf(path, sizeof(path), "%s/%s%s", TXTAP_TEST_DATA, name, suffix);
    file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    length = fread(buffer, 1, size, file);
    cr_assert_lt(length, size, "%s is larger than expected", path);
    (void)fclose(file);
    return length;
}

/* From the current pointer on, around the ring, what was written. */
static void load_events(struct sample *sample, const uint8_t *ring)
{
    uint32_t entries = txtap_header_ring_entries(&sample->header);
    uint32_t first = (sample->header.current - sample->header.ring_start) / TXTB_ENTRY_BYTES;
    struct txtap_clock clock;

    cr_assert_leq(entries, SAMPLE_EVENTS_MAX);
    txtap_clock_init(&clock, sample->header.timer_mask);
    clock.down = strcmp(sample->name, "demo_threadx") == 0;
    for (uint32_t i = 0; i < entries; i++) {
        const uint8_t *entry = ring + (size_t)((first + i) % entries) * TXTB_ENTRY_BYTES;
        struct txtap_event *event = &sample->events[sample->count];

        if (memcmp(entry, "\0\0\0", 4) == 0)
            continue;
        txtap_event_parse(entry, &sample->header, event);
        event->seq = sample->count++;
        event->ticks = txtap_clock_unwrap(&clock, event->stamp);
    }
}

void sample_load(struct sample *sample, const char *name)
{
    static uint8_t bytes[65536];
    size_t length = read_file(name, ".trx", bytes, sizeof(bytes));

    memset(sample, 0, sizeof(*sample));
    sample->name = name;
    cr_assert_eq(txtap_header_parse(bytes, &sample->header), TXTAP_OK);
    cr_assert_geq(length, txtap_header_total_bytes(&sample->header));
    txtap_registry_init(&sample->registry, sample->objects, SAMPLE_OBJECTS_MAX);
    txtap_registry_update(&sample->registry, &sample->header,
                          bytes + (sample->header.registry_start - sample->header.base),
                          sample->header.registry_end - sample->header.registry_start);
    load_events(sample, bytes + (sample->header.ring_start - sample->header.base));
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
        cr_assert_lt(++reference->object_count, SAMPLE_OBJECTS_MAX);
    } else {
        cr_assert_eq(sscanf(line, "event %u %llu %u %23s %23s %x", &index, &event->ticks, &event->id, here, there,
                            &event->stamp),
                     6, "%s", line);
        cr_assert_eq(index, reference->event_count);
        event->context = context_of(here);
        event->next = context_of(there);
        cr_assert_lt(++reference->event_count, SAMPLE_EVENTS_MAX);
    }
}

void reference_load(struct reference *reference, const char *name)
{
    static char text[65536];
    size_t length = read_file(name, ".tracex.expect", text, sizeof(text) - 1);

    memset(reference, 0, sizeof(*reference));
    text[length] = '\0';
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        take_line(reference, line);
    cr_assert_gt(reference->event_count, 0);
}
