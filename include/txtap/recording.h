/* SPDX-License-Identifier: MIT */
/*
 * A recording is txtap's own file format for an endless stream of events. A writer only appends whole blocks, and each
 * block has a checksum. So after a crash a reader still gets all events up to the last whole block.
 * docs/reference/recording.md has the layout. The functions work on bytes in memory. The caller reads and writes the
 * files, and decompresses blocks.
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
 * A recording of CTF contains the bytes of a CTF stream instead of events. The metadata of the stream come first.
 *
 * A recording may have several files. txtap_recording_sort() reads the first blocks of the files and puts the files in
 * order. txtap_recording_join() finds the events that are missing between two files.
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
#include "txtap/rate.h"
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
    ((TXTAP_RECORDING_PAYLOAD_MAX - TXTAP_RECORDING_EVENTS_HEAD) / TXTB_ENTRY_BYTES) /* events in one block */
#define TXTAP_RECORDING_TEXT_MAX    1024u                                            /* mark's text, NUL included */
#define TXTAP_RECORDING_WORDS_MAX   255u                                             /* words of one event */
#define TXTAP_RECORDING_WORDS_HEAD  4u  /* bytes of a WORDS payload before the counts */
#define TXTAP_RECORDING_CTF_HEAD    20u /* bytes of a CTF payload before the stream bytes */
#define TXTAP_RECORDING_CTF_MAX     (TXTAP_RECORDING_PAYLOAD_MAX - TXTAP_RECORDING_CTF_HEAD) /* stream bytes */
#define TXTAP_RECORDING_MEANING_MAX (256u * 1024) /* bytes of a text of definitions in MEANING blocks */

enum txtap_recording_type {
    TXTAP_RECORDING_BUFFER =
        1,                   /* the trace buffer of the following events; the first block, except in CTF recordings */
    TXTAP_RECORDING_OBJECTS, /* the target's objects, valid from here on */
    TXTAP_RECORDING_EVENTS,
    TXTAP_RECORDING_GAP,
    TXTAP_RECORDING_MARK,
    TXTAP_RECORDING_END,         /* the last block of a file that was closed properly */
    TXTAP_RECORDING_DEFINITIONS, /* the meaning of user events, unless the user gives other definitions */
    TXTAP_RECORDING_WORDS,       /* the words of the next EVENTS block, if an event does not have four words */
    TXTAP_RECORDING_METADATA,    /* a piece of the CTF metadata; all pieces precede the other blocks */
    TXTAP_RECORDING_CTF,         /* a piece of a CTF stream */
    TXTAP_RECORDING_FILE,        /* the number of the file, and the recording it belongs to; the second block, except
                                    in older files */
    TXTAP_RECORDING_RATE,        /* the rate of the time stamps; the last block is the best */
    TXTAP_RECORDING_ABOUT,       /* the firmware, and the txtap that recorded it */
    TXTAP_RECORDING_MEANING, /* a piece of a text of definitions: the user's, or of interrupts in the firmware's file */
    TXTAP_RECORDING_STACKS,  /* the deepest use of stacks at the end of the recording, according to the kernel */
    TXTAP_RECORDING_CHANNEL, /* a channel of the samples that follow */
    TXTAP_RECORDING_SAMPLES, /* samples; each comes before the event with its seq, which is in a later block */
};

/* Why a file ended. */
enum txtap_recording_why {
    TXTAP_RECORDING_DONE = 0,
    TXTAP_RECORDING_ROTATED = 1, /* the recording continues in another file */
};

/* The position of a file in its recording, and the contents of the earlier files. */
struct txtap_recording_file {
    uint64_t id;     /* id of the recording: a random number, the same in all of its files */
    uint32_t number; /* number of the file, from 0, in the order in which files are written */
    uint32_t kept;   /* number of files that the writer keeps: it overwrites the oldest; 0: it keeps all files */
    uint64_t events; /* number of events recorded or lost in all earlier files */
    uint64_t seq;    /* seq of the next event */
    uint32_t doubts; /* number of inexact gaps and of marks in all earlier files */
};

/* ---- reading ---- */

/* Private: the position of a reader in a file. */
struct txtap_recording {
    uint32_t number; /* number of the next block */
    bool ctf, begun, ended;
};

struct txtap_recording_block {
    unsigned type; /* enum txtap_recording_type, or a type of a later version */
    bool compressed;
    const uint8_t *stored; /* the payload as it is in the file; borrowed */
    size_t stored_bytes;
    size_t bytes; /* bytes of the decompressed payload: at most TXTAP_RECORDING_PAYLOAD_MAX */
};

/*
 * The contents of a block, for example thousands of events. type decides which fields are set; all other fields are 0.
 * Pointers point into the payload.
 */
