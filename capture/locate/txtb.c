/* SPDX-License-Identifier: MIT */
/* Finds the control header by address, symbol or pointer. Does not know which probe reads. */
#include "locate/txtb.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/similar.h"
#include "locate/txtb_permitted.h"
#include "locate/txtb_scan.h"
#include "probe/source_base.h"

/* Parses the header and checks that it names its own address; why: what is wrong. */
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

/* Adds a candidate. If the table is full, a good one replaces the last bad one. */
static void keep(struct locate_result *result, const struct locate_candidate *candidate)
{
    size_t at = result->count;

    for (size_t i = 0; i < result->count; i++)
        if (result->candidates[i].address == candidate->address)
            return; /* regions may overlap */
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

enum txtap_status locate_examine(struct txtap_source source, uint32_t address, enum locate_how how,
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

static enum txtap_status at_address(struct txtap_source source, uint32_t address, struct locate_result *result,
                                    struct error *error)
{
    enum txtap_status status;

    if (address % 4 != 0)
        return failure(error, TXTAP_ERROR_USAGE,
                       "address 0x%08" PRIx32 ": not a multiple of 4, no trace buffer lies there", address);
    status = locate_examine(source, address, LOCATE_BY_ADDRESS, result);
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

/* Checks the header whose address a pointer variable holds. */
static enum txtap_status through_pointer(struct txtap_source source, const struct locate_request *request,
                                         const char *name, uint32_t pointer, struct locate_result *result,
                                         struct error *error)
{
    enum txtap_status status = ERROR_FAULT;
    const char *cause = NULL;

    if (pointer == 0) {
        result->not_enabled = true;
        return failure(error, ERROR_NOT_FOUND,
                       "%.64s is 0: the trace is not enabled yet\nthe firmware has to call tx_trace_enable()", name);
    }
    if (pointer % 4 != 0)
        cause = "not a multiple of 4";
    else if (!locate_permits(request, pointer, TXTB_HEADER_BYTES))
        cause = "registers are there, which txtap does not read";
    else
        status = locate_examine(source, pointer, LOCATE_BY_POINTER, result);
    if (status == TXTAP_OK)
        return status;
    if (status == ERROR_NOT_FOUND)
        cause = result->candidates[0].why;
    else if (status != ERROR_FAULT)
        return memory_failure(source, status, name, error);
    return failure(error, ERROR_NOT_FOUND,
                   "%.64s holds 0x%08" PRIx32 ", no trace buffer (%s)\nis this the ELF file of the firmware that runs? "
                   "--scan searches RAM, --ram START:SIZE says where it is",
                   name, pointer, cause != NULL ? cause : "not readable");
}

static enum txtap_status no_symbol(const struct elf_file *elf, const char *name, bool is_threadx, struct error *error)
{
    const char *cause = is_threadx ? " (is the firmware built with TX_ENABLE_EVENT_TRACE?)" : "";
    char hint[SIMILAR_TEXT_BYTES] = "";
    struct similar similar;

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

/* is_variable: ThreadX's pointer, which is known to be a variable; otherwise the user's symbol. */
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

    status = locate_examine(source, symbol.address, LOCATE_BY_SYMBOL, result);
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
    return locate_scan(source, request, result, error);
}

const char *locate_how_name(enum locate_how how)
{
    static const char *const names[] = {[LOCATE_BY_ADDRESS] = "address",
                                        [LOCATE_BY_SYMBOL] = "symbol",
                                        [LOCATE_BY_POINTER] = "pointer",
                                        [LOCATE_BY_SCAN] = "scan"};

    return names[how];
}
