/* SPDX-License-Identifier: MIT */
/*
 * A memory source reads a target's memory: through a debug probe's server, from a file, from a test's scripted RAM.
 * It can read and cannot write: this is why txtap cannot change a target.
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
    uint8_t *buffer; /* the caller's, length bytes: receives them as they lie in target memory */
};

struct txtap_source_ops {
    const char *name;        /* "tcl", "image", ...: for messages */
    uint32_t read_bytes_max; /* of one read() call: the sum of its lengths; callers split larger requests */
    size_t reads_max;        /* of one read() call: its number of pieces */
    /*
     * Copies all pieces in one exchange with the server, strictly in the order given: the ring readers' proofs rely on
     * it. TXTAP_OK: every buffer is filled. TXTAP_ERROR_SYSTEM, or a status of the caller's own (txtap/status.h): the
     * buffers hold anything, and error_text() has the cause.
     */
    enum txtap_status (*read)(void *self, const struct txtap_read *reads, size_t count);
    /* The cause of the last failure in one line, without a full stop; "" if there was none. Owned by the source. */
    const char *(*error_text)(void *self);
    void (*close)(void *self);
    /* What the user can do about it, in the same form. NULL: the source has no advice. */
    const char *(*hint_text)(void *self);
};

struct txtap_source {
    const struct txtap_source_ops *ops;
    void *self;
};

TXTAP_API_END

#endif
