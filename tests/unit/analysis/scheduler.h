/* SPDX-License-Identifier: MIT */
/*
 * A simulated kernel that writes random events as ThreadX would, and counts the true figures. It has semaphores,
 * mutexes, sleep, interrupts, and threads whose priority never changes.
 */
#ifndef TXTAP_TESTS_SCHEDULER_H
#define TXTAP_TESTS_SCHEDULER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"

#define SCHEDULER_THREADS    5
#define SCHEDULER_SEMAPHORES 2
#define SCHEDULER_MUTEXES    2
#define SCHEDULER_EVENTS     400

struct scheduler_truth {
    uint64_t window, idle, interrupts; /* in ticks */
    uint64_t ran[SCHEDULER_THREADS];
    /* only complete samples */
    uint64_t wakes[SCHEDULER_THREADS], wake_ticks[SCHEDULER_THREADS], wake_longest[SCHEDULER_THREADS];
    uint64_t blocks[SCHEDULER_THREADS], block_ticks[SCHEDULER_THREADS];
    uint64_t entered, contended;
};

struct scheduler {
    struct txtap_event events[SCHEDULER_EVENTS];
    size_t count;
    struct scheduler_truth truth;
};

/* Runs the kernel. The same seed gives the same trace. */
void scheduler_run(struct scheduler *scheduler, uint64_t seed);

/* As scheduler_run(), but some interrupts do not record their start or their end. */
void scheduler_run_silent(struct scheduler *scheduler, uint64_t seed);

uint32_t scheduler_thread(unsigned number); /* returns a thread's address; thread 0 has the highest priority */

#endif
