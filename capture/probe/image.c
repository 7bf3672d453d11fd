/* SPDX-License-Identifier: MIT */
/* A file of raw memory as a memory source. */
#include "probe/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/source_base.h"

/* ---- segments of a file ---- */

static const struct txtap_segment *segment_of(const struct file_memory *memory, uint64_t address, uint64_t length)
{
    for (size_t i = 0; i < memory->segment_count; i++) {
        const struct txtap_segment *segment = &memory->segments[i];

        if (address >= segment->address && address - segment->address <= segment->length &&
            length <= segment->length - (address - segment->address))
            return segment;
    }
    return NULL;
}

static enum txtap_status not_held(struct file_memory *memory, const struct txtap_read *read)
{
    char held[64] = "none";

    if (memory->segment_count > 0) {
        const struct txtap_segment *first = memory->segments, *last = first + memory->segment_count - 1;

        snprintf(held, sizeof held, "0x%08" PRIx64 " to 0x%08" PRIx64 "%s", first->address,
                 last->address + last->length, memory->segment_count > 1 ? ", with gaps" : "");
    }
    return failure(&memory->error, ERROR_FAULT,
                   "%.80s: does not hold the memory from 0x%08" PRIx32 " to 0x%08" PRIx64 " (it holds %s)",
                   memory->name, read->address, (uint64_t)read->address + read->length, held);
}

static enum txtap_status read_segments(void *self, const struct txtap_read *reads, size_t count)
{
    struct file_memory *memory = self;

    error_clear(&memory->error);
    for (size_t i = 0; i < count; i++) {
        const struct txtap_segment *segment = segment_of(memory, reads[i].address, reads[i].length);

        if (segment == NULL)
            return not_held(memory, &reads[i]);
        memcpy(reads[i].buffer, segment->bytes + (reads[i].address - segment->address), reads[i].length);
    }
    return TXTAP_OK;
}

static void close_file(void *self)
{
    struct file_memory *memory = self;

    memory->close(memory);
}

struct txtap_source file_memory_source(struct file_memory *memory)
{
    static const struct txtap_source_ops ops = {
        .name = "file",
        .read_bytes_max = 64u * 1024 * 1024,
        .reads_max = 64,
        .read = read_segments,
        .error_text = source_error_text,
        .close = close_file,
    };

    return (struct txtap_source){&ops, memory};
}

/* ---- an image ---- */

#define ADDRESS_SPACE_BYTES (UINT64_C(1) << 32)

struct image_source {
    struct file_memory memory;
    struct txtap_segment segment;
    uint8_t *bytes;
};

enum txtap_status image_load(struct input *input, uint8_t **bytes, size_t *length, struct error *error)
{
    enum txtap_status status =
        input_read_all(input, IMAGE_BYTES_MAX, "cut out the part that holds the trace", bytes, length, error);

    if (status != TXTAP_OK || *length > 0)
        return status;
    free(*bytes);
    *bytes = NULL;
    return failure(error, TXTAP_ERROR_TRUNCATED, "%.160s: empty\ngive a file with the target's memory", input->name);
}

static void image_close(void *self)
{
    struct image_source *image = self;

    free(image->bytes);
    free(image);
}

static enum txtap_status load(struct image_source *image, struct input *input, uint32_t base, struct error *error)
{
    size_t length;
    enum txtap_status status = image_load(input, &image->bytes, &length, error);

    if (status != TXTAP_OK)
        return status;
    if (length > ADDRESS_SPACE_BYTES - base)
        return failure(error, TXTAP_ERROR_USAGE,
                       "%.140s: %zu bytes at 0x%08" PRIx32 " end beyond the last address\ngive a lower address",
                       input->name, length, base);
    image->segment = (struct txtap_segment){.address = base, .length = length, .bytes = image->bytes};
    image->memory = (struct file_memory){
        .name = input->name, .segments = &image->segment, .segment_count = 1, .close = image_close};
    return TXTAP_OK;
}

enum txtap_status image_open(struct image_source **out, const char *path, uint32_t base, struct error *error)
{
    struct image_source *image = calloc(1, sizeof *image);
    struct input input;
    enum txtap_status status;

    *out = NULL;
    if (image == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to read it", path);
    status = input_open(&input, &path, 1, error);
    if (status == TXTAP_OK) {
        status = load(image, &input, base, error);
        input_close(&input);
    }
    if (status == TXTAP_OK)
        *out = image;
    else
        image_close(image);
    return status;
}

struct txtap_source image_source_of(struct image_source *image)
{
    return file_memory_source(&image->memory);
}

struct memory_region image_region(const struct image_source *image)
{
    return (struct memory_region){.start = (uint32_t)image->segment.address, .size = (uint32_t)image->segment.length};
}
