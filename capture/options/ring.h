/* SPDX-License-Identifier: MIT */
/* The command line's choice of a ring. Each kind of ring has its own options: see ring/ring_kind.h. */
#ifndef TXTAP_CAPTURE_OPTIONS_RING_H
#define TXTAP_CAPTURE_OPTIONS_RING_H

#include <stdbool.h>
#include <stdint.h>

struct ring_kind;

struct ring_options {
    const struct ring_kind *kind;
    const char *definitions;  /* of the ring's events, read before the user's; or NULL */
    const char *ctf_metadata; /* or NULL */
    bool has_position;
    uint32_t position; /* address of the variable that says how much of the ring is filled */
};

#endif
