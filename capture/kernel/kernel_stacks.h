/* SPDX-License-Identifier: MIT */
/* The deepest use of all stacks, read from the running kernel for the analyses. */
#ifndef TXTAP_CAPTURE_KERNEL_KERNEL_STACKS_H
#define TXTAP_CAPTURE_KERNEL_KERNEL_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel_reader.h"
#include "txtap/inner/stacks.h"

struct kernel_stacks {
    struct txtap_stack_use list[TXTAP_STACKS_MAX];
    size_t count;
};

/* Takes the stacks of the reader's last walk. A thread whose use is not known is left out. */
void kernel_stacks_take(struct kernel_stacks *stacks, const struct kernel_reader *reader);

/*
 * Reads the threads and whole stacks in one walk, for at most `limit_us` microseconds. elf, ram: as in
 * kernel_reader_open(); elf may be NULL. Without success there are no stacks: the ELF file does not describe the
 * kernel, the source failed, or the time was over.
 */
void kernel_stacks_read(struct kernel_stacks *stacks, struct txtap_source source, const struct elf_file *elf,
                        const struct memory_region *ram, size_t ram_count, uint64_t limit_us);

#endif
