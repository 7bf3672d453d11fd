/* SPDX-License-Identifier: MIT */
/* Searching for a trace buffer in scripted RAM. */
#include "locate/txtb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "locate/elf_maker.h"
#include "error_line.h"

#define RAM_START 0x20000000u
#define RAM_BYTES (64u * 1024)

/* RAM from `start` on. Reads at other addresses fault. Call number fails_at fails with fails_with; the first is 1. */
struct ram {
    uint32_t start, size;
    uint8_t *bytes;
    unsigned calls, fails_at;
    enum txtap_status fails_with;
    uint64_t bytes_read;
    bool big;
};

static enum txtap_status ram_read(void *self, const struct txtap_read *reads, size_t count)
{
    struct ram *ram = self;

    if (++ram->calls == ram->fails_at)
        return ram->fails_with;
    cr_assert_leq(count, 4);
    for (size_t i = 0; i < count; i++) {
        uint64_t offset = (uint64_t)reads[i].address - ram->start;

        cr_assert(reads[i].address % 4 == 0 && reads[i].length % 4 == 0 && reads[i].length <= 4096);
        if (reads[i].address < ram->start || offset + reads[i].length > ram->size)
            return ERROR_FAULT;
        memcpy(reads[i].buffer, ram->bytes + offset, reads[i].length);
        ram->bytes_read += reads[i].length;
    }
    return TXTAP_OK;
}

static const char *ram_error_text(void *self)
{
    (void)self;
    return "the scripted RAM's words";
}

static void ram_close(void *self)
{
    (void)self;
}

static const struct txtap_source_ops ram_ops = {"ram", 4096, 4, ram_read, ram_error_text, ram_close, NULL};

static struct ram *ram_new(uint32_t start, uint32_t size)
{
    struct ram *ram = calloc(1, sizeof *ram);

    cr_assert(ram != NULL && (ram->bytes = calloc(1, size)) != NULL);
    ram->start = start;
    ram->size = size;
    return ram;
}

static void ram_free(struct ram *ram)
{
    free(ram->bytes);
    free(ram);
}

static struct txtap_source source_of(struct ram *ram)
{
    return (struct txtap_source){&ram_ops, ram};
}

static void put_word(struct ram *ram, uint32_t address, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        ram->bytes[address - ram->start + i] = (uint8_t)(word >> 8 * (ram->big ? 3 - i : i));
}

/* Writes a header at `address` that claims the address `base`: registry of 2 objects, ring of 16 entries. */
static void put_header(struct ram *ram, uint32_t address, uint32_t base)
{
    uint32_t ring = base + 48 + 2 * 48;
    const uint32_t words[] = {TXTB_ID,        0xffffffff,    base,       base + 48, ram->big ? 32 : 32u << 16,
                              ring,           ring,          ring + 512, ring + 64, TXTB_RESERVED2,
                              TXTB_RESERVED3, TXTB_RESERVED4};

    for (uint32_t i = 0; i < 12; i++)
        put_word(ram, address + 4 * i, words[i]);
}

static enum txtap_status locate_in(struct ram *ram, const struct locate_request *request, struct locate_result *result,
                                   const char *words)
{
    struct error error;
    enum txtap_status status = locate(source_of(ram), request, result, &error);

    cr_assert(strstr(error_line(&error), words) != NULL, "status %d, '%s' not in: %s", status, words,
              error_line(&error));
    cr_assert((status == TXTAP_OK) == (!error_is_set(&error)));
    return status;
}

static void chosen_is(const struct locate_result *result, uint32_t address, enum locate_how how)
{
    cr_assert_lt(result->chosen, result->count);
    cr_assert_eq(result->candidates[result->chosen].address, address);
    cr_assert_eq(result->candidates[result->chosen].header.base, address);
    cr_assert(result->candidates[result->chosen].how == how);
}

static struct elf_file *elf_of(const struct elf_recipe *recipe)
{
    uint8_t bytes[ELF_MAKER_BYTES];
    char path[32];
    struct error error;
    struct elf_file *elf;
    int fd = elf_make_file(bytes, elf_make(recipe, bytes), path);

    cr_assert(elf_open(&elf, path, &error) == TXTAP_OK, "%s", error_line(&error));
    close(fd);
    return elf;
}

static struct elf_file *elf_with(const struct made_symbol *symbols, size_t count, bool big)
{
    return elf_of(&(struct elf_recipe){.symbols = symbols, .symbol_count = count, .big_endian = big});
}

#define BACKUP 0x40024000u /* RAM in the region of peripherals, as on an STM32F4 */

