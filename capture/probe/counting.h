/* SPDX-License-Identifier: MIT */
/* Any memory source, with its reads counted. The counts outlive the source: the next one goes on with them. */
#ifndef TXTAP_CAPTURE_PROBE_COUNTING_H
#define TXTAP_CAPTURE_PROBE_COUNTING_H

#include <stdint.h>

#include "txtap/source.h"

struct counting_source {
    struct txtap_source inner;
    struct txtap_source_ops ops; /* the inner one's, but for read(), error_text() and close() */
    uint64_t requests;           /* calls of read() */
    uint64_t bytes;              /* of target memory that they got */
};

/* inner: closed by closing the source returned, which is valid as long as counting is, at this address. */
struct txtap_source counting_source_of(struct counting_source *counting, struct txtap_source inner);

#endif
