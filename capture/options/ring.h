/* SPDX-License-Identifier: MIT */
/* The options for rings that are not ThreadX's: one group of the table of options, with its parser. */
#ifndef TXTAP_CAPTURE_OPTIONS_RING_H
#define TXTAP_CAPTURE_OPTIONS_RING_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/ring_kind.h"

struct ring_options {
    enum reader_kind kind;
    const char *ctf_metadata; /* or NULL */
    bool has_position;
    uint32_t position; /* address of the variable that says how much of ram_tracing is filled */
};

extern const struct argp_option ring_option_rows[];

/* Takes one option. Wrong ones end the program with a usage error. */
error_t ring_option(struct ring_options *options, int key, char *text, struct argp_state *state);

#endif
