/* SPDX-License-Identifier: MIT */
/* The operands of a command: no operand or a firmware's ELF file means a target; all other operands are trace files. */
#ifndef TXTAP_CAPTURE_COMMAND_OPERANDS_H
#define TXTAP_CAPTURE_COMMAND_OPERANDS_H

#include "input/input.h"
#include "command/run_loop.h"
#include "output/translation.h"

/* Runs a command on files. `input` is open at its first byte; the caller closes `input`. Returns an enum exit_code. */
typedef int files_run(const struct options *options, struct input *input);

/*
 * Runs a command on the target if there are no operands, or if the operand is a firmware's ELF file. Otherwise runs the
 * command on the files. An ELF core file is a trace file. If `on_target` is NULL, the command reads only files, and
 * there must be at least one operand. Prints errors. Returns the exit code.
 */
int operands_run(const struct options *given, attached_run *on_target, files_run *on_files);

/* If the last of several files is a firmware's ELF file, takes it from the files: it describes the trace in the other
 * files. Returns the statuses of elf_open(). */
enum txtap_status operands_take_firmware(struct options *options, struct error *error);

/* Returns true if the first file of the input is a firmware's ELF file. */
bool operands_is_firmware(const struct input *input);

/* Returns TXTAP_ERROR_USAGE if the ring contains CTF, but the options have no metadata file. */
enum txtap_status operands_check_metadata(const struct ring_config *ring, struct error *error);

/* Sets up the translation of the ring's items into the items that an analysis takes. registry: gets names that the
 * items contain; borrowed. */
enum txtap_status operands_translate(struct translation *translation, const struct options *options,
                                     struct txtap_registry *registry, struct error *error);

#endif
