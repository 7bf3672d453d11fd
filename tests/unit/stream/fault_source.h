/* SPDX-License-Identifier: MIT */
/*
 * A memory source that wraps another one and makes faults: at a chosen read, or by seed. There are two kinds of fault.
 * Reported ones (the read fails, or comes late) must never lose an event silently. Silent ones (the read succeeds with
 * wrong bytes) cannot be noticed by a reader, and a wire with parity does not make them; then a reader only needs to
 * end each step, stay inside its memory and not follow a bad pointer for ever.
 */
#ifndef TXTAP_TESTS_FAULT_SOURCE_H
#define TXTAP_TESTS_FAULT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/failure.h"
#include "txtap/source.h"

enum fault_source_kind {
    FAULT_SOURCE_SHORT,       /* some pieces arrive, one of them only in part: ERROR_PROTOCOL */
    FAULT_SOURCE_ERROR,       /* nothing arrives: `status`, or by seed any status of a source except CLOSED */
    FAULT_SOURCE_LATE_ERROR,  /* everything arrives, then the same: a reply whose end is missing */
    FAULT_SOURCE_DISCONNECT,  /* ERROR_CLOSED, now and until fault_source_reopen() */
    FAULT_SOURCE_DELAY,       /* sleeps before the read: what is read is newer */
    FAULT_SOURCE_DELAY_AFTER, /* sleeps after the read: what was read is old when it arrives */
    /* the silent ones */
    FAULT_SOURCE_STUCK,   /* the word at stuck_address reads as it did at the read before, 1 to 8 times */
    FAULT_SOURCE_GARBAGE, /* some bytes are wrong, or a whole piece is */
    FAULT_SOURCE_KINDS
};

struct fault_source {
    struct txtap_source inner;
    struct txtap_source_ops ops;
    uint64_t random;
    unsigned per_mille[FAULT_SOURCE_KINDS]; /* how many of 1000 reads each kind hits, by seed; all together <= 1000 */

    unsigned at; /* the read of this number, from 1, is hit by at_kind as well; 0: none */
    enum fault_source_kind at_kind;
    enum txtap_status status; /* of FAULT_SOURCE_ERROR and _LATE_ERROR; TXTAP_OK: by seed */

    void (*sleep_us)(uint64_t us); /* for the delays */
    uint64_t delay_us_max;
    uint32_t stuck_address; /* for FAULT_SOURCE_STUCK, a multiple of 4 */

    unsigned reads; /* so far, including failed ones */
    unsigned made[FAULT_SOURCE_KINDS];
    bool closed;
    unsigned stuck_left;
    bool stuck_known;
    uint8_t stuck_word[4]; /* as last delivered */
    char text[96];
};

/* Without faults, until the fields above are set. The caller keeps inner, which is not closed with the wrapper. */
struct txtap_source fault_source_init(struct fault_source *source, struct txtap_source inner, uint64_t seed);

void fault_source_reopen(struct fault_source *source);

#endif
