/* SPDX-License-Identifier: MIT */
/*
 * Makes the faults: begins what is due, ends what is over, and records it.
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
    int64_t until_us[FAULT_KINDS]; /* of those under way */
    size_t record[FAULT_KINDS];    /* their numbers in the audit */
    char *paths[FAULT_PATHS_MAX];  /* of firmware that the control port named; NULL: free */
};

void faults_init(struct faults *faults, struct board *board, struct server *server);
void faults_free(struct faults *faults);

/* Begins a fault at once; one without a duration is over when this returns. False: `why` says why it cannot begin. */
bool faults_inject(struct faults *faults, const struct fault *fault, const char *by, char why[static FAULT_TEXT_BYTES]);

/* Ends one that is under way, at once. False: none of that kind is under way, or it cannot be ended yet. */
bool faults_end(struct faults *faults, enum fault_kind kind);

/* Call it in each turn of the loop, and no later than faults_timeout_ms() after the last call. */
void faults_tick(struct faults *faults);
/* -1: no fault is planned. */
int faults_timeout_ms(const struct faults *faults);

/* A copy of the path that lasts as long as the faults do; NULL: there are too many. */
const char *faults_keep_path(struct faults *faults, const char *path);

#endif
