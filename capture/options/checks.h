/* SPDX-License-Identifier: MIT */
/* The options that check figures. A check is on the command line, or on a line of a file. */
#ifndef TXTAP_CAPTURE_OPTIONS_CHECKS_H
#define TXTAP_CAPTURE_OPTIONS_CHECKS_H

#include <argp.h>
#include <stddef.h>

#include "txtap/check.h"

#define CHECKS_MAX       256
#define CHECK_FILES_MAX  16
#define CHECK_FILE_BYTES 32768 /* total size of the checks from files */

/* This struct must not move, because the checks borrow their texts from it. */
struct check_options {
    struct txtap_check checks[CHECKS_MAX]; /* the first `count` are in use */
    size_t count;
    const char *files[CHECK_FILES_MAX]; /* paths of the file_count files that were read */
    size_t file_count;
    char texts[CHECK_FILE_BYTES]; /* texts of checks from files; the first texts_bytes bytes are in use */
    size_t texts_bytes;
    const char *junit; /* path of a file to write, or NULL */
};

extern const struct argp_option check_option_rows[];

/*
 * Parses an option. If the text is not a check, the program ends with a usage error that describes the expected text.
 */
error_t check_option(struct check_options *options, int key, char *text, struct argp_state *state);

#endif
