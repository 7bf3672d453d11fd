/* SPDX-License-Identifier: MIT */
/*
 * The newest blocks of a recording, in memory of fixed size. One thread puts blocks in and never waits for a reader: if
 * there is no room, it drops the oldest blocks. Any number of readers (struct block_reader) get all blocks in the ring.
 * Each reader counts the blocks that it missed. A recording begins with the buffer, the objects and the channels, so
 * they are kept after their blocks are dropped. The metadata of CTF is not in a block; the metadata precedes the
 * blocks.
 */
#ifndef TXTAP_CAPTURE_VIEW_BLOCK_RING_H
#define TXTAP_CAPTURE_VIEW_BLOCK_RING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "txtap/recording.h"
#include "txtap/registry.h"
#include "txtap/sample.h"

#define BLOCK_RING_BYTES_MIN (UINT32_C(1) << 18) /* several of the largest blocks */
#define BLOCK_RING_OBJECTS   16384u              /* objects that are kept after their blocks are dropped */

/* A block, and the loss to report if the block is dropped. */
struct ring_block {
    enum txtap_recording_type type;
    const uint8_t *payload, *words; /* words: payload of the WORDS block before it, or NULL */
    size_t bytes, words_bytes;
    uint64_t seq;      /* EVENTS, CTF, GAP: sequence number of the first event */
    uint64_t lost;     /* number of events lost with the block: its own events, or the gap's lost events */
    bool inexact;      /* GAP: `lost` is not exact */
    uint64_t estimate; /* estimate of `lost` if `inexact` is true; 0: unknown */
};

/* Sums over blocks. */
struct block_sums {
    uint64_t events, lost; /* lost: events in blocks plus events lost in gaps */
    uint64_t inexact, unestimated;
    uint64_t estimate; /* sum of the losses, or of their estimates if they are not exact */
    uint64_t buffers;
};

/* The ring must not move. Readers lock the mutex. */
struct block_ring {
    pthread_mutex_t mutex;
    uint8_t *bytes;
    size_t capacity;
    uint64_t oldest, end; /* positions: bytes since the beginning */
    struct block_sums gone, all;
    /* sequence number of the very first event, and of the first event that is not dropped */
    uint64_t first_seq, gone_seq;
    bool has_seq;
    bool ended;
    uint64_t ended_unix_us;
    const char *metadata; /* CTF metadata, borrowed; NULL: a recording of events */
    size_t metadata_bytes;

    /* parts of dropped blocks that are still valid: */
    size_t buffer_bytes, definitions_bytes; /* 0: nothing kept */
    struct txtap_registry objects;
    struct txtap_channels channels;
    uint8_t buffer[TXTAP_RECORDING_PAYLOAD_MAX], definitions[TXTAP_RECORDING_PAYLOAD_MAX];
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX]; /* payload of a block that is being dropped */
};

/* Prepares the ring. capacity: at least BLOCK_RING_BYTES_MIN. Unused memory is never touched. False: no memory. */
bool block_ring_init(struct block_ring *ring, size_t capacity);
void block_ring_free(struct block_ring *ring);

/* Declares a recording of CTF. text: `length` bytes, borrowed. Call it before the first block. */
void block_ring_set_metadata(struct block_ring *ring, const char *text, size_t length);

/* Copies the block into the ring. The first block must be BUFFER, unless there is metadata. */
void block_ring_put(struct block_ring *ring, const struct ring_block *block);

/* Ends the recording. Call it after the last block. */
void block_ring_end(struct block_ring *ring, uint64_t unix_us);

/* Sums over all blocks so far, and over the dropped blocks. */
void block_ring_sums(struct block_ring *ring, struct block_sums *all, struct block_sums *gone);

/* ---- for readers, which must lock the mutex ---- */

/* The head of a block. The block's bytes follow: first the words, then the payload. */
struct ring_entry {
    uint32_t type, bytes, words_bytes, inexact;
    uint64_t seq, lost, estimate;
};

static inline bool ring_entry_has_events(const struct ring_entry *entry)
{
    return entry->type == TXTAP_RECORDING_EVENTS || entry->type == TXTAP_RECORDING_CTF;
}

/* ---- the bytes that a page reads ---- */

/* The stream of one client: a recording from the oldest block on. Blocks that were dropped before the client read them
 * become a gap, with the number of their events. */

struct block_reader;

/* Starts at the oldest block. NULL: no memory. ring: borrowed. */
struct block_reader *block_reader_new(struct block_ring *ring);
void block_reader_free(struct block_reader *reader);

/* Gets the next bytes, at most size. 0: no bytes yet. -1: the recording has ended, or there is no memory. */
ssize_t block_reader_read(struct block_reader *reader, void *bytes, size_t size);

#endif
