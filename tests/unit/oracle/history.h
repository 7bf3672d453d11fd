/* SPDX-License-Identifier: MIT */
/* What each thread and each core of the simulated kernel did at each tick, as slices of time without a change. */
#ifndef TXTAP_TESTS_ORACLE_HISTORY_H
#define TXTAP_TESTS_ORACLE_HISTORY_H

#include "oracle/truth.h"

#define HISTORY_SLICES 16384
#define HISTORY_WAKES  2048

struct history_slice {
    uint64_t from, to;
    struct {
        const char *account; /* "running", ...; NULL: the thread does not exist, or has ended */
        uint8_t core;        /* KERNEL_CORES: no core */
        uint8_t object;      /* the object for which it waits; NOBODY: no object */
    } threads[KERNEL_THREADS];
    struct {
        uint8_t occupant; /* a thread; NOBODY: idle; KERNEL_THREADS: initialization */
        bool interrupted;
        uint32_t number; /* of the interrupt; UINT32_MAX: it is not recorded */
    } cores[KERNEL_CORES];
    uint8_t owners[KERNEL_OBJECTS];
};

struct history_wake {
    unsigned slice; /* number of slices before it */
    uint8_t thread;
    enum kernel_ending ending;
    struct txtap_subject waker;
};

struct history {
    bool on; /* set by the test */
    unsigned count, wake_count;
    struct history_slice slices[HISTORY_SLICES];
    struct history_wake wakes[HISTORY_WAKES];
};

extern struct history history;

void history_begin(void);

/* For truth.c: time has passed, a thread was resumed. account: returns the state of a thread. */
void history_time(const struct truth *truth, uint64_t ticks,
                  const char *(*account)(const struct truth *truth, unsigned thread));
void history_wake(const struct truth *truth, unsigned thread, enum kernel_ending ending);

#endif
