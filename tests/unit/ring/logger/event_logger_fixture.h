/* SPDX-License-Identifier: MIT */
/*
 * A reader and a target. The test drives both step by step. The reader's output becomes a line of text:
 *
 *   "3..7"      events 3 to 7, each intact
 *   "lost 12"   a gap of exactly 12 events
 *   "lost 12+"  a gap of at least 12 events
 *   "lost 12+256n"   a gap of 12, 268, 524, ... events
 */
#ifndef TXTAP_TESTS_EVENT_LOGGER_FIXTURE_H
#define TXTAP_TESTS_EVENT_LOGGER_FIXTURE_H

#include "ring/delivered_text.h"
#include "ring/event_logger_inside.h"
#include "ring/logger/event_logger_target.h"

#define ITEMS_MAX 512

struct fixture {
    union {
        struct txtap_logger_ring ring;
        struct logger_inside inside; /* internals of the same ring */
    };
    uint32_t copy[4 * TARGET_SIZE_MAX];
    uint8_t raw[4 * TARGET_SIZE_MAX];
    struct txtap_logger_item items[ITEMS_MAX];
    size_t count;
    struct delivered_text delivered;
    uint64_t step_us; /* time between two polls */
    unsigned reads;   /* number of words read; only some tests count them */
};

extern struct fixture fixture;

void begin(enum target_logger kind, uint32_t size);
void attach(enum txtap_ring_from from);
void attach_with(enum txtap_ring_from from, uint32_t copy_words, uint32_t read_words);

/* Begins with an empty ring. The reader attaches from the ring's newest event on. */
void begin_following(enum target_logger kind, uint32_t size);

/*
 * Both functions put `events` events of `words` words each, and drop an event if the ring has no room. pass_events()
 * also collects each event as soon as it is put.
 */
void put_events(unsigned events, uint32_t words);
void pass_events(unsigned events, uint32_t words);
void get_all(void); /* the collector empties the ring */

/* Puts `events` events of `words` words. The reader polls four times for each event. */
void follow_events(unsigned events, uint32_t words);

enum txtap_status poll_once(void);
void poll_ring(unsigned times); /* each poll must succeed */
void finish(void);              /* at the head */

/* Checks all items so far. seq: expected number of the first item; later items must follow in order. */
void expect_items(uint64_t seq, const char *text);

#endif
