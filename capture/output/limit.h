/* SPDX-License-Identifier: MIT */
/* A sink that passes on up to a number of events. */
#ifndef TXTAP_CAPTURE_OUTPUT_LIMIT_H
#define TXTAP_CAPTURE_OUTPUT_LIMIT_H

#include "txtap/item.h"

struct limit {
    struct txtap_sink next;
    uint64_t most;   /* events; 0: no limit */
    uint64_t events; /* passed on */
};

/* For a sink whose self is a struct limit. TXTAP_END: that was the last one. */
enum txtap_status limit_take(void *self, const struct txtap_item *item);

#endif
