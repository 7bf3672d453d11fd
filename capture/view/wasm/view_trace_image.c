/* SPDX-License-Identifier: MIT */
/* Finds the trace buffer in a file with a target's memory, and takes its events. It keeps nothing of the file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/container.h"
#include "txtap/trace.h"
#include "view/wasm/view_trace.h"

/* A possible header of a trace buffer in the file's memory. */
struct candidate {
    const uint8_t *bytes;
    size_t length; /* number of bytes from the header to the end of its piece of memory */
    unsigned word_bytes;
    struct txtap_header header;
    enum txtap_status status;
};

struct image {
    struct txtap_container container;
    struct txtap_segment *segments;
    size_t segment_count;
    uint8_t *memory;
    uint64_t overlapping;
    struct candidate chosen; /* the last usable candidate, or a usable candidate at its own address */
    size_t usable, at_home;  /* number of usable candidates, and of usable candidates at their own address */
    struct txtap_trace_narrowed narrow;
    uint8_t *narrowed; /* the buffer, narrowed from 64-bit words */
};

static void close_image(struct image *image)
{
    free(image->segments);
    free(image->memory);
    free(image->narrowed);
}

static bool open_image(struct view_trace *trace, struct image *image, const uint8_t *bytes, size_t length)
{
    struct txtap_container *container = &image->container;
    const char *name = trace->options.name;

    if (txtap_container_open(container, bytes, length) != TXTAP_OK) {
        if (container->error_line > 0)
            view_trace_fail(trace, "%s: %s, line %zu: %s", name, txtap_container_name(container->kind),
                            container->error_line, container->error);
        else
            view_trace_fail(trace, "%s: %s: %s", name, txtap_container_name(container->kind), container->error);
        return false;
    }
    image->segments = calloc(container->segments_max + 1, sizeof *image->segments);
    image->memory = malloc(container->memory_bytes + 1);
    if (image->segments == NULL || image->memory == NULL) {
        view_trace_fail(trace, "%s: there is no memory to read it", name);
        return false;
    }
    (void)txtap_container_read(container, image->memory, image->segments, &image->segment_count, &image->overlapping);
    return true;
}

static void examine(struct image *image, const struct txtap_segment *segment, size_t offset)
{
    struct candidate found = {.bytes = segment->bytes + offset, .length = segment->length - offset};
    bool at_home;

    found.status = txtap_trace_header(found.bytes, found.length, &found.header, &found.word_bytes);
    at_home = image->container.addressed && found.header.base == (uint32_t)(segment->address + offset);
    if (found.status == TXTAP_OK && (image->at_home == 0 || at_home))
        image->chosen = found;
    else if (image->usable == 0)
        image->chosen.status = found.status;
    image->usable += found.status == TXTAP_OK;
    image->at_home += found.status == TXTAP_OK && at_home;
}

/* Chooses the buffer. A file that begins with a header contains no other header, even if the first header is
 * damaged. */
static bool choose(struct view_trace *trace, struct image *image)
{
    const char *name = trace->options.name;

    image->chosen.status = TXTAP_ERROR_SIGNATURE;
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct txtap_segment *segment = &image->segments[i];

        if (image->container.kind == TXTAP_CONTAINER_TRACE) {
            examine(image, segment, 0);
            break;
        }
        for (size_t at = 0; (at = txtap_trace_scan(segment->bytes, segment->length, at)) < segment->length; at++)
            examine(image, segment, at);
    }
    if (image->usable == 1 || image->at_home == 1)
        return true;
    if (image->usable > 1)
        view_trace_fail(trace, "%s: %zu trace buffers: open it with 'txtap view --address ADDR FILE'", name,
                        image->usable);
    else if (image->chosen.status == TXTAP_ERROR_SIGNATURE)
        view_trace_fail(trace, "%s: neither a recording nor a trace: there is no trace buffer in it", name);
    else
        view_trace_fail(trace, "%s: its trace buffer is not usable: %s", name, txtap_status_text(image->chosen.status));
    return false;
}

