/* SPDX-License-Identifier: MIT */
/* The options that filter events, and those that define what user events mean. */
#ifndef TXTAP_CAPTURE_OPTIONS_FILTER_H
#define TXTAP_CAPTURE_OPTIONS_FILTER_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "txtap/filter.h"

#define DEFINITIONS_FILES_MAX 16

enum { FILTER_KEY_LIMIT = 600 }; /* parsed by options.c */

struct filter_options {
    bool started; /* of filter: init was called */
    struct txtap_filter filter;
    const char *from, *to; /* as given: only at the end is --hz known */
    unsigned profile;      /* TXTAP_PROFILE_* */
    unsigned columns;      /* enum txtap_column; 0: as the format has it */
    const char *definitions[DEFINITIONS_FILES_MAX];
    size_t definitions_count;
};

extern const struct argp_option filter_option_rows[];
extern const struct argp_option meaning_option_rows[]; /* for commands without a filter, too */

/*
 * Parses an option of either table; at ARGP_KEY_END turns --from and --to into ticks, which they already are if tick_hz
 * is 0. A wrong option ends the program with a usage error.
 */
error_t filter_option(struct filter_options *options, double tick_hz, int key, char *text, struct argp_state *state);

#endif
