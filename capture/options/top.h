/* SPDX-License-Identifier: MIT */
/* The options of txtap top. */
#ifndef TXTAP_CAPTURE_OPTIONS_TOP_H
#define TXTAP_CAPTURE_OPTIONS_TOP_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#define SPEED_DEFAULT (-1.0) /* 1 if the rate of ticks is known, else 0 */

struct top_options {
    bool rows;      /* print rows instead of drawing on the terminal */
    uint64_t count; /* screens; 0: without end */
    double seconds; /* from one to the next; 0: the default */
    double speed;   /* of a file: 1 as it was recorded, 0 as fast as possible, SPEED_DEFAULT */
};

extern const struct argp_option top_option_rows[];

/* Parses an option; at ARGP_KEY_INIT sets the defaults. A wrong option ends the program with a usage error. */
error_t top_option(struct top_options *options, int key, char *text, struct argp_state *state);

#endif
