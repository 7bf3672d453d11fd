/* SPDX-License-Identifier: MIT */
/* Opens a file of any format, and finds its trace buffer. The library knows the formats. */
#include "file/trace_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "txtap/recording.h"

static enum txtap_status no_memory(const struct trace_file *file, struct error *error)
{
    return failure(error, TXTAP_ERROR_SYSTEM, "%.160s: no memory to decode it", file->name);
}

/* ---- container ---- */

static enum txtap_status container_failure(const struct trace_file *file, enum txtap_status status, struct error *error)
{
    const char *kind = txtap_container_name(file->container.kind);

    if (file->container.error_line > 0)
        return failure(error, status, "%.120s: %s, line %zu: %s: save or copy it again", file->name, kind,
                       file->container.error_line, file->container.error);
    return failure(error, status, "%.120s: %s: %s: save or copy it again", file->name, kind, file->container.error);
}

static enum txtap_status open_container(struct trace_file *file, const struct trace_file_request *request,
                                        struct error *error)
{
    struct txtap_container *container = &file->container;
    enum txtap_status status = txtap_container_open(container, file->image, file->image_bytes);

    if (status != TXTAP_OK)
        return container_failure(file, status, error);
    if (request->has_base && container->addressed)
        return failure(error, TXTAP_ERROR_USAGE, "%.120s: %s has addresses of its own\ndo not use --base here",
                       file->name, txtap_container_name(container->kind));
    file->segments = calloc(container->segments_max + 1, sizeof *file->segments);
    file->memory = malloc(container->memory_bytes + 1);
    if (file->segments == NULL || file->memory == NULL)
        return no_memory(file, error);
    status = txtap_container_read(container, file->memory, file->segments, &file->segment_count, &file->overlapping);
    if (request->has_base)
        for (size_t i = 0; i < file->segment_count; i++)
            file->segments[i].address += request->base;
    return status;
}

/* ---- buffers ---- */

/* Adds a buffer to the table. If the table is full, a usable buffer replaces a buffer that is not usable. */
static void add_buffer(struct trace_file *file, const struct trace_file_buffer *buffer)
{
    size_t at = file->buffer_count;

    if (buffer->status == TXTAP_OK)
        file->usable++;
    if (at == TRACE_FILE_BUFFERS_MAX) {
        file->dropped++;
        for (at = 0; at < TRACE_FILE_BUFFERS_MAX && file->buffers[at].status == TXTAP_OK; at++)
            ;
        if (buffer->status != TXTAP_OK || at == TRACE_FILE_BUFFERS_MAX)
            return;
        memmove(&file->buffers[at], &file->buffers[at + 1],
                (TRACE_FILE_BUFFERS_MAX - 1 - at) * sizeof file->buffers[0]);
        at = TRACE_FILE_BUFFERS_MAX - 1;
    } else {
        file->buffer_count++;
    }
    file->buffers[at] = *buffer;
}

static void examine(struct trace_file *file, const struct txtap_segment *segment, size_t offset, bool addressed)
{
    struct trace_file_buffer buffer = {
        .address = segment->address + offset,
        .bytes = segment->bytes + offset,
        .length = segment->length - offset,
    };

    buffer.status = txtap_trace_header(buffer.bytes, buffer.length, &buffer.header, &buffer.word_bytes);
    buffer.at_home = addressed && buffer.header.base == (uint32_t)buffer.address;
    add_buffer(file, &buffer);
}

static void find_buffers(struct trace_file *file, bool addressed, bool first_only)
{
    for (size_t i = 0; i < file->segment_count; i++) {
        const struct txtap_segment *segment = &file->segments[i];

        if (first_only) { /* tries the first bytes even without a signature, to report the damage */
            examine(file, segment, 0, addressed);
            return;
        }
        for (size_t at = 0; (at = txtap_trace_scan(segment->bytes, segment->length, at)) < segment->length; at++)
            examine(file, segment, at, addressed);
    }
}

static void list_buffers(const struct trace_file *file)
{
    const char *where = file->container.addressed ? "at" : "at offset";

    for (size_t i = 0; i < file->buffer_count; i++) {
        const struct trace_file_buffer *buffer = &file->buffers[i];

        if (buffer->status == TXTAP_OK)
            fprintf(stderr,
                    "txtap: %s 0x%08" PRIx64 ": trace buffer of address 0x%08" PRIx32 ", %" PRIu32 " entries, %" PRIu32
                    " objects\n",
                    where, buffer->address, buffer->header.base, txtap_header_ring_entries(&buffer->header),
                    txtap_header_registry_entries(&buffer->header));
        else
            fprintf(stderr, "txtap: %s 0x%08" PRIx64 ": not usable: %s\n", where, buffer->address,
                    status_text(buffer->status));
    }
    if (file->dropped > 0)
        fprintf(stderr, "txtap: and %zu more\n", file->dropped);
}

