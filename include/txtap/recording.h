/* SPDX-License-Identifier: MIT */
/*
 * A recording is txtap's own file format for an endless stream of events. Writers only append, a whole block at a time,
 * and each block has a checksum: after a crash a reader gets all events up to the last whole block.
 * docs/reference/recording.md has the layout. The functions work on bytes in memory; the caller reads and writes files,
 * and decompresses.
 *
 *     struct txtap_recording recording;
 *     struct txtap_recording_block block;
 *     struct txtap_recording_item item;
 *
 *     txtap_recording_open(&recording, bytes)                                 the file's first 16 bytes
 *     txtap_recording_block(&recording, bytes, length, &block, &needed)       then block after block
 *     txtap_recording_item(&block, payload, length, &item)                    its contents
 *     txtap_recording_play(&player, &item, sink)                              its events, gaps and marks
 *
 * A recording of CTF has the bytes of a CTF stream instead of events, and begins with their metadata.
 *
 * A recording may have several files. txtap_recording_sort() brings them into their order by their first blocks, and
 * txtap_recording_join() finds the events that are missing between two files.
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

#define TXTAP_RECORDING_VERSION     1u     /* version of a recording of events */
#define TXTAP_RECORDING_VERSION_CTF 2u     /* version of a recording of CTF */
#define TXTAP_RECORDING_HEAD_BYTES  16u    /* before the first block */
#define TXTAP_RECORDING_BLOCK_BYTES 20u    /* before a block's payload */
#define TXTAP_RECORDING_PAYLOAD_MAX 65536u /* bytes of any payload, compressed or not */
#define TXTAP_RECORDING_EVENTS_HEAD 32u    /* bytes of an EVENTS payload before the entries */
#define TXTAP_RECORDING_EVENTS_MAX                                                                                     \
    ((TXTAP_RECORDING_PAYLOAD_MAX - TXTAP_RECORDING_EVENTS_HEAD) / TXTB_ENTRY_BYTES) /* in one block */
#define TXTAP_RECORDING_TEXT_MAX   1024u                                             /* mark's text, NUL included */
#define TXTAP_RECORDING_WORDS_MAX  255u                                              /* of one event */
#define TXTAP_RECORDING_WORDS_HEAD 4u  /* bytes of a WORDS payload before the counts */
#define TXTAP_RECORDING_CTF_HEAD   20u /* bytes of a CTF payload before the stream's */
#define TXTAP_RECORDING_CTF_MAX    (TXTAP_RECORDING_PAYLOAD_MAX - TXTAP_RECORDING_CTF_HEAD) /* of the stream */

enum txtap_recording_type {
    TXTAP_RECORDING_BUFFER =
        1,                   /* the trace buffer that the following events come from; the first block, except of CTF */
    TXTAP_RECORDING_OBJECTS, /* the target's objects, valid from here on */
    TXTAP_RECORDING_EVENTS,
    TXTAP_RECORDING_GAP,
    TXTAP_RECORDING_MARK,
    TXTAP_RECORDING_END,         /* the last block of a file that was closed properly */
    TXTAP_RECORDING_DEFINITIONS, /* the meaning of user events, unless the user gives other definitions */
    TXTAP_RECORDING_WORDS,    /* the words of the next EVENTS block, if its events have more or fewer than four words */
    TXTAP_RECORDING_METADATA, /* a piece of the metadata of CTF; all pieces precede the other blocks */
    TXTAP_RECORDING_CTF,      /* a piece of a CTF stream */
    TXTAP_RECORDING_FILE,     /* the number of the file, and the recording it belongs to; the second block, except
                                 in older files */
};

/* Why a file ended. */
enum txtap_recording_why {
    TXTAP_RECORDING_DONE = 0,
    TXTAP_RECORDING_ROTATED = 1, /* another file continues it */
};

/* The position of a file in its recording, and the contents of the earlier files. */
struct txtap_recording_file {
    uint64_t id;     /* id of the recording: a random number, the same in all of its files */
    uint32_t number; /* number of the file, from 0, in the order in which files are written */
    uint32_t kept;   /* number of files that the writer keeps before it overwrites the oldest; 0: all */
    uint64_t events; /* recorded in all earlier files, or lost in their gaps */
    uint64_t seq;    /* of the next event */
    uint32_t doubts; /* number of inexact gaps and of marks in all earlier files */
};

/* ---- reading ---- */

/* Private: where a reader is in a file. */
struct txtap_recording {
    uint32_t number; /* of the next block */
    bool ctf, begun, ended;
};

