/* SPDX-License-Identifier: MIT */
/* From the segments of a trace file to a memory source. */
#include "file/memory_file.h"

static void close_file(void *self)
{
    struct memory_file *memory = self;

    trace_file_close(&memory->file);
}

enum txtap_status memory_file_open(struct memory_file *memory, const struct trace_file_request *request,
                                   struct error *error)
{
    enum txtap_status status = trace_file_load(&memory->file, request, error);

    if (status != TXTAP_OK)
        return status;
    memory->memory = (struct file_memory){
        .name = memory->file.name,
        .segments = memory->file.segments,
        .segment_count = memory->file.segment_count,
        .close = close_file,
    };
    if (memory->file.container.addressed || request->has_base)
        return TXTAP_OK;
    trace_file_close(&memory->file);
    return failure(error, TXTAP_ERROR_USAGE, "%.160s: has no addresses of its own\ngive its load address with --base",
                   request->input->name);
}
