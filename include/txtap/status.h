/* SPDX-License-Identifier: MIT */
/*
 * The result of every libtxtap function that can fail. 0: success. Positive: another result that is no error. Negative:
 * an error.
 */
#ifndef TXTAP_STATUS_H
#define TXTAP_STATUS_H

#include "txtap/api.h"

TXTAP_API_BEGIN

enum txtap_status {
    TXTAP_OK = 0,
    TXTAP_AGAIN = 1, /* no error, but more data is needed first */
    TXTAP_END = 2,   /* the regular end of the data */

    /* arguments */
    TXTAP_ERROR_USAGE = -1, /* an argument outside its documented range */
    TXTAP_ERROR_SPACE = -2, /* the caller's memory is too small */

    /* trace buffers: the bytes are not a TXTB buffer, or are no longer valid */
    TXTAP_ERROR_SIGNATURE = -10, /* the 16 fixed bytes of a complete header are missing */
    TXTAP_ERROR_REGISTRY = -11,  /* the object registry ends before it starts, or is not a whole number of entries */
    TXTAP_ERROR_RING = -12,      /* the ring ends before it starts, is too large, or is not a whole number of entries */
    TXTAP_ERROR_POINTER = -13,   /* the current pointer is outside the ring or between two entries */
    TXTAP_ERROR_OVERLAP = -14,   /* header, registry and ring do not follow each other */
    TXTAP_ERROR_TRUNCATED = -15, /* fewer bytes than the header describes */
    TXTAP_ERROR_MOVED = -16,     /* the header changed while it was read: the target enabled the trace again */
    TXTAP_ERROR_ALIGNMENT = -20, /* the header's address is not a multiple of 4, as sources require */
    TXTAP_ERROR_WIDE = -21,      /* a buffer of 64-bit words: narrow it first */

    /* files */
    TXTAP_ERROR_FORMAT = -50, /* the file is damaged or of another kind */

    /*
     * Statuses of the caller's functions (a memory source, a sink, a writer). libtxtap passes them on unchanged, and
     * never creates such a status itself. The caller may define the meaning of the values from _CALLER_FIRST down to
     * _CALLER_LAST.
     */
    TXTAP_ERROR_SYSTEM = -36, /* a system call failed; errno has the cause */
    TXTAP_ERROR_CALLER_FIRST = -64,
    TXTAP_ERROR_CALLER_LAST = -127,
};

/*
 * Returns a short static sentence without a full stop, never NULL. Returns "unknown status" for a value that is not
 * listed, or that the caller defines.
 */
const char *txtap_status_text(enum txtap_status status);

TXTAP_API_END

#endif
