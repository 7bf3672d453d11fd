/* SPDX-License-Identifier: MIT */
/* Finds the control header by searching RAM. Does not know which probe reads. */
#include "locate/txtb_scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "locate/txtb_permitted.h"
#include "probe/source_base.h"

#define CHUNK_BYTES   4096u
#define OVERLAP_BYTES (TXTB_HEADER_BYTES - 4u) /* a header may straddle two chunks */
#define GROWTH_BYTES  (1024u * 1024)           /* how far to search behind a region whose end is not known */

/* The usual start of a Cortex-M's RAM, if nothing else is known. */
static const struct memory_region default_ram = {.start = 0x20000000u, .size = GROWTH_BYTES};

struct scan {
    struct txtap_source source;
    struct locate_result *result;
    struct memory_region first_region;
    struct error fault; /* the source's text at the first fault */
};

/*
 * Reads length bytes at address or, if the target refuses, the *got bytes before the first refused word. Bisects the
 * range, so that finding the end of RAM takes a dozen reads.
 */
static enum txtap_status read_prefix(struct scan *scan, uint32_t address, uint8_t *bytes, uint32_t length,
                                     uint32_t *got)
{
    enum txtap_status status = memory_read(scan->source, address, bytes, length);
    uint32_t good = 0, bad = length;

    *got = length;
    if (status != ERROR_FAULT)
        return status;
    if (!error_is_set(&scan->fault))
        failure(&scan->fault, status, "%s", scan->source.ops->error_text(scan->source.self));
    while (bad - good > 4) {
        uint32_t half = (bad - good) / 8 * 4;

        status = memory_read(scan->source, address + good, bytes + good, half);
        if (status == TXTAP_OK)
            good += half;
        else if (status == ERROR_FAULT)
            bad = good + half;
        else
            return status;
    }
    *got = good;
    return TXTAP_OK;
}

/* Examines each place in the window that looks like a header. window: length bytes from address. */
static enum txtap_status search_window(struct scan *scan, const uint8_t *window, uint32_t length, uint32_t address)
{
    for (uint32_t at = 0; at + TXTB_HEADER_BYTES <= length; at += 4) {
        enum txtap_status status;

        if (!txtap_header_signature(window + at))
            continue;
        /* Reads it again as one piece: if it straddles two chunks, they were read at different times. */
        status = locate_examine(scan->source, address + at, LOCATE_BY_SCAN, scan->result);
        if (status != TXTAP_OK && status != ERROR_NOT_FOUND && status != ERROR_FAULT)
            return status;
    }
    return TXTAP_OK;
}

static void note_searched(struct locate_result *result, uint32_t start, uint64_t end)
{
    if (end <= start)
        return;
    result->searched_bytes += end - start;
    if (result->searched_count++ == 0)
        result->searched_start = start;
}

/* Searches the whole words in [start, end), up to the first that cannot be read. */
static enum txtap_status search_range(struct scan *scan, uint64_t start, uint64_t end)
{
    uint8_t window[OVERLAP_BYTES + CHUNK_BYTES];
    uint32_t chunk = scan->source.ops->read_bytes_max < CHUNK_BYTES ? scan->source.ops->read_bytes_max : CHUNK_BYTES;
    uint32_t kept = 0; /* bytes of the previous chunk, at the start of the window */
    uint64_t first = (start + 3) / 4 * 4, at = first;
    enum txtap_status status = TXTAP_OK;

    end = end / 4 * 4;
    chunk = chunk / 4 * 4;
    while (at < end) {
        uint32_t want = end - at < chunk ? (uint32_t)(end - at) : chunk, got, length;

        status = read_prefix(scan, (uint32_t)at, window + kept, want, &got);
        if (status != TXTAP_OK)
            break;
        length = kept + got;
        status = search_window(scan, window, length, (uint32_t)at - kept);
        at += got;
        if (status != TXTAP_OK || got < want)
            break;
        kept = length < OVERLAP_BYTES ? length : OVERLAP_BYTES;
        memmove(window, window + length - kept, kept);
    }
    note_searched(scan->result, (uint32_t)first, at);
    return status;
}

