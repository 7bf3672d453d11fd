/* SPDX-License-Identifier: MIT */
/*
 * What one client gets of a block ring: a recording from the oldest block on. What went before the client came to it is
 * a gap in its place, with the number of events.
 */
#ifndef TXTAP_CAPTURE_VIEW_BLOCK_READER_H
#define TXTAP_CAPTURE_VIEW_BLOCK_READER_H

#include <stddef.h>
#include <sys/types.h>

#include "view/block_ring.h"

struct block_reader;

/* From the oldest block on. NULL: no memory. ring: borrowed. */
struct block_reader *block_reader_new(struct block_ring *ring);
void block_reader_free(struct block_reader *reader);

/* The next bytes, up to size. 0: none yet. -1: the recording has ended, or there is no memory. */
ssize_t block_reader_read(struct block_reader *reader, void *bytes, size_t size);

#endif
