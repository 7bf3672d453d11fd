/* SPDX-License-Identifier: MIT */
/* The names of objects as blocks of a recording: all of them, or those that changed since they were written. */
#ifndef TXTAP_CAPTURE_RECORD_OBJECT_BLOCKS_H
#define TXTAP_CAPTURE_RECORD_OBJECT_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/recording.h"
#include "txtap/registry.h"

#define OBJECT_BLOCKS_HEAD_BYTES (TXTAP_RECORDING_BLOCK_BYTES + 4u) /* of an empty block of objects */

/* {0}: of no registry. */
struct object_blocks {
    const struct txtap_registry *registry;
    uint32_t generation;          /* of the registry when it was written last */
    struct txtap_object *written; /* objects as they were written last, sorted */
    size_t written_count, written_capacity;
};

/* Takes the payload of a block of objects, which is valid until it returns. */
typedef enum txtap_status object_blocks_take(void *self, const uint8_t *payload, size_t length);

/* Takes objects from this registry from now on; none of them counts as written. False: out of memory. */
bool object_blocks_set_registry(struct object_blocks *blocks, const struct txtap_registry *registry);
void object_blocks_free(struct object_blocks *blocks);

/* Bytes of the blocks with all objects, or with those that are not written as they are now; 0: there are none. */
size_t object_blocks_bytes(const struct object_blocks *blocks, bool only_new);

/* Has the registry changed since it was written? If what changed is nothing to write, it counts as written. */
bool object_blocks_changed(struct object_blocks *blocks);

/* What is to be written. */
struct object_blocks_choice {
    bool fresh;         /* all objects, and readers forget earlier ones; else those that changed */
    bool as_written;    /* as they were written last, not as they are now */
    uint64_t since_seq; /* objects that no event from then on can mean are left out */
};

/* Gives the blocks to take, with payload as room for each. Returns the first status of take that is not TXTAP_OK. */
enum txtap_status object_blocks_write(struct object_blocks *blocks, const struct object_blocks_choice *choice,
                                      uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX], object_blocks_take *take,
                                      void *self);

#endif
