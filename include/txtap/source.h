/* SPDX-License-Identifier: MIT */
/*
 * A memory source reads a target's memory: through the server of a debug probe, from a file, or from the scripted RAM
 * of a test. It has no function that writes, so txtap cannot change a target.
 */
#ifndef TXTAP_SOURCE_H
#define TXTAP_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

/* One piece of target memory to copy. address and length are multiples of 4. */
struct txtap_read {
    uint32_t address;
    uint32_t length; /* bytes */
    uint8_t *buffer; /* borrowed: receives length bytes in the order of target memory */
};

struct txtap_source_ops {
    const char *name;        /* "tcl", "image", ...: for messages */
    uint32_t read_bytes_max; /* largest sum of lengths in one read() call; callers split larger requests */
    size_t reads_max;        /* largest number of pieces in one read() call */
    /*
     * Copies all pieces in one exchange with the server, strictly in the order of reads: the proofs of the ring readers
     * depend on this order. TXTAP_OK: every buffer is filled. TXTAP_ERROR_SYSTEM, or a status that the caller defines
     * (txtap/status.h): the buffers are undefined, and error_text() returns the cause.
     */
    enum txtap_status (*read)(void *self, const struct txtap_read *reads, size_t count);
    /* Returns the cause of the last failure: one line without a full stop, or "" if nothing failed. Owned by the
     * source. */
    const char *(*error_text)(void *self);
    void (*close)(void *self);
    /* Returns advice to the user about the last failure, in the form of error_text(). NULL: the source never has
     * advice. */
    const char *(*hint_text)(void *self);
};

struct txtap_source {
    const struct txtap_source_ops *ops;
    void *self;
};

TXTAP_API_END

#endif
