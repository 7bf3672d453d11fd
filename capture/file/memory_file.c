/* SPDX-License-Identifier: MIT */
/* A file of any kind as a memory source. */
#include "file/memory_file.h"

#include <inttypes.h>
#include <string.h>

#define READ_BYTES_MAX (64u * 1024 * 1024)
#define READS_MAX      64u

enum txtap_status memory_file_open(struct memory_file *memory, const struct trace_file_request *request,
                                   struct error *error)
{
    enum txtap_status status = trace_file_load(&memory->file, request, error);

    error_clear(&memory->error);
    if (status != TXTAP_OK || memory->file.container.addressed || request->has_base)
        return status;
    trace_file_close(&memory->file);
    return failure(error, TXTAP_ERROR_USAGE, "%.160s: has no addresses of its own\ngive its load address with --base",
                   request->input->name);
}

void memory_file_close(struct memory_file *memory)
{
    trace_file_close(&memory->file);
}

static const struct txtap_segment *segment_of(const struct trace_file *file, uint64_t address, uint64_t length)
{
    for (size_t i = 0; i < file->segment_count; i++) {
        const struct txtap_segment *segment = &file->segments[i];

        if (address >= segment->address && address - segment->address <= segment->length &&
            length <= segment->length - (address - segment->address))
            return segment;
    }
    return NULL;
}

static enum txtap_status read_file(void *self, const struct txtap_read *reads, size_t count)
{
    struct memory_file *memory = self;

    for (size_t i = 0; i < count; i++) {
        const struct txtap_segment *segment = segment_of(&memory->file, reads[i].address, reads[i].length);

        if (segment == NULL)
            return failure(&memory->error, ERROR_FAULT,
                           "%.120s: does not hold the memory from 0x%08" PRIx32 " to 0x%08" PRIx32, memory->file.name,
                           reads[i].address, reads[i].address + reads[i].length);
        memcpy(reads[i].buffer, segment->bytes + (reads[i].address - segment->address), reads[i].length);
    }
    return TXTAP_OK;
}

static const char *file_error_text(void *self)
{
    const struct memory_file *memory = self;

    return memory->error.what;
}

static void close_file(void *self)
{
    memory_file_close(self);
}

struct txtap_source memory_file_source(struct memory_file *memory)
{
    static const struct txtap_source_ops ops = {
        .name = "file",
        .read_bytes_max = READ_BYTES_MAX,
        .reads_max = READS_MAX,
        .read = read_file,
        .error_text = file_error_text,
        .close = close_file,
    };

    return (struct txtap_source){&ops, memory};
}