struct txtap_recording_block {
    unsigned type; /* enum txtap_recording_type, or a type of a later version */
    bool compressed;
    const uint8_t *stored; /* the payload as it is in the file; borrowed */
    size_t stored_bytes;
    size_t bytes; /* bytes of the decompressed payload: at most TXTAP_RECORDING_PAYLOAD_MAX */
};

/* The contents of a block, such as thousands of events, or names. type decides which fields are set; the other fields
 * are 0. Pointers point into the payload. */
struct txtap_recording_item {
    enum txtap_recording_type type;
    uint64_t unix_us; /* BUFFER, EVENTS, END: microseconds since 1970 by the host's clock */

    struct txtap_header header; /* BUFFER */
    const char *name;           /* BUFFER: name of the firmware's file, any bytes except NUL; "": no name */

    bool fresh;             /* OBJECTS: forget all earlier objects */
    const uint8_t *objects; /* for txtap_recording_objects() */
    size_t objects_bytes;

    uint64_t seq;           /* EVENTS: seq of the first event; the other events follow without a gap */
    uint64_t ticks;         /* EVENTS: ticks of the first event, since the first event of the recording's first file */
    uint32_t span_us;       /* EVENTS: time from reading the first event (unix_us) to reading the last event */
    uint32_t count;         /* EVENTS, WORDS: number of events, at least 1 */
    const uint8_t *entries; /* EVENTS: count * TXTB_ENTRY_BYTES, in the target's byte order */

    const uint8_t *counts; /* WORDS: number of words of each event, for txtap_recording_words() */
    const uint8_t *words;  /* WORDS: the words after the first four of each event */

    const char *definitions; /* DEFINITIONS: in txtap's own format */

    struct txtap_gap gap;   /* GAP */
    struct txtap_mark mark; /* MARK */

    enum txtap_recording_why why; /* END */
    uint64_t events;              /* END: in this file */

    struct txtap_recording_file file; /* FILE */

    /* METADATA: a piece of the text, without NUL. CTF: bytes of the stream; seq and ticks are those of the record that
     * the first byte belongs to, and ticks count the units of the stamps since the first record. */
    const uint8_t *bytes;
    size_t length;
    uint32_t at, total; /* METADATA: offset of the piece, and bytes of the whole text */
    bool another;       /* CTF: another stream begins here, because the target restarted */
};

/*
 * True if a file with these first bytes is a recording of any version. If length is at least
 * TXTAP_RECORDING_KNOWN_BYTES, a recording with a damaged head is recognised, too: its checksum is right, or a BUFFER
 * block follows.
 */
#define TXTAP_RECORDING_KNOWN_BYTES 40u
bool txtap_recording_signature(const uint8_t *bytes, size_t length);

/*
 * Starts at a file's first byte. TXTAP_ERROR_SIGNATURE: not a recording. _FORMAT: its head is damaged. _USAGE: a later
 * version of the format.
 */
enum txtap_status txtap_recording_open(struct txtap_recording *recording,
                                       const uint8_t bytes[TXTAP_RECORDING_HEAD_BYTES]);

/*
 * Parses the block at bytes. TXTAP_OK: it is whole, *needed is its length, and the reader expects the next block.
 * TXTAP_AGAIN: call again with *needed bytes from the same place on, which is at most TXTAP_RECORDING_BLOCK_BYTES +
 * TXTAP_RECORDING_PAYLOAD_MAX. TXTAP_END: the previous block was the file's last. TXTAP_ERROR_FORMAT: the block is
 * damaged, or out of order.
 */
enum txtap_status txtap_recording_block(struct txtap_recording *recording, const uint8_t *bytes, size_t length,
                                        struct txtap_recording_block *block, size_t *needed);

/*
 * Parses the block's payload. payload: block->stored, or the decompressed bytes; borrowed by item. TXTAP_AGAIN: a type
 * that this version does not know; skip it. TXTAP_ERROR_FORMAT: not as documented, or length is not block->bytes.
 */
enum txtap_status txtap_recording_item(const struct txtap_recording_block *block, const uint8_t *payload, size_t length,
                                       struct txtap_recording_item *item);

/* Adds the objects of an OBJECTS item to the registry. */
void txtap_recording_objects(const struct txtap_recording_item *item, struct txtap_registry *registry);

/*
 * Writes all words of event i of a WORDS item to words, and returns their number. event: parsed from its entry. Call it
 * for each event in order; *at: 0 before the first event.
 */