static enum txtap_status search_regions(struct scan *scan, const struct memory_region *regions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        enum txtap_status status = search_range(scan, regions[i].start, (uint64_t)regions[i].start + regions[i].size);

        if (status != TXTAP_OK)
            return status;
    }
    return TXTAP_OK;
}

/*
 * Searches on behind each of the ELF file's regions: ThreadX applications often give the trace the memory that the
 * linker left over, which is in no section.
 */
static enum txtap_status search_behind(struct scan *scan, const struct memory_region *regions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t end = (uint64_t)regions[i].start + regions[i].size;
        uint64_t limit = end + GROWTH_BYTES;
        enum txtap_status status;

        if (i + 1 < count && limit > regions[i + 1].start)
            limit = regions[i + 1].start;
        limit = locate_registers_from(end, limit);
        status = search_range(scan, end > OVERLAP_BYTES ? end - OVERLAP_BYTES : 0, limit);
        if (status != TXTAP_OK)
            return status;
    }
    return TXTAP_OK;
}

static enum txtap_status nothing_found(const struct scan *scan, struct error *error)
{
    const struct locate_result *result = scan->result;
    char doubt[2 * LOCATE_WHY_BYTES] = "";

    if (result->searched_bytes == 0)
        return failure(error, ERROR_FAULT,
                       "nothing at 0x%08" PRIx32 " can be searched: %.150s\nis there RAM on this chip? "
                       "--ram START:SIZE says where",
                       scan->first_region.start, error_is_set(&scan->fault) ? scan->fault.what : "no RAM region");
    if (result->count > 0)
        snprintf(doubt, sizeof doubt, ", but %zu damaged (0x%08" PRIx32 ": %.80s)", result->count + result->dropped,
                 result->candidates[0].address, result->candidates[0].why);
    return failure(error, ERROR_NOT_FOUND,
                   "no trace buffer in %" PRIu64 " bytes of %zu region(s) from 0x%08" PRIx32
                   "%s\nis the trace enabled? "
                   "Give the ELF file, --ram START:SIZE or --address",
                   result->searched_bytes, result->searched_count, result->searched_start, doubt);
}

static enum txtap_status choose(struct scan *scan, struct error *error)
{
    struct locate_result *result = scan->result;
    char list[100] = "";
    size_t used = 0;

    if (result->good == 0)
        return nothing_found(scan, error);
    for (size_t i = 0; i < result->count; i++) {
        if (result->candidates[i].status != TXTAP_OK)
            continue;
        result->chosen = i;
        if (used + 13 < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, " 0x%08" PRIx32, result->candidates[i].address);
    }
    if (result->good == 1)
        return TXTAP_OK;
    return failure(error, ERROR_AMBIGUOUS, "%zu trace buffers:%s\nchoose one with --address", result->good, list);
}

enum txtap_status locate_scan(struct txtap_source source, const struct locate_request *request,
                              struct locate_result *result, struct error *error)
{
    struct scan scan = {.source = source, .result = result};
    const struct memory_region *regions = request->ram;
    size_t count = request->ram_count;
    bool from_elf = count == 0 && request->elf != NULL;
    enum txtap_status status;

    if (from_elf)
        regions = elf_ram(request->elf, &count);
    if (count == 0) {
        from_elf = false;
        regions = &default_ram;
        count = 1;
    }
    scan.first_region = regions[0];
    status = search_regions(&scan, regions, count);
    if (status == TXTAP_OK && from_elf && result->good == 0)
        status = search_behind(&scan, regions, count);
    if (status != TXTAP_OK)
        return memory_failure(source, status, "search of RAM", error);
    return choose(&scan, error);
}
