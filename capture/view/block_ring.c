/* SPDX-License-Identifier: MIT */
/* A ring of bytes with an entry in front of each block; both may wrap around. */
#include "view/block_ring.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool block_ring_init(struct block_ring *ring, size_t capacity)
{
    struct txtap_object *objects = calloc(BLOCK_RING_OBJECTS, sizeof *objects);

    memset(ring, 0, sizeof *ring);
    pthread_mutex_init(&ring->mutex, NULL);
    ring->capacity = capacity;
    ring->bytes = malloc(capacity);
    txtap_registry_init(&ring->objects, objects, objects != NULL ? BLOCK_RING_OBJECTS : 0);
    if (ring->bytes != NULL && objects != NULL)
        return true;
    block_ring_free(ring);
    return false;
}

void block_ring_free(struct block_ring *ring)
{
    pthread_mutex_destroy(&ring->mutex);
    free(ring->bytes);
    free(ring->objects.objects);
    ring->bytes = NULL;
    ring->objects.objects = NULL;
}

void block_ring_set_metadata(struct block_ring *ring, const char *text, size_t length)
{
    ring->metadata = text;
    ring->metadata_bytes = length;
}

/* ---- bytes ---- */

void block_ring_copy(const struct block_ring *ring, uint64_t position, void *to, size_t length)
{
    size_t at = (size_t)(position % ring->capacity), part = ring->capacity - at;

    part = part < length ? part : length;
    memcpy(to, ring->bytes + at, part);
    memcpy((uint8_t *)to + part, ring->bytes, length - part);
}

static void append(struct block_ring *ring, const void *from, size_t length)
{
    size_t at = (size_t)(ring->end % ring->capacity), part = ring->capacity - at;

    if (length == 0)
        return;
    part = part < length ? part : length;
    memcpy(ring->bytes + at, from, part);
    memcpy(ring->bytes, (const uint8_t *)from + part, length - part);
    ring->end += length;
}

uint64_t block_ring_entry(const struct block_ring *ring, uint64_t position, struct ring_entry *entry)
{
    block_ring_copy(ring, position, entry, sizeof *entry);
    return position + sizeof *entry;
}

/* ---- sums ---- */

void block_sums_add(struct block_sums *sums, const struct ring_entry *entry)
{
    sums->events += ring_entry_has_events(entry) ? entry->lost : 0;
    sums->lost += entry->lost;
    sums->inexact += entry->inexact;
    sums->unestimated += entry->inexact && entry->estimate == 0;
    sums->estimate += entry->inexact ? entry->estimate : entry->lost;
    sums->buffers += entry->type == TXTAP_RECORDING_BUFFER;
}

/* ---- the oldest block goes ---- */

static void keep_objects(struct block_ring *ring, size_t length)
{
    const struct txtap_recording_block block = {
        .type = TXTAP_RECORDING_OBJECTS, .stored = ring->payload, .stored_bytes = length, .bytes = length};
    struct txtap_recording_item item;

    if (txtap_recording_item(&block, ring->payload, length, &item) != TXTAP_OK)
        return;
    txtap_recording_objects(&item, &ring->objects);
    txtap_registry_forget(&ring->objects, ring->gone_seq);
}

/* What a reader that begins behind this block must know of it. */
static void keep(struct block_ring *ring, const struct ring_entry *entry, uint64_t at)
{
    switch ((enum txtap_recording_type)entry->type) {
    case TXTAP_RECORDING_BUFFER:
        block_ring_copy(ring, at, ring->buffer, entry->bytes);
        ring->buffer_bytes = entry->bytes;
        ring->definitions_bytes = 0;
        break;
    case TXTAP_RECORDING_DEFINITIONS:
        block_ring_copy(ring, at, ring->definitions, entry->bytes);
        ring->definitions_bytes = entry->bytes;
        break;
    case TXTAP_RECORDING_OBJECTS:
        block_ring_copy(ring, at, ring->payload, entry->bytes);
        keep_objects(ring, entry->bytes);
        break;
    case TXTAP_RECORDING_EVENTS:
    case TXTAP_RECORDING_CTF:
    case TXTAP_RECORDING_GAP:
        ring->gone_seq = entry->seq + entry->lost;
        break;
    case TXTAP_RECORDING_MARK:
    case TXTAP_RECORDING_END:
    case TXTAP_RECORDING_WORDS:
    case TXTAP_RECORDING_METADATA:
    case TXTAP_RECORDING_FILE:
        break;
    }
}

static void drop_oldest(struct block_ring *ring)
{
    struct ring_entry entry;
    uint64_t at = block_ring_entry(ring, ring->oldest, &entry);

    keep(ring, &entry, at + entry.words_bytes);
    block_sums_add(&ring->gone, &entry);
    ring->oldest = at + entry.words_bytes + entry.bytes;
}

/* ---- the newest comes ---- */

void block_ring_put(struct block_ring *ring, const struct ring_block *block)
{
    const struct ring_entry entry = {.type = block->type,
                                     .bytes = (uint32_t)block->bytes,
                                     .words_bytes = (uint32_t)block->words_bytes,
                                     .inexact = block->inexact,
                                     .seq = block->seq,
                                     .lost = block->lost,
                                     .estimate = block->estimate};
    size_t length = sizeof entry + block->words_bytes + block->bytes;

    assert(length <= ring->capacity && block->bytes <= TXTAP_RECORDING_PAYLOAD_MAX);
    pthread_mutex_lock(&ring->mutex);
    while (ring->capacity - (size_t)(ring->end - ring->oldest) < length)
        drop_oldest(ring);
    if (!ring->has_seq && (ring_entry_has_events(&entry) || block->type == TXTAP_RECORDING_GAP)) {
        ring->has_seq = true;
        ring->first_seq = ring->gone_seq = block->seq;
    }
    append(ring, &entry, sizeof entry);
    append(ring, block->words, block->words_bytes);
    append(ring, block->payload, block->bytes);
    block_sums_add(&ring->all, &entry);
    pthread_mutex_unlock(&ring->mutex);
}

void block_ring_end(struct block_ring *ring, uint64_t unix_us)
{
    pthread_mutex_lock(&ring->mutex);
    ring->ended = true;
    ring->ended_unix_us = unix_us;
    pthread_mutex_unlock(&ring->mutex);
}

void block_ring_sums(struct block_ring *ring, struct block_sums *all, struct block_sums *gone)
{
    pthread_mutex_lock(&ring->mutex);
    *all = ring->all;
    *gone = ring->gone;
    pthread_mutex_unlock(&ring->mutex);
}