size_t txtap_recording_words(const struct txtap_recording_item *item, uint32_t i, size_t *at,
                             const struct txtap_event *event, uint32_t words[TXTAP_RECORDING_WORDS_MAX]);

/* ---- several files of one recording ---- */

/* The contents of a file's first blocks. {0} at first. Files of older versions have no number; their events have seqs.
 */
struct txtap_recording_start {
    bool has_buffer, has_file, has_seq;
    struct txtap_recording_file file; /* if has_file */
    uint64_t seq;                     /* if has_seq: seq of the first event */
    uint64_t ticks;                   /* ticks of the first event; 0: not known */
    uint32_t crc;                     /* CRC of the first events; 0: not known */
    uint64_t unix_us;                 /* when the file was begun */
    enum txtap_endian endian;
    char name[64];  /* beginning of the firmware's name */
    uint64_t bytes; /* size of the file, set by the caller */
    size_t index;   /* index of the file, set by the caller */
    bool again;     /* the file is equal to the preceding file, or to a part of it */
};

/* Takes the next block of a file, beginning with the first block. True: no more blocks are needed. */
bool txtap_recording_start_take(struct txtap_recording_start *start, const struct txtap_recording_item *block);

/*
 * Brings files into the order in which they were written. If there are several copies of a file, the largest copy comes
 * first, and the other copies follow it with the member again set. TXTAP_ERROR_FORMAT: the files *a and *b do not
 * belong to the same recording.
 */
enum txtap_status txtap_recording_sort(struct txtap_recording_start *starts, size_t count, size_t *a, size_t *b);

/* The position of a reader in the files of a recording. {0} at first. */
struct txtap_recording_joint {
    struct txtap_recording_file first; /* FILE block of the first file, if it has a number */
    struct txtap_recording_file file;  /* FILE block of the file that is being read, if it has a number */
    bool has_file;
    bool goes_on;  /* the last block says that another file continues the recording */
    uint64_t from; /* seq of the first event of a block that does not continue the events read so far */

    /* private */
    bool begun, boundary, has_next, triggered, other_buffer;
    uint64_t events, next_seq, ticks;
    uint32_t doubts;
    enum txtap_endian endian;
    char name[64];
};

enum txtap_recording_join {
    TXTAP_RECORDING_FOLLOWS,
    TXTAP_RECORDING_MISSES,  /* events are missing before the block */
    TXTAP_RECORDING_BACK,    /* the block is older than the blocks that were read before */
    TXTAP_RECORDING_FOREIGN, /* the file is of another recording */
};

/* Begins a file. Call it before the first block of each file. */
void txtap_recording_joint_file(struct txtap_recording_joint *joint);

/*
 * Checks whether a block continues the blocks before it. Call it for each block of a recording of events before the
 * block is played. MISSES: *gap has the missing events; give it to the sink first. After BACK and FOREIGN the joint
 * must not be used.
 */
enum txtap_recording_join txtap_recording_join(struct txtap_recording_joint *joint,
                                               const struct txtap_recording_item *block, struct txtap_gap *gap);

/* Returns the number of files that precede the first file read, should exist, and are missing. */
uint32_t txtap_recording_joint_earlier(const struct txtap_recording_joint *joint);

/* ---- as items ---- */

/* 70 KiB: not for the stack. */
struct txtap_recording_player {
    struct txtap_header header;      /* of the next events */
    struct txtap_event_maker maker;  /* makes all events; its clock has the notices */
    struct txtap_registry *registry; /* borrowed: names for the next events */

    /* private */
    bool begun, given;                 /* given: a sink has received an item */
    struct txtap_recording_item words; /* words of the next events, copied to words_bytes; count 0: each event has
                                          four words */
    uint8_t words_bytes[TXTAP_RECORDING_PAYLOAD_MAX];
};

/* Starts a player. registry: initialised, and empty. */
void txtap_recording_player_init(struct txtap_recording_player *player, struct txtap_registry *registry);

/*
 * Gives the block's items to a sink. BUFFER gives a restart, even if it only begins another file of the same trace, but
 * not before the first event, gap or mark. OBJECTS go to the registry. DEFINITIONS, METADATA, FILE and END are ignored.
 * The registry notes the objects that EVENTS create and delete before the sink gets the first event. CTF gives bytes;
 * the block's another and seq tell the caller whether another stream begins before them, or records are missing.
 * Returns the sink's status.
 */
enum txtap_status txtap_recording_play(struct txtap_recording_player *player, const struct txtap_recording_item *block,
                                       struct txtap_sink sink);

TXTAP_API_END

#endif
