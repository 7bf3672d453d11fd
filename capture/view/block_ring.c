/* SPDX-License-Identifier: MIT */
/* A ring of bytes, with an entry before each block. Entries and blocks may wrap around the end. */
#include "view/block_ring.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "txtap/inner/recording.h"

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

/* Copies bytes at a position. */
static void block_ring_copy(const struct block_ring *ring, uint64_t position, void *to, size_t length)
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

/* Reads the entry of the block at `position`, which is between ring->oldest and ring->end. Returns the position of the
 * block's bytes. */
static uint64_t block_ring_entry(const struct block_ring *ring, uint64_t position, struct ring_entry *entry)
{
    block_ring_copy(ring, position, entry, sizeof *entry);
    return position + sizeof *entry;
}

/* ---- sums ---- */

static void block_sums_add(struct block_sums *sums, const struct ring_entry *entry)
{
    sums->events += ring_entry_has_events(entry) ? entry->lost : 0;
    sums->lost += entry->lost;
    sums->inexact += entry->inexact;
    sums->unestimated += entry->inexact && entry->estimate == 0;
    sums->estimate += entry->inexact ? entry->estimate : entry->lost;
    sums->buffers += entry->type == TXTAP_RECORDING_BUFFER;
}

/* ---- dropping the oldest block ---- */

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

static void keep_channel(struct block_ring *ring, size_t length)
{
    const struct txtap_recording_block block = {
        .type = TXTAP_RECORDING_CHANNEL, .stored = ring->payload, .stored_bytes = length, .bytes = length};
    struct txtap_recording_item item;

    if (txtap_recording_item(&block, ring->payload, length, &item) == TXTAP_OK)
        (void)txtap_recording_channel(&item, &ring->channels);
}

/* Keeps the parts of a block that later readers need. Call it before the block is dropped. */
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
    case TXTAP_RECORDING_CHANNEL:
        block_ring_copy(ring, at, ring->payload, entry->bytes);
        keep_channel(ring, entry->bytes);
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
    case TXTAP_RECORDING_RATE:
    case TXTAP_RECORDING_ABOUT:
    case TXTAP_RECORDING_MEANING:
    case TXTAP_RECORDING_STACKS:
    case TXTAP_RECORDING_SAMPLES:
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

/* ---- adding a block ---- */

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

/* ---- the bytes that a page reads ---- */

#define PIECE_BYTES 32768 /* the reader takes blocks until it has this number of bytes */

struct block_reader {
    struct block_ring *ring;
    bool begun, ended, no_memory;
    uint64_t position;
    struct block_sums seen;
    uint64_t next_seq; /* sequence number of the next event, unless events are missing at `position` */
    uint64_t events;   /* number of events given to the client */
    uint32_t number;   /* number of the next block */

    uint8_t *out;
    size_t capacity, used, sent;
    size_t sealed; /* bytes of complete blocks in `out` */
};

struct block_reader *block_reader_new(struct block_ring *ring)
{
    struct block_reader *reader = calloc(1, sizeof *reader);

    if (reader != NULL)
        reader->ring = ring;
    return reader;
}

void block_reader_free(struct block_reader *reader)
{
    free(reader->out);
    free(reader);
}

/* ---- bytes that wait for the client ---- */

/* Makes room for `length` more bytes at the end. NULL: no memory, and the stream ends. */
static uint8_t *make_room(struct block_reader *reader, size_t length)
{
    size_t capacity = 2 * (reader->used + length);
    uint8_t *out = reader->out;

    if (reader->used + length > reader->capacity) {
        out = realloc(out, capacity);
        reader->no_memory = out == NULL;
        if (out == NULL)
            return NULL;
        reader->out = out;
        reader->capacity = capacity;
    }
    reader->used += length;
    return out + reader->used - length;
}

/* The head of a payload that is not sealed yet. */
struct unsealed {
    uint32_t type, bytes;
};

_Static_assert(sizeof(struct unsealed) <= TXTAP_RECORDING_BLOCK_BYTES, "it has the place of the block's head");

