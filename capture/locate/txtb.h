/* SPDX-License-Identifier: MIT */
/* Finds the control header of the trace buffer in a target's memory. Does not trust the target: a header is good only
 * if its numbers are consistent and it names the address at which it was found. */
#ifndef TXTAP_CAPTURE_LOCATE_TXTB_H
#define TXTAP_CAPTURE_LOCATE_TXTB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "base/memory_region.h"
#include "locate/elf_file.h"
#include "locate/switch_on.h"
#include "txtap/header.h"
#include "txtap/source.h"
#include "txtap/status.h"

#define LOCATE_CANDIDATES_MAX 16
#define LOCATE_WHY_BYTES      96

/* The options that say where the trace buffer is. All 0: the user gave no such option. */
struct locate_wish {
    const char *symbol; /* symbol of the buffer, or of a pointer to it; or NULL */
    bool has_address, scan;
    uint32_t address;
    struct memory_region ram[MEMORY_REGIONS_MAX]; /* regions to scan; the first ram_count are in use */
    size_t ram_count;
};

/* Where to find the header. locate() uses the first of these that applies: the address; the symbol; a scan if `scan` is
 * true; ThreadX's own symbol if there is an ELF file; a scan. */
struct locate_request {
    const struct elf_file *elf; /* or NULL */
    const char *symbol;         /* symbol of the buffer, or of a pointer to it; or NULL */
    bool has_address;
    uint32_t address;
    bool scan;
    /* regions to scan; if ram_count is 0, scans the ELF file's RAM; without an ELF file, scans from 0x20000000 on */
    const struct memory_region *ram;
    size_t ram_count;
};

enum locate_how {
    LOCATE_BY_ADDRESS,
    LOCATE_BY_SYMBOL,  /* the buffer is at the symbol */
    LOCATE_BY_POINTER, /* the symbol is a pointer variable, which points to the buffer */
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
    struct locate_candidate candidates[LOCATE_CANDIDATES_MAX]; /* a scan sorts them by address */
    size_t count;
    size_t dropped;          /* number of candidates that did not fit; bad candidates are dropped first */
    size_t good;             /* number of good candidates, including dropped good candidates */
    size_t chosen;           /* index of the header to use, if locate() returned TXTAP_OK */
    size_t searched_count;   /* number of scanned regions, without regions that cannot be read */
    uint32_t searched_start; /* start of the first scanned region */
    uint64_t searched_bytes; /* number of bytes scanned, in all regions */
};

/*
 * Finds the header. TXTAP_OK: the header is result->candidates[result->chosen]. On failure error is one line with the
 * attempt, the cause and the next step, and result has all candidates. ERROR_NOT_FOUND: no good header.
 * ERROR_NOT_ENABLED: the pointer is 0: the firmware has not called tx_trace_enable() yet. ERROR_AMBIGUOUS: several good
 * headers. ERROR_SYMBOL: the ELF file has no such symbol, or the symbol cannot be the
 * buffer or a pointer. TXTAP_ERROR_USAGE: a symbol without an ELF file, or an address that is not a multiple of 4.
 * ERROR_FAULT: the target refuses to read the address, or all memory to scan. Other statuses are those of the source's
 * read().
 */
enum txtap_status locate(struct txtap_source source, const struct locate_request *request, struct locate_result *result,
                         struct error *error);

/*
 * Returns true if it is safe to read `bytes` bytes at `address`. Call it for an address that comes from the target's
 * memory: a pointer that is not set yet, or was overwritten, can have any value. Reading a register can change the
 * target: reading a UART's data register removes the received byte.
 *
 * Addresses that Cortex-M reserves for peripherals (0x40000000 to 0x5FFFFFFF) or for the system (from 0xE0000000 on)
 * are safe only if RAM is declared there. RAM is declared if the ELF file's RAM or request->ram contains the whole
 * range, or if request->address is a reserved address. All other addresses are safe. They may be outside of all
 * sections, because the linker may leave RAM unused, and external RAM may have no section.
 */
bool locate_permits(const struct locate_request *request, uint32_t address, uint64_t bytes);

/* Returns the name for listings: "symbol", "scan", ... */
const char *locate_how_name(enum locate_how how);

#endif
