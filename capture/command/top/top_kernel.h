/* SPDX-License-Identifier: MIT */
/* Reads the lists of the running kernel for the screen of "top", about once a second. */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_TOP_KERNEL_H
#define TXTAP_CAPTURE_COMMAND_TOP_TOP_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "attach/attach.h"
#include "base/failure.h"
#include "kernel/kernel_reader.h"
#include "kernel/kernel_stacks.h"
#include "txtap/inner/top.h"

struct top_kernel {
    struct kernel_reader reader;
    bool open, walking;
    bool objects;   /* set by the caller: the screen shows the kernel's objects, and not only its threads */
    bool unnamed;   /* a thread waits for an object whose name is not known */
    bool restarted; /* a thread's count of runs fell: the thread was created again, perhaps because of a reset */
    const struct elf_file *elf; /* the file that the reader was opened, or could not be opened, with */
    uint64_t begin_us;          /* time of the last walk's begin */
    uint64_t due_us;            /* time of the next walk */
    size_t run_count;
    struct txtap_top_runs runs[TXTAP_TOP_THREADS]; /* of the last walk */
    struct kernel_stacks stacks;                   /* of the last walk, for the checks */
    bool known;                                    /* `found` is the result of a walk */
    struct txtap_top_kernel found;
};

/* Opens the reader with the attachment's ELF file. Fails like kernel_reader_open(). */
enum txtap_status top_kernel_open(struct top_kernel *kernel, const struct attachment *attachment, struct error *error);
void top_kernel_close(struct top_kernel *kernel);

/* Forgets stacks and run counts: the target was reset, or other firmware may run. The next step opens the
 * reader again. */
void top_kernel_forget(struct top_kernel *kernel);

/*
 * Does one exchange of a walk if it is time. Without an ELF file that describes the running firmware's kernel, it does
 * nothing. Returns TXTAP_OK, the failure of the exchange, or after attach_memory() ERROR_NOT_FOUND: other firmware
 * runs.
 */
enum txtap_status top_kernel_step(struct top_kernel *kernel, struct attachment *attachment, uint64_t now_us,
                                  struct error *error);

#endif
