/* SPDX-License-Identifier: MIT */
/* Shows a running target on the screen of "top". */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_TOP_LIVE_H
#define TXTAP_CAPTURE_COMMAND_TOP_TOP_LIVE_H

#include "attach/attach.h"
#include "base/failure.h"
#include "options/options.h"

/* Follows the events of the target's trace, until the user quits. Returns the exit code. */
int top_live_run(const struct options *options, struct attachment *attachment, struct error *error);

/*
 * Shows what the lists of the kernel tell, for firmware without a trace. Prints its own errors. Returns the exit code.
 * -1: the kernel cannot be read, or an option needs a trace; then nothing was printed.
 */
int top_live_run_kernel(const struct options *options, const char *elf);

#endif
