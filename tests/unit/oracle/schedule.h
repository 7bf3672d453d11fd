/* SPDX-License-Identifier: MIT */
/* Random firmware on the simulated kernel: threads, interrupts and timers that call services. The same seed and
 * features give the same schedule. */
#ifndef TXTAP_TESTS_ORACLE_SCHEDULE_H
#define TXTAP_TESTS_ORACLE_SCHEDULE_H

#include "oracle/kernel.h"
#include "oracle/truth.h"

/* What a schedule may contain; a seed chooses among them. */
enum schedule_feature {
    WITH_INTERRUPTS, /* that record enter and exit */
    WITH_SILENT,     /* that record neither */
    WITH_NESTING,    /* in each other */
    WITH_WINDOWS,    /* inside of services */
    WITH_SEMAPHORES,
    WITH_QUEUES,
    WITH_FLAGS,
    WITH_MUTEXES,       /* that inherit priorities */
    WITH_PLAIN_MUTEXES, /* that do not */
    WITH_POOLS,
    WITH_TIMEOUTS,
    WITH_TIMER_INTERRUPT, /* TX_TIMER_PROCESS_IN_ISR */
    WITH_TIMERS,          /* of the application */
    WITH_SLICES,
    WITH_THRESHOLDS,
    WITH_PRIORITY_CHANGES,
    WITH_SUSPENSIONS,      /* tx_thread_suspend and tx_thread_resume */
    WITH_LATE_SUSPENSIONS, /* of threads that wait: they are suspended when their wait ends */
    WITH_ABORTS,
    WITH_TERMINATION,      /* of threads that are ready, and completion */
    WITH_TERMINATED_WAITS, /* of threads that wait */
    WITH_RESETS,
    WITH_CREATION,  /* of threads that ended, at the same address */
    WITH_DELETION,  /* of objects */
    WITH_LAST_PUTS, /* a thread terminates itself, and the kernel puts its mutexes then */
    FEATURES
};

extern const char *const schedule_features[FEATURES]; /* their names */

struct schedule {
    struct kernel kernel;
    struct truth truth;
    uint64_t random;
    uint32_t features; /* bits */
    unsigned events;   /* at most about so many */
    unsigned cores;
    unsigned memory_count;
    struct {
        uint8_t object;
        uint32_t address;
    } memory[16]; /* blocks and bytes that were allocated */
};

void schedule_run(struct schedule *schedule, uint64_t seed, uint32_t features, unsigned events);

/* The same on 2 to 4 cores. Returns false if a core recorded nothing: then the trace does not show that there is one.
 */
bool schedule_run_smp(struct schedule *schedule, uint64_t seed, uint32_t features, unsigned events);

#endif