/* Makes room for a block's payload. NULL: no memory. */
static uint8_t *add_block(struct block_reader *reader, unsigned type, size_t length)
{
    const struct unsealed unsealed = {type, (uint32_t)length};
    uint8_t *at = make_room(reader, TXTAP_RECORDING_BLOCK_BYTES + length);

    if (at == NULL)
        return NULL;
    memcpy(at, &unsealed, sizeof unsealed);
    return at + TXTAP_RECORDING_BLOCK_BYTES;
}

static void add_payload(struct block_reader *reader, unsigned type, const uint8_t *payload, size_t length)
{
    uint8_t *at = add_block(reader, type, length);

    if (at != NULL)
        memcpy(at, payload, length);
}

static void seal(struct block_reader *reader)
{
    while (reader->sealed < reader->used) {
        uint8_t *at = reader->out + reader->sealed;
        struct unsealed unsealed;
        struct txtap_recording_block block = {.stored = at + TXTAP_RECORDING_BLOCK_BYTES};

        memcpy(&unsealed, at, sizeof unsealed);
        block.type = unsealed.type;
        block.stored_bytes = block.bytes = unsealed.bytes;
        txtap_recording_seal(at, &block, reader->number++);
        reader->sealed += TXTAP_RECORDING_BLOCK_BYTES + unsealed.bytes;
    }
}

/* ---- the beginning of a recording ---- */

static void add_metadata(struct block_reader *reader)
{
    const struct block_ring *ring = reader->ring;
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];

    for (size_t at = 0; at < ring->metadata_bytes;) {
        size_t length = txtap_recording_put_metadata(payload, ring->metadata, ring->metadata_bytes, &at);

        add_payload(reader, TXTAP_RECORDING_METADATA, payload, length);
    }
}

static void begin(struct block_reader *reader)
{
    uint8_t *head = make_room(reader, TXTAP_RECORDING_HEAD_BYTES);
    bool of_ctf = reader->ring->metadata != NULL;

    if (head != NULL)
        txtap_recording_put_head(head, of_ctf ? TXTAP_RECORDING_VERSION_CTF : TXTAP_RECORDING_VERSION);
    reader->sealed = reader->used;
    reader->begun = true;
    if (of_ctf)
        add_metadata(reader);
}

/* ---- dropped blocks ---- */

static void add_objects(struct block_reader *reader)
{
    const struct txtap_registry *registry = &reader->ring->objects;
    bool fresh = true;

    for (size_t i = 0; i < registry->count || fresh;) {
        uint8_t *at = add_block(reader, TXTAP_RECORDING_OBJECTS, TXTAP_RECORDING_PAYLOAD_MAX);
        size_t length;
        struct unsealed unsealed = {TXTAP_RECORDING_OBJECTS, 0};

        if (at == NULL)
            return;
        length = txtap_recording_put_objects(at, fresh);
        fresh = false;
        while (i < registry->count && txtap_recording_add_object(at, &length, &registry->objects[i]))
            i++;
        unsealed.bytes = (uint32_t)length;
        memcpy(at - TXTAP_RECORDING_BLOCK_BYTES, &unsealed, sizeof unsealed);
        reader->used -= TXTAP_RECORDING_PAYLOAD_MAX - length;
    }
}

static void add_buffer(struct block_reader *reader)
{
    const struct block_ring *ring = reader->ring;

    add_payload(reader, TXTAP_RECORDING_BUFFER, ring->buffer, ring->buffer_bytes);
    if (ring->definitions_bytes > 0)
        add_payload(reader, TXTAP_RECORDING_DEFINITIONS, ring->definitions, ring->definitions_bytes);
}

static void add_channels(struct block_reader *reader)
{
    const struct txtap_channels *channels = &reader->ring->channels;
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];

    for (size_t i = 0; i < channels->count; i++)
        add_payload(reader, TXTAP_RECORDING_CHANNEL, payload, txtap_recording_put_channel(payload, &channels->at[i]));
}

