/* SPDX-License-Identifier: MIT */
/* A sink that makes blocks of a recording and gives them to a ring, so that pages get events soon after they were read.
 */
#ifndef TXTAP_CAPTURE_VIEW_BLOCK_MAKER_H
#define TXTAP_CAPTURE_VIEW_BLOCK_MAKER_H

#include <stdbool.h>
#include <stdint.h>

#include "record/blocks.h"
#include "txtap/clock.h"
#include "txtap/item.h"
#include "view/block_ring.h"

#define BLOCK_MAKER_US 20000 /* an event waits at most this long for others */

struct block_maker_setup {
    struct block_ring *ring;               /* empty */
    const struct txtap_clock *clock;       /* that gave the events their time; borrowed */
    const char *definitions;               /* of the ring's own events, or NULL */
    const char *firmware;                  /* name of its file, or NULL */
    const struct txtap_ctf_layout *layout; /* of a ring that gives CTF, whose metadata the block ring has; else NULL */
    uint64_t (*now_us)(void);              /* never jumps */
    uint64_t (*wall_us)(void);             /* since 1970 */
};

struct block_maker {
    struct block_maker_setup setup;
    struct object_blocks objects;
    struct event_batch batch;
    struct ctf_blocks ctf;                        /* if there is a layout */
    bool put;                                     /* something was put into the ring since block_maker_step() */
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX]; /* of any block without events */
    uint8_t words[TXTAP_RECORDING_PAYLOAD_MAX];
};

/* registry: borrowed; read whenever its generation has changed. False: no memory. */
bool block_maker_open(struct block_maker *maker, const struct block_maker_setup *setup,
                      const struct txtap_header *header, const struct txtap_registry *registry);
void block_maker_close(struct block_maker *maker);

/* A sink: self is a struct block_maker. TXTAP_ERROR_SYSTEM: no memory, after a restart. */
enum txtap_status block_maker_take(void *self, const struct txtap_item *item);

/* To be called every few milliseconds: puts events that have waited long enough. Is there something new in the ring? */
bool block_maker_step(struct block_maker *maker);

/* Records of CTF that were put; 0: the ring gives events. */
uint64_t block_maker_records(const struct block_maker *maker);

/* Puts what waits, and ends the ring. */
void block_maker_end(struct block_maker *maker);

#endif
