/* SPDX-License-Identifier: MIT */
/* The command line of an OpenOCD that txtap starts: what the user wants, between what txtap needs. */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_ARGUMENTS_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#define OPENOCD_ARGUMENTS_MAX  64
#define OPENOCD_ARGUMENT_BYTES 8192 /* of all together */

struct openocd_arguments {
    const char *argv[OPENOCD_ARGUMENTS_MAX + 1]; /* ends in NULL; points into text, and to constants */
    size_t count;
    size_t used; /* of text */
    char text[OPENOCD_ARGUMENT_BYTES];
};

/* txtap's own first ones; then add, then end. */
void openocd_arguments_begin(struct openocd_arguments *arguments, const char *program);

/* One option and its value: printf's format. */
void openocd_arguments_add(struct openocd_arguments *arguments, const char *option, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* txtap's own last ones. False if there was no room for all. */
bool openocd_arguments_end(struct openocd_arguments *arguments);

#define OPENOCD_QUOTED_BYTES(bytes) (2 * (bytes) + 1)

/* A text of any bytes as one word of Tcl, in which nothing is run or replaced. Control characters are left out. */
const char *openocd_arguments_quote(char *out, size_t size, const char *text);

/*
 * The user's text in words, as a shell would have them: blanks divide, '...' and "..." keep blanks, a backslash takes
 * the next character as it is, but not in '...'. Nothing is replaced. NULL on success, else what is wrong with it, as
 * the end of a sentence.
 */
const char *openocd_arguments_make(struct openocd_arguments *arguments, const char *program, const char *text);

#endif
