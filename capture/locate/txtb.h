/* SPDX-License-Identifier: MIT */
/* Finds the control header of the trace buffer in a target's memory. Every byte from the target is checked: a header is
 * good only if its numbers are consistent and it contains the address at which it was found. */
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
#define LOCATE_WHY_BYTES      96
#define LOCATE_POINTER_SYMBOL "_tx_trace_header_ptr" /* struct TX_TRACE_HEADER *; ThreadX common/inc/tx_trace.h */

/* What the user says about the buffer's place. All 0: nothing. */
struct locate_wish {
    const char *symbol; /* symbol of the buffer, or of a pointer to it; or NULL */
    bool has_address, scan;
    uint32_t address;
    struct memory_region ram[MEMORY_REGIONS_MAX]; /* the ram_count regions to scan */
    size_t ram_count;
};

/* locate() tries in this order: address, symbol, scan if it is requested, ThreadX's own symbol if there is an ELF file,
 * scan. */
struct locate_request {
    const struct elf_file *elf; /* or NULL */
    const char *symbol;         /* symbol of the buffer, or of a pointer to it; or NULL */
    bool has_address;
    uint32_t address;
    bool scan;
    /* the regions to scan; if ram_count is 0: the ELF file's RAM, or else from 0x20000000 on */
    const struct memory_region *ram;
    size_t ram_count;
};

enum locate_how {
    LOCATE_BY_ADDRESS,
    LOCATE_BY_SYMBOL,  /* the symbol is the buffer */
    LOCATE_BY_POINTER, /* the symbol is a pointer to the buffer */
    LOCATE_BY_SCAN
};

struct locate_candidate {
    uint32_t address;
    enum locate_how how;
    enum txtap_status status;   /* TXTAP_OK: the header is good */
    char why[LOCATE_WHY_BYTES]; /* why the header is bad; "" if it is good */
    uint8_t bytes[TXTB_HEADER_BYTES];
    struct txtap_header header;
};

struct locate_result {
    struct locate_candidate candidates[LOCATE_CANDIDATES_MAX]; /* ordered by address, after a scan */
    size_t count;
    size_t dropped;          /* number of candidates that did not fit; good candidates are dropped last */
    size_t good;             /* number of candidates with status TXTAP_OK */
    size_t chosen;           /* index of the header to use, if locate() returned TXTAP_OK */
    bool not_enabled;        /* the pointer is 0: the firmware has not called tx_trace_enable() yet */
    size_t searched_count;   /* number of regions scanned, as far as they could be read */
    uint32_t searched_start; /* start of the first scanned region */
    uint64_t searched_bytes; /* size of all scanned regions */
};

/*
 * Finds the header. TXTAP_OK: the header is result->candidates[result->chosen]. On failure error is one line with the
 * attempt, the cause and the next step, and result has everything that was found. ERROR_NOT_FOUND: no good header.
 * _AMBIGUOUS: several good headers. _SYMBOL: the ELF file has no such symbol, or it is not in RAM. _USAGE: a symbol
 * without an ELF file, or an address that is not a multiple of 4. _FAULT: the address, or all memory to scan, cannot be
 * read. Other statuses are those of the source's read().
 */
enum txtap_status locate(struct txtap_source source, const struct locate_request *request, struct locate_result *result,
                         struct error *error);

/*
 * Reports whether it is safe to read these addresses, which come from a word in the target's memory. Reading a register
 * can change the
 * target: reading a UART's data register removes the received byte. A pointer that the firmware has not set yet, or
 * that was overwritten, can have any value.
 *
 * Returns false if [address, address + bytes) overlaps the addresses that Cortex-M reserves for peripherals (0x40000000
 * to 0x5FFFFFFF) or for the system (from 0xE0000000 on), and RAM is not declared there. RAM is declared if the ELF
 * file's RAM or request->ram contains the whole range, or if request->address is such an address. Other addresses are
 * always permitted, because RAM may be in no section: memory that the linker left unused, or external RAM.
 */
bool locate_permits(const struct locate_request *request, uint32_t address, uint64_t bytes);

/* Returns "symbol", "scan", ...: for listings. */
const char *locate_how_name(enum locate_how how);

#endif
