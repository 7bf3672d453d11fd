/* SPDX-License-Identifier: MIT */
/* The stacks of the target's threads at the end of a run, from the kernel. */
#ifndef TXTAP_CAPTURE_COMMAND_FINAL_STACKS_H
#define TXTAP_CAPTURE_COMMAND_FINAL_STACKS_H

#include "command/run_loop.h"
#include "kernel/kernel_stacks.h"

/* Reads the stacks of a live target that runs the ELF file's firmware. Otherwise there are none. */
void final_stacks_read(struct kernel_stacks *stacks, const struct run_loop *loop);

/* Reads them for a recording. Returns the lines of stacks.h, which the caller frees; NULL: there are none. */
char *final_stacks_text(const struct run_loop *loop);

#endif
