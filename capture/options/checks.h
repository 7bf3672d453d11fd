/* SPDX-License-Identifier: MIT */
/* The options with checks of figures: on the command line, and in files, one a line. */
#ifndef TXTAP_CAPTURE_OPTIONS_CHECKS_H
#define TXTAP_CAPTURE_OPTIONS_CHECKS_H

#include <argp.h>
#include <stddef.h>

#include "txtap/check.h"

#define CHECKS_MAX      1024
#define CHECK_FILES_MAX 16

struct check_options {
    struct txtap_check *checks; /* count of them, for as long as the program runs */
    size_t count;
    const char *files[CHECK_FILES_MAX]; /* that were read; file_count of them */
    size_t file_count;
    const char *junit; /* a file to write, or NULL */
};

extern const struct argp_option check_option_rows[];

/* Parses an option. A text that is not a check ends the program with a usage error, which says what it should be. */
error_t check_option(struct check_options *options, int key, char *text, struct argp_state *state);

#endif
