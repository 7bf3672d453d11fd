/* SPDX-License-Identifier: MIT */
/*
 * A target with the kernel event logger, simulated store by store: it puts and collects one event after the other, and
 * a reader sees its memory at any moment in between. The words of event n, put or dropped, are unique.
 */
#ifndef TXTAP_TESTS_LOGGER_TARGET_H
#define TXTAP_TESTS_LOGGER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/event_logger.h"
#include "txtap/source.h"

#define TARGET_SIZE_MAX 320u
#define TARGET_RING     0x20000010u /* addresses */
#define TARGET_BUFFER   0x20000100u
#define TARGET_TOTALS   0x20000040u

enum target_logger { TARGET_COUNTS, TARGET_ZEPHYR }; /* does the logger keep counts? */
enum target_work { RESTING, PUTTING, DROPPING, STARTING };

/* Numbers of events at a read of the ring. */
struct target_look {
    uint64_t published; /* number of events put or dropped so far */
    uint64_t oldest;    /* the oldest event that was not collected; the next event if all were collected */
    uint32_t dropped;   /* events dropped after the tail */
};

struct logger_target {
    enum target_logger kind;
    uint32_t size;
    uint32_t ring[6], totals[3], buffer[TARGET_SIZE_MAX];
    uint64_t numbers;      /* number of events put or dropped so far */
    uint64_t dropped_runs; /* drops that Zephyr's header cannot count: multiples of 256 */
    uint32_t longest;      /* data words of the longest event */

    enum target_work work;
    uint32_t store;                       /* next store of the current operation */
    uint32_t words[256], words_count, at; /* words of the event being put */
    uint64_t number;

    uint64_t now_us, begun_us;  /* time now, and start of the current operation */
    unsigned hasty_reads;       /* words read since a store that the other stores follow at once */
    uint64_t tails, tails_seen; /* number of stores of the tail: in all, and up to the reader's last read of it */
    struct target_look first,
        last; /* at the exchange's first read of the drops; at its read of the tail, or later of the drops */
    uint64_t random;
    void (*between)(struct logger_target *target); /* called before each word is read; may be NULL */
    void *self;
};

void logger_target_init(struct logger_target *target, enum target_logger kind, uint32_t size, uint64_t seed);

/* Restarts the logger: store by store, or at once. */
void logger_target_start(struct logger_target *target);
void logger_target_reset(struct logger_target *target);

struct txtap_logger_place logger_target_place(const struct logger_target *target);

uint32_t logger_target_random(struct logger_target *target, uint32_t below);

/* Puts or drops the next event, which has that many words: begins it, or does all of it. */
void logger_target_begin(struct logger_target *target, uint32_t count);
void logger_target_put(struct logger_target *target, uint32_t count);
void logger_target_store(struct logger_target *target); /* the next store of the current operation */
void logger_target_end(struct logger_target *target);   /* all remaining stores of the current operation */

/* Collects an event if there is one and if the logger is idle. */
void logger_target_get(struct logger_target *target);

/* Carries out a plan. */
void logger_target_read(struct logger_target *target, const struct txtap_logger_plan *plan);

/* The number of an event that was read; UINT64_MAX if no such event was put. */
uint64_t logger_target_number(const struct logger_target *target, const struct txtap_logger_item *item);

#endif
