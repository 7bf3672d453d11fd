/* SPDX-License-Identifier: MIT */
/*
 * Makes sorted pieces of memory from records in any order. txtap_container_open() checks and counts the records.
 * txtap_container_read() first notes the addresses of the records, and sorts and merges these addresses. It then copies
 * the records in the order of the file: a later record overwrites an earlier record at the same address.
 */
#include "txtap/container.h"

#include <string.h>

#include "base/heapsort.h"
#include "file/container_parts.h"
#include "txtap/trace.h"

#define LAST_ADDRESS UINT64_MAX

static const struct container_kind trace_buffer = {"trace buffer", NULL, NULL, false};
static const struct container_kind raw_memory = {"raw memory", NULL, NULL, false};

/* The kinds of containers. recognise() tries them in this order. */
static const struct container_kind *const kinds[] = {
    [TXTAP_CONTAINER_TRACE] = &trace_buffer,  [TXTAP_CONTAINER_RAW] = &raw_memory,
    [TXTAP_CONTAINER_ELF] = &container_elf,   [TXTAP_CONTAINER_IHEX] = &container_ihex,
    [TXTAP_CONTAINER_SREC] = &container_srec, [TXTAP_CONTAINER_HEX] = &container_hex,
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char *txtap_container_name(enum txtap_container_kind kind)
{
    return (size_t)kind < KINDS ? kinds[kind]->name : "unknown";
}

/*
 * Returns true if the bytes begin with a header, which may be truncated. Text or memory that is no trace buffer does
 * not begin with "TXTB", in either byte order, by chance.
 */
static bool begins_with_header(const uint8_t *bytes, size_t length)
{
    static const uint8_t big[8] = {0, 0, 0, 0, 'T', 'X', 'T', 'B'};

    return (length >= 4 && (memcmp(bytes, "TXTB", 4) == 0 || memcmp(bytes, "BTXT", 4) == 0)) ||
           (length >= TXTB64_HEADER_BYTES && memcmp(bytes, big, 8) == 0 && txtap_trace_scan(bytes, length, 0) == 0);
}

static enum txtap_container_kind recognise(const uint8_t *bytes, size_t length)
{
    if (begins_with_header(bytes, length))
        return TXTAP_CONTAINER_TRACE;
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i]->recognised != NULL && kinds[i]->recognised(bytes, length))
            return (enum txtap_container_kind)i;
    return TXTAP_CONTAINER_RAW;
}

static struct reader reader_of(const struct txtap_container *container)
{
    return (struct reader){.file = container->file, .length = container->file_bytes, .line = 1, .error = ""};
}

static bool continues(const struct txtap_segment *run, const struct record *record)
{
    return run->length > 0 && record->address != 0 && run->address + (run->length - 1) == record->address - 1;
}

/*
 * Counts the runs of adjacent records, in the order of the file. The caller must provide memory for this number of
 * segments.
 */
static enum txtap_status count_runs(struct txtap_container *container, struct reader *reader)
{
    record_reader *next = kinds[container->kind]->next;
    struct txtap_segment run = {0, 0, NULL};
    struct record record;
    enum txtap_status status;

    while ((status = next(reader, &record)) == TXTAP_OK) {
        if (continues(&run, &record)) {
            run.length += record.length;
        } else {
            run = (struct txtap_segment){record.address, record.length, NULL};
            if (++container->segments_max > TXTAP_CONTAINER_SEGMENTS_MAX) {
                reader->error = "more pieces of memory than any dump has";
                return TXTAP_ERROR_SPACE;
            }
        }
        container->memory_bytes += record.length;
    }
    return status == TXTAP_END ? TXTAP_OK : status;
}

enum txtap_status txtap_container_open(struct txtap_container *container, const uint8_t *bytes, size_t length)
{
    struct reader reader;
    enum txtap_status status;

    memset(container, 0, sizeof(*container));
    container->error = "";
    container->file = bytes;
    container->file_bytes = length;
    container->kind = recognise(bytes, length);
    container->addressed = kinds[container->kind]->addressed;
    if (kinds[container->kind]->next == NULL) {
        container->segments_max = length > 0;
        return TXTAP_OK;
    }
    reader = reader_of(container);
    status = count_runs(container, &reader);
    container->missing_bytes = reader.missing_bytes;
    if (status != TXTAP_OK) {
        container->error = reader.error;
        container->error_line = container->kind == TXTAP_CONTAINER_ELF ? 0 : reader.line;
    }
    return status;
}

/* ---- sort and merge ---- */

static bool has_lower_address(const void *a, const void *b)
{
    const struct txtap_segment *left = a, *right = b;

    return left->address < right->address;
}

static uint64_t last_of(const struct txtap_segment *segment)
{
    return segment->address + (segment->length - 1);
}

/* Joins segments that touch or overlap. Returns the number of remaining segments. */
static size_t merge(struct txtap_segment *segments, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        struct txtap_segment *before = kept > 0 ? &segments[kept - 1] : NULL;

        if (before != NULL && (last_of(before) == LAST_ADDRESS || segments[i].address <= last_of(before) + 1)) {
            if (last_of(&segments[i]) > last_of(before))
                before->length = (size_t)(last_of(&segments[i]) - before->address) + 1;
        } else {
            segments[kept++] = segments[i];
        }
    }
    return kept;
}

/* ---- read ---- */

static size_t note_runs(const struct txtap_container *container, struct txtap_segment *segments)
{
    struct reader reader = reader_of(container);
    struct record record;
    size_t count = 0;

    while (kinds[container->kind]->next(&reader, &record) == TXTAP_OK) {
        if (count > 0 && continues(&segments[count - 1], &record))
            segments[count - 1].length += record.length;
        else if (count < container->segments_max)
            segments[count++] = (struct txtap_segment){record.address, record.length, NULL};
    }
    return count;
}

/*
 * Returns the index of the segment that contains the address; there is always such a segment. hint: index of the
 * previous record's segment.
 */
static size_t segment_of(const struct txtap_segment *segments, size_t count, uint64_t address, size_t hint)
{
    size_t low = 0, high = count;

    if (segments[hint].address <= address && address - segments[hint].address < segments[hint].length)
        return hint;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (segments[middle].address <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void replay(const struct txtap_container *container, uint8_t *memory, const struct txtap_segment *segments,
                   size_t count)
{
    struct reader reader = reader_of(container);
    struct record record;
    size_t hint = 0;

    while (kinds[container->kind]->next(&reader, &record) == TXTAP_OK) {
        hint = segment_of(segments, count, record.address, hint);
        memcpy(memory + (segments[hint].bytes - memory) + (record.address - segments[hint].address), record.bytes,
               record.length);
    }
}

enum txtap_status txtap_container_read(const struct txtap_container *container, uint8_t *memory,
                                       struct txtap_segment *segments, size_t *count, uint64_t *overlapping)
{
    size_t used = 0;

    *count = 0;
    *overlapping = 0;
    if (container->segments_max == 0)
        return TXTAP_OK;
    if (kinds[container->kind]->next == NULL) {
        segments[0] = (struct txtap_segment){0, container->file_bytes, container->file};
        *count = 1;
        return TXTAP_OK;
    }
    *count = note_runs(container, segments);
    heapsort_items(segments, *count, sizeof *segments, has_lower_address);
    *count = merge(segments, *count);
    for (size_t i = 0; i < *count; i++) {
        segments[i].bytes = memory + used;
        used += segments[i].length;
    }
    replay(container, memory, segments, *count);
    *overlapping = container->memory_bytes - used;
    return TXTAP_OK;
}
