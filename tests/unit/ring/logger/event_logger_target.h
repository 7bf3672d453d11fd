/* SPDX-License-Identifier: MIT */
/*
 * A target that runs kernel_event_logger.c store by store: it puts and collects events. A reader sees its memory
 * between any two stores. TARGET_ZEPHYR behaves like Zephyr's own logger: it keeps no counts, and an event's header
 * has the lowest eight bits of the number of drops. No two events, put or dropped, have the same words.
 */
#ifndef TXTAP_TESTS_LOGGER_TARGET_H
#define TXTAP_TESTS_LOGGER_TARGET_H

#include "txtap/event_logger.h"

#define TARGET_SIZE_MAX 320u
#define TARGET_RING     0x20000010u /* addresses */
#define TARGET_BUFFER   0x20000100u
#define TARGET_TOTALS   0x20000040u

enum target_logger { TARGET_COUNTS, TARGET_ZEPHYR };          /* TARGET_COUNTS: the logger keeps counts. */
enum target_word { HEAD, TAIL, DROPPED, SIZE, BUFFER, MASK }; /* words of the ring's struct */

/* The state of the ring at one read: numbers of events. */
struct target_look {
    uint64_t published; /* number of events put or dropped so far */
    uint64_t oldest;    /* the oldest event that was not collected; the next event if all were collected */
    uint32_t dropped;   /* events dropped after the tail */
};

extern struct logger_target {
    enum target_logger kind;
    uint32_t size;
    uint32_t ring[6], totals[3], buffer[TARGET_SIZE_MAX]; /* the copies that a reader sees */
    uint64_t numbers;                                     /* number of events put or dropped so far */
    uint64_t dropped_runs; /* how often Zephyr's header showed 0 for a multiple of 256 drops */
    uint64_t now_us, random;
    void (*between)(void); /* called before each word is read; may be NULL */

    uint64_t begun_us;          /* start of the current operation */
    uint64_t tails, tails_seen; /* number of stores of the tail: in all, and up to the reader's last read of it */
    struct target_look first,
        /* first: at the exchange's first read of the drops; last: at its read of the tail, or at a later read of the
           drops */
        last;
} target;

void target_init(enum target_logger kind, uint32_t size, uint64_t seed);

/* Restart the logger: target_start() makes only the first store, target_reset() makes all stores. */
void target_start(void);
void target_reset(void);

/* Ends the current operation. Adds `words` and `events` to the logger's counts. */
void target_count_on(uint32_t words, uint32_t events);

struct txtap_logger_place target_place(void);

uint32_t chance(uint32_t below);

/*
 * Both functions start to put the next event, which has `words` words; it is dropped if the ring is full.
 * target_begin() makes only the first store, target_put() makes all stores.
 */
void target_begin(uint32_t words);
void target_put(uint32_t words);
void target_store(void); /* makes the next store of the current operation */
void target_end(void);   /* makes all remaining stores of the current operation */
bool target_rests(void); /* returns true if the current operation has no more stores */

/* Collects an event if there is one and if the logger is idle. */
void target_get(void);

/* Carries out all reads of a plan. */
void target_read(const struct txtap_logger_plan *plan);

/* Returns the number of the event in `item`; UINT64_MAX if no such event was put. */
uint64_t target_number(const struct txtap_logger_item *item);

#endif
