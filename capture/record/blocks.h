/* SPDX-License-Identifier: MIT */
/* The payloads of a recording's blocks: events, objects, CTF bytes. */
#ifndef TXTAP_CAPTURE_RECORD_BLOCKS_H
#define TXTAP_CAPTURE_RECORD_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/inner/zephyr.h"
#include "txtap/recording.h"
#include "txtap/registry.h"

/* ---- the words of events, if some events have more or fewer words than the four of an entry ---- */

#define EVENT_WORDS_MORE_MAX (TXTAP_RECORDING_PAYLOAD_MAX / 4)

struct event_words {
    uint32_t count; /* number of events; 0: all events have four words */
    uint8_t counts[TXTAP_RECORDING_EVENTS_MAX];
    size_t more_count;
    uint32_t more[EVENT_WORDS_MORE_MAX]; /* words after the first four, of all events */
};

/* Returns the length that the payload would have with one more event. If `event` is NULL, returns the present length of
 * the payload. 0: no payload is needed. */
size_t event_words_bytes(const struct event_words *words, const struct txtap_event *event);

/* Fills the payload, returns its length, and empties words. */
size_t event_words_take(struct event_words *words, uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX]);

/* ---- events that wait to be written as one block ---- */

struct event_batch {
    uint32_t count; /* number of events; the next members are valid if it is not 0 */
    uint64_t first_seq, first_ticks, last_ticks;
    uint64_t first_us, last_us; /* times at which the first and the last event were read */
    bool has_words;             /* an event, now or earlier, had more or fewer than four words */
    struct event_words words;
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
};

/* Limits of a block. */
struct event_batch_limits {
    uint64_t age_us; /* time between reading the first and the last event */
    uint64_t bytes;  /* total size of the entries and of the block of words */
    uint64_t period; /* period of the clock: within a block the time follows only from the stamps */
};

/* Returns the size in the file of a block of words with a payload of `payload` bytes; 0: no block. */
size_t event_batch_words_bytes(size_t payload);

/* Returns true if the event can be added to the waiting events. now_us: when it was read. */
bool event_batch_fits(const struct event_batch *batch, const struct txtap_event *event, uint64_t now_us,
                      const struct event_batch_limits *limits);

/* Adds an event, which must fit. */
void event_batch_add(struct event_batch *batch, const struct txtap_event *event, uint64_t now_us);

/*
 * Completes the payload of the block of events, and returns its length. wall_offset_us: microseconds to add to the
 * clock of now_us to get the time since 1970. The payload is valid, and the batch is not empty, until the caller sets
 * count to 0. event_words_take() gives the words.
 */
size_t event_batch_payload(struct event_batch *batch, uint64_t wall_offset_us);

/* ---- objects ---- */

#define OBJECT_BLOCKS_HEAD_BYTES (TXTAP_RECORDING_BLOCK_BYTES + 4u) /* size of an empty block of objects */

/* {0}: without a registry. */
struct object_blocks {
    const struct txtap_registry *registry;
    uint32_t generation;          /* generation of the registry at the last write */
    struct txtap_object *written; /* objects as last written, sorted */
    size_t written_count, written_capacity;
};

/* Takes objects from this registry from now on, and treats all of them as not written. False: out of memory. */
bool object_blocks_set_registry(struct object_blocks *blocks, const struct txtap_registry *registry);
void object_blocks_free(struct object_blocks *blocks);

/* Returns the total size of the blocks with all objects. If `only_new` is true, counts only objects that were not
 * written with their present contents. 0: no such objects. */
size_t object_blocks_bytes(const struct object_blocks *blocks, bool only_new);

/* Returns true if the registry has changed since it was written. A change that needs no write counts as written. */
bool object_blocks_changed(struct object_blocks *blocks);

/* Takes the payload of a block of objects, which is valid until the function returns. */
typedef enum txtap_status object_blocks_take(void *self, const uint8_t *payload, size_t length);

/* Selects the objects to write. */
struct object_blocks_choice {
    bool fresh;         /* all objects, so that readers forget earlier objects; false: only changed objects */
    bool as_written;    /* write the contents that were written last, not the present contents */
    uint64_t since_seq; /* leave out objects that no event from since_seq on can refer to */
};

/* Passes the blocks to the function `take`, and uses `payload` as the memory of each block. Returns the first status of
 * `take` that is not TXTAP_OK. */
enum txtap_status object_blocks_write(struct object_blocks *blocks, const struct object_blocks_choice *choice,
                                      uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX], object_blocks_take *take,
                                      void *self);

/* ---- bytes of CTF ---- */

/*
 * Cuts a CTF stream into blocks of a recording. Each block has whole records, and the number and time of its first
 * record, so that a reader can begin at any block. A record that is larger than a block is cut.
 */

struct ctf_block {
    const uint8_t *payload;
    size_t bytes;
    uint64_t seq, records; /* number of the first record; number of records that end in the block */
};

struct ctf_blocks_sink {
    enum txtap_status (*put)(void *self, const struct ctf_block *block);
    void *self;
};

struct ctf_blocks {
    struct ctf_blocks_sink sink;
    const struct txtap_ctf_layout *layout;
    struct txtap_ctf_counter counter; /* counts the records of the current stream */
    struct txtap_zephyr_ctf clock;    /* numbers and times of the records that were put */
    struct txtap_registry names;      /* always empty */
    bool another, within;             /* the next block begins another stream, or begins inside a record */
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
    size_t used; /* number of bytes of the stream in `payload` */
};

/* Begins a stream. `layout` and the sink's `self` are borrowed. */
void ctf_blocks_open(struct ctf_blocks *blocks, const struct txtap_ctf_layout *layout, struct ctf_blocks_sink sink);

/* Puts all whole records. After a record that the layout does not describe, takes nothing more. Returns the sink's
 * status. */
enum txtap_status ctf_blocks_take(struct ctf_blocks *blocks, const uint8_t *bytes, size_t length);

/* Discards an incomplete record, because another stream begins. */
void ctf_blocks_restart(struct ctf_blocks *blocks);

/* Returns the number of the next record to be put. */
uint64_t ctf_blocks_seq(const struct ctf_blocks *blocks);

#endif
