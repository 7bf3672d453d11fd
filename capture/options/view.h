/* SPDX-License-Identifier: MIT */
/* The options of txtap view. */
#ifndef TXTAP_CAPTURE_OPTIONS_VIEW_H
#define TXTAP_CAPTURE_OPTIONS_VIEW_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

struct view_options {
    const char *address; /* to listen on */
    uint16_t port;       /* 0: one that is free */
    bool no_open;        /* only print the URL */
    const char *record;  /* a file to record to, or NULL */
};

extern const struct argp_option view_option_rows[];

/* Parses an option; at ARGP_KEY_INIT sets the defaults. A wrong option ends the program with a usage error. */
error_t view_option(struct view_options *options, int key, char *text, struct argp_state *state);

#endif