static bool is_wanted(const struct trace_file_request *request, const struct trace_file_buffer *buffer)
{
    return !request->has_address || request->address == buffer->address || request->address == buffer->header.base;
}

/* Chooses the usable buffer that the request wants. If several match, chooses the only buffer at its own address,
 * because buffers at other addresses are copies. Returns the number of buffers to choose from: 1 is success. */
static size_t pick(struct trace_file *file, const struct trace_file_request *request)
{
    size_t fit = 0, home = 0;
    const struct trace_file_buffer *last = NULL, *last_home = NULL;

    for (size_t i = 0; i < file->buffer_count; i++) {
        const struct trace_file_buffer *buffer = &file->buffers[i];

        if (buffer->status != TXTAP_OK || !is_wanted(request, buffer))
            continue;
        fit++;
        last = buffer;
        if (buffer->at_home) {
            home++;
            last_home = buffer;
        }
    }
    file->chosen = home == 1 ? last_home : last;
    return home == 1 ? 1 : fit;
}

static enum txtap_status header_failure(const struct trace_file *file, struct error *error)
{
    const struct trace_file_buffer *buffer = &file->buffers[0];

    if (buffer->status == TXTAP_ERROR_TRUNCATED)
        return failure(
            error, buffer->status,
            "%.120s: %zu bytes are too few for a trace file\ngive a file that 'txtap snapshot' or a debugger saved",
            file->name, buffer->length);
    return failure(error, buffer->status,
                   "%.120s: trace buffer header at 0x%08" PRIx64 " is not usable: %s: save the whole buffer again",
                   file->name, buffer->address, status_text(buffer->status));
}

static enum txtap_status nothing_found(const struct trace_file *file, struct error *error)
{
    uint64_t searched = 0;

    for (size_t i = 0; i < file->segment_count; i++)
        searched += file->segments[i].length;
    return failure(error, ERROR_NOT_FOUND,
                   "%.100s: no trace buffer header in %" PRIu64
                   " bytes of %s\ngive a file that 'txtap snapshot' or a debugger saved while the trace was enabled",
                   file->name, searched, txtap_container_name(file->container.kind));
}

static enum txtap_status choose_buffer(struct trace_file *file, const struct trace_file_request *request,
                                       struct error *error)
{
    bool addressed = file->container.addressed || request->has_base;
    size_t fit;

    find_buffers(file, addressed, file->container.kind == TXTAP_CONTAINER_TRACE && !request->has_address);
    if (file->buffer_count == 0)
        return nothing_found(file, error);
    if (file->usable == 0 && file->buffer_count == 1)
        return header_failure(file, error);
    fit = pick(file, request);
    if (fit == 1)
        return TXTAP_OK;
    list_buffers(file);
    if (file->usable == 0)
        return failure(error, ERROR_NOT_FOUND, "%.160s: none of its %zu trace buffer headers is usable", file->name,
                       file->buffer_count + file->dropped);
    if (fit == 0)
        return failure(error, ERROR_NOT_FOUND,
                       "%.160s: no trace buffer of address 0x%08" PRIx32 "\nchoose one of those listed", file->name,
                       request->address);
    if (request->has_address && !addressed)
        return failure(error, ERROR_AMBIGUOUS,
                       "%.120s: %zu copies of the trace buffer of 0x%08" PRIx32
                       "\ngive the file's load address with --base, or choose by offset",
                       file->name, fit, request->address);
    return failure(error, ERROR_AMBIGUOUS, "%.160s: %zu trace buffers\nchoose one with --address", file->name, fit);
}

/* ---- trace ---- */

static enum txtap_status open_trace(struct trace_file *file, struct error *error)
{
    const struct trace_file_buffer *chosen = file->chosen;
    enum txtap_status status = TXTAP_OK;
    size_t objects;

