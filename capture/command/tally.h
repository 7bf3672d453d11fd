/* SPDX-License-Identifier: MIT */
/* A sink that counts what a file has, and passes it on. */
#ifndef TXTAP_CAPTURE_COMMAND_TALLY_H
#define TXTAP_CAPTURE_COMMAND_TALLY_H

#include "stream/stream_stats.h"
#include "txtap/item.h"

struct tally {
    struct txtap_sink next;
    struct stream_stats *stats;
};

/* For a sink whose self is a struct tally. */
enum txtap_status tally_take(void *self, const struct txtap_item *item);

#endif
