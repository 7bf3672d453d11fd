/* SPDX-License-Identifier: MIT */
/*
 * The firmware's ELF file: its symbols, its RAM, its code. A damaged file gives an error or an incomplete answer, never
 * a crash. Not called elf.h, because <libelf.h> would then include this file instead of the system's.
 */
#ifndef TXTAP_CAPTURE_LOCATE_ELF_FILE_H
#define TXTAP_CAPTURE_LOCATE_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "base/memory_region.h"
#include "base/similar.h"
#include "txtap/header.h"
#include "txtap/status.h"

#define ELF_REGIONS_MAX    32
#define ELF_SOURCE_BYTES   64
#define ELF_FILE_BYTES_MAX (512u * 1024 * 1024)
#define ELF_OFFERS_MAX     65536

struct elf_file;

struct elf_symbol {
    uint32_t address;
    uint32_t size; /* bytes; 0: the file does not say */
    bool in_ram;   /* in one of elf_ram()'s regions */
};

/*
 * Reads a 32-bit ELF file of any machine into memory. On success the caller closes *out with elf_close(). On failure
 * *out is NULL and error says file, cause and next step: TXTAP_ERROR_SYSTEM it cannot be read; _FORMAT not an ELF file,
 * or a 64-bit one; _TRUNCATED its headers name bytes beyond its end; _SPACE too large.
 */
enum txtap_status elf_open(struct elf_file **out, const char *path, struct error *error);

/* Whether another file is at the path by now, or this one was changed. */
bool elf_has_changed(const struct elf_file *file);

/* NULL is allowed. */
void elf_close(struct elf_file *file);

/*
 * The defined symbol of that name; of several the global one, else the first. ERROR_SYMBOL: there is none, and *symbol
 * is unchanged.
 */
enum txtap_status elf_symbol_find(const struct elf_file *file, const char *name, struct elf_symbol *symbol);

/*
 * Finds all defined symbols of that name, file-local ones too. Returns their number; symbols[] gets the first count of
 * them, and sources[] the C file of a local symbol, or "" if it is global or the table does not say.
 */
size_t elf_symbols_find(const struct elf_file *file, const char *name, struct elf_symbol *symbols,
                        char (*sources)[ELF_SOURCE_BYTES], size_t count);

/* Offers the names of variables in RAM, ELF_OFFERS_MAX at most. */
void elf_symbols_offer(const struct elf_file *file, struct similar *similar);

/* The name of the variable at that address, "name+0x10" inside of it, cut to fit. False: there is no variable. */
bool elf_symbol_at(const struct elf_file *file, uint32_t address, char *name, size_t name_bytes);

/* False if the file has no symbol table at all: it was stripped. */
bool elf_has_symbols(const struct elf_file *file);

/* The RAM with the firmware's data: *count (<= ELF_REGIONS_MAX) regions, merged, by address. Owned by the file. */
const struct memory_region *elf_ram(const struct elf_file *file, size_t *count);

/* Code as it lies in the target's memory; address and length are multiples of 4. */
struct elf_code {
    uint32_t address, length;
    const uint8_t *bytes; /* the file's */
};

/*
 * Sections of code that do not change while this firmware runs: neither copied to where they run, nor in a writable
 * segment. Returns their number, at most count.
 */
size_t elf_code(const struct elf_file *file, struct elf_code *sections, size_t count);

enum txtap_endian elf_endian(const struct elf_file *file);

/* The path it was opened by. Owned by the file. */
const char *elf_path(const struct elf_file *file);

#endif
