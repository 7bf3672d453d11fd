/* SPDX-License-Identifier: MIT */
/*
 * A target whose stores are seen one at a time. A service runs at once in the recorder's RAM and leaves a list of its
 * stores; what a probe sees follows store by store, and some come between any two words that it reads.
 */
#ifndef TXTAP_TESTS_STEPPED_TARGET_H
#define TXTAP_TESTS_STEPPED_TARGET_H

#include <stdbool.h>

#include "stream/poller.h"
#include "target/recorder_target.h"

struct stepped_target {
    void (*service)(void); /* what the target does next; NULL: nothing any more */
    uint32_t objects, entries;
    uint32_t eagerness; /* most stores between two words, as a rule */
    bool steady;        /* never more than three times that */
    bool calm;          /* no store between them */
    bool plain;         /* no laps are counted, as by ThreadX itself */
    uint64_t now_us;
};

extern struct stepped_target target;
extern uint8_t seen_ram[RAM_BYTES]; /* as a probe sees it */

uint32_t chance(uint32_t below);

/* Sets all to zero, and chance to begin at the seed. */
void target_reset(uint64_t seed);

/* Enables a trace of target.objects and target.entries, whose stores count from now on. */
void target_enable(void);

/* Shows one more store; that of the next service if all were shown. */
void target_step(void);

/* All stores of the last service were seen. */
bool target_is_idle(void);

/* All stores of the last service are seen, and there is no other. */
void target_stop(void);

/* Lets that time pass; but no service lasts longer than the reader holds events back. */
void target_pass_time(uint64_t us);

struct txtap_source target_source(void);
uint64_t target_clock(void);

#endif
