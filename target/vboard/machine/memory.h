/* SPDX-License-Identifier: MIT */
/*
 * The target's plain memory (RAM and flash). It is read and written inside the QEMU process, while the machine runs.
 */
#ifndef VBOARD_MEMORY_H
#define VBOARD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"
#include "options.h"

struct memory {
    struct machine *machine;
    struct region regions[REGIONS_MAX];
    uint64_t host[REGIONS_MAX]; /* address of each region in QEMU's process */
    size_t regions_count;
    bool direct;     /* process_vm_readv works; otherwise the monitor's memsave is used */
    char folder[64]; /* folder of memsave's file; "": no folder */
};

/* Finds every region in QEMU and a way to read it. On failure the reason is on stderr. */
bool memory_open(struct memory *memory, struct machine *machine, const struct options *options);
void memory_close(struct memory *memory);

/* Returns the region that contains all `length` bytes from `address`, or NULL. */
const struct region *memory_find(const struct memory *memory, uint32_t address, uint32_t length);

/* Read and write memory. The bytes must be inside `region`, the result of memory_find. */
bool memory_read(struct memory *memory, const struct region *region, uint32_t address, uint8_t *buffer,
                 uint32_t length);
bool memory_write(struct memory *memory, const struct region *region, uint32_t address, const uint8_t *buffer,
                  uint32_t length);

#endif
