/* SPDX-License-Identifier: MIT */
/*
 * A plan of reads. The caller says which memory it wants; pieces that are close to each other become one read, because
 * a probe needs more time for a command than for a few more words.
 *
 * A plan has phases: all reads of a phase come before the reads of the next phase. In a phase, the order of the reads
 * is free.
 */
#ifndef TXTAP_DECODER_KERNEL_READS_H
#define TXTAP_DECODER_KERNEL_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/inner/kernel.h"

#define READS_MAX       4096
#define READS_BYTES     (192u * 1024)
#define READS_PHASES    4
#define READS_GAP_BYTES 32u /* a read may contain this number of unwanted bytes between two wanted pieces */

struct reads {
    struct txtap_kernel_memory memory;
    struct txtap_read list[READS_MAX];
    bool failed[READS_MAX];
    size_t count;
    size_t phase, starts[READS_PHASES + 1]; /* the reads of a phase p are starts[p] to starts[p + 1] - 1 */
    size_t used;                            /* bytes of `bytes` in use */
    uint8_t bytes[READS_BYTES];
};

void reads_clear(struct reads *reads);

/* Wants `bytes` bytes (> 0) at `address` in the present phase. False: the memory may not be read, or there is no room.
 */
bool reads_want(struct reads *reads, uint32_t address, uint32_t bytes);

/* Ends the present phase: joins its reads. */
void reads_end_phase(struct reads *reads);

/* Notes which reads the target refused. NULL: it refused no read. */
void reads_take(struct reads *reads, const bool *failed);

/* Returns `bytes` bytes from `address` on, as read in a phase. NULL: they were not read. */
const uint8_t *reads_at(const struct reads *reads, size_t phase, uint32_t address, uint32_t bytes);

#endif
