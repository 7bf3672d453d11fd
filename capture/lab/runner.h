/* SPDX-License-Identifier: MIT */
/* Runs the recorder of a board as a child, reads its reports, and starts it again after its end. */
#ifndef TXTAP_CAPTURE_LAB_RUNNER_H
#define TXTAP_CAPTURE_LAB_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/child.h"
#include "lab/board_state.h"
#include "lab/lab_file.h"

#define RUNNER_LINE_BYTES 2048

/* This struct must not be moved after runner_init(). */
struct runner {
    const struct board_setup *board; /* borrowed */
    struct board_state state;
    struct child child;
    bool running;                           /* a child was started, and its end was not seen yet */
    bool ending;                            /* the child was asked to end, and no other is started */
    bool replaced;                          /* for the caller: the board was removed from the file, or changed */
    uint64_t started_us, pause_us, next_us; /* monotonic: last start; last pause; next start */
    char line[RUNNER_LINE_BYTES];           /* a line that is not complete yet */
    size_t line_bytes;
};

/* Prepares a runner. unix_us: the time now. The first step starts the child. */
void runner_init(struct runner *runner, const struct board_setup *board, uint64_t unix_us);

/*
 * Starts the recorder if it is time, reads its reports, and notes its end. program: path of txtap. now_us: monotonic.
 * unix_us: microseconds since 1970. Prints on standard error that a recorder has ended, or cannot start. Call it
 * several times a second.
 */
void runner_step(struct runner *runner, const char *program, uint64_t now_us, uint64_t unix_us);

/* Asks the recorder to end. runner_step() then starts no other. */
void runner_end(struct runner *runner, uint64_t unix_us);

/* Returns true if no child runs. */
static inline bool runner_is_idle(const struct runner *runner)
{
    return !runner->running;
}

/* Kills a recorder that still runs. */
void runner_free(struct runner *runner);

#endif
