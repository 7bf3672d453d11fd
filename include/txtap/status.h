/* SPDX-License-Identifier: MIT */
/* What every fallible function of txtap returns. 0 is success, positive is not an error, negative is one. */
#ifndef TXTAP_STATUS_H
#define TXTAP_STATUS_H

#include "txtap/api.h"

TXTAP_API_BEGIN

enum txtap_status {
    TXTAP_OK = 0,
    TXTAP_AGAIN = 1, /* nothing wrong, nothing to do yet */
    TXTAP_END = 2,   /* the regular end of what was being read or written */

    /* the caller's */
    TXTAP_ERROR_USAGE = -1, /* an argument outside its documented range */
    TXTAP_ERROR_SPACE = -2, /* the caller's memory is too small for what was found */

    /* the trace buffer's: what was read is not, or not any more, a TXTB buffer */
    TXTAP_ERROR_SIGNATURE = -10, /* the 16 fixed bytes of a complete header are not there */
    TXTAP_ERROR_REGISTRY = -11,  /* object registry ends before it starts, or holds no whole entries */
    TXTAP_ERROR_RING = -12,      /* ring ends before it starts, is larger than any target, or holds no whole entries */
    TXTAP_ERROR_POINTER = -13,   /* current pointer outside the ring or between two entries */
    TXTAP_ERROR_OVERLAP = -14,   /* header, registry and ring do not follow each other */
    TXTAP_ERROR_TRUNCATED = -15, /* fewer bytes than the header describes */
    TXTAP_ERROR_MOVED = -16,     /* the header changed under the reader: trace was enabled again */
    TXTAP_ERROR_NOT_FOUND = -17, /* no trace buffer where it was looked for */
    TXTAP_ERROR_AMBIGUOUS = -18, /* several trace buffers, and nothing to choose by */
    TXTAP_ERROR_UNSETTLED = -19, /* the target writes faster than it can be copied */
    TXTAP_ERROR_ALIGNMENT = -20, /* the header does not lie at a multiple of 4, as sources can read */
    TXTAP_ERROR_WIDE = -21,      /* a buffer of 64-bit words: narrow it first */

    /* outside of the program: server, target, system */
    TXTAP_ERROR_UNREACHABLE = -30, /* nobody listens there */
    TXTAP_ERROR_PROTOCOL = -31,    /* who answers does not speak the expected protocol */
    TXTAP_ERROR_TIMEOUT = -32,     /* no answer in time */
    TXTAP_ERROR_CLOSED = -33,      /* the other side hung up */
    TXTAP_ERROR_TARGET = -34,      /* the server is there, its target is not: not examined, unplugged */
    TXTAP_ERROR_FAULT = -35,       /* target memory at that address cannot be read */
    TXTAP_ERROR_SYSTEM = -36,      /* a system call failed; errno says why */
    TXTAP_ERROR_INTERRUPTED = -38, /* the end was asked for meanwhile */
    TXTAP_ERROR_UNSAFE = -37,      /* to read through this server would halt or change the target */

    /* a file's */
    TXTAP_ERROR_FORMAT = -50, /* the file is not of the expected kind */
    TXTAP_ERROR_SYMBOL = -51, /* the ELF file has no such symbol */
    TXTAP_ERROR_EXISTS = -52, /* the file is there already and must not be overwritten */
};

/* One short sentence without a full stop, for any value; "unknown status" for those not listed. Never NULL, static. */
const char *txtap_status_text(enum txtap_status status);

TXTAP_API_END

#endif
