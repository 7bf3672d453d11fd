/* SPDX-License-Identifier: MIT */
/*
 * Makes the faults: begins faults that are due, ends faults that are over, and records both.
 */
#ifndef VBOARD_FAULT_RUN_H
#define VBOARD_FAULT_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board.h"
#include "fault.h"
#include "fault_plan.h"
#include "server.h"

#define FAULT_PATHS_MAX 32

struct faults {
    struct board *board;
    struct server *server;
    struct fault_plan plan;
    bool under_way[FAULT_KINDS];
    int64_t until_us[FAULT_KINDS]; /* end times of active faults */
    size_t record[FAULT_KINDS];    /* numbers of active faults in the audit */
    char *paths[FAULT_PATHS_MAX];  /* paths of firmware from the control port; NULL: free */
};

void faults_init(struct faults *faults, struct board *board, struct server *server);
void faults_free(struct faults *faults);

/* Begins a fault at once. A fault without a duration also ends in this call. False: `why` has the reason. */
bool faults_inject(struct faults *faults, const struct fault *fault, const char *by, char why[static FAULT_TEXT_BYTES]);

/* Ends an active fault at once. False: no fault of kind `kind` is active, or it cannot be ended yet. */
bool faults_end(struct faults *faults, enum fault_kind kind);

/*
 * Begins and ends faults that are due. Call it in each turn of the loop, at most faults_timeout_ms() after the last
 * call.
 */
void faults_tick(struct faults *faults);
/* Returns the time until the next call; -1: no fault is planned. */
int faults_timeout_ms(const struct faults *faults);

/* Returns a copy of the path that exists as long as the faults; NULL: too many paths. */
const char *faults_keep_path(struct faults *faults, const char *path);

#endif
