/* SPDX-License-Identifier: MIT */
/*
 * Copies blocks while the ring is locked, and seals them afterwards: a checksum takes longer than a copy, and numbers
 * of blocks are a matter of each client.
 */
#include "view/block_reader.h"
#include "txtap/inner/recording.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES 32768 /* blocks are taken at once until there are so many bytes */

struct block_reader {
    struct block_ring *ring;
    bool begun, ended, no_memory;
    uint64_t position;
    struct block_sums seen;
    uint64_t next_seq; /* of what comes at position, unless events are missing there */
    uint64_t events;   /* given to the client */
    uint32_t number;   /* of the next block */

    uint8_t *out;
    size_t capacity, used, sent;
    size_t sealed; /* bytes of out that are whole blocks */
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

/* Room for length more bytes at the end. NULL: no memory, and the stream ends. */
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

/* What stands in front of a payload until it is sealed. */
struct unsealed {
    uint32_t type, bytes;
};

_Static_assert(sizeof(struct unsealed) <= TXTAP_RECORDING_BLOCK_BYTES, "it has the place of the block's head");

/* Room for a block's payload. NULL: no memory. */
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

/* ---- what it begins with ---- */

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

/* ---- what is gone ---- */

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

/* Goes on at the oldest block. A recording begins with its buffer; a gap is of the buffer before it. */
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
    reader->position = ring->oldest;
    reader->seen = ring->gone;
    reader->next_seq = ring->gone_seq;
}

/* ---- what is there ---- */

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
