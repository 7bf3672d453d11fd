/* SPDX-License-Identifier: MIT */
/* The options with checks of figures: on the command line, and in files, one per line. */
#ifndef TXTAP_CAPTURE_OPTIONS_CHECKS_H
#define TXTAP_CAPTURE_OPTIONS_CHECKS_H

#include <argp.h>
#include <stddef.h>

#include "txtap/check.h"

#define CHECKS_MAX       256
#define CHECK_FILES_MAX  16
#define CHECK_FILE_BYTES 32768 /* of all checks in files */

/* The checks borrow their texts from it: the struct must not move. */
struct check_options {
    struct txtap_check checks[CHECKS_MAX]; /* count of them */
    size_t count;
    const char *files[CHECK_FILES_MAX]; /* that were read; file_count of them */
    size_t file_count;
    char texts[CHECK_FILE_BYTES]; /* from the files; texts_bytes of them */
    size_t texts_bytes;
    const char *junit; /* a file to write, or NULL */
};

extern const struct argp_option check_option_rows[];

/* Parses an option. A text that is not a check ends the program with a usage error, which says what it should be. */
error_t check_option(struct check_options *options, int key, char *text, struct argp_state *state);

#endif