static void note_image(struct view_trace *trace, const struct image *image, const struct txtap_trace *buffer)
{
    struct text *notes = &trace->notes;
    unsigned notices = txtap_clock_notices(&buffer->maker.clock);

    if (image->container.missing_bytes > 0)
        text_print(notes, "cut: %" PRIu64 " bytes that its headers promise are not in the file\n",
                   image->container.missing_bytes);
    if (image->overlapping > 0)
        text_print(notes, "it holds %" PRIu64 " bytes more than once: the last copy is used\n", image->overlapping);
    if (buffer->missing_objects > 0)
        text_print(notes, "%" PRIu32 " of %" PRIu32 " object registry entries are missing\n", buffer->missing_objects,
                   txtap_header_registry_entries(&buffer->header));
    if (buffer->missing_entries > 0)
        text_print(notes, "%" PRIu32 " of the ring's %" PRIu32 " entries are missing\n", buffer->missing_entries,
                   buffer->ring_entries);
    if (image->narrow.cut_words > 0)
        text_print(notes, "%" PRIu64 " words of 64 bits do not fit into 32: two objects may be shown as one\n",
                   image->narrow.cut_words);
    if (image->narrow.cut_stamps)
        text_print(notes, "time stamps of more than 32 bits: only the lower 32 are used\n");
    for (unsigned bit = 1; bit <= TXTAP_CLOCK_NANOSECONDS; bit <<= 1)
        if ((notices & bit) != 0)
            text_print(notes, "%s\n", txtap_clock_notice_text(bit));
}

static enum txtap_status narrow(struct image *image)
{
    struct candidate *chosen = &image->chosen;
    size_t capacity = txtap_trace_narrow_bytes(chosen->bytes, chosen->length);
    enum txtap_status status;

    image->narrowed = malloc(capacity + 1);
    if (image->narrowed == NULL)
        return TXTAP_ERROR_SPACE;
    status = txtap_trace_narrow(chosen->bytes, chosen->length, image->narrowed, capacity, &image->narrow);
    chosen->bytes = image->narrowed;
    chosen->length = image->narrow.bytes;
    return status;
}

/* Takes all events, with the names of the era. */
static void take_buffer(struct view_trace *trace, const struct image *image, struct txtap_trace *buffer)
{
    enum txtap_status status = TXTAP_OK;
    struct txtap_item item;

    if (!store_header(&trace->store, &buffer->header))
        status = TXTAP_END;
    while (status == TXTAP_OK && (status = txtap_trace_next(buffer, &item)) == TXTAP_OK)
        status = view_trace_take(trace, &item);
    note_image(trace, image, buffer);
}

/* Returns a limit of the number of objects. In theory each event may have its own object, but no target has so many. */
static size_t objects_of(const struct candidate *chosen)
{
    size_t objects = txtap_trace_objects(&chosen->header, chosen->length);

    return objects < VIEW_OBJECTS_MAX ? objects : VIEW_OBJECTS_MAX;
}

static void open_buffer(struct view_trace *trace, struct image *image)
{
    enum txtap_status status = image->chosen.word_bytes == 8 ? narrow(image) : TXTAP_OK;
    const struct candidate *chosen = &image->chosen;
    size_t capacity = objects_of(chosen);
    struct txtap_object *objects = malloc((capacity + 1) * sizeof *objects);
    struct txtap_trace *buffer = calloc(1, sizeof *buffer);
    struct era *era = objects != NULL && buffer != NULL ? view_trace_new_era(trace) : NULL;

    if (era == NULL)
        status = TXTAP_ERROR_SPACE;
    if (status == TXTAP_OK)
        status = txtap_trace_open(buffer, chosen->bytes, chosen->length, objects, capacity);
    if (era != NULL)
        era->registry.objects = objects; /* the registry owns and frees them */
    else
        free(objects);
    if (status == TXTAP_OK) {
        era->registry = buffer->registry;
        view_trace_finish_names(era);
        take_buffer(trace, image, buffer);
    } else {
        view_trace_fail(trace, "%s: %s", trace->options.name, txtap_status_text(status));
    }
    free(buffer);
}

void view_trace_load_image(struct view_trace *trace, const uint8_t *bytes, size_t length)
{
    struct image image = {.segment_count = 0};

    if (trace->era_count > 0) {
        view_trace_fail(trace, "%s: not a recording: only recordings can be opened one behind the other",
                        trace->options.name);
        return;
    }
    if (open_image(trace, &image, bytes, length) && choose(trace, &image))
        open_buffer(trace, &image);
    close_image(&image);
}