static const struct made_symbol in_backup = {.name = "_tx_trace_header_ptr", .value = BACKUP, .size = 4};
static const struct elf_recipe with_backup = {.symbols = &in_backup, .symbol_count = 1, .noinit = BACKUP};

static const struct made_symbol threadx[] = {{.name = "_tx_trace_header_ptr", .value = MADE_BSS, .size = 4},
                                             {.name = "trace_buffer", .value = MADE_BSS + 0x100, .size = 1024}};

Test(locate, address_is_accepted_if_a_header_is_there)
{
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct locate_request request = {.has_address = true, .address = 0x20000400};
    struct locate_result result;

    put_header(ram, 0x20000400, 0x20000400);
    cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
    chosen_is(&result, 0x20000400, LOCATE_BY_ADDRESS);

    request.address = 0x20000404;
    cr_assert(locate_in(ram, &request, &result, "no trace buffer at 0x20000404") == ERROR_NOT_FOUND);
    cr_assert_eq(result.count, 1); /* the header is listed, together with the reason for its refusal */
    request.address = 0x20000402;
    cr_assert(locate_in(ram, &request, &result, "not a multiple of 4") == TXTAP_ERROR_USAGE);
    request.address = 0x30000000;
    cr_assert(locate_in(ram, &request, &result, "0x30000000: the scripted RAM's words") == ERROR_FAULT);
    put_header(ram, 0x20000800, 0x20000400);
    request.address = 0x20000800;
    cr_assert(locate_in(ram, &request, &result, "it names 0x20000400 as its address: a copy") == ERROR_NOT_FOUND);
    ram_free(ram);
}

Test(locate, threadx_symbol_is_dereferenced)
{
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct elf_file *elf = elf_with(threadx, 2, false);
    struct locate_request request = {.elf = elf};
    struct locate_result result;

    put_header(ram, 0x20000400, 0x20000400);
    put_word(ram, MADE_BSS, 0x20000400);
    cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
    chosen_is(&result, 0x20000400, LOCATE_BY_POINTER);

    put_word(ram, MADE_BSS, 0);
    cr_assert(locate_in(ram, &request, &result, "the trace is not enabled yet") == ERROR_NOT_ENABLED);
    for (size_t i = 0; i < 3; i++) {
        static const uint32_t garbage[] = {0x20000403, 0xfffffffc, 0x20000800};

        put_word(ram, MADE_BSS, garbage[i]);
        cr_assert(locate_in(ram, &request, &result, "is this the ELF file of the running firmware?") ==
                  ERROR_NOT_FOUND);
    }
    elf_close(elf);
    ram_free(ram);
}

/* Checks that only the variable is read, and not the address in it. */
static void is_not_followed(uint32_t pointer, const char *words)
{
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct elf_file *elf = elf_with(threadx, 2, false);
    struct locate_request request = {.elf = elf};
    struct locate_result result;

    put_word(ram, MADE_BSS, pointer);
    cr_assert_eq(locate_in(ram, &request, &result, words), ERROR_NOT_FOUND);
    cr_assert_eq(ram->calls, 1);
    request.symbol = "_tx_trace_header_ptr";
    cr_assert_eq(locate_in(ram, &request, &result, words), ERROR_NOT_FOUND);
    cr_assert_eq(ram->calls, 2);
    elf_close(elf);
    ram_free(ram);
}

Test(locate, a_pointer_to_registers_is_not_followed)
{
    is_not_followed(0x40004400, "_tx_trace_header_ptr holds 0x40004400, no trace buffer (registers are there, which "
                                "txtap does not read): is this the ELF file of the running firmware? --scan searches "
                                "RAM, --ram START:SIZE says where it is");
    is_not_followed(0x3fffffd4,
                    /* the word at that address is a register */
                    "holds 0x3fffffd4, no trace buffer (registers are there");
    is_not_followed(0x5ffffffc, "registers are there");
    is_not_followed(0xe000ed00, "registers are there");
    is_not_followed(0xfffffff0, "holds 0xfffffff0, no trace buffer (registers are there");
}

