/* SPDX-License-Identifier: MIT */
/*
 * The schedule of faults: faults that the user requests by time, and faults that are dealt by seed. The same seed gives
 * the same sequence. The caller gives the time.
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
    uint64_t random; /* state of the random numbers */
    enum fault_kind deck[FAULT_KINDS];
    size_t deck_left;
    struct fault dealt; /* the next fault by seed */
};

void fault_plan_init(struct fault_plan *plan, const struct fault_options *options);

/* Takes the earliest fault that is due and that may_begin() allows out of the plan. now_us: time since the board
 * started. *by_seed: true if the fault was dealt by seed. False: there is no such fault. */
bool fault_plan_take(struct fault_plan *plan, int64_t now_us, bool (*may_begin)(void *self, enum fault_kind kind),
                     void *self, struct fault *fault, bool *by_seed);

/*
 * Returns the time at which the next fault becomes due. Ignores faults that are already due. INT64_MAX: there is no
 * later fault.
 */
int64_t fault_plan_next_us(const struct fault_plan *plan, int64_t now_us);

#endif
