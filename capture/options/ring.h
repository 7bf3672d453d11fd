/* SPDX-License-Identifier: MIT */
/* Which ring the command line asks for. The kinds of ring have the options themselves: see ring/ring_kind.h. */
#ifndef TXTAP_CAPTURE_OPTIONS_RING_H
#define TXTAP_CAPTURE_OPTIONS_RING_H

#include <stdbool.h>
#include <stdint.h>

struct ring_kind;

struct ring_options {
    const struct ring_kind *kind;
    const char *definitions;  /* what its events mean, before the user's own definitions; or NULL */
    const char *ctf_metadata; /* or NULL */
    bool has_position;
    uint32_t position; /* address of the variable that says how much of the ring is filled */
};

#endif
