/* SPDX-License-Identifier: MIT */
/*
 * A ring reader on a scripted target. Its output becomes a line of text, so that tests are easy to read:
 *
 *   "3..7"      events 3 to 7: each is intact, and its seq is its number
 *   "held 8"    event 8 as it was when it was first read: the writer has overwritten it since
 *   "lost 12"   a gap of exactly 12 events
 *   "lost 12+"  a gap of at least 12 events
 *   "moved", "pointer"   the exchange was refused
 */
#ifndef TXTAP_TESTS_RING_FIXTURE_H
#define TXTAP_TESTS_RING_FIXTURE_H

#include "ring/delivered_text.h"
#include "ring/txtb_inside.h"
#include "ring/txtb_target.h"

struct ring_fixture {
    struct ring_target target;
    union {
        struct txtap_ring ring;
        struct ring_inside inside; /* internals of the same ring */
    };
    uint8_t buffer[TARGET_ENTRIES_MAX * TXTB_ENTRY_BYTES];
    uint64_t next_seq;      /* expected seq of the next event or gap */
    bool anything;          /* an event was delivered */
    unsigned unsettled;     /* number of events delivered as unsettled */
    uint64_t numbers_begin; /* number of the event with seq 0 */

    struct delivered_text delivered;
};

extern struct ring_fixture fixture;
/* Shorter names for members of the fixture. */
#define fixture_target (&fixture.target)
#define fixture_ring   (&fixture.ring)

/* Sets up an empty ring. No reader is attached yet. */
void set_up(uint32_t entries, bool counts_laps);
/* Both attach the reader: the first with a buffer for all entries of the ring, the second with the smallest buffer. */
void attach(enum txtap_ring_from from);
void attach_with_smallest_buffer(enum txtap_ring_from from);

/* Makes one exchange, and then waits for 100 us. */
const char *exchange(void);
/* Makes exchanges until nothing was delivered for longer than any rule of the reader waits. */
const char *exchange_until_quiet(void);
const char *finish(uint64_t until);

/*
 * Let the writer write whole events, or make single stores, just before the next read of the word at `address`.
 */
void write_before(uint32_t address, uint64_t events);
void store_before(uint32_t address, uint64_t stores);

/* Addresses in the target. */
uint32_t header_word(uint32_t offset);
uint32_t entry_word_address(uint64_t number, uint32_t offset);

#endif
