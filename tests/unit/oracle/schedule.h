/* SPDX-License-Identifier: MIT */
/* Random firmware on the simulated kernel: threads, interrupts and timers that call services. A seed and a set of
 * features determine the schedule. */
#ifndef TXTAP_TESTS_ORACLE_SCHEDULE_H
#define TXTAP_TESTS_ORACLE_SCHEDULE_H

#include "oracle/kernel.h"
#include "oracle/truth.h"

/* Possible features of a schedule; a seed chooses among them. */
enum schedule_feature {
    WITH_INTERRUPTS, /* interrupts that record enter and exit events */
    WITH_SILENT,     /* interrupts that record neither enter nor exit events */
    WITH_NESTING,    /* nested interrupts */
    WITH_WINDOWS,    /* interrupts within services */
    WITH_SEMAPHORES,
    WITH_QUEUES,
    WITH_FLAGS,
    WITH_MUTEXES,       /* mutexes that inherit priorities */
    WITH_PLAIN_MUTEXES, /* mutexes that do not inherit priorities */
    WITH_POOLS,
    WITH_TIMEOUTS,
    WITH_TIMER_INTERRUPT, /* TX_TIMER_PROCESS_IN_ISR */
    WITH_TIMERS,          /* timers of the application */
    WITH_SLICES,
    WITH_THRESHOLDS,
    WITH_PRIORITY_CHANGES,
    WITH_SUSPENSIONS,      /* tx_thread_suspend and tx_thread_resume */
    WITH_LATE_SUSPENSIONS, /* suspensions of waiting threads, which take effect when the wait ends */
    WITH_ABORTS,
    WITH_TERMINATION,      /* threads that complete, or are terminated while they are ready */
    WITH_TERMINATED_WAITS, /* termination of waiting threads */
    WITH_RESETS,
    WITH_CREATION,  /* new threads in the memory of ended threads */
    WITH_DELETION,  /* deletion of objects */
    WITH_LAST_PUTS, /* a thread terminates itself while it owns mutexes, and the kernel puts them */
    FEATURES
};

extern const char *const schedule_features[FEATURES]; /* names of the features */

struct schedule {
    struct kernel kernel;
    struct truth truth;
    uint64_t random;
    uint32_t features; /* bits of enum schedule_feature */
    unsigned events;   /* approximate maximum number of events */
    unsigned cores;
    unsigned memory_count;
    struct {
        uint8_t object;
        uint32_t address;
    } memory[16]; /* memory that threads have allocated: blocks and bytes */
};

void schedule_run(struct schedule *schedule, uint64_t seed, uint32_t features, unsigned events);

/*
 * Runs a schedule on 2 to 4 cores. Returns false if some core recorded no event: the trace cannot show such a core.
 */
bool schedule_run_smp(struct schedule *schedule, uint64_t seed, uint32_t features, unsigned events);

#endif
