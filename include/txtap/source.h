/* SPDX-License-Identifier: MIT */
/*
 * A memory source: where a target's memory is read from (a debug probe's server, a file, a test's scripted RAM).
 * There is a read operation and no write operation: this seam is why txtap cannot change a target.
 */
#ifndef TXTAP_SOURCE_H
#define TXTAP_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

/* One piece of target memory to copy. address and length are multiples of 4; buffer is the caller's, length bytes. */
struct txtap_read {
    uint32_t address;
    uint32_t length; /* bytes */
    uint8_t *buffer; /* receives the bytes as they lie in target memory */
};

struct txtap_source_ops {
    const char *name;        /* "tcl", "image", ...: for messages */
    uint32_t read_bytes_max; /* sum of the lengths of one read() call; callers split what is larger */
    size_t reads_max;        /* number of pieces of one read() call */
    /*
     * Copies all pieces, strictly in the order given (the ring reader's proofs rest on that order), in one exchange
     * with the server. On success every buffer is filled. On failure the buffers hold anything and *error_text(self)
     * says what happened: TXTAP_ERROR_SYSTEM, or a status of the caller's own (txtap/status.h).
     */
    enum txtap_status (*read)(void *self, const struct txtap_read *reads, size_t count);
    /* Cause of the last failure in one line, without a full stop; "" if none. Owned by the source. */
    const char *(*error_text)(void *self);
    void (*close)(void *self);
    /* What to do about it, in the same way. NULL: nothing is known to help. */
    const char *(*hint_text)(void *self);
};

struct txtap_source {
    const struct txtap_source_ops *ops;
    void *self;
};

TXTAP_API_END

#endif
