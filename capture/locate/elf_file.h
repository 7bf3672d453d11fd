/* SPDX-License-Identifier: MIT */
/*
 * The firmware's ELF file: its symbols, its RAM, its code. With a damaged file, the functions return an error or an
 * incomplete result, but never crash. This header is not called elf.h, because <libelf.h> would then include it instead
 * of the system's elf.h.
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
    uint32_t size; /* bytes; 0: the file does not tell the size */
    bool in_ram;   /* true: the symbol is inside a region of elf_ram() */
};

/*
 * Reads a 32-bit ELF file for any machine into memory. On success the caller closes *out with elf_close(). On failure
 * *out is NULL, and error has the file, the cause and the next step. TXTAP_ERROR_SYSTEM: the file cannot be read.
 * _FORMAT: not an ELF file, or a 64-bit ELF file. _TRUNCATED: the headers refer to bytes beyond the file's end. _SPACE:
 * too large.
 */
enum txtap_status elf_open(struct elf_file **out, const char *path, struct error *error);

/* Returns true if the file at the path has changed or was replaced since it was opened. */
bool elf_has_changed(const struct elf_file *file);

/* Frees the file; NULL is allowed. */
void elf_close(struct elf_file *file);

/* Finds the defined symbol `name`. If several symbols have this name, chooses the global symbol; without a global
 * symbol, the first. ERROR_SYMBOL: there is no such symbol, and *symbol is unchanged. */
enum txtap_status elf_symbol_find(const struct elf_file *file, const char *name, struct elf_symbol *symbol);

/*
 * Finds all defined symbols called `name`, including local symbols. Returns how many there are. symbols[] gets the
 * first `count` of them. For each local symbol, sources[] gets its C file; "" for a global symbol or an unknown file.
 */
size_t elf_symbols_find(const struct elf_file *file, const char *name, struct elf_symbol *symbols,
                        char (*sources)[ELF_SOURCE_BYTES], size_t count);

/* Offers the names of at most ELF_OFFERS_MAX variables in RAM to `similar`, which keeps the most similar names. */
void elf_symbols_offer(const struct elf_file *file, struct similar *similar);

/* Returns the name of the next variable in RAM; the file owns it. *at: 0 at first. NULL: there are no more variables.
 */
const char *elf_next_variable(const struct elf_file *file, size_t *at);

/* Gets the name of the variable at `address`, cut to name_bytes. The name of an address inside a variable is like
 * "name+0x10". False: no variable is at the address. */
bool elf_symbol_at(const struct elf_file *file, uint32_t address, char *name, size_t name_bytes);

/* Returns false if the file has no symbol table, because it was stripped. */
bool elf_has_symbols(const struct elf_file *file);

/* Returns the RAM that has the firmware's data: *count (<= ELF_REGIONS_MAX) regions, sorted by address. The file owns
 * the regions. */
const struct memory_region *elf_ram(const struct elf_file *file, size_t *count);

/* Code as it is in the target's memory; address and length are multiples of 4. */
struct elf_code {
    uint32_t address, length;
    const uint8_t *bytes; /* owned by the file */
};

/* Gets the sections of code that do not change while this firmware runs. Leaves out code in a writable segment, and
 * code that is copied to another address before it runs. Returns the number of sections, at most `count`. */
size_t elf_code(const struct elf_file *file, struct elf_code *sections, size_t count);

/* Returns the bytes that the file loads at `address`; the file owns them. NULL: it does not load all `length` bytes. */
const uint8_t *elf_bytes(const struct elf_file *file, uint32_t address, uint32_t length);

/* Sets *address to the lowest address at which the file loads bytes. False: it loads nothing. */
bool elf_lowest_address(const struct elf_file *file, uint32_t *address);

/* Returns the address at which a 32-bit Arm core starts, bit 0 cleared; 0: unknown, or another machine. */
uint32_t elf_arm_entry(const struct elf_file *file);

/* Finds an allocated section. False: there is no such section. */
bool elf_section_find(const struct elf_file *file, const char *name, uint32_t *address, uint32_t *size);

/* Returns the build attributes of a 32-bit Arm file, and sets *length to their size; the file owns them. NULL: the file
 * has no such section. */
const uint8_t *elf_arm_attributes(const struct elf_file *file, size_t *length);

/* A function of the firmware. */
struct elf_function {
    const char *name; /* the file owns it */
    uint32_t address; /* bit 0 cleared */
    bool weak;
    uint32_t size; /* bytes; 0: the file does not tell the size */
};

/* Gets the next function. *at: 0 at first. False: there are no more functions. */
bool elf_next_function(const struct elf_file *file, size_t *at, struct elf_function *function);

/* Returns the number of bytes of the GNU build ID, and sets *id to them; 0: the file has no build ID. */
size_t elf_build_id(const struct elf_file *file, const uint8_t **id);

/* Returns a checksum (FNV-1a) of the names and addresses of all symbols; 0: the file has no symbols. */
uint64_t elf_symbols_checksum(const struct elf_file *file);

/* Returns libelf's handle, for other libraries that read the file. The file owns it. */
struct Elf *elf_libelf(const struct elf_file *file);

enum txtap_endian elf_endian(const struct elf_file *file);

/* Returns the path given to elf_open(). The file owns it. */
const char *elf_path(const struct elf_file *file);

#endif
