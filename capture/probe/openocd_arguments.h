/* SPDX-License-Identifier: MIT */
/* The command line of an OpenOCD that txtap starts: what the user wants, between what txtap needs. */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_ARGUMENTS_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#define OPENOCD_ARGUMENTS_MAX  64
#define OPENOCD_ARGUMENT_BYTES 8192 /* of all together */

struct openocd_arguments {
    const char *argv[OPENOCD_ARGUMENTS_MAX + 1]; /* ends in NULL; points into text, and to constants */
    size_t count;
    char text[OPENOCD_ARGUMENT_BYTES];
};

/*
 * The user's text in words, as a shell would have them: blanks divide, '...' and "..." keep blanks, a backslash takes
 * the next character as it is, but not in '...'. Nothing is replaced. NULL on success, else what is wrong with it, as
 * the end of a sentence.
 */
const char *openocd_arguments_make(struct openocd_arguments *arguments, const char *program, const char *text);

#endif
