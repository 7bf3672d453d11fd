/* SPDX-License-Identifier: MIT */
/* A program that txtap runs as a child. The child ends when txtap ends, even if txtap is killed. The child shares no
 * file and no terminal with txtap, and has no input. Its standard output and error are kept in memory. */
#ifndef TXTAP_CAPTURE_BASE_CHILD_H
#define TXTAP_CAPTURE_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/failure.h"

/* {0}: no child. */
struct child {
    pid_t pid;       /* 0: the child has ended, and was reaped */
    int output;      /* a file without a name; valid while `started` is true */
    uint64_t offset; /* position in the output of the next read */
    uint64_t freed;  /* output before this position no longer takes memory */
    bool started;
    int status; /* after the child has ended: as waitpid() gave it */
};

/*
 * Starts argv[0], and searches PATH for it if it has no '/'. NULL ends argv. Linux kills the child when the calling
 * thread ends, so call the function from a thread that lives as long as txtap. TXTAP_ERROR_SYSTEM: error has only the
 * cause ("No such file or directory"), and there is nothing to clean up.
 */
enum txtap_status child_start(struct child *child, const char *const *argv, struct error *error);

/* Like child_start(), for a child that needs time to end well: if txtap is killed, Linux sends the child SIGHUP. Linux
 * sends it for each thread of txtap that ends, so the child must take it several times. */
enum txtap_status child_start_gentle(struct child *child, const char *const *argv, struct error *error);

/* Asks the child to end, and does not wait. */
void child_ask_to_end(struct child *child);

/* Sets signals to their default actions, and makes exec() close all files except the standard files. Other code calls
 * it between fork() and exec(). */
void child_inherit_nothing(void);

/* Returns false after the child has ended. */
bool child_runs(struct child *child);

/* Gets at most `size` bytes of new output. Returns their number; 0: no new output. */
size_t child_read(struct child *child, char *bytes, size_t size);

/* Frees the output that was read. If more than 4 MiB are unread, skips the unread output. */
void child_trim(struct child *child);

/* Asks the child to end. Kills the child if it does not end within 0.5 s. Drops its output. May be called twice. */
void child_end(struct child *child);

#endif
