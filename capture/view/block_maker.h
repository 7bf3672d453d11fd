/* SPDX-License-Identifier: MIT */
/* A sink that makes blocks of a recording and puts them into a block ring, so that pages get events soon after they
 * were read. */
#ifndef TXTAP_CAPTURE_VIEW_BLOCK_MAKER_H
#define TXTAP_CAPTURE_VIEW_BLOCK_MAKER_H

#include <stdbool.h>
#include <stdint.h>

#include "record/blocks.h"
#include "record/sample_batch.h"
#include "txtap/clock.h"
#include "txtap/item.h"
#include "view/block_ring.h"

#define BLOCK_MAKER_US 20000 /* an event waits at most this long for more events in its block */

struct block_maker_setup {
    struct block_ring *ring;               /* must be empty */
    const struct txtap_clock *clock;       /* the clock that timed the events; borrowed */
    const char *definitions;               /* definitions of the ring's own events, or NULL */
    const char *firmware;                  /* name of the firmware's file, or NULL */
    const struct txtap_ctf_layout *layout; /* for a ring with CTF, whose metadata is in the block ring; else NULL */
    uint64_t (*now_us)(void);              /* monotonic */
    uint64_t (*wall_us)(void);             /* microseconds since 1970 */
};

struct block_maker {
    struct block_maker_setup setup;
    struct object_blocks objects;
    struct event_batch batch;
    struct sample_batch samples;                  /* they come before the events of the batch */
    struct ctf_blocks ctf;                        /* used if there is a layout */
    bool put;                                     /* a block was put into the ring since the last block_maker_step() */
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX]; /* payload of any block without events */
    uint8_t words[TXTAP_RECORDING_PAYLOAD_MAX];
};

/* Opens the sink. registry: borrowed; read after each change of its generation. False: no memory. */
bool block_maker_open(struct block_maker *maker, const struct block_maker_setup *setup,
                      const struct txtap_header *header, const struct txtap_registry *registry);
void block_maker_close(struct block_maker *maker);

/* Takes an item. A sink's function: self is a struct block_maker. TXTAP_ERROR_SYSTEM: no memory, after a restart. */
enum txtap_status block_maker_take(void *self, const struct txtap_item *item);

/* Puts events that have waited long enough. Call it every few milliseconds. Returns true if the ring has new blocks. */
bool block_maker_step(struct block_maker *maker);

/* Returns the number of CTF records in the ring so far; 0: the ring contains events. */
uint64_t block_maker_records(const struct block_maker *maker);

/* Puts all waiting events, and ends the ring. */
void block_maker_end(struct block_maker *maker);

#endif
