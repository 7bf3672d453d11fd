/* SPDX-License-Identifier: MIT */
/* The options with checks of figures: on the command line, and in files, one per line. */
#ifndef TXTAP_CAPTURE_OPTIONS_CHECKS_H
#define TXTAP_CAPTURE_OPTIONS_CHECKS_H

#include <argp.h>
#include <stddef.h>

#include "txtap/check.h"

#define CHECKS_MAX       256
#define CHECK_FILES_MAX  16
#define CHECK_FILE_BYTES 32768 /* size of all checks from files */

/* This struct must not move, because the checks borrow their texts from it. */
struct check_options {
    struct txtap_check checks[CHECKS_MAX]; /* count of them */
    size_t count;
    const char *files[CHECK_FILES_MAX]; /* the file_count files that were read */
    size_t file_count;
    char texts[CHECK_FILE_BYTES]; /* texts of checks from files, of which texts_bytes bytes are in use */
    size_t texts_bytes;
    const char *junit; /* path of a file to write, or NULL */
};

extern const struct argp_option check_option_rows[];

/*
 * Parses an option. If the text is not a check, the program ends with a usage error that describes the expected text.
 */
error_t check_option(struct check_options *options, int key, char *text, struct argp_state *state);

#endif
