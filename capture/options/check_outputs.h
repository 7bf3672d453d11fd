/* SPDX-License-Identifier: MIT */
/* The options of txtap check: the forms of its results, and the older trace to compare with. */
#ifndef TXTAP_CAPTURE_OPTIONS_CHECK_OUTPUTS_H
#define TXTAP_CAPTURE_OPTIONS_CHECK_OUTPUTS_H

#include <argp.h>
#include <stdbool.h>

#define CHECK_TOLERANCE_DEFAULT 0.2

struct check_outputs {
    const char *html, *summary; /* paths, or NULL */
    bool annotations;           /* print annotations of GitHub */
    const char *baseline;       /* path of an older trace or report, or NULL */
    double tolerance;           /* 0.2 for 20 % */
};

extern const struct argp_option check_output_rows[];

/*
 * Parses an option. At ARGP_KEY_INIT, sets the defaults: `annotations` becomes true if the environment says that GitHub
 * runs txtap. A wrong option ends the program with a usage error.
 */
error_t check_output_option(struct check_outputs *options, int key, char *text, struct argp_state *state);

#endif
