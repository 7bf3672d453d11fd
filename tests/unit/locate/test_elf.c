/* SPDX-License-Identifier: MIT */
#include "locate/elf_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "locate/elf_maker.h"
#include "error_line.h"

static const struct made_symbol symbols[] = {
    {.name = "twice", .value = MADE_DATA + 4, .size = 4, .local = true},
    {.name = "_tx_trace_header_ptr", .value = MADE_BSS + 0x10, .size = 4},
    {.name = "twice", .value = MADE_DATA + 8, .size = 4},
    {.name = "in_flash", .value = MADE_TEXT + 0x20, .size = 4},
    {.name = "elsewhere", .undefined = true},
    {.name = "only_local", .value = MADE_NOINIT, .size = 0x200, .local = true},
};
static const struct elf_recipe usual = {.symbols = symbols, .symbol_count = 6};

static enum txtap_status open_bytes(struct elf_file **elf, const uint8_t *bytes, size_t length, struct error *error)
{
    char path[32];
    int fd = elf_make_file(bytes, length, path);
    enum txtap_status status = elf_open(elf, path, error);

    close(fd);
    return status;
}

static struct elf_file *open_made(const struct elf_recipe *recipe)
{
    uint8_t bytes[ELF_MAKER_BYTES];
    struct error error;
    struct elf_file *elf;
    enum txtap_status status = open_bytes(&elf, bytes, elf_make(recipe, bytes), &error);

    cr_assert(status == TXTAP_OK, "%s", error_line(&error));
    return elf;
}

static void ram_is(const struct elf_file *elf, size_t count, const struct memory_region *expected)
{
    size_t found;
    const struct memory_region *ram = elf_ram(elf, &found);

    cr_assert_eq(found, count);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(ram[i].start, expected[i].start);
        cr_assert_eq(ram[i].size, expected[i].size);
    }
}

static const struct memory_region made_ram[] = {{MADE_NOINIT, 0x200}, {MADE_DATA, 0x1040}};

Test(elf, finds_symbols_and_says_whether_they_are_in_ram)
{
    struct elf_file *elf = open_made(&usual);
    struct elf_symbol symbol;

    cr_assert(elf_symbol_find(elf, "_tx_trace_header_ptr", &symbol) == TXTAP_OK);
    cr_assert_eq(symbol.address, MADE_BSS + 0x10);
    cr_assert_eq(symbol.size, 4);
    cr_assert(symbol.in_ram);
    cr_assert(elf_symbol_find(elf, "in_flash", &symbol) == TXTAP_OK);
    cr_assert_not(symbol.in_ram);
    cr_assert(elf_symbol_find(elf, "only_local", &symbol) == TXTAP_OK);
    cr_assert_eq(symbol.address, MADE_NOINIT);
    cr_assert(elf_has_symbols(elf));
    cr_assert(elf_endian(elf) == TXTAP_LITTLE);
    elf_close(elf);
}

Test(elf, prefers_the_global_symbol_and_leaves_undefined_ones_out)
{
    struct elf_file *elf = open_made(&usual);
    struct elf_symbol symbol = {.address = 7};

    cr_assert(elf_symbol_find(elf, "elsewhere", &symbol) == ERROR_SYMBOL);
    cr_assert(elf_symbol_find(elf, "_tx_trace_header", &symbol) == ERROR_SYMBOL);
    cr_assert(elf_symbol_find(elf, "", &symbol) == ERROR_SYMBOL || symbol.address == 0);
    cr_assert(elf_symbol_find(elf, "twice", &symbol) == TXTAP_OK);
    cr_assert_eq(symbol.address, MADE_DATA + 8);
    elf_close(elf);
}

Test(elf, merges_ram_from_sections_and_segments)
{
    struct elf_recipe recipe = usual;
    struct elf_file *elf = open_made(&recipe);

    ram_is(elf, 2, made_ram);
    elf_close(elf);

    recipe.without_sections = true;
    elf = open_made(&recipe);
    ram_is(elf, 2, made_ram);
    cr_assert_not(elf_has_symbols(elf));
    elf_close(elf);
}

Test(elf, does_not_treat_flash_as_ram_if_code_is_in_a_writable_segment)
{
    struct elf_recipe recipe = usual;
    struct elf_file *elf;

    recipe.one_segment = true;
    elf = open_made(&recipe);
    ram_is(elf, 2, made_ram);
    elf_close(elf);
}

Test(elf, reads_big_endian_files)
{
    struct elf_recipe recipe = usual;
    struct elf_symbol symbol;
    struct elf_file *elf;

    recipe.big_endian = true;
    elf = open_made(&recipe);
    cr_assert(elf_endian(elf) == TXTAP_BIG);
    cr_assert(elf_symbol_find(elf, "_tx_trace_header_ptr", &symbol) == TXTAP_OK);
    cr_assert_eq(symbol.address, MADE_BSS + 0x10);
    ram_is(elf, 2, made_ram);
    elf_close(elf);
}

