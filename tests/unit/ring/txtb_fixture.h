/* SPDX-License-Identifier: MIT */
/*
 * A ring reader on a scripted target. Its output becomes a line of text, so that tests are easy to read:
 *
 *   "3..7"      events 3 to 7, each intact, with its number as seq
 *   "held 8"    an event that was delivered as it was first read, because the writer has overwritten it since
 *   "lost 12"   a gap of exactly 12 events; "lost 12+" of at least 12
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
    uint64_t next_seq;      /* number of the next event or gap, as expected */
    bool anything;          /* an event was delivered */
    unsigned unsettled;     /* number of events delivered as unsettled */
    uint64_t numbers_begin; /* number of the event with seq 0 */

    struct delivered_text delivered;
};

extern struct ring_fixture fixture;
/* Shorter names for members of the fixture. */
#define fixture_target (&fixture.target)
#define fixture_ring   (&fixture.ring)

/* Sets up an empty ring, not yet read. */
void set_up(uint32_t entries, bool counts_laps);
/* Attaches the reader, with room for all entries in one exchange, or with the smallest buffer. */
void attach(enum txtap_ring_from from);
void attach_with_smallest_buffer(enum txtap_ring_from from);

/* Makes one exchange, and then waits for 100 us. */
const char *exchange(void);
/* Exchanges until nothing has been delivered for longer than the wait of any rule. */
const char *exchange_until_quiet(void);
const char *finish(uint64_t until);

/*
 * Makes the writer write `events` events, or make `stores` stores, just before the next read of the word at `address`.
 */
void write_before(uint32_t address, uint64_t events);
void store_before(uint32_t address, uint64_t stores);

/* Addresses in the target. */
uint32_t header_word(uint32_t offset);
uint32_t entry_word_address(uint64_t number, uint32_t offset);

#endif
