/* SPDX-License-Identifier: MIT */
/* Options from the environment (TXTAP_HZ for --hz) and from the file .txtap beside the ELF file. */
#ifndef TXTAP_CAPTURE_OPTIONS_SETTINGS_H
#define TXTAP_CAPTURE_OPTIONS_SETTINGS_H

#include "options/option_table.h"
#include "options/options.h"

/*
 * Returns the words of a command line that option_table_check() has accepted, with the options of the environment and
 * of the file added after words[0], and changes *count. An option comes from one place only: the command line, or else
 * the environment, or else the file. Says on standard error which options are added, unless --quiet is one of the
 * options; then only after a usage error. An invalid setting ends the program with EXIT_USAGE. The words last until the
 * program ends.
 *
 * table: the command's options. commands: all commands, ended by NULL: settings of other commands are valid, but
 * unused.
 */
char **settings_add(const struct option_table *table, const struct command *command,
                    const struct command *const *commands, int *count, char **words);

#endif
