/* SPDX-License-Identifier: MIT */
/* The options that choose events and say what they mean: one group of the table of options, with its parser. */
#ifndef TXTAP_CAPTURE_OPTIONS_FILTER_H
#define TXTAP_CAPTURE_OPTIONS_FILTER_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "txtap/filter.h"

#define DEFINITIONS_FILES_MAX 16

enum { FILTER_KEY_LIMIT = 600 }; /* not parsed here: it is a count like others */

struct filter_options {
    bool started; /* of filter: init was called */
    struct txtap_filter filter;
    const char *from, *to; /* as given: the unit of time is known when all options are */
    unsigned profile;      /* TXTAP_PROFILE_* */
    unsigned columns;      /* enum txtap_column; 0: as the format has it */
    const char *definitions[DEFINITIONS_FILES_MAX];
    size_t definitions_count;
};

extern const struct argp_option filter_option_rows[];
extern const struct argp_option meaning_option_rows[]; /* what events mean: for commands that choose none, too */

/*
 * Takes one option of either table; at ARGP_KEY_END turns --from and --to into ticks: tick_hz 0 means that they are
 * given in ticks. Wrong ones end the program with a usage error.
 */
error_t filter_option(struct filter_options *options, double tick_hz, int key, char *text, struct argp_state *state);

#endif