Test(locate, a_pointer_to_ram_among_registers_is_followed)
{
    struct ram *ram = ram_new(BACKUP, RAM_BYTES);
    struct elf_file *elf = elf_of(&with_backup);
    const struct memory_region region = {BACKUP, 0x2000};
    struct locate_request request = {.elf = elf};
    struct locate_result result;

    put_header(ram, BACKUP + 0x100, BACKUP + 0x100); /* in a section */
    put_word(ram, BACKUP, BACKUP + 0x100);
    cr_assert_eq(locate_in(ram, &request, &result, ""), TXTAP_OK);
    chosen_is(&result, BACKUP + 0x100, LOCATE_BY_POINTER);

    put_header(ram, BACKUP + 0x1000, BACKUP + 0x1000); /* in no section */
    put_word(ram, BACKUP, BACKUP + 0x1000);
    cr_assert_eq(locate_in(ram, &request, &result, "registers are there"), ERROR_NOT_FOUND);
    request.ram = &region;
    request.ram_count = 1;
    cr_assert_eq(locate_in(ram, &request, &result, ""), TXTAP_OK);
    chosen_is(&result, BACKUP + 0x1000, LOCATE_BY_POINTER);
    elf_close(elf);
    ram_free(ram);
}

Test(locate, a_ring_must_not_reach_into_registers)
{
    const struct memory_region ram = {0x40000000, 0x10000};
    struct locate_request request = {.elf = NULL};

    cr_assert(locate_permits(&request, 0x3fff0000, 0x10000));
    cr_assert_not(locate_permits(&request, 0x3fff0000, 0x10004));
    cr_assert_not(locate_permits(&request, 0x20000000, 0x50000000)); /* not even if the ring ends after the registers */
    cr_assert(locate_permits(&request, 0x60000000, 0x80000000));
    cr_assert_not(locate_permits(&request, 0xfffffff0, 48));
    request.ram = &ram;
    request.ram_count = 1;
    cr_assert(locate_permits(&request, 0x40000000, 0x10000));
    cr_assert_not(locate_permits(&request, 0x40000000, 0x10004));
    request = (struct locate_request){.has_address = true, .address = 0x40024000};
    cr_assert(locate_permits(&request, 0x40024000, 0x1000));
    request.address = 0x20000000;
    cr_assert_not(locate_permits(&request, 0x20000000, 0x20000004));
}

Test(locate, a_search_after_the_elf_files_ram_does_not_read_registers)
{
    struct ram *ram = ram_new(BACKUP, RAM_BYTES);
    struct elf_file *elf = elf_of(&with_backup);
    struct locate_request request = {.elf = elf, .scan = true};
    struct locate_result result;

    put_header(ram, BACKUP + 0x200, BACKUP + 0x200);
    cr_assert_eq(locate_in(ram, &request, &result, "no trace buffer"), ERROR_NOT_FOUND);
    cr_assert_lt(ram->bytes_read, 0x200 + TXTB_HEADER_BYTES);
    elf_close(elf);
    ram_free(ram);
}

Test(locate, an_address_without_room_for_a_header_is_refused)
{
    struct ram *ram = ram_new(0xffff0000, RAM_BYTES);
    struct locate_request request = {.has_address = true, .address = 0xfffffff0};
    struct locate_result result;

    cr_assert_eq(locate_in(ram, &request, &result,
                           "no trace buffer at 0xfffffff0: a header there would reach beyond "
                           "0xffffffff"),
                 ERROR_NOT_FOUND);
    cr_assert_eq(ram->calls, 0);
    ram_free(ram);
}

Test(locate, big_endian_target_is_dereferenced_and_parsed)
{
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct elf_file *elf = elf_with(threadx, 2, true);
    struct locate_request request = {.elf = elf};
    struct locate_result result;

    ram->big = true;
    put_header(ram, 0x20000400, 0x20000400);
    put_word(ram, MADE_BSS, 0x20000400);
    cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
    chosen_is(&result, 0x20000400, LOCATE_BY_POINTER);
    request = (struct locate_request){0};
    cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
    chosen_is(&result, 0x20000400, LOCATE_BY_SCAN);
    elf_close(elf);
    ram_free(ram);
}

Test(locate, users_symbol_may_be_the_buffer_or_a_pointer_to_it)
{
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct elf_file *elf = elf_with(threadx, 2, false);
    struct locate_request request = {.elf = elf, .symbol = "trace_buffer"};
    struct locate_result result;

    put_header(ram, MADE_BSS + 0x100, MADE_BSS + 0x100);
    cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
    chosen_is(&result, MADE_BSS + 0x100, LOCATE_BY_SYMBOL);

    put_header(ram, 0x20002000, 0x20002000);
    put_word(ram, MADE_BSS + 0x100, 0x20002000);
    cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
    chosen_is(&result, 0x20002000, LOCATE_BY_POINTER);

    request.symbol = "no_such_symbol";
    cr_assert(locate_in(ram, &request, &result, "no symbol no_such_symbol") == ERROR_SYMBOL);
    request.symbol = "trace_bufer";
    cr_assert(locate_in(ram, &request, &result, "no symbol trace_bufer: did you mean 'trace_buffer'?") == ERROR_SYMBOL);
    request = (struct locate_request){.symbol = "trace_buffer"};
    cr_assert(locate_in(ram, &request, &result, "give the firmware's ELF file too") == TXTAP_ERROR_USAGE);
    elf_close(elf);
    ram_free(ram);
}

