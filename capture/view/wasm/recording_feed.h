/* SPDX-License-Identifier: MIT */
/* A recording that comes in pieces of any size: from a stream, or from files one after the other. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_RECORDING_FEED_H
#define TXTAP_CAPTURE_VIEW_WASM_RECORDING_FEED_H

#include "txtap/recording.h"

#define RECORDING_FEED_BYTES (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX)

/* All 0 at first. */
struct recording_feed {
    struct txtap_recording recording;
    uint64_t offset; /* of bytes[0] among all that came */
    size_t used;     /* of bytes: a head or a block that is not whole yet */
    bool has_head;   /* of the present file */
    bool between;    /* a file ended, and nothing followed yet */
    bool refused;    /* the newest file is not the next one of the recording */
    uint32_t heads;  /* files that were begun */
    struct txtap_recording_joint joint;
    uint8_t bytes[RECORDING_FEED_BYTES];
};

struct recording_feed_sink {
    /* Takes a block. False: it wants no more. */
    bool (*take)(void *self, const struct txtap_recording_item *item);
    void *self;
};

/*
 * Takes bytes, and gives the blocks that became whole to the sink. NULL: all is well, or the sink wanted no more;
 * otherwise why the rest cannot be read, in a few words.
 */
const char *recording_feed_take(struct recording_feed *feed, const uint8_t *bytes, size_t length,
                                struct recording_feed_sink sink);

/* The file has ended, and another one begins. NULL: it ended as it should; otherwise what is missing. */
const char *recording_feed_next(struct recording_feed *feed);

/* No more comes. NULL: it ended as it should; otherwise what is missing. */
const char *recording_feed_end(const struct recording_feed *feed);

#endif