struct txtap_recording_item {
    enum txtap_recording_type type;
    uint64_t unix_us; /* BUFFER, EVENTS, END: host time in microseconds since 1970 */

    struct txtap_header header; /* BUFFER */
    const char *name;           /* BUFFER: name of the firmware's file, any bytes except NUL; "": no name */

    bool fresh;             /* OBJECTS: forget all earlier objects */
    const uint8_t *objects; /* for txtap_recording_objects() */
    size_t objects_bytes;

    uint64_t seq;           /* EVENTS: seq of the first event; the other events follow without a gap */
    uint64_t ticks;         /* EVENTS: ticks from the recording's very first event to this block's first event */
    uint32_t span_us;       /* EVENTS: time between the reads of the first event (at unix_us) and the last event */
    uint32_t count;         /* EVENTS, WORDS, SAMPLES: number of events or samples, at least 1 */
    const uint8_t *entries; /* EVENTS: count * TXTB_ENTRY_BYTES bytes, in the target's byte order */

    const uint8_t *counts; /* WORDS: number of words of each event, for txtap_recording_words() */
    const uint8_t *words;  /* WORDS: the words after the first four of each event */

    const char *definitions; /* DEFINITIONS: in txtap's own format */

    struct txtap_gap gap;   /* GAP */
    struct txtap_mark mark; /* MARK */

    enum txtap_recording_why why; /* END */
    uint64_t events;              /* END: number of events in this file */

    struct txtap_recording_file file; /* FILE */

    struct txtap_rate rate; /* RATE */
    const char *about;      /* ABOUT: lines "KEY VALUE", each with a line feed */
    const char *stacks;     /* STACKS: a line for each thread */
    bool of_user;           /* MEANING: the text is the user's; false: it was made from the firmware's file */

    /* METADATA, MEANING: a piece of a text, without NUL. CHANNEL: the words. SAMPLES: the samples. CTF: bytes of the
     * stream. For CTF, seq and ticks belong to the record that contains the first byte; ticks is the time since the
     * first record, in units of the stamps. */
    const uint8_t *bytes;
    size_t length;
    uint32_t at, total; /* METADATA, MEANING: offset of the piece, and bytes of the whole text */
    bool another;       /* CTF: another stream begins here, because the target restarted */

    struct txtap_channel channel; /* CHANNEL: without its words, for txtap_recording_channel() */
};

/*
 * Returns true if a file with these first bytes is a recording of any version. If length is at least
 * TXTAP_RECORDING_KNOWN_BYTES, the function also recognises a recording with a damaged head, if the head's checksum is
 * right or a BUFFER block follows.
 */
#define TXTAP_RECORDING_KNOWN_BYTES 40u
bool txtap_recording_signature(const uint8_t *bytes, size_t length);

/*
 * Starts at the first byte of a file. TXTAP_ERROR_SIGNATURE: the file is not a recording. _FORMAT: the head of the file
 * is damaged. _USAGE: the file has a later version of the format.
 */
enum txtap_status txtap_recording_open(struct txtap_recording *recording,
                                       const uint8_t bytes[TXTAP_RECORDING_HEAD_BYTES]);

/*
 * Parses the block at bytes. TXTAP_OK: the block is whole, *needed is the length of the block, and the reader expects
 * the next block. TXTAP_AGAIN: call again with *needed bytes from the same place on; *needed is at most
 * TXTAP_RECORDING_BLOCK_BYTES + TXTAP_RECORDING_PAYLOAD_MAX. TXTAP_END: the previous block was the file's last.
 * TXTAP_ERROR_FORMAT: the block is damaged, or out of order.
 */
enum txtap_status txtap_recording_block(struct txtap_recording *recording, const uint8_t *bytes, size_t length,
                                        struct txtap_recording_block *block, size_t *needed);

/*
 * Parses the block's payload. payload: block->stored, or the decompressed bytes; borrowed by item. TXTAP_AGAIN: this
 * version does not know the block's type; skip the block. TXTAP_ERROR_FORMAT: the payload does not have the documented
 * form, or length is not block->bytes.
 */
enum txtap_status txtap_recording_item(const struct txtap_recording_block *block, const uint8_t *payload, size_t length,
                                       struct txtap_recording_item *item);

/*
 * Finds the value of a key in the text of an ABOUT item. Returns the value's first byte, and sets *length to its bytes,
 * which may have any values except NUL and line feed. NULL: the text has no such key.
 */
const char *txtap_recording_about(const char *about, const char *key, size_t *length);

/* Adds the objects of an OBJECTS item to the registry. */
void txtap_recording_objects(const struct txtap_recording_item *item, struct txtap_registry *registry);

