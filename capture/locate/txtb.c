/* SPDX-License-Identifier: MIT */
/* Finds the control header by address, symbol or pointer, or by a search of RAM. Works with any memory source. */
#include "locate/txtb.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/similar.h"
#include "probe/source_base.h"

#define CHUNK_BYTES   4096u
#define OVERLAP_BYTES (TXTB_HEADER_BYTES - 4u) /* a header may lie in two chunks */
#define GROWTH_BYTES  (1024u * 1024)           /* how far to search if the end of RAM is not known */

/* ---- the addresses that may be read ---- */

/*
 * Addresses of registers, [start, end): Armv7-M and Armv8-M Architecture Reference Manuals, "The system address map".
 */
static const struct {
    uint64_t start, end;
} registers[] = {{0x40000000, 0x60000000}, {0xE0000000, UINT64_C(1) << 32}};

/* Returns the first address in [start, end) that is reserved for peripherals or the system. Returns `end` if there is
 * no such address. */
static uint64_t registers_from(uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (start < registers[i].end && end > registers[i].start)
            return start > registers[i].start ? start : registers[i].start;
    return end;
}

static bool is_register(uint64_t address)
{
    return registers_from(address, address + 1) == address;
}

static bool is_inside(const struct memory_region *regions, size_t count, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < count; i++)
        if (start >= regions[i].start && end <= (uint64_t)regions[i].start + regions[i].size)
            return true;
    return false;
}

bool locate_permits(const struct locate_request *request, uint32_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    const struct memory_region *ram;
    size_t count = 0;

    if (registers_from(address, end) == end || is_inside(request->ram, request->ram_count, address, end))
        return true;
    ram = request->elf != NULL ? elf_ram(request->elf, &count) : NULL;
    return is_inside(ram, count, address, end) || (request->has_address && is_register(request->address));
}

/* ---- candidates ---- */

/* Parses the candidate's header. The header is good only if it names its own address. Sets `why` if it is bad. */
static void judge(struct locate_candidate *candidate)
{
    const struct txtap_header *header = &candidate->header;

    candidate->why[0] = '\0';
    candidate->status = txtap_header_parse(candidate->bytes, &candidate->header);
    if (candidate->status != TXTAP_OK) {
        snprintf(candidate->why, sizeof candidate->why, "%s", status_text(candidate->status));
        return;
    }
    if (header->base != candidate->address) {
        candidate->status = TXTAP_ERROR_OVERLAP;
        snprintf(candidate->why, sizeof candidate->why, "it names 0x%08" PRIx32 " as its address: a copy",
                 header->base);
    }
}

/* Adds a candidate. If the table is full, a good candidate replaces the last bad candidate. */
static void keep(struct locate_result *result, const struct locate_candidate *candidate)
{
    size_t at = result->count;

    for (size_t i = 0; i < result->count; i++)
        if (result->candidates[i].address == candidate->address)
            return; /* found before, because regions may overlap */
    result->good += candidate->status == TXTAP_OK;
    if (result->count == LOCATE_CANDIDATES_MAX) {
        result->dropped++;
        if (candidate->status != TXTAP_OK)
            return;
        while (at > 0 && result->candidates[at - 1].status == TXTAP_OK)
            at--;
        if (at == 0)
            return;
        memmove(&result->candidates[at - 1], &result->candidates[at], (result->count - at) * sizeof *candidate);
        at = --result->count;
    }
    result->candidates[at] = *candidate;
    result->count++;
}

/* Reads and checks the header at `address` (a multiple of 4), and adds the header to the candidates. TXTAP_OK: the
 * header is good. ERROR_NOT_FOUND: the header is bad. Other statuses: the header cannot be read, and is not added. */
static enum txtap_status examine(struct txtap_source source, uint32_t address, enum locate_how how,
                                 struct locate_result *result)
{
    struct locate_candidate candidate = {.address = address, .how = how};
    enum txtap_status status;

    if (address > UINT32_MAX - (TXTB_HEADER_BYTES - 1)) {
        candidate.status = TXTAP_ERROR_TRUNCATED;
        snprintf(candidate.why, sizeof candidate.why, "a header there would reach beyond 0xffffffff");
    } else {
        status = memory_read(source, address, candidate.bytes, sizeof candidate.bytes);
        if (status != TXTAP_OK)
            return status;
        judge(&candidate);
    }
    keep(result, &candidate);
    if (candidate.status != TXTAP_OK)
        return ERROR_NOT_FOUND;
    result->chosen = result->count - 1;
    return TXTAP_OK;
}

