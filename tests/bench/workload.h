/* SPDX-License-Identifier: MIT */
/*
 * A fictional ThreadX application: five threads, their interrupts, a queue, a mutex, a semaphore, flags, pools,
 * timers and user events, in bursts as a kernel writes them. The same seed makes the same events.
 */
#ifndef TXTAP_TESTS_BENCH_WORKLOAD_H
#define TXTAP_TESTS_BENCH_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "txtap/header.h"

#define WORKLOAD_OBJECTS      15u
#define WORKLOAD_OBJECT_BYTES 48u

struct workload {
    uint32_t random, stamp;
    uint32_t thread; /* index of the running thread */
    uint32_t step;   /* index in the burst */
    uint32_t burst;
    uint64_t events;
};

void workload_start(struct workload *workload);

/* Writes the object registry: WORKLOAD_OBJECTS entries with names of 32 bytes, little-endian. */
void workload_registry(uint8_t bytes[static WORKLOAD_OBJECTS * WORKLOAD_OBJECT_BYTES]);

/* Writes the next `count` ring entries of TXTB_ENTRY_BYTES, little-endian. */
void workload_fill(struct workload *workload, uint8_t *entries, size_t count);

#endif