/*
 * Copies all words of event i of a WORDS item to words, and returns the number of words. event: parsed from the entry
 * of event i. Call the function for each event in order. *at: 0 before the first event.
 */
size_t txtap_recording_words(const struct txtap_recording_item *item, uint32_t i, size_t *at,
                             const struct txtap_event *event, uint32_t words[TXTAP_RECORDING_WORDS_MAX]);

/*
 * Adds the channel of a CHANNEL item, with its words. Returns the channel, which is valid as long as `channels`. NULL:
 * there is no room, or the channel contradicts another channel; samples of this channel are then skipped.
 */
const struct txtap_channel *txtap_recording_channel(const struct txtap_recording_item *item,
                                                    struct txtap_channels *channels);

/*
 * Sets *sample to the next sample of a SAMPLES item. *at: 0 before the first sample. Returns false after the last
 * sample. sample->channel is NULL if `channels` does not have the channel. sample->text points into the payload.
 */
bool txtap_recording_sample(const struct txtap_recording_item *item, size_t *at, const struct txtap_channels *channels,
                            struct txtap_sample *sample);

/* ---- several files of one recording ---- */

/*
 * The contents of the first blocks of a file. {0} at first. A file of an older version has no number, but its events
 * have a seq.
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

/* Takes the next block of a file, beginning with the first block. Returns true if no more blocks are needed. */
bool txtap_recording_start_take(struct txtap_recording_start *start, const struct txtap_recording_item *block);

/*
 * Brings files into the order in which they were written. If there are several copies of a file, the largest copy comes
 * first, and the other copies follow it with the member again set. TXTAP_ERROR_FORMAT: the files *a and *b do not
 * belong to the same recording.
 */
enum txtap_status txtap_recording_sort(struct txtap_recording_start *starts, size_t count, size_t *a, size_t *b);

/* The position of a reader in the files of a recording. {0} at first. */
struct txtap_recording_joint {
    struct txtap_recording_file first; /* FILE block of the first file, if that file has a number */
    struct txtap_recording_file file;  /* FILE block of the present file, if that file has a number */
    bool has_file;
    bool goes_on;  /* the last block says that another file continues the recording */
    uint64_t from; /* if a block does not continue the events read so far: seq of the first event in the block */

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
 * block is played. MISSES: *gap has the missing events; give it to the sink first. After BACK or FOREIGN the caller
 * must not use the joint any more.
 */
enum txtap_recording_join txtap_recording_join(struct txtap_recording_joint *joint,
                                               const struct txtap_recording_item *block, struct txtap_gap *gap);

/* Returns the number of missing files that should precede the first file read. */
uint32_t txtap_recording_joint_earlier(const struct txtap_recording_joint *joint);

/* ---- as items ---- */

/* 140 KiB: not for the stack. */
struct txtap_recording_player {
    struct txtap_header header;      /* header for the next events */
    struct txtap_event_maker maker;  /* makes all events; maker.clock has the notices */
    struct txtap_registry *registry; /* borrowed: names for the next events */
    struct txtap_channels *channels; /* borrowed: the channels so far; NULL: the sink gets no samples */

    /* private */
    bool begun, given;                 /* given: a sink has received an item */
    struct txtap_recording_item words; /* words of the next events; count 0: all these events have four words */
    uint8_t words_bytes[TXTAP_RECORDING_PAYLOAD_MAX];
    struct txtap_recording_item samples; /* samples that wait for events before them; count 0: no samples */
    size_t samples_at;                   /* position of the first waiting sample */
    uint8_t samples_bytes[TXTAP_RECORDING_PAYLOAD_MAX];
};

/* Starts a player. registry: initialised, and empty. The caller may then set channels, to {0} or to earlier channels.
 */
void txtap_recording_player_init(struct txtap_recording_player *player, struct txtap_registry *registry);

/*
 * Gives the block's items to a sink. BUFFER gives a restart, even if the block only begins another file of the same
 * trace; but a BUFFER before the first event, gap or mark gives no item. OBJECTS go to the registry. Blocks that only
 * describe the recording are ignored. For EVENTS, the registry first notes all created and deleted objects; then the
 * sink gets the events. SAMPLES wait until the next EVENTS, and each comes before the first event with its seq or a
 * higher seq; other blocks with items, and END, give the waiting samples first. CTF gives bytes. Before these bytes
 * another stream may begin, or records may be missing: see another and seq of the block. Returns the sink's status.
 * With EVENTS, sink.take may be NULL: then the registry notes the objects, and nobody gets the events.
 */
enum txtap_status txtap_recording_play(struct txtap_recording_player *player, const struct txtap_recording_item *block,
                                       struct txtap_sink sink);

TXTAP_API_END

#endif
