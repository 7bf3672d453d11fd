/* SPDX-License-Identifier: MIT */
/*
 * A target for tests of the ring reader: RAM with a TXTB buffer, and a writer that makes one store at a time. The
 * writer may move between any two words that a read copies. Time is simulated. All randomness comes from one printed
 * seed.
 */
#ifndef TXTAP_TESTS_RING_TARGET_H
#define TXTAP_TESTS_RING_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/ring.h"

#define TARGET_BASE      0x20000100u
#define TARGET_HALF_LAPS (TARGET_BASE - TXTAP_RING_HALF_LAPS_BYTES)
#ifndef TARGET_ENTRIES_MAX
#define TARGET_ENTRIES_MAX 256u
#endif
#ifndef TARGET_OBJECTS_MAX
#define TARGET_OBJECTS_MAX 0u
#endif
#define TARGET_OBJECT_BYTES (TXTB_OBJECT_FIXED_BYTES + 32u)
#define TARGET_LEDGER_ID    4096u
#define TARGET_RESUME_ID    1u  /* TX_TRACE_THREAD_RESUME: info 4 is written late */
#define TARGET_ALLOCATE_ID  10u /* TX_TRACE_BLOCK_ALLOCATE: info 2 is written late */

/* The order in which an entry's words are stored: the reader must not depend on it. */
enum target_stores { TARGET_STORES_AS_THREADX, TARGET_STORES_AS_RECORDER };

struct ring_target {
    uint8_t
        memory[TXTB_HEADER_BYTES + TARGET_OBJECTS_MAX * TARGET_OBJECT_BYTES + TARGET_ENTRIES_MAX * TXTB_ENTRY_BYTES];
    uint32_t objects; /* number of the registry's slots, all of which are empty: see target_set_objects() */
    uint32_t entries;
    uint8_t half_laps[TXTAP_RING_HALF_LAPS_BYTES];
    enum txtap_endian endian; /* see target_set_endian() */
    enum target_stores order;
    bool counts_laps;
    bool counts_half_laps; /* also counts half-laps, in words beside the buffer; set this before target_attach() */
    bool constant_stamps;
    uint32_t (*stamp)(void); /* called for each stamp that is stored; NULL: a stamp follows from the event's number */
    bool alike;          /* events without a late field differ only in stamp and priority; not with constant_stamps */
    uint32_t plain_id;   /* id of events without a late field; initially TARGET_LEDGER_ID */
    uint32_t patched_id; /* id of the other events: TARGET_RESUME_ID or TARGET_ALLOCATE_ID, on any core */
    unsigned patched_percent; /* percentage of events with a field that is written late */

    uint64_t written; /* number of events that the pointer has passed */
    uint64_t limit;   /* the writer stops after this many events; 0: no limit */
    uint64_t begin;   /* number of the first event: see target_set_up_again() */
    unsigned store;   /* index of the next store of the current event; 0: no event is being written */
    uint64_t unpatched[4];
    unsigned unpatched_count;

    uint64_t now_us, mid_event_since_us, unpatched_since_us;
    uint64_t exchange_us; /* duration of an exchange; all reads happen at its beginning */
    uint64_t random;
    /* Called before each word is read. */
    void (*before_word)(struct ring_target *target, uint32_t address);
    void *scripted;       /* data of before_word */
    uint32_t bad_pointer; /* one read returns this instead of the current pointer; 0: no read does */
    uint64_t words_read, exchanges, bytes_in_last_exchange, reads_in_last_exchange;
};

/* Initializes a little-endian target with ThreadX's order of stores. */
void target_init(struct ring_target *target, uint32_t entries, bool counts_laps, uint64_t seed);
void target_set_endian(struct ring_target *target, enum txtap_endian endian); /* call before the first event */
void target_set_objects(struct ring_target *target, uint32_t objects);        /* call before the first event */
uint32_t target_random(struct ring_target *target, uint32_t below);

/* The first makes one store of the writer, the second makes all stores of `events` events. */
void target_store(struct ring_target *target);
void target_write(struct ring_target *target, uint64_t events);
/* Counts `laps` laps as if they were written, and then writes one more lap. */
void target_skip_laps(struct ring_target *target, uint64_t laps);
void target_patch_all(struct ring_target *target);
/*
 * Returns the number of written events. It is one higher if the pointer has passed the ring's end, but the lap is not
 * counted yet.
 */
uint64_t target_published(const struct ring_target *target);
/* Writes up to the ring's end, and stops there by chance before the pointer wraps, after it, or after the lap is
 * counted. */
void target_run_to_turn(struct ring_target *target);
/*
 * Enables tracing again in the same memory, as tx_trace_enable() does: clears the thread words and leaves the other
 * words. The numbers of the new trace's events differ from the old numbers in their high bits.
 */
#define TARGET_TRACE_SHIFT 24
void target_set_up_again(struct ring_target *target, uint32_t entries);

/* Return true if the entry has all words of event n; for the first function its late word may be missing. */
bool target_entry_is(const struct ring_target *target, const uint8_t *entry, uint64_t n);
bool target_entry_is_intact(const struct ring_target *target, const uint8_t *entry, uint64_t n);
uint64_t target_entry_number(const struct ring_target *target, const uint8_t *entry);

/* Returns the current words beside the buffer. They are all 0 if the target has none. */
struct txtap_ring_half_laps target_half_laps(const struct ring_target *target);

/* Reads the header, and the words beside the buffer if there are any, and starts a ring on them. */
void target_attach(struct ring_target *target, struct txtap_ring *ring, uint8_t *buffer, uint32_t buffer_entries,
                   enum txtap_ring_from from);

/* Copies word by word. The writer may move before each word. */
void target_read(struct ring_target *target, const struct txtap_read *read);

/* Makes one exchange: plans, reads word by word, commits. */
enum txtap_status target_exchange(struct ring_target *target, struct txtap_ring *ring, struct txtap_ring_batch *batch);

#endif
