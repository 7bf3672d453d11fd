/* SPDX-License-Identifier: MIT */
/* The whole command line: `txtap COMMAND ...`. */
#ifndef TXTAP_CAPTURE_OPTIONS_COMMAND_LINE_H
#define TXTAP_CAPTURE_OPTIONS_COMMAND_LINE_H

#include "options/option_table.h"
#include "options/options.h"

/*
 * Parses the command line with the table of commands, which ends with NULL. Prints help, version and usage errors
 * itself, and then exits with EXIT_DONE or EXIT_USAGE. Changes argv. The options borrow their strings from argv.
 */
void options_parse(struct options *options, int argc, char **argv, const struct command *const *commands);

/* Calls put() for each option of the command line that says where the trace buffer is, and for its value. */
void options_target_words(const struct options *options, FILE *out, void (*put)(FILE *out, const char *word));

/* Makes the table of all options of a command. */
void options_table_of(struct option_table *table, const struct command *command);

extern const char txtap_revision[]; /* "" if the source is not a git work tree: see revision.cmake */

#endif
