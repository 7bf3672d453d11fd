/* SPDX-License-Identifier: MIT */
/* A copy of all of a target's RAM, read in bounded steps while the target runs. */
#ifndef TXTAP_CAPTURE_CRASH_RAM_COPY_H
#define TXTAP_CAPTURE_CRASH_RAM_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "locate/elf_file.h"
#include "probe/image.h"
#include "txtap/inner/crash.h"
#include "txtap/source.h"

#define RAM_COPY_BYTES_MAX (256u << 20)
#define RAM_COPY_HOLES_MAX 64u /* pieces that the target refuses to read */

struct ram_copy {
    struct file_memory memory; /* must be first; ram_copy_source() reads from it */
    struct memory_region regions[ELF_REGIONS_MAX + MEMORY_REGIONS_MAX + 1]; /* sorted by address */
    size_t region_count;
    uint64_t size; /* bytes of all regions */

    struct txtap_fault_registers fault; /* read before the RAM */
    uint32_t fpcar;
    bool has_fault;                           /* `fault` was read, and belongs to a Cortex-M */
    struct txtap_fault_registers fault_after; /* read after the RAM */
    bool has_fault_after;

    /* after the last step: the pieces of RAM that were read */
    struct txtap_segment segments[ELF_REGIONS_MAX + MEMORY_REGIONS_MAX + 1 + RAM_COPY_HOLES_MAX];
    struct txtap_core_segment pieces[ELF_REGIONS_MAX + MEMORY_REGIONS_MAX + 1 + RAM_COPY_HOLES_MAX];
    size_t segment_count;
    uint64_t missing; /* bytes that were not read */
    bool cut;         /* the copy ended early: the connection was lost, or there were too many holes */

    /* private */
    uint8_t *bytes;
    size_t region;     /* index of the region that is being read */
    uint32_t at;       /* offset in that region */
    uint32_t part;     /* bytes of the next read; smaller after the target has refused a read */
    uint8_t *bytes_at; /* place of the region's first byte */
};

/*
 * Chooses the regions, and takes memory for them: the RAM in the ELF file, the RAM that the user declared, and the main
 * stack according to the vector table. TXTAP_ERROR_SYSTEM: no memory. _SPACE: more than RAM_COPY_BYTES_MAX. elf:
 * borrowed. After success, call ram_copy_close().
 */
enum txtap_status ram_copy_open(struct ram_copy *copy, const struct elf_file *elf, const struct memory_region *ram,
                                size_t ram_count, struct error *error);
void ram_copy_close(struct ram_copy *copy);

/* Begins a copy: reads the fault registers. Fails like the source's read(); a target without such registers is no
 * failure. */
enum txtap_status ram_copy_begin(struct ram_copy *copy, struct txtap_source source);

/* Does one exchange. TXTAP_END: the copy is complete, and `segments` is valid. TXTAP_OK: there is more. Other statuses
 * are failures of the source's read(). */
enum txtap_status ram_copy_step(struct ram_copy *copy, struct txtap_source source);

/* Ends a copy early. The bytes that were read remain. */
void ram_copy_cut(struct ram_copy *copy);

/* Returns the copied RAM as a source. `name`: for messages. */
struct txtap_source ram_copy_source(struct ram_copy *copy, const char *name);

#endif
