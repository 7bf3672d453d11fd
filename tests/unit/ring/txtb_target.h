/* SPDX-License-Identifier: MIT */
/*
 * A target for tests of the ring reader: RAM with a TXTB buffer, a writer that makes one store at a time, and reads
 * that let it move between any two words. Time is a number. Everything random comes from one printed seed.
 */
#ifndef TXTAP_TESTS_RING_TARGET_H
#define TXTAP_TESTS_RING_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/ring.h"

#define TARGET_BASE 0x20000100u
#ifndef TARGET_ENTRIES_MAX
#define TARGET_ENTRIES_MAX 256u
#endif
#define TARGET_LEDGER_ID   4096u
#define TARGET_RESUME_ID   1u  /* TX_TRACE_THREAD_RESUME: info 4 is written late */
#define TARGET_ALLOCATE_ID 10u /* TX_TRACE_BLOCK_ALLOCATE: info 2 is written late */

/* In which order an entry's words are stored: the reader must not depend on it. */
enum target_stores { TARGET_STORES_AS_THREADX, TARGET_STORES_AS_RECORDER };

struct ring_target {
    uint8_t memory[TXTB_HEADER_BYTES + TARGET_ENTRIES_MAX * TXTB_ENTRY_BYTES];
    uint32_t entries;
    enum txtap_endian endian; /* see target_set_endian() */
    enum target_stores order;
    bool counts_laps;
    bool constant_stamps;
    bool alike; /* but for stamp and priority all events without a late field are the same; not with constant_stamps */
    uint32_t plain_id;        /* of events without a late field: TARGET_LEDGER_ID at first */
    uint32_t patched_id;      /* of the others: TARGET_RESUME_ID at first, TARGET_ALLOCATE_ID, on any core */
    unsigned patched_percent; /* of the events, those with a field that is written late */

    uint64_t written; /* events whose pointer has moved */
    uint64_t limit;   /* the writer stops there; 0: it does not */
    uint64_t begin;   /* number of the first event: see target_set_up_again() */
    unsigned store;   /* next store of the event that is being written; 0: between two events */
    uint64_t unpatched[4];
    unsigned unpatched_count;

    uint64_t now_us, mid_event_since_us, unpatched_since_us;
    uint64_t exchange_us; /* how long an exchange takes; its reads are made at the very beginning */
    uint64_t random;
    /* Called before each word that is read. */
    void (*before_word)(struct ring_target *target, uint32_t address);
    void *scripted;       /* for before_word */
    uint32_t bad_pointer; /* is read instead of the current pointer, once; 0: none */
    uint64_t words_read, exchanges, bytes_in_last_exchange, reads_in_last_exchange;
};

/* Little-endian, with ThreadX's order of stores. */
void target_init(struct ring_target *target, uint32_t entries, bool counts_laps, uint64_t seed);
void target_set_endian(struct ring_target *target, enum txtap_endian endian); /* before the first event */
uint32_t target_random(struct ring_target *target, uint32_t below);

/* One store of the writer, and whole events. */
void target_store(struct ring_target *target);
void target_write(struct ring_target *target, uint64_t events);
/* As if it had written that many laps, and then really one more. */
void target_skip_laps(struct ring_target *target, uint64_t laps);
void target_patch_all(struct ring_target *target);
/* On to the end of the ring or just past it: to where the pointer has not turned back, has, or has and is counted. */
void target_run_to_turn(struct ring_target *target);
/*
 * As tx_trace_enable() does, in the same memory: the thread words are emptied, header, stamps and information stay as
 * they were. The new trace's events begin with another number, the same one in its high bits.
 */
#define TARGET_TRACE_SHIFT 24
void target_set_up_again(struct ring_target *target, uint32_t entries);

/* What the event number n must look like when it is complete and patched, or complete but for its late word. */
bool target_entry_is(const struct ring_target *target, const uint8_t *entry, uint64_t n);
bool target_entry_is_intact(const struct ring_target *target, const uint8_t *entry, uint64_t n);
uint64_t target_entry_number(const struct ring_target *target, const uint8_t *entry);

/* Reads the header and starts a ring on it. */
void target_attach(struct ring_target *target, struct txtap_ring *ring, uint8_t *buffer, uint32_t buffer_entries,
                   enum txtap_ring_from from);

/* Copies word by word, letting the writer move before each. */
void target_read(struct ring_target *target, const struct txtap_read *read);

/* One exchange: plan, read word by word, commit. */
enum txtap_status target_exchange(struct ring_target *target, struct txtap_ring *ring, struct txtap_ring_batch *batch);

#endif
