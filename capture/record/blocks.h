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

/* ---- the words of events, for rings whose events may have more or fewer than the four words of an entry ---- */

#define EVENT_WORDS_MORE_MAX (TXTAP_RECORDING_PAYLOAD_MAX / 4)

struct event_words {
    uint32_t count; /* number of events; 0: all events have four words */
    uint8_t counts[TXTAP_RECORDING_EVENTS_MAX];
    size_t more_count;
    uint32_t more[EVENT_WORDS_MORE_MAX]; /* words after the first four, of all events */
};

/* Returns the length of the payload after `event` is added; with NULL, the present length. 0: no payload is needed. */
size_t event_words_bytes(const struct event_words *words, const struct txtap_event *event);

/* Fills the payload, returns its length, and empties words. */
size_t event_words_take(struct event_words *words, uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX]);

/* ---- events that wait to be written as one block ---- */

struct event_batch {
    uint32_t count; /* number of events; if 0, the sequence number and the times below are not valid */
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
    uint64_t period; /* period of the clock, in ticks: within a block, readers get times only from the stamps */
};

/* Returns the size in the file of a block of words with a payload of `payload` bytes; 0: no block. */
size_t event_batch_words_bytes(size_t payload);

/* Returns true if the event can be added to the waiting events. now_us: time at which the event was read. */
bool event_batch_fits(const struct event_batch *batch, const struct txtap_event *event, uint64_t now_us,
                      const struct event_batch_limits *limits);

/* Adds an event, which must fit. */
void event_batch_add(struct event_batch *batch, const struct txtap_event *event, uint64_t now_us);

/*
 * Completes the payload of the block of events, and returns the payload's length. wall_offset_us: microseconds to add
 * to now_us to get the time since 1970. To empty the batch after use of the payload, set count to 0. The words are not
 * in this payload: see event_words_take().
 */
size_t event_batch_payload(struct event_batch *batch, uint64_t wall_offset_us);

/* ---- objects ---- */

#define OBJECT_BLOCKS_HEAD_BYTES (TXTAP_RECORDING_BLOCK_BYTES + 4u) /* size of an empty block of objects */

/* {0}: without a registry. */
struct object_blocks {
    const struct txtap_registry *registry;
    uint32_t generation;          /* generation of the registry when its objects were last written */
    struct txtap_object *written; /* copies of the objects as last written, in the order of the registry */
    size_t written_count, written_capacity;
};

/* Takes objects from this registry from now on, and treats all of them as not written. False: out of memory. */
bool object_blocks_set_registry(struct object_blocks *blocks, const struct txtap_registry *registry);
void object_blocks_free(struct object_blocks *blocks);

/* Returns the total size of the blocks with all objects. If `only_new` is true, leaves out objects whose present
 * contents were already written. 0: no objects are left. */
size_t object_blocks_bytes(const struct object_blocks *blocks, bool only_new);

/* Returns true if objects have changed since they were last written, and must be written again. */
bool object_blocks_changed(struct object_blocks *blocks);

/* Takes the payload of a block of objects, which is valid until the function returns. */
typedef enum txtap_status object_blocks_take(void *self, const uint8_t *payload, size_t length);

/* Selects the objects to write. */
struct object_blocks_choice {
    bool fresh;         /* all objects, so that readers forget earlier objects; false: only changed objects */
    bool as_written;    /* write the contents that were written last, not the present contents */
    uint64_t since_seq; /* leave out objects that no event from since_seq on can refer to */
};

/* Builds the blocks in `payload`, one after the other, and passes each to `take`. Stops if `take` returns a status
 * other than TXTAP_OK, and returns this status. */
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
    uint64_t seq, records; /* seq: number of the first record. records: how many records end in the block. */
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
    struct txtap_registry names;      /* always empty; `clock` needs a registry */
    bool another, within;             /* the next block begins a new stream (another); begins in a record (within) */
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
    size_t used; /* number of bytes of the stream in `payload` */
};

/* Begins a stream. `layout` and the sink's `self` are borrowed. */
void ctf_blocks_open(struct ctf_blocks *blocks, const struct txtap_ctf_layout *layout, struct ctf_blocks_sink sink);

/* Takes bytes of the stream, and puts blocks of whole records. Ignores all bytes after a record that the layout does
 * not describe. Returns the sink's status. */
enum txtap_status ctf_blocks_take(struct ctf_blocks *blocks, const uint8_t *bytes, size_t length);

/* Discards an incomplete record, because another stream begins. */
void ctf_blocks_restart(struct ctf_blocks *blocks);

/* Returns the number of the next record to be put. */
uint64_t ctf_blocks_seq(const struct ctf_blocks *blocks);

#endif
