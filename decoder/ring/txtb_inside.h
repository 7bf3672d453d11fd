/* SPDX-License-Identifier: MIT */
/* What is inside of a struct txtap_ring: for the reader's own files and its tests. */
#ifndef TXTAP_DECODER_RING_TXTB_INSIDE_H
#define TXTAP_DECODER_RING_TXTB_INSIDE_H

#include "ring/txtb_pace.h"
#include "txtap/ring.h"

struct ring_inside {
    struct txtap_header header;
    uint32_t address;  /* where the header was found */
    uint32_t entries;  /* slots of the ring */
    uint32_t readable; /* slots that can be read: the writer may be in the middle of one of them */
    uint8_t *buffer;   /* the caller's, for the entries of one exchange */
    uint32_t buffer_entries;
    uint64_t patience_us; /* an entry is held back no longer than this */

    enum txtap_ring_laps laps_state;
    uint64_t laps;           /* the last count read, unwrapped */
    uint32_t half_laps_at;   /* address of the words beside the buffer; 0: there are none, or */
    uint32_t left_words_at;  /* they are no longer about this ring; 0: they are, or there are none */
    uint32_t life;           /* of this trace, or the one that they are about then */
    uint64_t half_laps;      /* the last count of them, unwrapped */
    uint64_t next;           /* position of the first entry not delivered */
    uint64_t read_end;       /* position behind the newest entry read; next..read_end are held back */
    uint64_t head;           /* the writer has reached this position */
    uint64_t start;          /* entries before this position are not wanted */
    uint64_t head_at_attach; /* the writer's position when the ring was found */
    uint64_t seq_base;       /* position of event 0 */
    bool started;            /* entries missing from here on were lost; before, they were older than the attach */
    bool inexact;            /* the gap before next is larger by an unknown number of laps */
    bool behind;             /* the last exchange showed less than head, or nothing: the writer may be further by now */

    /* evidence that the writer has not lapped the reader */
    bool not_wrapped_yet; /* the ring had not wrapped when it was found: until the first guard is known, its empty last
                             slot serves as the guard */
    bool guard_known;
    uint8_t guard[TXTAP_RING_GUARD_BYTES]; /* of entry read_end - 1 */
    bool guard_gone;                       /* the guard was seen overwritten: find out how far the writer is ahead */
    uint64_t guard_gone_us;           /* since then the writer may only be at work in the guard's slot; 0: it is not */
    uint8_t newest[TXTB_ENTRY_BYTES]; /* the newest entry, while the pointer rests at the ring's start */
    uint64_t newest_since_us;         /* since then it is unchanged; 0: not read */

    /* a writer faster than the reader */
    bool overtaken; /* entries were lost in the last exchange that read any */
    bool losing;    /* the last exchange that read any lost entries, perhaps because it began late */
    struct ring_pace pace;

    /* entries held back */
    uint8_t held[TXTAP_RING_HOLD_ENTRIES][TXTB_ENTRY_BYTES];
    uint64_t held_us[TXTAP_RING_HOLD_ENTRIES]; /* since when each is unchanged */
    uint64_t seen_us[TXTAP_RING_HOLD_ENTRIES]; /* when each was first read */
    uint32_t rested;                           /* bit n: held[n] has been unchanged for HOLD_US */
    uint8_t flushed[TXTAP_RING_HOLD_ENTRIES][TXTB_ENTRY_BYTES];
};

_Static_assert(sizeof(struct ring_inside) <= sizeof(struct txtap_ring), "raise TXTAP_RING_STORAGE: a new interface");
_Static_assert(_Alignof(struct ring_inside) <= _Alignof(struct txtap_ring), "align the storage of struct txtap_ring");

/* The storage has characters, so that the compiler expects any content in it. */
static inline struct ring_inside *ring_inside(struct txtap_ring *ring)
{
    return (struct ring_inside *)(void *)ring->storage.bytes;
}

static inline const struct ring_inside *ring_inside_const(const struct txtap_ring *ring)
{
    return (const struct ring_inside *)(const void *)ring->storage.bytes;
}

#endif
