/* SPDX-License-Identifier: MIT */
/* The payloads of the blocks of a recording: events, objects, bytes of CTF. */
#ifndef TXTAP_CAPTURE_RECORD_BLOCKS_H
#define TXTAP_CAPTURE_RECORD_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/event.h"
#include "txtap/inner/zephyr.h"
#include "txtap/recording.h"
#include "txtap/registry.h"

/* ---- the words of events, if some have more or fewer than the four of an entry ---- */

#define EVENT_WORDS_MORE_MAX (TXTAP_RECORDING_PAYLOAD_MAX / 4)

struct event_words {
    uint32_t count; /* of events; 0: all have four words */
    uint8_t counts[TXTAP_RECORDING_EVENTS_MAX];
    size_t more_count;
    uint32_t more[EVENT_WORDS_MORE_MAX]; /* the words beyond four, of all events */
};

/* The payload's length with one more event; event NULL: as it is. 0: no payload is needed. */
size_t event_words_bytes(const struct event_words *words, const struct txtap_event *event);

/* Fills the payload, returns its length, and is empty then. */
size_t event_words_take(struct event_words *words, uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX]);

/* ---- events that wait to become one block ---- */

struct event_batch {
    uint32_t count; /* of events; those below are only valid if it is not 0 */
    uint64_t first_seq, first_ticks, last_ticks;
    uint64_t first_us, last_us; /* when the first and the last were read */
    bool has_words;             /* some event, now or earlier, had more or fewer than four */
    struct event_words words;
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
};

/* What a block may be at most. */
struct event_batch_limits {
    uint64_t age_us; /* from the first event to the last, as they were read */
    uint64_t bytes;  /* of entries, and of the block of words */
    uint64_t period; /* of the clock: within a block the stamps alone give the time */
};

/* Bytes that a block of words takes in a file, by the size of its payload; 0: there is none. */
size_t event_batch_words_bytes(size_t payload);

/* Can the event stand behind those that wait? now_us: when it was read. */
bool event_batch_fits(const struct event_batch *batch, const struct txtap_event *event, uint64_t now_us,
                      const struct event_batch_limits *limits);

/* Adds an event, which must fit. */
void event_batch_add(struct event_batch *batch, const struct txtap_event *event, uint64_t now_us);

/*
 * Completes the payload of the block of events, and returns its length. wall_offset_us: from the clock of now_us to
 * 1970. The payload is valid, and the batch not empty, until the caller sets count to 0. The words are
 * event_words_take()'s.
 */
size_t event_batch_payload(struct event_batch *batch, uint64_t wall_offset_us);

/* ---- objects ---- */

#define OBJECT_BLOCKS_HEAD_BYTES (TXTAP_RECORDING_BLOCK_BYTES + 4u) /* of an empty block of objects */

/* {0}: of no registry. */
struct object_blocks {
    const struct txtap_registry *registry;
    uint32_t generation;          /* of the registry when it was written last */
    struct txtap_object *written; /* objects as they were written last, sorted */
    size_t written_count, written_capacity;
};

/* Takes objects from this registry from now on; none of them counts as written. False: out of memory. */
bool object_blocks_set_registry(struct object_blocks *blocks, const struct txtap_registry *registry);
void object_blocks_free(struct object_blocks *blocks);

/* Bytes of the blocks with all objects, or with those that are not written as they are now; 0: there are none. */
size_t object_blocks_bytes(const struct object_blocks *blocks, bool only_new);

/* Has the registry changed since it was written? If what changed is nothing to write, it counts as written. */
bool object_blocks_changed(struct object_blocks *blocks);

/* Takes the payload of a block of objects, which is valid until it returns. */
typedef enum txtap_status object_blocks_take(void *self, const uint8_t *payload, size_t length);

/* What is to be written. */
struct object_blocks_choice {
    bool fresh;         /* all objects, and readers forget earlier ones; else those that changed */
    bool as_written;    /* as they were written last, not as they are now */
    uint64_t since_seq; /* objects that no event from then on can mean are left out */
};

/* Gives the blocks to take, with payload as room for each. Returns the first status of take that is not TXTAP_OK. */
enum txtap_status object_blocks_write(struct object_blocks *blocks, const struct object_blocks_choice *choice,
                                      uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX], object_blocks_take *take,
                                      void *self);

/* ---- bytes of CTF ---- */

/*
 * Cuts a CTF stream into blocks of a recording. Each has whole records, with the number and the time of the first one,
 * so a reader can begin at any block. A record that is larger than a block is cut.
 */

struct ctf_block {
    const uint8_t *payload;
    size_t bytes;
    uint64_t seq, records; /* of the first record; how many end in the block */
};

struct ctf_blocks_sink {
    enum txtap_status (*put)(void *self, const struct ctf_block *block);
    void *self;
};

struct ctf_blocks {
    struct ctf_blocks_sink sink;
    const struct txtap_ctf_layout *layout;
    struct txtap_ctf_counter counter; /* of the present stream */
    struct txtap_zephyr_ctf clock;    /* numbers and times of the records that were put */
    struct txtap_registry names;      /* none */
    bool another, within;             /* the next block begins another stream, or within a record */
    uint8_t payload[TXTAP_RECORDING_PAYLOAD_MAX];
    size_t used; /* bytes of the stream in payload */
};

/* Both are borrowed. */
void ctf_blocks_open(struct ctf_blocks *blocks, const struct txtap_ctf_layout *layout, struct ctf_blocks_sink sink);

/* Puts all records that are whole. Behind a record that the layout does not have nothing is taken. Returns what the
 * sink returns. */
enum txtap_status ctf_blocks_take(struct ctf_blocks *blocks, const uint8_t *bytes, size_t length);

/* Another stream begins: forgets what was not whole. */
void ctf_blocks_restart(struct ctf_blocks *blocks);

/* The number of the next record to be put. */
uint64_t ctf_blocks_seq(const struct ctf_blocks *blocks);

#endif
