/* SPDX-License-Identifier: MIT */
/* Distinguishes a target (no operand, or a firmware's ELF file) from trace files, and has functions for both. */
#ifndef TXTAP_CAPTURE_COMMAND_OPERANDS_H
#define TXTAP_CAPTURE_COMMAND_OPERANDS_H

#include "base/input.h"
#include "command/run_loop.h"
#include "output/translation.h"

/* Runs a command on files. `input` is open, at its first byte; the caller closes it. Returns an enum exit_code. */
typedef int files_run(const struct options *options, struct input *input);

/*
 * Runs a command on the target if there are no operands, or if the operand is a firmware's ELF file; otherwise on the
 * files. If `on_target` is NULL, the command only reads files, and there is at least one file. An ELF core file is a
 * trace file. Returns the exit code; errors are reported.
 */
int operands_run(const struct options *options, attached_run *on_target, files_run *on_files);

/* Returns TXTAP_ERROR_USAGE if the ring contains CTF, but the options have no metadata file. */
enum txtap_status operands_check_metadata(const struct ring_config *ring, struct error *error);

/* Sets the translation between the ring of the options and an analysis. registry: learns names; borrowed. */
enum txtap_status operands_translate(struct translation *translation, const struct options *options,
                                     struct txtap_registry *registry, struct error *error);

#endif
