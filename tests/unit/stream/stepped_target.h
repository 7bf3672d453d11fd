/* SPDX-License-Identifier: MIT */
/*
 * A target whose stores become visible one at a time. A service runs at once in the recorder's RAM and leaves a list of
 * its stores; the memory that a probe sees follows store by store, some of them between any two words that it reads.
 */
#ifndef TXTAP_TESTS_STEPPED_TARGET_H
#define TXTAP_TESTS_STEPPED_TARGET_H

#include <stdbool.h>

#include "stream/poller.h"
#include "target/recorder_target.h"

struct stepped_target {
    void (*service)(void); /* what the target does next; NULL: nothing */
    uint32_t objects, entries;
    uint32_t eagerness; /* usual maximum of stores between two words */
    bool steady;        /* never more than three times eagerness */
    bool calm;          /* no store between them */
    bool plain;         /* no laps are counted, as by ThreadX itself */
    uint64_t now_us;
};

extern struct stepped_target target;
extern uint8_t seen_ram[RAM_BYTES];                         /* as a probe sees it */
#define SEEN_WRITER (RAM_BASE - TXTAP_RING_HALF_LAPS_BYTES) /* where it sees the recorder's txtap_trace_writer */

uint32_t chance(uint32_t below);

/* Sets everything to zero, and seeds chance(). */
void target_reset(uint64_t seed);

/* Enables a trace of target.objects and target.entries; stores count from now on. */
void target_enable(void);

/* Shows one more store, from the next service if all were shown. */
void target_step(void);

/* Have all stores of the last service been shown? */
bool target_is_idle(void);

/* Shows all stores of the last service; no other service follows. */
void target_stop(void);

/* Lets that time pass; no service lasts longer than the reader holds events back. */
void target_pass_time(uint64_t us);

/* The words at SEEN_WRITER, as they are seen now. */
struct txtap_ring_half_laps target_half_laps(void);

struct txtap_source target_source(void);
uint64_t target_clock(void);

#endif
