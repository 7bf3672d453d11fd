/* SPDX-License-Identifier: MIT */
/*
 * The program's own statuses, in the range that libtxtap leaves to its caller, and a text and an exit code for any
 * status.
 */
#ifndef TXTAP_CAPTURE_BASE_PROGRAM_STATUS_H
#define TXTAP_CAPTURE_BASE_PROGRAM_STATUS_H

#include "txtap/status.h"

/* looking for a ring */
#define ERROR_NOT_FOUND ((enum txtap_status) - 127) /* no ring was found */
#define ERROR_AMBIGUOUS ((enum txtap_status) - 126) /* several trace buffers, and nothing to choose by */
#define ERROR_SYMBOL    ((enum txtap_status) - 125) /* the ELF file has no such symbol */
#define ERROR_UNSETTLED ((enum txtap_status) - 124) /* the target writes faster than it can be copied */

/* the server and its target */
#define ERROR_UNREACHABLE ((enum txtap_status) - 123) /* no server listens there */
#define ERROR_PROTOCOL    ((enum txtap_status) - 122) /* the other side does not speak the expected protocol */
#define ERROR_TIMEOUT     ((enum txtap_status) - 121) /* no answer in time */
#define ERROR_CLOSED      ((enum txtap_status) - 120) /* the other side closed the connection */
#define ERROR_TARGET      ((enum txtap_status) - 119) /* the server is there, its target is not: not examined, unplugged */
#define ERROR_FAULT       ((enum txtap_status) - 118) /* target memory at that address cannot be read */
#define ERROR_UNSAFE      ((enum txtap_status) - 117) /* reading through this server would halt or change the target */

/* the user and files */
#define ERROR_INTERRUPTED ((enum txtap_status) - 116) /* the user ended the command */
#define ERROR_EXISTS      ((enum txtap_status) - 115) /* the file exists and must not be overwritten */

_Static_assert((int)ERROR_NOT_FOUND == (int)TXTAP_ERROR_CALLER_LAST &&
                   (int)ERROR_EXISTS <= (int)TXTAP_ERROR_CALLER_FIRST,
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

/* txtap_status_text(), for the program's statuses, too. */
const char *status_text(enum txtap_status status);

/* The exit code of a command that returned that status. */
int status_exit_code(enum txtap_status status);

/*
 * The exit code of a command, from that of its run and the verdict of its checks. A check that fails, or matches
 * nothing, takes precedence over missing events, and those over a check that is undecided.
 */
int exit_code_with_checks(int run, int verdict);

#endif
