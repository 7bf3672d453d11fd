/* SPDX-License-Identifier: MIT */
/*
 * The program's own statuses, in the range that libtxtap leaves to its caller. Functions return them as enum
 * txtap_status, as ERROR_TIMEOUT; a switch over them uses the enumerators, so that the compiler finds a missing case.
 */
#ifndef TXTAP_CAPTURE_BASE_PROGRAM_STATUS_H
#define TXTAP_CAPTURE_BASE_PROGRAM_STATUS_H

#include "txtap/status.h"

enum program_status {
    PROGRAM_NONE = 0, /* a status of libtxtap */

    /* looking for a ring */
    PROGRAM_NOT_FOUND = TXTAP_ERROR_CALLER_LAST, /* no ring where it was looked for */
    PROGRAM_AMBIGUOUS,                           /* several trace buffers, and nothing to choose by */
    PROGRAM_SYMBOL,                              /* the ELF file has no such symbol */
    PROGRAM_UNSETTLED,                           /* the target writes faster than it can be copied */

    /* the server and its target */
    PROGRAM_UNREACHABLE, /* nobody listens there */
    PROGRAM_PROTOCOL,    /* the other side does not speak the expected protocol */
    PROGRAM_TIMEOUT,     /* no answer in time */
    PROGRAM_CLOSED,      /* the other side closed the connection */
    PROGRAM_TARGET,      /* the server is there, its target is not: not examined, unplugged */
    PROGRAM_FAULT,       /* target memory at that address cannot be read */
    PROGRAM_UNSAFE,      /* reading through this server would halt or change the target */

    /* the user and files */
    PROGRAM_INTERRUPTED, /* the user asked for the end meanwhile */
    PROGRAM_EXISTS,      /* the file exists and must not be overwritten */

    PROGRAM_STATUS_MAX = PROGRAM_EXISTS
};

#define ERROR_NOT_FOUND   ((enum txtap_status)PROGRAM_NOT_FOUND)
#define ERROR_AMBIGUOUS   ((enum txtap_status)PROGRAM_AMBIGUOUS)
#define ERROR_SYMBOL      ((enum txtap_status)PROGRAM_SYMBOL)
#define ERROR_UNSETTLED   ((enum txtap_status)PROGRAM_UNSETTLED)
#define ERROR_UNREACHABLE ((enum txtap_status)PROGRAM_UNREACHABLE)
#define ERROR_PROTOCOL    ((enum txtap_status)PROGRAM_PROTOCOL)
#define ERROR_TIMEOUT     ((enum txtap_status)PROGRAM_TIMEOUT)
#define ERROR_CLOSED      ((enum txtap_status)PROGRAM_CLOSED)
#define ERROR_TARGET      ((enum txtap_status)PROGRAM_TARGET)
#define ERROR_FAULT       ((enum txtap_status)PROGRAM_FAULT)
#define ERROR_UNSAFE      ((enum txtap_status)PROGRAM_UNSAFE)
#define ERROR_INTERRUPTED ((enum txtap_status)PROGRAM_INTERRUPTED)
#define ERROR_EXISTS      ((enum txtap_status)PROGRAM_EXISTS)

_Static_assert((int)PROGRAM_STATUS_MAX <= (int)TXTAP_ERROR_CALLER_FIRST,
               "the program's statuses are in the caller's range");

/* PROGRAM_NONE for a status of libtxtap. */
static inline enum program_status program_status(enum txtap_status status)
{
    if ((int)status < (int)TXTAP_ERROR_CALLER_LAST || (int)status > (int)PROGRAM_STATUS_MAX)
        return PROGRAM_NONE;
    return (enum program_status)status;
}

/* txtap_status_text(), for the program's statuses, too. */
const char *status_text(enum txtap_status status);

#endif
