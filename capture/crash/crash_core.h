/* SPDX-License-Identifier: MIT */
/* Makes a core file from a copy of the RAM: threads from the kernel's lists in the copy, and the frame of a fault. */
#ifndef TXTAP_CAPTURE_CRASH_CRASH_CORE_H
#define TXTAP_CAPTURE_CRASH_CRASH_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/failure.h"
#include "crash/ram_copy.h"
#include "kernel/kernel_names.h"
#include "kernel/kernel_reader.h"
#include "txtap/inner/crash.h"

struct crash_core {
    struct ram_copy *copy;
    const struct elf_file *elf;
    struct elf_code code[ELF_REGIONS_MAX];
    size_t code_count;
    struct kernel_reader kernel; /* its objects are from the copy */
    bool has_kernel;
    struct error no_kernel; /* why there are no objects, if has_kernel is false */

    unsigned fault;                                          /* number of the active fault exception; 0: no fault */
    struct txtap_crash_frame frames[TXTAP_CRASH_FRAMES_MAX]; /* of the fault, the most probable frame first */
    size_t frame_count;
    uint32_t frame_owner; /* address of the thread on whose stack the first frame is; 0: no thread */

    /* threads with registers; threads[0] has the first frame, if there is a frame */
    struct txtap_core_thread *threads;
    uint32_t *objects; /* address of each thread's object; 0: no thread of the kernel */
    size_t thread_count;
    size_t left_out; /* threads whose registers are not in memory */
    char *note;      /* text in the core file */
};

/*
 * Analyses the copy. elf, copy: borrowed until crash_core_close(). ram: as in kernel_reader_open(). Without a kernel or
 * a fault, the core file has only memory. TXTAP_ERROR_SYSTEM: no memory. After success, call crash_core_close().
 */
enum txtap_status crash_core_open(struct crash_core *core, struct ram_copy *copy, const struct elf_file *elf,
                                  const struct memory_region *ram, size_t ram_count, struct error *error);
void crash_core_close(struct crash_core *core);

/* Finds return addresses on the stack of the running thread, from its lowest used word on. Returns their number, at
 * most `count`. They may be of functions that have already returned. */
size_t crash_core_returns(struct crash_core *core, uint32_t *addresses, size_t count);

/* Writes the core file, as output_whole_file() does. */
enum txtap_status crash_core_write(const struct crash_core *core, const char *path, bool overwrite,
                                   struct error *error);

/* Returns the name of threads[i] for people: "thread 'control'", "the main stack". */
#define CRASH_NAME_BYTES (KERNEL_NAME_BYTES + 16)
void crash_core_thread_name(const struct crash_core *core, size_t i, char name[static CRASH_NAME_BYTES]);

#endif