    file->bytes = chosen->bytes;
    file->length = chosen->length;
    if (chosen->word_bytes == 8) {
        size_t capacity = txtap_trace_narrow_bytes(chosen->bytes, chosen->length);

        file->narrowed = malloc(capacity + 1);
        if (file->narrowed == NULL)
            return no_memory(file, error);
        status = txtap_trace_narrow(chosen->bytes, chosen->length, file->narrowed, capacity, &file->narrow);
        file->bytes = file->narrowed;
        file->length = file->narrow.bytes;
    }
    objects = txtap_trace_objects(&chosen->header, file->length);
    file->objects = calloc(objects + 1, sizeof *file->objects);
    if (file->objects == NULL)
        return no_memory(file, error);
    if (status == TXTAP_OK)
        status = txtap_trace_open(&file->trace, file->bytes, file->length, file->objects, objects);
    if (status != TXTAP_OK)
        return failure(error, status, "%.160s: %s", file->name, status_text(status));
    return TXTAP_OK;
}

/* Loads the file's memory as segments, without searching for a buffer. Closing and errors are as in trace_file_open().
 */
static enum txtap_status trace_file_load(struct trace_file *file, const struct trace_file_request *request,
                                         struct error *error)
{
    enum txtap_status status;

    memset(file, 0, sizeof *file);
    file->name = request->input->name;
    status = image_load(request->input, &file->image, &file->image_bytes, error);
    if (status == TXTAP_OK)
        status = open_container(file, request, error);
    if (status != TXTAP_OK)
        trace_file_close(file);
    return status;
}

enum txtap_status trace_file_open(struct trace_file *file, const struct trace_file_request *request,
                                  struct error *error)
{
    enum txtap_status status = trace_file_load(file, request, error);

    if (status != TXTAP_OK)
        return status;
    status = choose_buffer(file, request, error);
    if (status == TXTAP_OK)
        status = open_trace(file, error);
    if (status != TXTAP_OK)
        trace_file_close(file);
    return status;
}

void trace_file_close(struct trace_file *file)
{
    free(file->image);
    free(file->segments);
    free(file->memory);
    free(file->narrowed);
    free(file->objects);
    file->image = NULL;
    file->segments = NULL;
    file->memory = file->narrowed = NULL;
    file->objects = NULL;
}

void trace_file_report_memory(const struct trace_file *file)
{
    if (file->container.missing_bytes > 0)
        fprintf(stderr, "txtap: %s: cut: %" PRIu64 " bytes that its headers promise are not in the file\n", file->name,
                file->container.missing_bytes);
    if (file->overlapping > 0)
        fprintf(stderr, "txtap: %s: holds %" PRIu64 " bytes more than once: the last copy is used\n", file->name,
                file->overlapping);
}

void trace_file_report(const struct trace_file *file)
{
    const struct txtap_trace *trace = &file->trace;
    const struct trace_file_buffer *chosen = file->chosen;

    trace_file_report_memory(file);
    if ((file->container.addressed || file->segments[0].address > 0) && !chosen->at_home)
        fprintf(stderr,
                "txtap: %s: the trace buffer is at 0x%08" PRIx64 ", but its header names 0x%08" PRIx32
                ": it is a copy\n",
                file->name, chosen->address, chosen->header.base);
    if (trace->missing_objects > 0)
        fprintf(stderr, "txtap: %s: %" PRIu32 " of %" PRIu32 " object registry entries are missing\n", file->name,
                trace->missing_objects, txtap_header_registry_entries(&trace->header));
    if (trace->missing_entries > 0)
        fprintf(stderr, "txtap: %s: %" PRIu32 " of the ring's %" PRIu32 " entries are missing: save the whole buffer\n",
                file->name, trace->missing_entries, trace->ring_entries);
    if (file->narrow.cut_words > 0)
        fprintf(stderr, "txtap: %s: %" PRIu64 " words of 64 bits do not fit into 32: two objects may be shown as one\n",
                file->name, file->narrow.cut_words);
    if (file->narrow.cut_stamps)
        fprintf(stderr, "txtap: %s: time stamps of more than 32 bits: only the lower 32 are used\n", file->name);
}

/* ---- recognising a trace ---- */

#define HEAD_BYTES 64

_Static_assert(HEAD_BYTES >= TXTB_HEADER_BYTES, "a trace buffer's header fits");

bool trace_file_is_trace(const char *path)
{
    uint8_t head[HEAD_BYTES] = {0};
    struct stat about;
    FILE *file;
    size_t length;

    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || (file = fopen(path, "rb")) == NULL)
        return false;
    length = fread(head, 1, sizeof head, file);
    (void)fclose(file);
    return txtap_recording_signature(head, length) || txtap_header_signature(head);
}

/* ---- as a memory source ---- */

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
