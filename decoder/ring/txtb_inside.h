/* SPDX-License-Identifier: MIT */
/* The content of a struct txtap_ring: for the reader's own files and its tests. */
#ifndef TXTAP_DECODER_RING_TXTB_INSIDE_H
#define TXTAP_DECODER_RING_TXTB_INSIDE_H

#include "ring/txtb_pace.h"
#include "txtap/ring.h"

struct ring_inside {
    struct txtap_header header;
    uint32_t address;  /* address at which the header was read */
    uint32_t entries;  /* slots of the ring */
    uint32_t readable; /* number of slots that can be valid at once: entries - 1, because the writer may be writing one
                          slot; in a file: entries */
    uint8_t *buffer;   /* borrowed: room for the entries of one exchange */
    uint32_t buffer_entries;
    uint64_t patience_us; /* the longest time for which an entry is held back */

    enum txtap_ring_laps laps_state;
    uint64_t laps;           /* the last lap count read, unwrapped */
    uint32_t half_laps_at;   /* address of the half-lap words; 0: there are none, or left_words_at is set */
    uint32_t left_words_at;  /* address of half-lap words that no longer describe this ring; otherwise 0 */
    uint32_t life;           /* life number of this trace; if left_words_at is set: life number last read there */
    uint64_t half_laps;      /* the last half-lap count, unwrapped */
    uint64_t next;           /* position of the first entry not delivered */
    uint64_t read_end;       /* position after the newest entry read; entries from next to read_end - 1 are held back */
    uint64_t head;           /* the writer has reached this position */
    uint64_t start;          /* entries before this position are not wanted */
    uint64_t head_at_attach; /* the writer's position when the ring was found */
    uint64_t seq_base;       /* position of event 0 */
    bool started; /* missing entries count as lost; false: they are older than the attach, and do not count */
    bool inexact; /* the gap before next is larger by an unknown number of laps */
    bool behind;  /* the last exchange did not reach head, so the writer may be further ahead */

    /* evidence that the writer has not completed a lap */
    bool not_wrapped_yet; /* no entry was read yet, and the ring had not wrapped when it was found: the empty last slot
                             is the guard */
    bool guard_known;
    uint8_t guard[TXTAP_RING_GUARD_BYTES]; /* copied from entry read_end - 1 */
    bool guard_gone;        /* the guard was overwritten: the next exchanges find the writer's position */
    uint64_t guard_gone_us; /* time since which the writer may be writing the guard's slot; 0: the writer is not at that
                               slot */
    uint8_t newest[TXTB_ENTRY_BYTES]; /* the newest entry, while the pointer stays at the ring's start */
    uint64_t newest_since_us;         /* time since which the newest entry is unchanged; 0: not read */

    /* the writer is faster than the reader */
    bool overtaken; /* the last exchange that read entries lost some */
    bool losing;    /* the last exchange that read entries lost some, perhaps only because it began late */
    struct ring_pace pace;

    /* entries held back */
    uint8_t held[TXTAP_RING_HOLD_ENTRIES][TXTB_ENTRY_BYTES];
    uint64_t held_us[TXTAP_RING_HOLD_ENTRIES]; /* time since which each held entry is unchanged */
    uint64_t seen_us[TXTAP_RING_HOLD_ENTRIES]; /* time at which each held entry was first read */
    uint32_t rested;                           /* bit n: held[n] has been unchanged for HOLD_US */
    uint8_t flushed[TXTAP_RING_HOLD_ENTRIES][TXTB_ENTRY_BYTES];
};

_Static_assert(sizeof(struct ring_inside) <= sizeof(struct txtap_ring), "raise TXTAP_RING_STORAGE: a new interface");
_Static_assert(_Alignof(struct ring_inside) <= _Alignof(struct txtap_ring), "align the storage of struct txtap_ring");

/* Returns the content of the reader. The storage consists of characters, so C allows content of any type in it. */
static inline struct ring_inside *ring_inside(struct txtap_ring *ring)
{
    return (struct ring_inside *)(void *)ring->storage.bytes;
}

static inline const struct ring_inside *ring_inside_const(const struct txtap_ring *ring)
{
    return (const struct ring_inside *)(const void *)ring->storage.bytes;
}

#endif
