/* SPDX-License-Identifier: MIT */
/* Reads the fault registers before and after the RAM, so that a reset or a return of the handler is noticed. */
#include "crash/ram_copy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "locate/txtb.h"
#include "probe/source_base.h"

#define PART_BYTES   16384u
#define PART_MIN     256u        /* a piece that the target refuses is not divided further */
#define REACH_BYTES  (1u << 20)  /* the main stack may end at most this far after the firmware's data */
#define MAIN_BYTES   (16u << 10) /* bytes of a main stack that is far from the data */
#define FPCAR        UINT32_C(0xE000EF38)
#define REGIONS_MAX  (sizeof((struct ram_copy *)0)->regions / sizeof(struct memory_region))
#define SEGMENTS_MAX (sizeof((struct ram_copy *)0)->segments / sizeof(struct txtap_segment))

/* ---- regions ---- */

static uint64_t end_of(const struct memory_region *region)
{
    return (uint64_t)region->start + region->size;
}

/* Adds a region, and joins it with the regions that it touches. */
static void add_region(struct ram_copy *copy, uint64_t start, uint64_t end)
{
    struct memory_region *regions = copy->regions;
    size_t kept = 0, at = 0;

    start &= ~UINT64_C(3);
    end = (end + 3) & ~UINT64_C(3);
    end = end > UINT32_MAX ? UINT32_MAX & ~UINT64_C(3) : end;
    if (start >= end)
        return;
    for (size_t i = 0; i < copy->region_count; i++) {
        if (start > end_of(&regions[i]) || regions[i].start > end) {
            regions[kept++] = regions[i];
            continue;
        }
        end = end_of(&regions[i]) > end ? end_of(&regions[i]) : end;
        start = regions[i].start < start ? regions[i].start : start;
    }
    copy->region_count = kept;
    if (kept == REGIONS_MAX)
        return;
    while (at < kept && regions[at].start < start)
        at++;
    memmove(&regions[at + 1], &regions[at], (kept - at) * sizeof *regions);
    regions[at] = (struct memory_region){(uint32_t)start, (uint32_t)(end - start)};
    copy->region_count++;
}

/* Adds the RAM up to the initial main stack pointer, which is the first word of the vector table. The linker may give
 * no section to this RAM. */
static void add_main_stack(struct ram_copy *copy, const struct elf_file *elf)
{
    const struct locate_request permitted = {.elf = elf};
    const uint8_t *vectors;
    uint32_t lowest, pointer;
    uint64_t before = 0;

    if (!elf_lowest_address(elf, &lowest) || (vectors = elf_bytes(elf, lowest, 4)) == NULL)
        return;
    pointer = memory_word(vectors, elf_endian(elf));
    if (pointer % 4 != 0 || pointer < MAIN_BYTES)
        return;
    for (size_t i = 0; i < copy->region_count; i++)
        if (copy->regions[i].start < pointer)
            before = end_of(&copy->regions[i]);
    if (before >= pointer)
        return;
    if (before == 0 || pointer - before > REACH_BYTES)
        before = pointer - MAIN_BYTES;
    if (locate_permits(&permitted, (uint32_t)before, pointer - before))
        add_region(copy, before, pointer);
}

