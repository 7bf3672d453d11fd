/* SPDX-License-Identifier: MIT */
/*
 * The newest blocks of a recording, in memory of fixed size. One thread puts blocks in and never waits for a reader:
 * the oldest blocks go when there is no room. Any number of struct block_reader get all that is there, and count
 * what went before they came to it. What a recording begins with, its buffer and its objects, is kept when its blocks
 * go; the metadata of CTF are not among the blocks, but in front of them.
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

#define BLOCK_RING_BYTES_MIN (UINT32_C(1) << 18) /* at least: some of the largest blocks */
#define BLOCK_RING_OBJECTS   16384u              /* that are kept when their blocks go */

/* A block with what its loss would mean. */
struct ring_block {
    enum txtap_recording_type type;
    const uint8_t *payload, *words; /* words: the payload of the block of words before it, or NULL */
    size_t bytes, words_bytes;
    uint64_t seq;      /* EVENTS, CTF, GAP: of the first event */
    uint64_t lost;     /* how many events are lost with it: those in it, or those of the gap */
    bool inexact;      /* GAP: lost is not exact */
    uint64_t estimate; /* of lost, if that is not exact; 0: unknown */
};

/* Sums over blocks. */
struct block_sums {
    uint64_t events, lost; /* lost: events, and what was lost in gaps */
    uint64_t inexact, unestimated;
    uint64_t estimate; /* lost, or its estimate where it is not exact */
    uint64_t buffers;
};

/* Must not be moved. Readers use it with the mutex. */
struct block_ring {
    pthread_mutex_t mutex;
    uint8_t *bytes;
    size_t capacity;
    uint64_t oldest, end; /* positions: bytes since the beginning */
    struct block_sums gone, all;
    uint64_t first_seq, gone_seq; /* of the first event of all; of the first event that is not gone */
    bool has_seq;
    bool ended;
    uint64_t ended_unix_us;
    const char *metadata; /* of CTF, borrowed; NULL: the recording is of events */
    size_t metadata_bytes;

    /* What is gone, but still holds: */
    size_t buffer_bytes, definitions_bytes; /* 0: none is gone */
    struct txtap_registry objects;
    uint8_t buffer[TXTAP_RECORDING_PAYLOAD_MAX], definitions[TXTAP_RECORDING_PAYLOAD_MAX];
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX]; /* of a block that goes */
};

/* capacity: at least BLOCK_RING_BYTES_MIN. Memory that is never needed is never touched. False: no memory. */
bool block_ring_init(struct block_ring *ring, size_t capacity);
void block_ring_free(struct block_ring *ring);

/* The blocks will be those of a recording of CTF. text: length bytes, borrowed. To be called before the first block. */
void block_ring_set_metadata(struct block_ring *ring, const char *text, size_t length);

/* Copies the block. The first one must be BUFFER, unless there are metadata. */
void block_ring_put(struct block_ring *ring, const struct ring_block *block);

/* No further blocks come. */
void block_ring_end(struct block_ring *ring, uint64_t unix_us);

/* What all readers together could have got, and what is gone of it. */
void block_ring_sums(struct block_ring *ring, struct block_sums *all, struct block_sums *gone);

/* ---- for readers, who have the mutex ---- */

/* In front of each block's bytes: the words', then the payload. */
struct ring_entry {
    uint32_t type, bytes, words_bytes, inexact;
    uint64_t seq, lost, estimate;
};

static inline bool ring_entry_has_events(const struct ring_entry *entry)
{
    return entry->type == TXTAP_RECORDING_EVENTS || entry->type == TXTAP_RECORDING_CTF;
}

/* ---- what a page reads ---- */

/*
 * What one client gets of a block ring: a recording from the oldest block on. What went before the client came to it is
 * a gap in its place, with the number of events.
 */

struct block_reader;

/* From the oldest block on. NULL: no memory. ring: borrowed. */
struct block_reader *block_reader_new(struct block_ring *ring);
void block_reader_free(struct block_reader *reader);

/* The next bytes, up to size. 0: none yet. -1: the recording has ended, or there is no memory. */
ssize_t block_reader_read(struct block_reader *reader, void *bytes, size_t size);

#endif
