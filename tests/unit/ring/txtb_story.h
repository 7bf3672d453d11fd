/* SPDX-License-Identifier: MIT */
/*
 * A ring reader on a scripted target, and what it delivers as a line of text, so that a test reads like a story:
 *
 *   "3..7"      events 3 to 7, each intact and with its own number as sequence number
 *   "held 8"    an event that was delivered as it had been read, because it can no longer be read again
 *   "lost 12"   a gap of exactly 12 events; "lost 12+" of at least 12
 *   "moved", "pointer"   the exchange was refused
 */
#ifndef TXTAP_TESTS_RING_STORY_H
#define TXTAP_TESTS_RING_STORY_H

#include "ring/txtb_target.h"

struct ring_story {
    struct ring_target target;
    struct txtap_ring ring;
    uint8_t buffer[TARGET_ENTRIES_MAX * TXTB_ENTRY_BYTES];
    uint64_t next_seq; /* where the next event or gap has to begin */
    bool anything;
    unsigned unsettled;     /* events delivered so, and therefore perhaps not complete */
    uint64_t numbers_begin; /* number of the event that has the sequence number 0 */

    char text[512];
    unsigned pieces; /* of text, ever added */
    const char *run; /* the last piece is one of events, after this word */
    size_t run_at;
    uint64_t run_first, run_end;
};

extern struct ring_story story;
/* Shorter names for its parts. */
#define target_of_story (&story.target)
#define ring_of_story   (&story.ring)

/* An empty ring, not yet read. */
void tell(uint32_t entries, bool counts_laps);
/* Attaches the reader, with room for all entries in one exchange, or for as many as the smallest buffer holds. */
void attach(enum txtap_ring_from from);
void attach_with_smallest_buffer(enum txtap_ring_from from);

/* One exchange, and then 100 us. */
const char *exchange(void);
/* Exchanges until they bring nothing for longer than any rule waits. */
const char *exchange_until_quiet(void);
const char *finish(uint64_t until);

/* Lets the writer write so many events, or make so many stores, before the word at that address is read; once. */
void write_before(uint32_t address, uint64_t events);
void store_before(uint32_t address, uint64_t stores);

/* Where things lie in the target. */
uint32_t header_word(uint32_t offset);
uint32_t entry_word_address(uint64_t number, uint32_t offset);

#endif
