/* SPDX-License-Identifier: MIT */
/* Makes small 32-bit ELF files for tests. They have code in flash, data, bss and noinit in RAM, and a symbol table. */
#ifndef TXTAP_TESTS_ELF_MAKER_H
#define TXTAP_TESTS_ELF_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_MAKER_BYTES 4096

/* The memory of each made file: section and size. */
#define MADE_TEXT   0x08000000u /* 0x100 bytes */
#define MADE_DATA   0x20000000u /* 0x40 */
#define MADE_BSS    0x20000040u /* 0x1000 */
#define MADE_NOINIT 0x10000000u /* 0x200 */

struct made_symbol {
    const char *name;
    uint32_t value;
    uint32_t size;
    bool local;
    bool undefined;
    bool function; /* false: a variable */
    bool weak;
};

struct elf_recipe {
    bool big_endian;
    bool without_symbols;
    bool without_sections;
    uint32_t noinit;  /* address of noinit; 0 means MADE_NOINIT */
    bool one_segment; /* code and data share a segment that is writable and executable */
    const struct made_symbol *symbols;
    size_t symbol_count;   /* at most 11 */
    const uint32_t *words; /* the first word_count words of the code, at most 64; the others are 0 */
    size_t word_count;
    const uint8_t *attributes; /* content of a section of Arm build attributes; NULL: no such section */
    size_t attributes_length;  /* at most 128 */
};

/* Writes the file to `bytes`. Returns its length in bytes. */
size_t elf_make(const struct elf_recipe *recipe, uint8_t bytes[static ELF_MAKER_BYTES]);

/* Writes bytes to a file in memory. Returns its descriptor. path: gets the file's path. */
int elf_make_file(const uint8_t *bytes, size_t length, char path[static 32]);

#endif
