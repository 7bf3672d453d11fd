/* SPDX-License-Identifier: MIT */
/* The options that say where the trace buffer is. */
#ifndef TXTAP_CAPTURE_OPTIONS_TARGET_H
#define TXTAP_CAPTURE_OPTIONS_TARGET_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory_region.h"
#include "probe/probe.h"

struct target_options {
    const char *elf; /* or NULL */
    struct probe_options probe;
    const char *symbol; /* or NULL */
    bool has_address, scan, wait;
    double wait_seconds; /* the limit of wait; 0: that of --seconds */
    uint32_t address;
    struct memory_region ram[MEMORY_REGIONS_MAX];
    size_t ram_count;
};

extern const struct argp_option target_option_rows[];

/* Parses an option. A wrong option ends the program with a usage error. */
error_t target_option(struct target_options *options, int key, char *text, struct argp_state *state);

#endif
