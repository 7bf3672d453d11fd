/* SPDX-License-Identifier: MIT */
/*
 * A recording: txtap's own file of events without end. It is only ever appended to, a whole block at a time; each block
 * has a checksum, so that what was written before a crash is read up to the last whole block. docs/FORMAT.md has the
 * layout. Here are bytes in memory alone: who reads or writes files, and who decompresses, is the caller.
 *
 *     struct txtap_recording recording;
 *     struct txtap_recording_block block;
 *     struct txtap_recording_item item;
 *
 *     txtap_recording_open(&recording, bytes)                                 the file's first 16 bytes
 *     txtap_recording_block(&recording, bytes, length, &block, &needed)       then block after block
 *     txtap_recording_item(&block, payload, length, &item)                    what it says
 *     txtap_recording_play(&player, &item, sink)                              its events, gaps and marks
 */
#ifndef TXTAP_RECORDING_H
#define TXTAP_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/event_maker.h"
#include "txtap/header.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/status.h"
#include "txtap/txtb.h"

TXTAP_API_BEGIN

#define TXTAP_RECORDING_VERSION     1u
#define TXTAP_RECORDING_HEAD_BYTES  16u    /* in front of the first block */
#define TXTAP_RECORDING_BLOCK_BYTES 20u    /* in front of a block's payload */
#define TXTAP_RECORDING_PAYLOAD_MAX 65536u /* of any block, compressed or not */
#define TXTAP_RECORDING_EVENTS_HEAD 32u    /* bytes of an events payload in front of the entries */
#define TXTAP_RECORDING_EVENTS_MAX                                                                                     \
    ((TXTAP_RECORDING_PAYLOAD_MAX - TXTAP_RECORDING_EVENTS_HEAD) / TXTB_ENTRY_BYTES) /* in one block */
#define TXTAP_RECORDING_TEXT_MAX   1024u                                             /* of a mark, its NUL included */
#define TXTAP_RECORDING_WORDS_MAX  255u                                              /* of one event */
#define TXTAP_RECORDING_WORDS_HEAD 4u /* bytes of a WORDS payload in front of the counts */

enum txtap_recording_type {
    TXTAP_RECORDING_BUFFER = 1, /* the trace buffer that the following events come from; the first block is one */
    TXTAP_RECORDING_OBJECTS,    /* what is known of the target's objects from here on */
    TXTAP_RECORDING_EVENTS,
    TXTAP_RECORDING_GAP,
    TXTAP_RECORDING_MARK,
    TXTAP_RECORDING_END,         /* the last block of a file that was closed, and not cut */
    TXTAP_RECORDING_DEFINITIONS, /* what user events mean, until the user says otherwise */
    TXTAP_RECORDING_WORDS,       /* the events of the next EVENTS have these words, more or fewer than four */
};

enum txtap_recording_why { /* it ended */
                           TXTAP_RECORDING_DONE = 0,
                           TXTAP_RECORDING_ROTATED = 1, /* what comes next is in another file */
};

/* ---- reading ---- */

/* Where a reader is in a file. The caller's memory; nothing in it is for the caller. */
struct txtap_recording {
    uint32_t number; /* of the block that comes next */
    bool has_buffer, ended;
};

struct txtap_recording_block {
    unsigned type; /* enum txtap_recording_type, or one that a later version made */
    bool compressed;
    const uint8_t *stored; /* the payload as it is in the file; borrowed */
    size_t stored_bytes;
    size_t bytes; /* of the payload when it is decompressed: at most TXTAP_RECORDING_PAYLOAD_MAX */
};

/*
 * What a block says, which may be thousands of events, or names: what items are made of. Which fields, its type
 * decides, the others are 0. Pointers lead into the payload.
 */
struct txtap_recording_item {
    enum txtap_recording_type type;
    uint64_t unix_us; /* BUFFER, EVENTS, END: the host's clock, microseconds since 1970 */

    struct txtap_header header; /* BUFFER */
    const char *name;           /* BUFFER: of the firmware's file, any bytes but NUL; "": none */

    bool fresh;             /* OBJECTS: all that was known before is to be forgotten */
    const uint8_t *objects; /* for txtap_recording_objects() */
    size_t objects_bytes;

    uint64_t seq;           /* EVENTS: of the first; the others follow it */
    uint64_t ticks;         /* EVENTS: of the first, since the first event of the recording, this file or an earlier */
    uint32_t span_us;       /* EVENTS: from unix_us, when the first was read, to when the last was */
    uint32_t count;         /* EVENTS, WORDS: at least 1 */
    const uint8_t *entries; /* EVENTS: count * TXTB_ENTRY_BYTES, in the target's byte order */

    const uint8_t *counts; /* WORDS: of each event, and */
    const uint8_t *words;  /* those beyond four: for txtap_recording_words() */

    const char *definitions; /* DEFINITIONS: in txtap's own format */

    struct txtap_gap gap;   /* GAP */
    struct txtap_mark mark; /* MARK */

    enum txtap_recording_why why; /* END */
    uint64_t events;              /* END: in this file */
};

/* True if a file with these first bytes (TXTAP_RECORDING_HEAD_BYTES or fewer) is a recording, whatever its version. */
bool txtap_recording_signature(const uint8_t *bytes, size_t length);