enum txtap_status ram_copy_open(struct ram_copy *copy, const struct elf_file *elf, const struct memory_region *ram,
                                size_t ram_count, struct error *error)
{
    size_t count;
    const struct memory_region *own = elf_ram(elf, &count);

    memset(copy, 0, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        add_region(copy, own[i].start, end_of(&own[i]));
    for (size_t i = 0; i < ram_count; i++)
        add_region(copy, ram[i].start, end_of(&ram[i]));
    add_main_stack(copy, elf);
    for (size_t i = 0; i < copy->region_count; i++)
        copy->size += copy->regions[i].size;
    if (copy->size == 0)
        return failure(error, ERROR_SYMBOL, "%.100s: has no RAM to copy\ngive --ram START+SIZE", elf_path(elf));
    if (copy->size > RAM_COPY_BYTES_MAX)
        return failure(error, TXTAP_ERROR_SPACE, "%.100s: its RAM has %" PRIu64 " bytes, and txtap copies at most %u",
                       elf_path(elf), copy->size, RAM_COPY_BYTES_MAX);
    copy->bytes = malloc((size_t)copy->size);
    if (copy->bytes == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for a copy of %" PRIu64 " bytes of RAM", copy->size);
    return TXTAP_OK;
}

void ram_copy_close(struct ram_copy *copy)
{
    free(copy->bytes);
    copy->bytes = NULL;
}

/* ---- fault registers ---- */

static enum txtap_status read_fault(struct txtap_source source, struct txtap_fault_registers *registers, bool *has)
{
    uint8_t bytes[TXTAP_FAULT_REGISTERS_BYTES];
    enum txtap_status status = memory_read(source, TXTAP_FAULT_REGISTERS_AT, bytes, sizeof bytes);

    *has = false;
    if (status == ERROR_FAULT)
        return TXTAP_OK;
    if (status != TXTAP_OK)
        return status;
    *registers = txtap_fault_registers(bytes);
    *has = txtap_fault_is_cortex_m(registers);
    return TXTAP_OK;
}

enum txtap_status ram_copy_begin(struct ram_copy *copy, struct txtap_source source)
{
    enum txtap_status status;
    uint8_t word[4];

    copy->segment_count = 0;
    copy->missing = copy->fpcar = 0;
    copy->has_fault_after = copy->cut = false;
    copy->region = copy->at = 0;
    copy->bytes_at = copy->bytes;
    copy->part = source.ops->read_bytes_max & ~UINT32_C(3);
    if (copy->part > PART_BYTES)
        copy->part = PART_BYTES;
    status = read_fault(source, &copy->fault, &copy->has_fault);
    if (status != TXTAP_OK || !copy->has_fault || txtap_fault_is_small(&copy->fault))
        return status;
    status = memory_read(source, FPCAR, word, sizeof word);
    if (status == TXTAP_OK)
        copy->fpcar = memory_word(word, TXTAP_LITTLE);
    return status == ERROR_FAULT ? TXTAP_OK : status;
}

/* ---- RAM ---- */

/* Adds bytes that were read. They extend the last segment if they follow it. */
static void add_segment(struct ram_copy *copy, uint32_t address, const uint8_t *bytes, uint32_t length)
{
    struct txtap_segment *last = &copy->segments[copy->segment_count - (copy->segment_count > 0)];

    if (copy->segment_count > 0 && last->address + last->length == address) {
        last->length += length;
    } else if (copy->segment_count < SEGMENTS_MAX) {
        copy->segments[copy->segment_count++] = (struct txtap_segment){address, length, bytes};
    } else {
        copy->missing += length;
        copy->cut = true;
        return;
    }
    last = &copy->segments[copy->segment_count - 1];
    copy->pieces[copy->segment_count - 1] =
        (struct txtap_core_segment){(uint32_t)last->address, (uint32_t)last->length};
}

static void go_on(struct ram_copy *copy, uint32_t length)
{
    copy->at += length;
    if (copy->at < copy->regions[copy->region].size)
        return;
    copy->bytes_at += copy->regions[copy->region].size;
    copy->region++;
    copy->at = 0;
}

void ram_copy_cut(struct ram_copy *copy)
{
    for (; copy->region < copy->region_count; go_on(copy, copy->regions[copy->region].size - copy->at))
        copy->missing += copy->regions[copy->region].size - copy->at;
    copy->cut = true;
}

enum txtap_status ram_copy_step(struct ram_copy *copy, struct txtap_source source)
{
    enum txtap_status status;
    uint32_t left, length;

    if (copy->region == copy->region_count) {
        status = read_fault(source, &copy->fault_after, &copy->has_fault_after);
        return status == TXTAP_OK ? TXTAP_END : status;
    }
    left = copy->regions[copy->region].size - copy->at;
    length = copy->part < left ? copy->part : left;
    status = memory_read(source, copy->regions[copy->region].start + copy->at, copy->bytes_at + copy->at, length);
    if (status == ERROR_FAULT && length > PART_MIN) {
        copy->part = (length / 2 + 3) & ~UINT32_C(3);
        return TXTAP_OK;
    }
    if (status != TXTAP_OK && status != ERROR_FAULT)
        return status;
    if (status == TXTAP_OK)
        add_segment(copy, copy->regions[copy->region].start + copy->at, copy->bytes_at + copy->at, length);
    else
        copy->missing += length;
    go_on(copy, length);
    return TXTAP_OK;
}

static void keep(void *self)
{
    (void)self; /* the caller closes the copy */
}

struct txtap_source ram_copy_source(struct ram_copy *copy, const char *name)
{
    copy->memory = (struct file_memory){
        .name = name, .segments = copy->segments, .segment_count = copy->segment_count, .close = keep};
    return file_memory_source(&copy->memory);
}