Test(locate, elf_file_without_the_symbol_points_to_scan)
{
    static const struct made_symbol in_flash[] = {{.name = "_tx_trace_header_ptr", .value = MADE_TEXT + 4, .size = 4}};
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct elf_file *elf = elf_with(threadx + 1, 1, false);
    struct locate_request request = {.elf = elf};
    struct locate_result result;

    cr_assert(locate_in(ram, &request, &result, "--scan searches RAM") == ERROR_SYMBOL);
    elf_close(elf);
    request.elf = elf = elf_with(in_flash, 1, false);
    cr_assert(locate_in(ram, &request, &result, "not in RAM") == ERROR_SYMBOL);
    elf_close(elf);
    ram_free(ram);
}

/* Near the boundary of two chunks, two reads each get a part of the header. At the end of RAM it just fits. */
Test(locate, scan_finds_a_header_at_any_address)
{
    for (uint32_t offset = 4096 - 64; offset <= 4096 + 64; offset += 4) {
        struct ram *ram = ram_new(RAM_START, RAM_BYTES);
        struct locate_request request = {.scan = true};
        struct locate_result result;

        put_header(ram, RAM_START + offset, RAM_START + offset);
        cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
        chosen_is(&result, RAM_START + offset, LOCATE_BY_SCAN);
        cr_assert_eq(result.count, 1);
        cr_assert_eq(result.searched_bytes, RAM_BYTES);
        ram_free(ram);
    }
}

Test(locate, scan_finds_the_exact_end_of_ram)
{
    for (uint32_t size = 48; size < 9000; size += 332) {
        struct ram *ram = ram_new(RAM_START, size);
        struct locate_request request = {0};
        struct locate_result result;

        put_header(ram, RAM_START + size - 48, RAM_START + size - 48);
        cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
        chosen_is(&result, RAM_START + size - 48, LOCATE_BY_SCAN);
        cr_assert_eq(result.searched_bytes, size);
        cr_assert_lt(ram->calls, 16);
        ram_free(ram);
    }
}

Test(locate, scan_lists_refused_headers_and_takes_the_only_valid_header)
{
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct locate_request request = {.scan = true};
    struct locate_result result;

    put_header(ram, 0x20000100, 0x20004000); /* a copy of a header, at another address than it claims */
    put_header(ram, 0x20004000, 0x20004000);
    put_header(ram, 0x20008000, 0x20008000);
    put_word(ram, 0x20008000 + TXTB_HEADER_RING_END, 0x20008000); /* the ring ends before its start */
    cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
    chosen_is(&result, 0x20004000, LOCATE_BY_SCAN);
    cr_assert_eq(result.count, 3);
    cr_assert(strstr(result.candidates[0].why, "a copy") != NULL);
    cr_assert(result.candidates[2].status == TXTAP_ERROR_RING);
    cr_assert(result.candidates[2].why[0] != '\0');
    ram_free(ram);
}

Test(locate, several_good_headers_are_ambiguous_and_listed)
{
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct locate_request request = {.scan = true};
    struct locate_result result;

    put_header(ram, 0x20001000, 0x20001000);
    put_header(ram, 0x20009000, 0x20009000);
    cr_assert(locate_in(ram, &request, &result, "2 trace buffers: 0x20001000 0x20009000: choose") == ERROR_AMBIGUOUS);
    cr_assert_eq(result.count, 2);
    ram_free(ram);
}

Test(locate, many_copies_do_not_hide_the_valid_header)
{
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct locate_request request = {.scan = true};
    struct locate_result result;

    for (uint32_t i = 0; i < 100; i++)
        put_header(ram, RAM_START + i * 64, 0x20009000);
    put_header(ram, 0x20009000, 0x20009000);
    cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
    chosen_is(&result, 0x20009000, LOCATE_BY_SCAN);
    cr_assert_eq(result.count, LOCATE_CANDIDATES_MAX);
    cr_assert_eq(result.count + result.dropped, 101);
    ram_free(ram);
}