/*
 * Starts at a file's first byte. TXTAP_ERROR_SIGNATURE: it is no recording. _FORMAT: its head is damaged. _USAGE: a
 * later version of the format than this one.
 */
enum txtap_status txtap_recording_open(struct txtap_recording *recording,
                                       const uint8_t bytes[TXTAP_RECORDING_HEAD_BYTES]);

/*
 * The block at bytes. TXTAP_OK: it is whole, *needed is its length, and the reader has moved on. TXTAP_AGAIN: *needed
 * bytes from the same place on are wanted, at most TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX.
 * TXTAP_END: the block before was the last of its file. TXTAP_ERROR_FORMAT: it is damaged, or out of order.
 */
enum txtap_status txtap_recording_block(struct txtap_recording *recording, const uint8_t *bytes, size_t length,
                                        struct txtap_recording_block *block, size_t *needed);

/*
 * What the block says. payload: block->stored, or what it decompresses to; borrowed by item. TXTAP_AGAIN: a type that
 * this version does not know, to be skipped. TXTAP_ERROR_FORMAT: not as described, or length is not block->bytes.
 */
enum txtap_status txtap_recording_item(const struct txtap_recording_block *block, const uint8_t *payload, size_t length,
                                       struct txtap_recording_item *item);

/* Teaches the registry what an OBJECTS item says. */
void txtap_recording_objects(const struct txtap_recording_item *item, struct txtap_registry *registry);

/*
 * All words of the event number i of those that a WORDS item is about, which is parsed from its entry; returns how
 * many. To be called for one event after the other; *at: 0 before the first.
 */
size_t txtap_recording_words(const struct txtap_recording_item *item, uint32_t i, size_t *at,
                             const struct txtap_event *event, uint32_t words[TXTAP_RECORDING_WORDS_MAX]);

/* ---- as items ---- */

/* The caller's memory, 70 KiB: not for the stack. Fields are to be read only. */
struct txtap_recording_player {
    struct txtap_header header;      /* of the events that come */
    struct txtap_event_maker maker;  /* of all events; its clock has the notices */
    struct txtap_registry *registry; /* the caller's: names, as of the events that come */
    bool begun;
    struct txtap_recording_item words;                /* of the events that come; count 0: they have four, */
    uint8_t words_bytes[TXTAP_RECORDING_PAYLOAD_MAX]; /* which is in here */
};

/* registry: initialised, and empty. */
void txtap_recording_player_init(struct txtap_recording_player *player, struct txtap_registry *registry);

/*
 * Gives a sink what the block says. BUFFER: a restart, if it is not the first one, though it may begin another file of
 * the same trace; OBJECTS go to the registry; DEFINITIONS and END are nothing. What events say of objects is in the
 * registry before the first of them is given. Returns what the sink does.
 */
enum txtap_status txtap_recording_play(struct txtap_recording_player *player, const struct txtap_recording_item *block,
                                       struct txtap_sink sink);

/* ---- writing: each fills a payload of TXTAP_RECORDING_PAYLOAD_MAX bytes from its start and returns its length ---- */

/* What a file begins with. */
void txtap_recording_put_head(uint8_t out[TXTAP_RECORDING_HEAD_BYTES]);

/* name: cut where it is too long. */
size_t txtap_recording_put_buffer(uint8_t *payload, const struct txtap_header *header, uint64_t unix_us,
                                  const char *name);

/*
 * OBJECTS without an object, and one object more: false if there is no room for it, and then nothing has changed. Empty
 * ones (type or pointer 0) are not read again.
 */
size_t txtap_recording_put_objects(uint8_t *payload, bool fresh);
bool txtap_recording_add_object(uint8_t *payload, size_t *length, const struct txtap_object *object);
size_t txtap_recording_object_bytes(const struct txtap_object *object); /* how much longer that makes the payload */

/* The head of an EVENTS payload, whose entries the caller puts behind it. count: 1 to TXTAP_RECORDING_EVENTS_MAX. */
size_t txtap_recording_put_events(uint8_t *payload, uint64_t seq, uint64_t ticks, uint64_t unix_us, uint32_t span_us,
                                  uint32_t count);

/* WORDS of count events: how many each has, and all those beyond four, more_count of them. They must fit. */
size_t txtap_recording_put_words(uint8_t *payload, const uint8_t *counts, uint32_t count, const uint32_t *more,
                                 size_t more_count);
size_t txtap_recording_put_definitions(uint8_t *payload, const char *text); /* which must fit, with its NUL */
size_t txtap_recording_put_gap(uint8_t *payload, const struct txtap_gap *gap);
size_t txtap_recording_put_mark(uint8_t *payload, const struct txtap_mark *mark); /* its text is cut if need be */
size_t txtap_recording_put_end(uint8_t *payload, enum txtap_recording_why why, uint64_t events, uint64_t unix_us);

/*
 * What stands in front of a payload in the file. block: type, compressed, stored, stored_bytes, bytes. number: of the
 * block in its file, from 0.
 */
void txtap_recording_seal(uint8_t out[TXTAP_RECORDING_BLOCK_BYTES], const struct txtap_recording_block *block,
                          uint32_t number);

TXTAP_API_END

#endif
