/* SPDX-License-Identifier: MIT */
#include "locate/elf_maker.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <criterion/criterion.h>

#define SECTIONS     9 /* with the attributes, which are last */
#define TEXT_OFFSET  0x100u
#define DATA_OFFSET  0x200u
#define SYMS_OFFSET  0x240u
#define STRS_OFFSET  0x300u
#define SHDRS_OFFSET 0x400u
#define ATTRS_OFFSET (SHDRS_OFFSET + SECTIONS * (uint32_t)sizeof(Elf32_Shdr))

struct maker {
    uint8_t *bytes;
    bool big;
};

static void put(struct maker *maker, size_t at, unsigned width, uint32_t value)
{
    for (unsigned i = 0; i < width; i++)
        maker->bytes[at + i] = (uint8_t)(value >> 8 * (maker->big ? width - 1 - i : i));
}

static void put_words(struct maker *maker, size_t at, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(maker, at + 4 * i, 4, words[i]);
}

static uint32_t sections_of(const struct elf_recipe *recipe)
{
    return recipe->attributes != NULL ? SECTIONS : SECTIONS - 1;
}

static void put_header(struct maker *maker, const struct elf_recipe *recipe)
{
    static const uint8_t ident[] = {0x7f, 'E', 'L', 'F', ELFCLASS32, 0, EV_CURRENT};
    bool sections = !recipe->without_sections;

    memcpy(maker->bytes, ident, sizeof ident);
    maker->bytes[EI_DATA] = maker->big ? ELFDATA2MSB : ELFDATA2LSB;
    put(maker, 16, 2, ET_EXEC);
    put(maker, 18, 2, EM_ARM);
    put(maker, 20, 4, EV_CURRENT);
    put(maker, 24, 4, MADE_TEXT | 1);
    put(maker, 28, 4, sizeof(Elf32_Ehdr));
    put(maker, 32, 4, sections ? SHDRS_OFFSET : 0);
    put(maker, 40, 2, sizeof(Elf32_Ehdr));
    put(maker, 42, 2, sizeof(Elf32_Phdr));
    put(maker, 44, 2, 3);
    put(maker, 46, 2, sizeof(Elf32_Shdr));
    put(maker, 48, 2, sections ? sections_of(recipe) : 0);
    put(maker, 50, 2, sections ? 7 : 0);
}

static uint32_t noinit_of(const struct elf_recipe *recipe)
{
    return recipe->noinit != 0 ? recipe->noinit : MADE_NOINIT;
}

/* Writes the segments. Columns: type, offset, address, load address, bytes in the file, bytes in memory, flags,
 * alignment. */
static void put_segments(struct maker *maker, const struct elf_recipe *recipe)
{
    uint32_t code = PF_R | PF_X | (recipe->one_segment ? PF_W : 0u), noinit = noinit_of(recipe);
    const uint32_t segments[3][8] = {
        {PT_LOAD, TEXT_OFFSET, MADE_TEXT, MADE_TEXT, 0x100, 0x100, code, 4},
        {PT_LOAD, DATA_OFFSET, MADE_DATA, MADE_TEXT + 0x100, 0x40, 0x1040, PF_R | PF_W, 4},
        {PT_LOAD, DATA_OFFSET, noinit, noinit, 0, 0x200, PF_R | PF_W, 4},
    };

    for (size_t i = 0; i < 3; i++)
        put_words(maker, sizeof(Elf32_Ehdr) + i * sizeof(Elf32_Phdr), segments[i], 8);
}

/* Writes the sections. Columns: name, type, flags, address, offset, size, link, info, alignment, entry size. */
static void put_sections(struct maker *maker, const struct elf_recipe *recipe, uint32_t strings)
{
    uint32_t symbols = (uint32_t)(recipe->symbol_count + 1) * (uint32_t)sizeof(Elf32_Sym);
    uint32_t type = recipe->without_symbols ? SHT_PROGBITS : SHT_SYMTAB;
    const uint32_t sections[SECTIONS][10] = {
        {0},
        {0, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, MADE_TEXT, TEXT_OFFSET, 0x100, 0, 0, 4, 0},
        {0, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, MADE_DATA, DATA_OFFSET, 0x40, 0, 0, 4, 0},
        {0, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, MADE_BSS, DATA_OFFSET + 0x40, 0x1000, 0, 0, 4, 0},
        {0, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, noinit_of(recipe), DATA_OFFSET + 0x40, 0x200, 0, 0, 4, 0},
        {0, type, 0, 0, SYMS_OFFSET, symbols, 6, 1, 4, sizeof(Elf32_Sym)},
        {0, SHT_STRTAB, 0, 0, STRS_OFFSET, strings, 0, 0, 1, 0},
        {0, SHT_STRTAB, 0, 0, STRS_OFFSET, 1, 0, 0, 1, 0},
        {0, SHT_ARM_ATTRIBUTES, 0, 0, ATTRS_OFFSET, (uint32_t)recipe->attributes_length, 0, 0, 1, 0},
    };

    for (size_t i = 0; i < sections_of(recipe); i++)
        put_words(maker, SHDRS_OFFSET + i * sizeof(Elf32_Shdr), sections[i], 10);
}

static uint32_t put_symbols(struct maker *maker, const struct elf_recipe *recipe)
{
    uint32_t strings = 1;

    cr_assert(recipe->symbol_count <= 11);
    for (size_t i = 0; i < recipe->symbol_count; i++) {
        const struct made_symbol *symbol = &recipe->symbols[i];
        size_t at = SYMS_OFFSET + (i + 1) * sizeof(Elf32_Sym);
        size_t length = strlen(symbol->name) + 1;

        cr_assert(strings + length <= SHDRS_OFFSET - STRS_OFFSET);
        memcpy(maker->bytes + STRS_OFFSET + strings, symbol->name, length);
        put(maker, at, 4, strings);
        put(maker, at + 4, 4, symbol->value);
        put(maker, at + 8, 4, symbol->size);
        maker->bytes[at + 12] = (uint8_t)(ELF32_ST_INFO(symbol->weak    ? STB_WEAK
                                                        : symbol->local ? STB_LOCAL
                                                                        : STB_GLOBAL,
                                                        symbol->function ? STT_FUNC : STT_OBJECT));
        put(maker, at + 14, 2, symbol->undefined ? SHN_UNDEF : 3);
        strings += (uint32_t)length;
    }
    return strings;
}

size_t elf_make(const struct elf_recipe *recipe, uint8_t bytes[static ELF_MAKER_BYTES])
{
    struct maker maker = {bytes, recipe->big_endian};

    memset(bytes, 0, ELF_MAKER_BYTES);
    put_header(&maker, recipe);
    put_segments(&maker, recipe);
    cr_assert(recipe->word_count <= 64);
    put_words(&maker, TEXT_OFFSET, recipe->words, recipe->word_count);
    if (recipe->without_sections)
        return SYMS_OFFSET;
    put_sections(&maker, recipe, put_symbols(&maker, recipe));
    if (recipe->attributes == NULL)
        return SHDRS_OFFSET + sections_of(recipe) * sizeof(Elf32_Shdr);
    cr_assert(recipe->attributes_length <= 128);
    memcpy(bytes + ATTRS_OFFSET, recipe->attributes, recipe->attributes_length);
    return ATTRS_OFFSET + recipe->attributes_length;
}

int elf_make_file(const uint8_t *bytes, size_t length, char path[static 32])
{
    int fd = memfd_create("elf", MFD_CLOEXEC);

    cr_assert(fd >= 0);
    cr_assert(write(fd, bytes, length) == (ssize_t)length);
    snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}
