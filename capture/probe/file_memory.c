/* SPDX-License-Identifier: MIT */
/* Reads from the segments of a file. Knows no kind of file. */
#include "probe/file_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probe/source_base.h"

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
