/* SPDX-License-Identifier: MIT */
/* Counts the reads of any memory source. The counts outlive the source: the next source adds to them. */
#ifndef TXTAP_CAPTURE_PROBE_COUNTING_H
#define TXTAP_CAPTURE_PROBE_COUNTING_H

#include <stdint.h>

#include "txtap/source.h"

struct counting_source {
    struct txtap_source inner;
    struct txtap_source_ops ops; /* inner's limits, and functions that pass calls on */
    uint64_t requests;           /* calls of read() */
    uint64_t bytes;              /* of target memory in the reads that succeeded */
};

/* Closing the returned source closes inner. It is valid as long as counting stays at its address. */
struct txtap_source counting_source_of(struct counting_source *counting, struct txtap_source inner);

#endif