/* ---- the search ---- */

/* The usual start of RAM in a Cortex-M, used if nothing else is known. */
static const struct memory_region default_ram = {.start = 0x20000000u, .size = GROWTH_BYTES};

struct scan {
    struct txtap_source source;
    struct locate_result *result;
    struct memory_region first_region;
    struct error fault; /* the source's text about the first address that the target refused to read */
};

/* Reads `length` bytes at `address`. If the target refuses a word, reads only the *got bytes before this word. Finds
 * the word by bisection, in about twelve reads. */
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

/* Examines each place in the window that looks like a header. window: the `length` bytes from `address` on. */
static enum txtap_status search_window(struct scan *scan, const uint8_t *window, uint32_t length, uint32_t address)
{
    for (uint32_t at = 0; at + TXTB_HEADER_BYTES <= length; at += 4) {
        enum txtap_status status;

        if (!txtap_header_signature(window + at))
            continue;
        /* Reads the header again in one piece. If it lies in two chunks, its parts in the window were read at different
         * times. */
        status = examine(scan->source, address + at, LOCATE_BY_SCAN, scan->result);
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

/* Searches [start, end) word by word, up to the first word that cannot be read. */
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

/* Searches the memory after each region of the ELF file. ThreadX applications often put the trace into memory that the
 * linker left unused. No section contains this memory. */
static enum txtap_status search_behind(struct scan *scan, const struct memory_region *regions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t end = (uint64_t)regions[i].start + regions[i].size;
        uint64_t limit = end + GROWTH_BYTES;
        enum txtap_status status;

        if (i + 1 < count && limit > regions[i + 1].start)
            limit = regions[i + 1].start;
        limit = registers_from(end, limit);
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

/* Scans the request's regions. Returns the same statuses as locate(). */
static enum txtap_status search(struct txtap_source source, const struct locate_request *request,
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

/* ---- by address, symbol or pointer ---- */

static enum txtap_status at_address(struct txtap_source source, uint32_t address, struct locate_result *result,
                                    struct error *error)
{
    enum txtap_status status;

    if (address % 4 != 0)
        return failure(error, TXTAP_ERROR_USAGE, "address 0x%08" PRIx32 ": not a multiple of 4, so not a trace buffer",
                       address);
    status = examine(source, address, LOCATE_BY_ADDRESS, result);
    if (status == TXTAP_OK)
        return status;
    if (status == ERROR_NOT_FOUND)
        return failure(error, status,
                       "no trace buffer at 0x%08" PRIx32
                       ": %s\ngive another address, the ELF file, or search with --scan",
                       address, result->candidates[0].why);
    return failure(error, status, "no header at 0x%08" PRIx32 ": %.160s\ngive another address, or search with --scan",
                   address, source.ops->error_text(source.self));
}

static enum txtap_status not_enabled(const struct elf_file *elf, const char *name, struct error *error)
{
    static const char format[] = "%.64s is 0: the trace is not enabled yet\nthe firmware has to call tx_trace_enable()"
                                 "%s%.90s%s";
    bool known = switch_on_look(elf).state != SWITCH_ON_UNKNOWN;

    return failure(error, ERROR_NOT_ENABLED, format, name, known ? ": see 'txtap info " : "",
                   known ? elf_path(elf) : "", known ? "'" : "");
}

/* Checks the header to which a pointer variable points. name: the variable. pointer: its value. */
static enum txtap_status through_pointer(struct txtap_source source, const struct locate_request *request,
                                         const char *name, uint32_t pointer, struct locate_result *result,
                                         struct error *error)
{
    enum txtap_status status = ERROR_FAULT;
    const char *cause = NULL;

    if (pointer == 0)
        return not_enabled(request->elf, name, error);
    if (pointer % 4 != 0)
        cause = "not a multiple of 4";
    else if (!locate_permits(request, pointer, TXTB_HEADER_BYTES))
        cause = "registers are there, which txtap does not read";
    else
        status = examine(source, pointer, LOCATE_BY_POINTER, result);
    if (status == TXTAP_OK)
        return status;
    if (status == ERROR_NOT_FOUND)
        cause = result->candidates[0].why;
    else if (status != ERROR_FAULT)
        return memory_failure(source, status, name, error);
    return failure(error, ERROR_NOT_FOUND,
                   "%.64s holds 0x%08" PRIx32 ", no trace buffer (%s)\nis this the ELF file of the running firmware? "
                   "--scan searches RAM, --ram START:SIZE says where it is",
                   name, pointer, cause != NULL ? cause : "not readable");
}

static enum txtap_status no_symbol(const struct elf_file *elf, const char *name, bool is_threadx, struct error *error)
{
    const char *cause = is_threadx ? " (is the firmware built with TX_ENABLE_EVENT_TRACE?)" : "";
    char hint[SIMILAR_TEXT_BYTES] = "";
    struct similar similar;

    if (is_threadx && switch_on_check(elf, error) != TXTAP_OK)
        return ERROR_SYMBOL;
    if (!elf_has_symbols(elf)) {
        cause = " (it was stripped)";
    } else if (!is_threadx) {
        similar_init(&similar, name);
        elf_symbols_offer(elf, &similar);
        similar_text(&similar, hint);
    }
    return failure(error, ERROR_SYMBOL, "%.80s: no symbol %.64s%s%s\n%s", elf_path(elf), name, cause, hint,
                   hint[0] == '\0' ? "--scan searches RAM without it" : "");
}

/* Finds the header by a symbol. is_variable: true for ThreadX's own symbol, which must be a pointer variable; false for
 * the user's symbol, which may be a pointer or the buffer itself. */
static enum txtap_status by_symbol(struct txtap_source source, const struct locate_request *request, const char *name,
                                   bool is_variable, struct locate_result *result, struct error *error)
{
    const struct elf_file *elf = request->elf;
    struct elf_symbol symbol;
    uint8_t bytes[4];
    uint32_t word;
    enum txtap_status status = elf_symbol_find(elf, name, &symbol);

    if (status != TXTAP_OK)
        return no_symbol(elf, name, is_variable, error);
    if (is_variable && !symbol.in_ram)
        return failure(error, ERROR_SYMBOL,
                       "%.80s: %.64s lies at 0x%08" PRIx32 ", not in RAM, but it is a variable\n--scan searches RAM",
                       elf_path(elf), name, symbol.address);
    if (symbol.address % 4 != 0)
        return failure(error, ERROR_SYMBOL,
                       "%.80s: %.64s at 0x%08" PRIx32
                       " is neither a buffer nor a pointer: not a multiple of 4\n--scan searches RAM",
                       elf_path(elf), name, symbol.address);

    status = memory_read(source, symbol.address, bytes, sizeof bytes);
    if (status != TXTAP_OK)
        return memory_failure(source, status, name, error);
    word = memory_word(bytes, elf_endian(elf));
    if (word != TXTB_ID)
        return through_pointer(source, request, name, word, result, error);

    status = examine(source, symbol.address, LOCATE_BY_SYMBOL, result);
    if (status == TXTAP_OK)
        return status;
    return failure(error, status, "%.64s at 0x%08" PRIx32 ": %.160s", name, symbol.address,
                   status == ERROR_NOT_FOUND ? result->candidates[0].why : source.ops->error_text(source.self));
}

enum txtap_status locate(struct txtap_source source, const struct locate_request *request, struct locate_result *result,
                         struct error *error)
{
    memset(result, 0, sizeof *result);
    error_clear(error);
    if (request->has_address)
        return at_address(source, request->address, result, error);
    if (request->symbol != NULL && request->elf == NULL)
        return failure(error, TXTAP_ERROR_USAGE, "symbol %.64s\ngive the firmware's ELF file too", request->symbol);
    if (request->symbol != NULL)
        return by_symbol(source, request, request->symbol, false, result, error);
    if (request->elf != NULL && !request->scan)
        return by_symbol(source, request, LOCATE_POINTER_SYMBOL, true, result, error);
    return search(source, request, result, error);
}

const char *locate_how_name(enum locate_how how)
{
    static const char *const names[] = {[LOCATE_BY_ADDRESS] = "address",
                                        [LOCATE_BY_SYMBOL] = "symbol",
                                        [LOCATE_BY_POINTER] = "pointer",
                                        [LOCATE_BY_SCAN] = "scan"};

    return names[how];
}
