/* SPDX-License-Identifier: MIT */
/* Reads a recording that arrives in pieces of any size, from a stream or from several files in a row. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_RECORDING_FEED_H
#define TXTAP_CAPTURE_VIEW_WASM_RECORDING_FEED_H

#include "txtap/recording.h"

#define RECORDING_FEED_BYTES (TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX)

/* All 0 at the start. */
struct recording_feed {
    struct txtap_recording recording;
    uint64_t offset; /* position of bytes[0] in all bytes so far */
    size_t used;     /* bytes used: a head or a block that is not complete yet */
    bool has_head;   /* the head of the current file was read */
    bool between;    /* a file has ended, and the next file has not begun */
    bool refused;    /* the newest file is not the next file of the recording */
    uint32_t heads;  /* number of files that were begun */
    struct txtap_recording_joint joint;
    uint8_t bytes[RECORDING_FEED_BYTES];
};

struct recording_feed_sink {
    /* Takes a block. False: the sink wants no more blocks. */
    bool (*take)(void *self, const struct txtap_recording_item *item);
    void *self;
};

/* Takes bytes, and gives each completed block to the sink. Returns NULL on success or if the sink wanted no more;
 * otherwise a short reason why the rest cannot be read. */
const char *recording_feed_take(struct recording_feed *feed, const uint8_t *bytes, size_t length,
                                struct recording_feed_sink sink);

/* Ends a file that another file follows. Returns NULL if the file was complete; otherwise a text about the missing
 * part.
 */
const char *recording_feed_next(struct recording_feed *feed);

/* Ends the last file. Call it after the last byte. Returns NULL if the file was complete; otherwise the missing
 * part. */
const char *recording_feed_end(const struct recording_feed *feed);

#endif
