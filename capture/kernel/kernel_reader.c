/* SPDX-License-Identifier: MIT */
/* Does the reads that a walk plans, in exchanges that the source allows. */
#include "kernel/kernel_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "probe/source_base.h"

#define PARTS_MAX  256 /* parts of reads in one exchange */
#define WALK_SHARE 0.1 /* the largest part of the probe's time that repeated walks take */

/* ---- the memory that may be read ---- */

static bool permits(void *self, uint32_t address, uint32_t bytes)
{
    const struct kernel_reader *reader = self;

    return locate_permits(&reader->permitted, address, bytes);
}

static bool is_ram(const struct elf_file *elf, uint32_t address)
{
    size_t count;
    const struct memory_region *ram = elf_ram(elf, &count);

    for (size_t i = 0; i < count; i++)
        if (address >= ram[i].start && address - ram[i].start < ram[i].size)
            return true;
    return false;
}

static const uint8_t *constant(void *self, uint32_t address, uint32_t *bytes)
{
    const struct kernel_reader *reader = self;
    const uint8_t *at = NULL;

    if (is_ram(reader->permitted.elf, address))
        return NULL;
    for (*bytes = TXTAP_OBJECT_NAME_BYTES; *bytes > 0 && at == NULL; *bytes -= at == NULL)
        at = elf_bytes(reader->permitted.elf, address, *bytes);
    return at;
}

/* ---- opening ---- */

enum txtap_status kernel_reader_open(struct kernel_reader *reader, const struct elf_file *elf,
                                     const struct memory_region *ram, size_t ram_count, struct error *error)
{
    const struct txtap_kernel_memory memory = {permits, constant, reader};
    enum txtap_status status;

    *reader = (struct kernel_reader){.permitted = {.elf = elf, .ram = ram, .ram_count = ram_count}};
    status = kernel_layout_find(&reader->layout, elf, error);
    if (status != TXTAP_OK)
        return status;
    reader->kernel = malloc(txtap_kernel_bytes());
    if (reader->kernel == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the kernel's objects");
    status = txtap_kernel_init(reader->kernel, reader->layout.ops, &reader->layout.places, memory);
    if (status == TXTAP_OK)
        return status;
    kernel_reader_close(reader);
    return failure(error, ERROR_SYMBOL,
                   "%.100s: nothing describes the structs of %s\ncompile the firmware with -g (-g1 is not enough)",
                   elf_path(elf), reader->layout.ops->name);
}

void kernel_reader_close(struct kernel_reader *reader)
{
    free(reader->kernel);
    reader->kernel = NULL;
}

/* ---- reading ---- */

/* Does one exchange. If the target refuses memory, reads each part alone, and notes the refused reads. */
static enum txtap_status exchange(struct kernel_reader *reader, struct txtap_source source,
                                  const struct txtap_read *parts, const size_t *owners, size_t count, bool *failed)
{
    enum txtap_status status = source.ops->read(source.self, parts, count);

    reader->walk.exchanges++;
    for (size_t i = 0; i < count && status == ERROR_FAULT; i++) {
        enum txtap_status alone = count > 1 ? source.ops->read(source.self, &parts[i], 1) : ERROR_FAULT;

        reader->walk.exchanges += count > 1;
        if (alone == ERROR_FAULT)
            failed[owners[i]] = true;
        else if (alone != TXTAP_OK)
            return alone;
    }
    return status == ERROR_FAULT ? TXTAP_OK : status;
}

/* Does reads in their order, in as few exchanges as the source allows. */
static enum txtap_status do_reads(struct kernel_reader *reader, struct txtap_source source,
                                  const struct txtap_read *reads, size_t count, bool *failed)
{
    size_t parts_max = source.ops->reads_max < PARTS_MAX ? source.ops->reads_max : PARTS_MAX, used = 0;
    uint32_t bytes = 0, bytes_max = source.ops->read_bytes_max & ~UINT32_C(3);
    struct txtap_read parts[PARTS_MAX];
    size_t owners[PARTS_MAX];
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < count && status == TXTAP_OK; i++) {
        for (uint32_t at = 0; at < reads[i].length && status == TXTAP_OK;) {
            uint32_t left = reads[i].length - at, part = left < bytes_max - bytes ? left : bytes_max - bytes;

            parts[used] = (struct txtap_read){reads[i].address + at, part, reads[i].buffer + at};
            owners[used++] = i;
            bytes += part;
            at += part;
            if (used < parts_max && bytes < bytes_max)
                continue;
            status = exchange(reader, source, parts, owners, used, failed);
            used = bytes = 0;
        }
        reader->walk.reads++;
        reader->walk.bytes += reads[i].length;
    }
    if (status == TXTAP_OK && used > 0)
        status = exchange(reader, source, parts, owners, used, failed);
    return status;
}

void kernel_reader_begin(struct kernel_reader *reader, unsigned classes, uint32_t stack_bytes)
{
    memset(&reader->walk, 0, sizeof reader->walk);
    reader->walks++;
    txtap_kernel_begin(reader->kernel, classes, stack_bytes);
}

enum txtap_status kernel_reader_step(struct kernel_reader *reader, struct txtap_source source, struct error *error)
{
    const struct txtap_read *reads;
    uint64_t begin = now_us();
    size_t count = txtap_kernel_plan(reader->kernel, &reads);
    enum txtap_status status;
    bool *failed;

    if (count == 0)
        return TXTAP_END;
    failed = calloc(count, sizeof *failed);
    if (failed == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory to read the kernel's lists");
    status = do_reads(reader, source, reads, count, failed);
    if (status == TXTAP_OK)
        txtap_kernel_commit(reader->kernel, failed);
    free(failed);
    reader->walk.us += now_us() - begin;
    return status == TXTAP_OK ? status : memory_failure(source, status, NULL, error);
}

enum txtap_status kernel_reader_walk(struct kernel_reader *reader, struct txtap_source source, unsigned classes,
                                     uint32_t stack_bytes, struct error *error)
{
    enum txtap_status status;

    kernel_reader_begin(reader, classes, stack_bytes);
    while ((status = kernel_reader_step(reader, source, error)) == TXTAP_OK)
        if (stop_requested())
            return failure(error, ERROR_INTERRUPTED, "ended by the user");
    return status == TXTAP_END ? TXTAP_OK : status;
}

/* ---- the pace of repeated walks ---- */

uint32_t kernel_reader_stack_bytes(const struct kernel_reader *reader, double seconds)
{
    double us = seconds * 1e6 * WALK_SHARE - (double)reader->walk.us, bytes = 0;

    if (reader->walks > 1 && reader->walk.us > 0) /* the first walk says nothing about the next walk */
        bytes = us * (double)reader->walk.bytes / (double)reader->walk.us;
    if (bytes < KERNEL_STACK_BYTES_MIN)
        return KERNEL_STACK_BYTES_MIN;
    return bytes < KERNEL_STACK_BYTES_MAX ? (uint32_t)bytes : KERNEL_STACK_BYTES_MAX;
}

uint64_t kernel_reader_pause_us(const struct kernel_reader *reader, double seconds)
{
    double wanted = seconds * 1e6 - (double)reader->walk.us;
    double least = reader->walks > 1 ? (double)reader->walk.us * (1 / WALK_SHARE - 1) : 0;

    if (wanted < least)
        wanted = least;
    return wanted > 0 ? (uint64_t)wanted : 0;
}
