/* SPDX-License-Identifier: MIT */
/*
 * The words that may follow on a command line, for the completion of a shell. A candidate is printed as a line: the
 * word, a tab, and a short description. The line ":files" means the names of files.
 *
 * These functions do not touch a target, print no error, and take a bounded time.
 */
#ifndef TXTAP_CAPTURE_COMMAND_COMPLETE_COMPLETE_H
#define TXTAP_CAPTURE_COMMAND_COMPLETE_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/option_table.h"
#include "options/options.h"

/* A command line up to the cursor. */
struct completion {
    const struct command *command;
    const char *const *words; /* `count` words after the command, without the word at the cursor */
    size_t count;
    const char *before; /* what precedes the value in the word at the cursor: "--format=", or "" */
    const char *part;   /* the beginning of the word or the value at the cursor */
};

/* Prints the candidate if it begins with the part. about: its description up to the first ';', or "". */
void completion_offer(const struct completion *completion, const char *word, const char *about);

/* Prints the candidates for the value of an option. */
void completion_values(const struct completion *completion, const struct argp_option *option);

/* ---- names in files ---- */

enum completion_names { NAMES_THREADS, NAMES_OBJECTS };

/* Offers the names of objects in the traces and recordings among the words; if a word is a folder, the names in its
 * last recording. */
void completion_names(const struct completion *completion, enum completion_names which);

/* Offers the interrupts with a handler of their own in the firmware's ELF files among the words. */
void completion_interrupts(const struct completion *completion);

/* Offers the variables in RAM of the firmware's ELF files among the words. */
void completion_variables(const struct completion *completion);

#endif