Test(elf, recognises_a_stripped_file)
{
    struct elf_recipe recipe = usual;
    struct elf_symbol symbol;
    struct elf_file *elf;

    recipe.without_symbols = true;
    elf = open_made(&recipe);
    cr_assert_not(elf_has_symbols(elf));
    cr_assert(elf_symbol_find(elf, "twice", &symbol) == ERROR_SYMBOL);
    elf_close(elf);
}

static void open_fails(const char *path, enum txtap_status expected, const char *words)
{
    struct error error = {0};
    struct elf_file *elf;
    enum txtap_status status = elf_open(&elf, path, &error);

    cr_assert(status == expected, "%d: %s", status, error_line(&error));
    cr_assert(elf == NULL);
    cr_assert(strstr(error_line(&error), words) != NULL, "%s", error_line(&error));
}

Test(elf, says_why_a_file_cannot_be_the_firmware)
{
    uint8_t bytes[ELF_MAKER_BYTES];
    size_t length = elf_make(&usual, bytes);
    char path[32];
    int fd;

    open_fails("/nonexistent/firmware.elf", TXTAP_ERROR_SYSTEM, "/nonexistent/firmware.elf: No such file");
    open_fails("/", TXTAP_ERROR_FORMAT, "not a file");
    open_fails("/dev/null", TXTAP_ERROR_FORMAT, "not a file");
    open_fails("/proc/self/exe", TXTAP_ERROR_FORMAT,
               "a 64-bit ELF file: txtap reads only 32-bit targets while they run: give the firmware's file; 'txtap "
               "decode' reads core files and memory dumps of 64-bit targets");

    fd = elf_make_file((const uint8_t *)"#!/bin/sh\n", 10, path);
    open_fails(path, TXTAP_ERROR_FORMAT, "not an ELF file");
    close(fd);
    fd = elf_make_file(bytes, length - 1, path);
    open_fails(path, TXTAP_ERROR_TRUNCATED, "damaged or cut off");
    close(fd);
    fd = elf_make_file(bytes, 20, path);
    open_fails(path, TXTAP_ERROR_TRUNCATED, "within its ELF header");
    close(fd);
}

/* ---- names without an end ---- */

#define SECTION_HEADERS  0x400u /* elf_make()'s offset of the headers; 5: symbols, 6: names */
#define MANY_SYMBOLS     20000u
#define LONG_NAMES_BYTES (1024u * 1024)

static void put_u32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void move_section(uint8_t *bytes, unsigned section, uint32_t offset, uint32_t size)
{
    put_u32(bytes + SECTION_HEADERS + 40 * section + 16, offset);
    put_u32(bytes + SECTION_HEADERS + 40 * section + 20, size);
}

Test(elf, a_name_that_is_cut_off_is_ignored)
{
    uint8_t bytes[ELF_MAKER_BYTES];
    size_t length = elf_make(&usual, bytes);
    char name[32];
    struct error error;
    struct elf_symbol symbol;
    struct elf_file *elf;

    put_u32(bytes + SECTION_HEADERS + 40 * 6 + 20, 1 + 6 + 20 + 6 + 9 + 10 + 10); /* up to the last name's 'l' */
    cr_assert(open_bytes(&elf, bytes, length, &error) == TXTAP_OK, "%s", error_line(&error));
    cr_expect(elf_symbol_find(elf, "in_flash", &symbol) == TXTAP_OK);
    cr_expect(elf_symbol_find(elf, "only_local", &symbol) == ERROR_SYMBOL);
    cr_expect(elf_symbol_find(elf, "only_loca", &symbol) == ERROR_SYMBOL);
    cr_expect(elf_symbol_at(elf, MADE_DATA + 8, name, sizeof name));
    cr_expect_not(elf_symbol_at(elf, MADE_NOINIT, name, sizeof name));
    elf_close(elf);
}

Test(elf, names_outside_of_the_file_are_ignored)
{
    uint8_t bytes[ELF_MAKER_BYTES];
    size_t length = elf_make(&usual, bytes);
    struct error error;
    struct elf_symbol symbol;
    struct elf_file *elf;

    put_u32(bytes + SECTION_HEADERS + 40 * 5 + 24, 0); /* the names are in section 0, which is no real section */
    put_u32(bytes + SECTION_HEADERS + 4, 3);           /* makes section 0 a string table */
    move_section(bytes, 0, 0x70000000, 0x10000000);
    cr_assert(open_bytes(&elf, bytes, length, &error) == TXTAP_OK, "%s", error_line(&error));
    cr_expect(elf_symbol_find(elf, "in_flash", &symbol) == ERROR_SYMBOL);
    elf_close(elf);
}

/*
 * Opens a file with many symbols at one address. Their names are the same byte, repeated up to the end of the table;
 * `last` is the table's last byte.
 */
static struct elf_file *open_large(uint32_t names_bytes, uint8_t last)
{
    uint32_t symbols_bytes = MANY_SYMBOLS * 16, length = ELF_MAKER_BYTES + symbols_bytes + names_bytes;
    uint8_t *bytes = malloc(length);
    struct error error;
    struct elf_file *elf;

