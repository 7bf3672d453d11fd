/* SPDX-License-Identifier: MIT */
/*
 * A program that txtap runs beside itself. It ends with txtap, however that ends, and shares no file and no terminal
 * with it: it reads nothing, and what it writes to its standard output and error is kept in memory.
 */
#ifndef TXTAP_CAPTURE_BASE_CHILD_H
#define TXTAP_CAPTURE_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/failure.h"

/* {0}: none. */
struct child {
    pid_t pid;       /* 0: it has ended, and left no zombie */
    int output;      /* a file without a name, while started */
    uint64_t offset; /* of the output that is read next */
    uint64_t freed;  /* output before this offset takes no memory any more */
    bool started;
};

/*
 * Starts argv[0], looked for in PATH if it has no '/', with arguments up to NULL. The kernel kills the
 * child when the thread that calls this ends, so that is one which lives as long as txtap. TXTAP_ERROR_SYSTEM on
 * failure: error is the cause alone ("No such file or directory"), and nothing stays.
 */
enum txtap_status child_start(struct child *child, const char *const *argv, struct error *error);

/*
 * For other code, between fork() and exec(): signals get their default actions, and exec() closes all files but the
 * standard ones.
 */
void child_inherit_nothing(void);

/* False once it has ended. */
bool child_runs(struct child *child);

/* Takes up to size bytes of what it wrote since the last call; 0: nothing new. */
size_t child_read(struct child *child, char *bytes, size_t size);

/* Frees the output that was read, and skips all of the rest if more than 4 MiB of it wait. */
void child_trim(struct child *child);

/* Asks it to end, kills it if it does not within a moment, and forgets what it wrote. May be called again. */
void child_end(struct child *child);

#endif
