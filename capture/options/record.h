/* SPDX-License-Identifier: MIT */
/* The options of txtap record. */
#ifndef TXTAP_CAPTURE_OPTIONS_RECORD_H
#define TXTAP_CAPTURE_OPTIONS_RECORD_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/filter.h"

#define RECORD_TRIGGERS_MAX       8
#define RECORD_TRIGGER_TEXT_BYTES 512 /* NUL included */

struct record_trigger {
    const char *text; /* as given; borrowed */
    struct txtap_filter filter;
    char words[RECORD_TRIGGER_TEXT_BYTES]; /* the filter borrows from it: the struct must not move */
};

struct record_options {
    uint64_t file_bytes;   /* -C; 0: no limit */
    uint64_t file_seconds; /* -G; 0: no limit */
    uint32_t file_count;   /* -W; 0: no limit */
    int compress;          /* level of zstd; 0: none */
    uint64_t before_us, after_us;
    struct record_trigger triggers[RECORD_TRIGGERS_MAX];
    size_t trigger_count;
    bool has_window; /* --before or --after was given */
};

extern const struct argp_option record_option_rows[];

/* Parses an option; at ARGP_KEY_INIT sets the defaults. A wrong option ends the program with a usage error. */
error_t record_option(struct record_options *options, int key, char *text, struct argp_state *state);

#endif
