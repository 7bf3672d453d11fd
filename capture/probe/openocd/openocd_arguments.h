/* SPDX-License-Identifier: MIT */
/* The command line of an OpenOCD that txtap starts: the user's arguments between txtap's own. */
#ifndef TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_ARGUMENTS_H
#define TXTAP_CAPTURE_PROBE_OPENOCD_OPENOCD_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#define OPENOCD_ARGUMENTS_MAX  64
#define OPENOCD_ARGUMENT_BYTES 8192 /* size of all arguments together */

struct openocd_arguments {
    const char *argv[OPENOCD_ARGUMENTS_MAX + 1]; /* ends with NULL; points into `text`, and to constants */
    size_t count;
    size_t used; /* used bytes of text */
    char text[OPENOCD_ARGUMENT_BYTES];
};

/* Adds txtap's own first arguments. Call openocd_arguments_add() next, then openocd_arguments_end(). */
void openocd_arguments_begin(struct openocd_arguments *arguments, const char *program);

/* Adds an option and its value, in printf's format. */
void openocd_arguments_add(struct openocd_arguments *arguments, const char *option, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds txtap's own last arguments. False: not all arguments fit. */
bool openocd_arguments_end(struct openocd_arguments *arguments);

#define OPENOCD_QUOTED_BYTES(bytes) (2 * (bytes) + 1)

/* Quotes any text as one word of Tcl, without commands and substitutions. Drops control characters. */
const char *openocd_arguments_quote(char *out, size_t size, const char *text);

/*
 * Splits the user's text into words, as a shell does. Blanks separate words. '...' and "..." keep blanks. A backslash
 * keeps the next character unchanged, but not in '...'. Nothing is substituted. Returns NULL on success, else the error
 * in the text, as the end of a sentence.
 */
const char *openocd_arguments_make(struct openocd_arguments *arguments, const char *program, const char *text);

#endif
