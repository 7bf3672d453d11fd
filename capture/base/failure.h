/* SPDX-License-Identifier: MIT */
/*
 * An error: a status, one line with the cause, and the next step. The code that knows the name of the affected thing
 * sets the error. The error is passed on by pointer, and printed in one place. The program's statuses and exit codes
 * continue those of libtxtap.
 */
#ifndef TXTAP_CAPTURE_BASE_FAILURE_H
#define TXTAP_CAPTURE_BASE_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

#include "txtap/status.h"

/* search for a ring */
#define ERROR_NOT_FOUND   ((enum txtap_status) - 127) /* no ring was found */
#define ERROR_AMBIGUOUS   ((enum txtap_status) - 126) /* several trace buffers, and no way to choose */
#define ERROR_SYMBOL      ((enum txtap_status) - 125) /* the ELF file has no such symbol */
#define ERROR_NOT_ENABLED ((enum txtap_status) - 114) /* the firmware has a trace, but has not enabled it */
#define ERROR_NOT_SAMPLED ((enum txtap_status) - 113) /* the core does not sample its program counter */
#define ERROR_UNSETTLED   ((enum txtap_status) - 124) /* the target writes faster than the probe can copy */

/* the server and its target */
#define ERROR_UNREACHABLE ((enum txtap_status) - 123) /* no server listens there */
#define ERROR_PROTOCOL    ((enum txtap_status) - 122) /* the other side does not speak the expected protocol */
#define ERROR_TIMEOUT     ((enum txtap_status) - 121) /* no answer in time */
#define ERROR_CLOSED      ((enum txtap_status) - 120) /* the other side closed the connection */
/* the server answers, but its target is not examined or was unplugged */
#define ERROR_TARGET ((enum txtap_status) - 119)
#define ERROR_FAULT  ((enum txtap_status) - 118) /* target memory at that address cannot be read */
#define ERROR_UNSAFE ((enum txtap_status) - 117) /* reading through this server would halt or change the target */

/* the user and files */
#define ERROR_INTERRUPTED ((enum txtap_status) - 116) /* the user ended the command */
#define ERROR_EXISTS      ((enum txtap_status) - 115) /* the file exists and must not be overwritten */

_Static_assert((int)ERROR_NOT_FOUND == (int)TXTAP_ERROR_CALLER_LAST &&
                   (int)ERROR_NOT_SAMPLED <= (int)TXTAP_ERROR_CALLER_FIRST,
               "the program's statuses are in the caller's range");

enum exit_code {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_NO_BUFFER = 3,
    EXIT_NO_SERVER = 4,
    EXIT_LOST = 5,
    EXIT_CHECK_FAILED = 6,
    EXIT_CHECK_UNDECIDED = 7,
};

/* Returns the text of a status, like txtap_status_text(), but also for the program's statuses. */
const char *status_text(enum txtap_status status);

/* Returns the exit code of a command that returned this status. */
int status_exit_code(enum txtap_status status);

/* Returns the exit code of a command, from the exit code of its run and the verdict of its checks. A check that fails,
 * or matches nothing, has priority over missing events. Missing events have priority over an undecided check. */
int exit_code_with_checks(int run, int verdict);

#define ERROR_WHAT_BYTES 256
#define ERROR_HINT_BYTES 160
#define ERROR_TEXT_BYTES (ERROR_WHAT_BYTES + ERROR_HINT_BYTES + 2)

/* {0}: no error. */
struct error {
    enum txtap_status status;    /* TXTAP_OK: no error */
    char what[ERROR_WHAT_BYTES]; /* the affected thing and the cause */
    char hint[ERROR_HINT_BYTES]; /* the next step, or "" */
};

/* Sets *error, unless error is NULL, and returns the status: `return failure(error, ...)`. format: "WHAT" or
 * "WHAT\nHINT"; each part is cut if it is too long. A line feed in an argument for WHAT becomes a blank. */
enum txtap_status failure(struct error *error, enum txtap_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline bool error_is_set(const struct error *error)
{
    return error->status != TXTAP_OK;
}

static inline void error_clear(struct error *error)
{
    *error = (struct error){.status = TXTAP_OK};
}

/* Writes "WHAT: HINT", or "WHAT", or the status in words if the error has no text. Returns `text`. */
char *error_text(const struct error *error, char text[static ERROR_TEXT_BYTES]);

/* Copies bytes from outside as printable ASCII: every other byte becomes '.', and several blanks become one. Cuts the
 * text to `size` bytes (`size` > 0), including a NUL at its end. Returns `out`. */
char *printable(char *out, size_t size, const char *bytes, size_t length);

/* Prints "txtap: " and the error's text on standard error. */
void report_error(const struct error *error);

#endif
