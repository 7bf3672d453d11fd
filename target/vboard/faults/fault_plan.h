/* SPDX-License-Identifier: MIT */
/*
 * The schedule of faults: faults requested by time, and faults dealt by seed. The same seed gives the same sequence.
 * Time is an input.
 */
#ifndef VBOARD_FAULT_PLAN_H
#define VBOARD_FAULT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"

#define FAULTS_PLANNED_MAX 256

/* The requests of the command line. Paths point into argv. */
struct fault_options {
    struct fault planned[FAULTS_PLANNED_MAX];
    size_t planned_count;
    bool seeded;
    uint64_t seed;
    int64_t every_us;         /* mean time between two dealt faults */
    bool chosen[FAULT_KINDS]; /* the kinds to deal */
    bool kinds_given;
    const char *reflash_path; /* the firmware of a dealt reflash */
};

struct fault_plan {
    const struct fault_options *options;
    bool taken[FAULTS_PLANNED_MAX];
    uint64_t random; /* state */
    enum fault_kind deck[FAULT_KINDS];
    size_t deck_left;
    struct fault dealt; /* the next fault by seed */
};

void fault_plan_init(struct fault_plan *plan, const struct fault_options *options);

/* Removes from the plan the earliest fault that is due at now_us (since the board started) and that `may_begin` allows.
 * *by_seed: the fault was dealt by seed. */
bool fault_plan_take(struct fault_plan *plan, int64_t now_us, bool (*may_begin)(void *self, enum fault_kind kind),
                     void *self, struct fault *fault, bool *by_seed);

/*
 * Returns the time at which the next fault becomes due, not counting faults that are due already; INT64_MAX: no fault
 * remains.
 */
int64_t fault_plan_next_us(const struct fault_plan *plan, int64_t now_us);

#endif
