/* SPDX-License-Identifier: MIT */
/*
 * A target that runs kernel_event_logger.c, store by store: it puts and collects events, and a reader sees its memory
 * between any two stores. As TARGET_ZEPHYR it is like Zephyr's own logger: it has no counts, and an event's header has
 * the lowest eight bits of the number of drops. The words of event n, put or dropped, are unique.
 */
#ifndef TXTAP_TESTS_LOGGER_TARGET_H
#define TXTAP_TESTS_LOGGER_TARGET_H

#include "txtap/event_logger.h"

#define TARGET_SIZE_MAX 320u
#define TARGET_RING     0x20000010u /* addresses */
#define TARGET_BUFFER   0x20000100u
#define TARGET_TOTALS   0x20000040u

enum target_logger { TARGET_COUNTS, TARGET_ZEPHYR };          /* TARGET_COUNTS: the logger keeps counts. */
enum target_word { HEAD, TAIL, DROPPED, SIZE, BUFFER, MASK }; /* of the ring */

/* Numbers of events at a read of the ring. */
struct target_look {
    uint64_t published; /* number of events put or dropped so far */
    uint64_t oldest;    /* the oldest event that was not collected; the next event if all were collected */
    uint32_t dropped;   /* events dropped after the tail */
};

extern struct logger_target {
    enum target_logger kind;
    uint32_t size;
    uint32_t ring[6], totals[3], buffer[TARGET_SIZE_MAX]; /* as a reader sees them */
    uint64_t numbers;                                     /* number of events put or dropped so far */
    uint64_t dropped_runs; /* drops that Zephyr's header cannot count: multiples of 256 */
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

/* Restarts the logger: store by store, or at once. */
void target_start(void);
void target_reset(void);

/* Ends the current operation, and adds `words` and `events` to the counts. */
void target_count_on(uint32_t words, uint32_t events);

struct txtap_logger_place target_place(void);

uint32_t chance(uint32_t below);

/*
 * Puts or drops the next event, which has `words` words. target_begin() only begins the put, target_put() does all of
 * it.
 */
void target_begin(uint32_t words);
void target_put(uint32_t words);
void target_store(void); /* the next store of the current operation */
void target_end(void);   /* all remaining stores of the current operation */
bool target_rests(void); /* no store remains */

/* Collects an event if there is one and if the logger is idle. */
void target_get(void);

/* Carries out a plan. */
void target_read(const struct txtap_logger_plan *plan);

/* Returns the number of an event that was read; UINT64_MAX if no such event was put. */
uint64_t target_number(const struct txtap_logger_item *item);

#endif
