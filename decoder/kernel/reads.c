/* SPDX-License-Identifier: MIT */
/* Joins wanted pieces of memory to reads, and finds the bytes of a piece in the reads. */
#include "kernel/reads.h"

#include <string.h>

#include "base/heapsort.h"

static uint32_t end_of(const struct txtap_read *read)
{
    return read->address + read->length;
}

void reads_clear(struct reads *reads)
{
    reads->count = reads->phase = reads->used = 0;
    memset(reads->starts, 0, sizeof reads->starts);
}

bool reads_want(struct reads *reads, uint32_t address, uint32_t bytes)
{
    uint32_t start = address & ~UINT32_C(3);
    uint64_t end = ((uint64_t)address + bytes + 3) & ~UINT64_C(3);

    if (bytes == 0 || end > UINT32_MAX || end - start > READS_BYTES || reads->count == READS_MAX)
        return false;
    if (!reads->memory.permits(reads->memory.self, start, (uint32_t)(end - start)))
        return false;
    reads->list[reads->count++] = (struct txtap_read){start, (uint32_t)(end - start), NULL};
    return true;
}

static bool comes_before(const void *a, const void *b)
{
    const struct txtap_read *left = a, *right = b;

    return left->address < right->address;
}

/* Returns true if `next`, which does not begin before `read`, can become a part of it. */
static bool joins(const struct reads *reads, const struct txtap_read *read, const struct txtap_read *next)
{
    uint32_t end = end_of(next) > end_of(read) ? end_of(next) : end_of(read);

    if (next->address > end_of(read) && next->address - end_of(read) > READS_GAP_BYTES)
        return false;
    return next->address <= end_of(read) ||
           reads->memory.permits(reads->memory.self, read->address, end - read->address);
}

static void join(struct reads *reads, size_t first)
{
    size_t kept = first;

    for (size_t i = first + 1; i < reads->count; i++) {
        struct txtap_read *read = &reads->list[kept];
        const struct txtap_read *next = &reads->list[i];

        if (!joins(reads, read, next))
            reads->list[++kept] = *next;
        else if (end_of(next) > end_of(read))
            read->length = end_of(next) - read->address;
    }
    if (reads->count > first)
        reads->count = kept + 1;
}

/* Gives each read its buffer. Drops the reads for which there is no room. */
static void place(struct reads *reads, size_t first)
{
    size_t kept = first;

    for (size_t i = first; i < reads->count; i++) {
        struct txtap_read read = reads->list[i];

        if (read.length > READS_BYTES - reads->used)
            continue;
        read.buffer = reads->bytes + reads->used;
        reads->used += read.length;
        reads->list[kept++] = read;
    }
    reads->count = kept;
}

void reads_end_phase(struct reads *reads)
{
    size_t first = reads->starts[reads->phase];

    heapsort_items(reads->list + first, reads->count - first, sizeof reads->list[0], comes_before);
    join(reads, first);
    place(reads, first);
    reads->starts[++reads->phase] = reads->count;
}

void reads_take(struct reads *reads, const bool *failed)
{
    for (size_t i = 0; i < reads->count; i++)
        reads->failed[i] = failed != NULL && failed[i];
}

const uint8_t *reads_at(const struct reads *reads, size_t phase, uint32_t address, uint32_t bytes)
{
    size_t low = reads->starts[phase], high = reads->starts[phase + 1];

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct txtap_read *read = &reads->list[middle];

        if (address < read->address)
            high = middle;
        else if (address - read->address >= read->length)
            low = middle + 1;
        else if (reads->failed[middle] || bytes > read->length - (address - read->address))
            return NULL;
        else
            return read->buffer + (address - read->address);
    }
    return NULL;
}
