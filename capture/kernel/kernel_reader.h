/* SPDX-License-Identifier: MIT */
/* Walks over a running kernel's lists through a memory source. */
#ifndef TXTAP_CAPTURE_KERNEL_KERNEL_READER_H
#define TXTAP_CAPTURE_KERNEL_KERNEL_READER_H

#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "kernel/kernel_layout.h"
#include "locate/elf_file.h"
#include "locate/txtb.h"
#include "txtap/inner/kernel.h"
#include "txtap/source.h"

struct kernel_reader {
    struct kernel_layout layout;
    struct txtap_kernel *kernel;
    struct locate_request permitted; /* the memory that may be read */
    struct {
        uint64_t reads, bytes, exchanges, us;
    } walk;         /* cost of the last walk */
    uint64_t walks; /* number of walks since the reader was opened */
};

/* elf, ram: borrowed until kernel_reader_close(). ram: RAM that the user declared; may be NULL. Fails like
 * kernel_layout_find(), or with TXTAP_ERROR_SYSTEM without memory. */
enum txtap_status kernel_reader_open(struct kernel_reader *reader, const struct elf_file *elf,
                                     const struct memory_region *ram, size_t ram_count, struct error *error);
void kernel_reader_close(struct kernel_reader *reader);

/*
 * Walks over the lists of `classes`, and reads at most stack_bytes bytes of stacks. Memory that the target refuses to
 * read makes objects unknown, but does not end the walk. Returns the statuses of the source's read(), with error set.
 */
enum txtap_status kernel_reader_walk(struct kernel_reader *reader, struct txtap_source source, unsigned classes,
                                     uint32_t stack_bytes, struct error *error);

/*
 * The same walk in steps, so that the caller can do other things between two steps. kernel_reader_step() returns
 * TXTAP_OK after a step, TXTAP_END when the walk has finished, or a failure. After a failure, begin again.
 */
void kernel_reader_begin(struct kernel_reader *reader, unsigned classes, uint32_t stack_bytes);
enum txtap_status kernel_reader_step(struct kernel_reader *reader, struct txtap_source source, struct error *error);

/* ---- repeated walks, every `seconds` ---- */

#define KERNEL_STACK_BYTES_MAX (4u << 20) /* of all stacks, in a single walk */
#define KERNEL_STACK_BYTES_MIN 256u       /* a walk always reads this number of bytes of stacks */

/* Returns how many bytes of stacks the next walk may read, so that all walks take at most a tenth of the probe's time.
 */
uint32_t kernel_reader_stack_bytes(const struct kernel_reader *reader, double seconds);

/* Returns the time from the end of the last walk to the next walk. A slow probe gets longer pauses. The first walk may
 * have read all stacks, so its duration does not count. */
uint64_t kernel_reader_pause_us(const struct kernel_reader *reader, double seconds);

#endif