Test(locate, many_good_headers_are_counted)
{
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct locate_request request = {.scan = true};
    struct locate_result result;

    for (uint32_t i = 0; i < 40; i++)
        put_header(ram, RAM_START + i * 64, RAM_START + i * 64);
    cr_assert(locate_in(ram, &request, &result, "40 trace buffers: 0x20000000") == ERROR_AMBIGUOUS);
    cr_assert_eq(result.count, LOCATE_CANDIDATES_MAX);
    ram_free(ram);
}

Test(locate, an_unsuccessful_search_reports_the_searched_ranges)
{
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct memory_region regions[] = {{RAM_START + 0x100, 0x1000}, {RAM_START + 0x8002, 0x1002}, {0x10000000, 64}};
    struct locate_request request = {.ram = regions, .ram_count = 3};
    struct locate_result result;

    cr_assert(locate_in(ram, &request, &result,
                        "in 8192 bytes of 2 region(s) from 0x20000100: is the trace enabled?") == ERROR_NOT_FOUND);
    cr_assert_eq(result.searched_count, 2);
    request.ram = &regions[2];
    request.ram_count = 1;
    cr_assert(locate_in(ram, &request, &result, "--ram START:SIZE") == ERROR_FAULT);
    put_header(ram, 0x20000400, 0x20004000);
    request = (struct locate_request){0};
    cr_assert(locate_in(ram, &request, &result, "but 1 damaged (0x20000400: it names") == ERROR_NOT_FOUND);
    ram_free(ram);
}

Test(locate, scan_searches_the_elf_files_ram_and_then_the_rest)
{
    struct ram *ram = ram_new(RAM_START, RAM_BYTES);
    struct elf_file *elf = elf_with(threadx, 2, false);
    struct locate_request request = {.elf = elf, .scan = true};
    struct locate_result result;

    put_header(ram, MADE_BSS + 0x200, MADE_BSS + 0x200);
    cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
    chosen_is(&result, MADE_BSS + 0x200, LOCATE_BY_SCAN);
    cr_assert_eq(result.searched_bytes, 0x1040);

    memset(ram->bytes, 0, RAM_BYTES);
    put_header(ram, MADE_BSS + 0x1000 - 20, MADE_BSS + 0x1000 - 20); /* crosses the end of .bss */
    cr_assert(locate_in(ram, &request, &result, "") == TXTAP_OK);
    chosen_is(&result, MADE_BSS + 0x1000 - 20, LOCATE_BY_SCAN);
    elf_close(elf);
    ram_free(ram);
}

Test(locate, scan_stops_at_the_last_address)
{
    struct ram *ram = ram_new(0xffff0000, RAM_BYTES);
    struct memory_region region = {0xfffff000, 0x1000};
    struct locate_request request = {.ram = &region, .ram_count = 1};
    struct locate_result result;

    cr_assert(locate_in(ram, &request, &result, "in 4096 bytes") == ERROR_NOT_FOUND);
    ram_free(ram);
}

Test(locate, default_scan_is_bounded_on_a_target_that_answers_everywhere)
{
    struct ram *ram = ram_new(RAM_START, 4 * 1024 * 1024);
    struct locate_request request = {0};
    struct locate_result result;

    cr_assert(locate_in(ram, &request, &result, "in 1048576 bytes") == ERROR_NOT_FOUND);
    cr_assert_eq(ram->bytes_read, 1024 * 1024); /* each byte is read once */
    ram_free(ram);
}

static void any_call_may_fail(const struct locate_request *request, struct ram *ram)
{
    static const enum txtap_status causes[] = {ERROR_CLOSED, ERROR_TARGET, ERROR_TIMEOUT};
    struct locate_result result;
    unsigned calls;

    ram->calls = ram->fails_at = 0;
    cr_assert(locate_in(ram, request, &result, "") == TXTAP_OK);
    calls = ram->calls;
    for (unsigned n = 1; n <= calls; n++) {
        ram->calls = 0;
        ram->fails_at = n;
        ram->fails_with = causes[n % 3];
        cr_assert(locate_in(ram, request, &result, "the scripted RAM's words") == causes[n % 3]);
    }
}

Test(locate, any_read_may_fail_and_its_cause_is_reported)
{
    struct ram *ram = ram_new(RAM_START, 20000);
    struct elf_file *elf = elf_with(threadx, 2, false);
    struct locate_request pointer = {.elf = elf}, scan = {.scan = true},
                          at = {.has_address = true, .address = 0x20000400};

    put_header(ram, 0x20000400, 0x20000400);
    put_word(ram, MADE_BSS, 0x20000400);
    any_call_may_fail(&pointer, ram);
    any_call_may_fail(&scan, ram);
    any_call_may_fail(&at, ram);
    elf_close(elf);
    ram_free(ram);
}
