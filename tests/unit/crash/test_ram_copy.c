/* SPDX-License-Identifier: MIT */
/* Copies of RAM from a target that refuses to read parts of its memory, or fails. */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "crash/ram_copy.h"
#include "locate/elf_maker.h"

#define STACK_TOP  0x20003000u /* first word of the code */
#define RAM_START  0x20000000u
#define CORTEX_M4  0x410FC241u
#define READ_BYTES 1000u

static struct elf_file *elf;
static struct ram_copy copy;
static uint32_t refused_start, refused_end, fails_at;
static bool refuses_registers;
static unsigned reads;

static uint8_t byte_at(uint32_t address)
{
    return (uint8_t)(address * 7 + (address >> 8));
}

static enum txtap_status read_memory(void *self, const struct txtap_read *read, size_t count)
{
    (void)self;
    cr_assert_eq(count, 1);
    cr_assert_leq(read->length, READ_BYTES);
    cr_assert_eq(read->length % 4 + read->address % 4, 0);
    reads++;
    if (fails_at != 0 && read->address >= fails_at && read->address < 0xE0000000)
        return ERROR_CLOSED;
    if (read->address >= 0xE0000000) {
        memset(read->buffer, 0, read->length);
        memcpy(read->buffer, &(uint32_t){CORTEX_M4}, 4);
        return refuses_registers ? ERROR_FAULT : TXTAP_OK;
    }
    if (read->address < refused_end && read->address + read->length > refused_start)
        return ERROR_FAULT;
    for (uint32_t i = 0; i < read->length; i++)
        read->buffer[i] = byte_at(read->address + i);
    return TXTAP_OK;
}

static const struct txtap_source_ops ops = {
    .name = "made", .read_bytes_max = READ_BYTES, .reads_max = 1, .read = read_memory};
static const struct txtap_source source = {&ops, NULL};

static void begin(void)
{
    static uint8_t bytes[ELF_MAKER_BYTES];
    const uint32_t words[] = {STACK_TOP, MADE_TEXT + 9};
    size_t length = elf_make(&(struct elf_recipe){.words = words, .word_count = 2}, bytes);
    struct error error = {0};
    char path[32];
    int fd = elf_make_file(bytes, length, path);

    cr_assert_eq(elf_open(&elf, path, &error), TXTAP_OK, "%s", error.what);
    close(fd);
    refused_start = refused_end = fails_at = reads = 0;
    refuses_registers = false;
    cr_assert_eq(ram_copy_open(&copy, elf, NULL, 0, &error), TXTAP_OK, "%s", error.what);
}

static void end(void)
{
    ram_copy_close(&copy);
    elf_close(elf);
}

TestSuite(ram_copy, .init = begin, .fini = end);

static enum txtap_status run(void)
{
    enum txtap_status status = ram_copy_begin(&copy, source);

    while (status == TXTAP_OK && reads < 10000)
        status = ram_copy_step(&copy, source);
    return status;
}

/* Checks that all segments have the target's bytes. Returns the sum of their lengths. */
static uint64_t sum(void)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < copy.segment_count; i++) {
        const struct txtap_segment *segment = &copy.segments[i];

        cr_assert_eq(segment->address, copy.pieces[i].address);
        cr_assert_eq(segment->length, copy.pieces[i].length);
        for (size_t k = 0; k < segment->length; k++)
            cr_assert_eq(segment->bytes[k], byte_at((uint32_t)(segment->address + k)));
        bytes += segment->length;
    }
    return bytes;
}

Test(ram_copy, has_the_sections_and_the_main_stack)
{
    cr_assert_eq(run(), TXTAP_END);
    cr_assert_eq(copy.segment_count, 2);
    cr_assert_eq(copy.segments[0].address, MADE_NOINIT);
    cr_assert_eq(copy.segments[0].length, 0x200);
    cr_assert_eq(copy.segments[1].address, RAM_START);
    cr_assert_eq(copy.segments[1].length, STACK_TOP - RAM_START);
    cr_assert_eq(sum(), copy.size);
    cr_assert_eq(copy.missing, 0);
    cr_assert(copy.has_fault && copy.has_fault_after && !copy.cut);
    cr_assert_eq(run(), TXTAP_END, "a second copy");
    cr_assert_eq(sum(), copy.size);
}

Test(ram_copy, leaves_out_what_the_target_refuses)
{
    refused_start = RAM_START + 0x900;
    refused_end = RAM_START + 0xA00;
    cr_assert_eq(run(), TXTAP_END);
    cr_assert_eq(copy.segment_count, 3);
    cr_assert_eq(sum() + copy.missing, copy.size);
    cr_assert_leq(copy.missing, 0x100 + 2 * 256, "not much more than the refused bytes");
    cr_assert_not(copy.cut);
}

Test(ram_copy, ends_if_the_target_refuses_everything)
{
    refused_end = UINT32_MAX;
    refuses_registers = true;
    cr_assert_eq(run(), TXTAP_END);
    cr_assert_eq(copy.segment_count, 0);
    cr_assert_eq(copy.missing, copy.size);
    cr_assert_not(copy.has_fault);
}

Test(ram_copy, keeps_what_it_has_if_the_connection_is_lost)
{
    fails_at = RAM_START + 0x800;
    cr_assert_eq(run(), ERROR_CLOSED);
    ram_copy_cut(&copy);
    cr_assert(copy.cut);
    cr_assert_not(copy.has_fault_after);
    cr_assert_geq(sum(), 0x200 + 0x800 - READ_BYTES);
    cr_assert_eq(sum() + copy.missing, copy.size);
}

Test(ram_copy, joins_declared_ram_and_bounds_its_size)
{
    const struct memory_region more[] = {{0x20003000, 0x1000}, {0x30000000, 0x20}},
                               huge = {0x60000000, RAM_COPY_BYTES_MAX};
    struct error error = {0};
    struct ram_copy other;

    cr_assert_eq(ram_copy_open(&other, elf, more, 2, &error), TXTAP_OK);
    cr_assert_eq(other.region_count, 3);
    cr_assert_eq(other.regions[1].size, 0x4000);
    ram_copy_close(&other);
    cr_assert_eq(ram_copy_open(&other, elf, &huge, 1, &error), TXTAP_ERROR_SPACE);
    cr_assert(strstr(error.what, "txtap copies at most") != NULL);
}
