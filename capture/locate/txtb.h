/* SPDX-License-Identifier: MIT */
/*
 * Finds the control header of the trace buffer in a target's memory. Believes nothing it reads: a header counts only
 * if its numbers agree with each other and it says that it lies where it was found.
 */
#ifndef TXTAP_CAPTURE_LOCATE_TXTB_H
#define TXTAP_CAPTURE_LOCATE_TXTB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "base/memory_region.h"
#include "locate/elf_file.h"
#include "txtap/header.h"
#include "txtap/source.h"
#include "txtap/status.h"

#define LOCATE_CANDIDATES_MAX 16
#define LOCATE_REGIONS_MAX    ELF_REGIONS_MAX
#define LOCATE_WHY_BYTES      96
#define LOCATE_POINTER_SYMBOL "_tx_trace_header_ptr" /* struct TX_TRACE_HEADER *; ThreadX common/inc/tx_trace.h */

/* Tried in this order: address, symbol, scan if asked for, ThreadX's own symbol if there is an ELF file, scan. */
struct locate_request {
    const struct elf_file *elf; /* or NULL */
    const char *symbol;         /* or NULL; of the buffer, or of a pointer variable that holds its address */
    bool has_address;
    uint32_t address;
    bool scan;
    const struct memory_region *ram; /* what to scan; none: the ELF file's RAM, without one 0x20000000 and up */
    size_t ram_count;
};

enum locate_how {
    LOCATE_BY_ADDRESS,
    LOCATE_BY_SYMBOL,  /* the symbol is the buffer */
    LOCATE_BY_POINTER, /* the symbol holds the buffer's address */
    LOCATE_BY_SCAN
};

struct locate_candidate {
    uint32_t address;
    enum locate_how how;
    enum txtap_status status;   /* TXTAP_OK: a header to be believed */
    char why[LOCATE_WHY_BYTES]; /* it is not to be believed; "" otherwise */
    uint8_t bytes[TXTB_HEADER_BYTES];
    struct txtap_header header;
};

struct locate_result {
    struct locate_candidate candidates[LOCATE_CANDIDATES_MAX]; /* in order of address when scanned for */
    size_t count;
    size_t dropped;   /* candidates that the table has no room for; a good one is left out only if all in it are good */
    size_t good;      /* candidates with TXTAP_OK */
    size_t chosen;    /* index of the one to use; only valid if locate() said TXTAP_OK */
    bool not_enabled; /* the pointer is there and is 0: the firmware has not called tx_trace_enable yet */
    struct memory_region searched[LOCATE_REGIONS_MAX]; /* what was scanned, as far as it could be read */
    size_t searched_count;
    uint64_t searched_bytes; /* of all regions, those beyond the table's end included */
};

/*
 * TXTAP_OK: result->candidates[result->chosen] is the header. On failure error is one line with what was tried, the
 * cause and the next step, and result holds what was found so far: ERROR_NOT_FOUND nothing there to be believed;
 * _AMBIGUOUS several headers are good; _SYMBOL the ELF file has no such symbol, or not in RAM; _USAGE a symbol without
 * an ELF file, or an address that is no multiple of 4; _FAULT the address, or everything to be scanned, cannot be read;
 * what the source says otherwise.
 */
enum txtap_status locate(struct txtap_source source, const struct locate_request *request, struct locate_result *result,
                         struct error *error);

/* "symbol", "scan", ...: for listings. */
const char *locate_how_name(enum locate_how how);

#endif