    cr_assert_not_null(bytes);
    (void)elf_make(&usual, bytes);
    move_section(bytes, 5, ELF_MAKER_BYTES, symbols_bytes);
    move_section(bytes, 6, ELF_MAKER_BYTES + symbols_bytes, names_bytes);
    memset(bytes + ELF_MAKER_BYTES, 0, symbols_bytes);
    for (uint32_t i = 0; i < MANY_SYMBOLS; i++) {
        uint8_t *symbol = bytes + ELF_MAKER_BYTES + (size_t)i * 16;

        put_u32(symbol, 1 + i % 8);
        put_u32(symbol + 4, MADE_DATA);
        put_u32(symbol + 8, 64);
        symbol[12] = 1; /* a local variable */
        symbol[14] = 3;
    }
    memset(bytes + ELF_MAKER_BYTES + symbols_bytes, 'n', names_bytes);
    bytes[length - 1] = last;
    cr_assert(open_bytes(&elf, bytes, length, &error) == TXTAP_OK, "%s", error_line(&error));
    free(bytes);
    return elf;
}

static double seconds_of(struct elf_file *elf)
{
    struct elf_symbol symbol;
    clock_t begin = clock(); /* CPU time of this process only */
    char name[16];

    for (int i = 0; i < 5; i++) {
        cr_assert(elf_symbol_find(elf, "_tx_trace_header_ptr", &symbol) == ERROR_SYMBOL);
        (void)elf_symbol_at(elf, MADE_DATA + 1, name, sizeof name);
    }
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

Test(elf, long_names_cost_no_more_for_each_symbol)
{
    struct elf_file *usual_names = open_large(64, '\0');
    struct elf_file *with_end = open_large(LONG_NAMES_BYTES, '\0'), *without = open_large(LONG_NAMES_BYTES, 'n');
    double seconds = seconds_of(usual_names), with = seconds_of(with_end), cut = seconds_of(without);

    /* If each name were read to its end, this would take more than a thousand times as long. */
    cr_expect_lt(with, 30 * seconds + 0.2, "%f s instead of %f", with, seconds);
    cr_expect_lt(cut, 30 * seconds + 0.2, "%f s instead of %f", cut, seconds);
    elf_close(usual_names);
    elf_close(with_end);
    elf_close(without);
}

/* Calls every function on a file with any content. */
static void use(struct elf_file *elf)
{
    char name[16], sources[2][ELF_SOURCE_BYTES];
    struct elf_symbol symbol, found[2];
    size_t count;
    const struct memory_region *ram = elf_ram(elf, &count);

    cr_assert(count <= ELF_REGIONS_MAX);
    for (size_t i = 0; i < count; i++) {
        cr_assert(ram[i].size > 0 && (uint64_t)ram[i].start + ram[i].size <= UINT64_C(1) << 32);
        cr_assert(i == 0 || (uint64_t)ram[i - 1].start + ram[i - 1].size < ram[i].start);
    }
    (void)elf_symbol_find(elf, "_tx_trace_header_ptr", &symbol);
    (void)elf_symbol_find(elf, "not there", &symbol);
    (void)elf_symbols_find(elf, "twice", found, sources, 2);
    (void)elf_symbol_at(elf, MADE_NOINIT + 1, name, sizeof name);
}

Test(elf, every_prefix_of_a_file_is_refused)
{
    uint8_t bytes[ELF_MAKER_BYTES];
    size_t length = elf_make(&usual, bytes);
    struct error error;
    struct elf_file *elf;

    for (size_t i = 0; i < length; i++)
        cr_assert(open_bytes(&elf, bytes, i, &error) < 0, "%zu of %zu bytes are accepted as the file", i, length);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

Test(elf, damaged_files_are_survived)
{
    const uint64_t seed = 0x74787461700001;
    uint64_t state = seed;
    uint8_t good[ELF_MAKER_BYTES], bytes[ELF_MAKER_BYTES];
    size_t length = elf_make(&usual, good);
    unsigned opened = 0;

    printf("seed %llx\n", (unsigned long long)seed);
    for (unsigned round = 0; round < 20000; round++) {
        struct error error;
        struct elf_file *elf;
        unsigned flips = 1 + (unsigned)(next_random(&state) % 8);

        memcpy(bytes, good, length);
        while (flips-- > 0) {
            /* Damages only the parts that are read: headers and tables, but no code. */
            size_t at = next_random(&state) % 2 == 0 ? next_random(&state) % 0xa0
                                                     : 0x240 + next_random(&state) % (length - 0x240);

            bytes[at] = (uint8_t)(bytes[at] ^ 1u << next_random(&state) % 8);
        }
        if (open_bytes(&elf, bytes, length, &error) != TXTAP_OK)
            continue;
        use(elf);
        elf_close(elf);
        opened++;
    }
    cr_assert_gt(opened, 100, "so much damage that nothing after opening is tested");
}