static void add_gap(struct block_reader *reader)
{
    const struct block_sums *gone = &reader->ring->gone, *seen = &reader->seen;
    struct txtap_gap gap = {.seq = reader->next_seq, .lost = gone->lost - seen->lost};
    uint8_t payload[TXTAP_RECORDING_WORDS_HEAD + 64];

    gap.exact = gone->inexact == seen->inexact;
    if (!gap.exact && gone->unestimated == seen->unestimated)
        gap.estimate = gone->estimate - seen->estimate;
    if (gap.lost > 0 || !gap.exact)
        add_payload(reader, TXTAP_RECORDING_GAP, payload, txtap_recording_put_gap(payload, &gap));
}

/*
 * Continues at the oldest block. Adds a gap for the dropped blocks. The first buffer comes before the gap, because a
 * recording begins with a buffer block; a later buffer comes after the gap, because a gap belongs to the buffer before
 * it.
 */
static void skip_what_is_gone(struct block_reader *reader)
{
    const struct block_ring *ring = reader->ring;
    bool has_buffers = ring->metadata == NULL, first = reader->seen.buffers == 0;

    if (has_buffers && first)
        add_buffer(reader);
    add_gap(reader);
    if (has_buffers && !first && ring->gone.buffers != reader->seen.buffers)
        add_buffer(reader);
    if (has_buffers)
        add_objects(reader);
    add_channels(reader);
    reader->position = ring->oldest;
    reader->seen = ring->gone;
    reader->next_seq = ring->gone_seq;
}

/* ---- blocks in the ring ---- */

static void take_block(struct block_reader *reader)
{
    struct ring_entry entry;
    uint64_t at = block_ring_entry(reader->ring, reader->position, &entry);
    uint8_t *words = entry.words_bytes > 0 ? add_block(reader, TXTAP_RECORDING_WORDS, entry.words_bytes) : NULL;
    uint8_t *payload;

    if (words != NULL)
        block_ring_copy(reader->ring, at, words, entry.words_bytes);
    payload = add_block(reader, entry.type, entry.bytes);
    if (payload != NULL)
        block_ring_copy(reader->ring, at + entry.words_bytes, payload, entry.bytes);
    reader->position = at + entry.words_bytes + entry.bytes;
    block_sums_add(&reader->seen, &entry);
    if (entry.lost > 0)
        reader->next_seq = entry.seq + entry.lost;
    reader->events += ring_entry_has_events(&entry) ? entry.lost : 0;
}

static void add_end(struct block_reader *reader)
{
    uint8_t payload[64];

    add_payload(reader, TXTAP_RECORDING_END, payload,
                txtap_recording_put_end(payload, TXTAP_RECORDING_DONE, reader->events, reader->ring->ended_unix_us));
    reader->ended = true;
}

static void fill(struct block_reader *reader)
{
    struct block_ring *ring = reader->ring;

    reader->used = reader->sent = reader->sealed = 0;
    if (!reader->begun)
        begin(reader);
    pthread_mutex_lock(&ring->mutex);
    if (reader->seen.lost == 0 && reader->seen.inexact == 0)
        reader->next_seq = ring->first_seq;
    if (reader->position < ring->oldest)
        skip_what_is_gone(reader);
    while (reader->position < ring->end && reader->used < PIECE_BYTES && !reader->no_memory)
        take_block(reader);
    if (ring->ended && reader->position == ring->end && !reader->ended)
        add_end(reader);
    pthread_mutex_unlock(&ring->mutex);
}

ssize_t block_reader_read(struct block_reader *reader, void *bytes, size_t size)
{
    size_t part;

    if (reader->sent == reader->used && !reader->ended && !reader->no_memory) {
        fill(reader);
        if (!reader->no_memory)
            seal(reader);
    }
    part = reader->used - reader->sent;
    if (reader->no_memory || (part == 0 && reader->ended))
        return -1;
    part = part < size ? part : size;
    if (part > 0)
        memcpy(bytes, reader->out + reader->sent, part);
    reader->sent += part;
    return (ssize_t)part;
}
