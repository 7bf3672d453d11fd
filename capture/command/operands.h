/* SPDX-License-Identifier: MIT */
/* Tells a target (no operand, or a firmware's ELF file) from files with traces, and has what both need. */
#ifndef TXTAP_CAPTURE_COMMAND_OPERANDS_H
#define TXTAP_CAPTURE_COMMAND_OPERANDS_H

#include "base/input.h"
#include "command/run_loop.h"
#include "output/translation.h"

/* input: open, at its first byte; closed by the caller. Returns an enum exit_code. */
typedef int files_run(const struct options *options, struct input *input);

/*
 * on_target NULL: the command is for files alone, and there is at least one.
 * Runs a command on the target if there are no operands or a firmware's ELF file, or else on the files; an ELF core
 * file is one with a trace. Returns the exit code; errors are reported.
 */
int operands_run(const struct options *options, attached_run *on_target, files_run *on_files);

/* TXTAP_ERROR_USAGE: the ring gives CTF, and no metadata were given. */
enum txtap_status operands_check_metadata(const struct ring_config *ring, struct error *error);

/* Sets what stands between the ring that the options choose and an analysis. registry: learns names; borrowed. */
enum txtap_status operands_translate(struct translation *translation, const struct options *options,
                                     struct txtap_registry *registry, struct error *error);

#endif
