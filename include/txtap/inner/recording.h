/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Writes the blocks of a recording. Each put function fills a payload of TXTAP_RECORDING_PAYLOAD_MAX bytes and returns
 * its length.
 */
#ifndef TXTAP_INNER_RECORDING_H
#define TXTAP_INNER_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/recording.h"

/* Writes the head of a file. version: TXTAP_RECORDING_VERSION or TXTAP_RECORDING_VERSION_CTF. */
void txtap_recording_put_head(uint8_t out[TXTAP_RECORDING_HEAD_BYTES], uint32_t version);

/* Writes a BUFFER payload. name: name of the firmware's file, cut if it is too long. */
size_t txtap_recording_put_buffer(uint8_t *payload, const struct txtap_header *header, uint64_t unix_us,
                                  const char *name);

size_t txtap_recording_put_file(uint8_t *payload, const struct txtap_recording_file *file);

/*
 * txtap_recording_put_objects() writes an OBJECTS payload without objects. Each call of txtap_recording_add_object()
 * then adds an object; it returns false and leaves the payload unchanged if there is no room. Readers ignore objects
 * whose type or pointer is 0.
 */
size_t txtap_recording_put_objects(uint8_t *payload, bool fresh);
bool txtap_recording_add_object(uint8_t *payload, size_t *length, const struct txtap_object *object);
size_t txtap_recording_object_bytes(const struct txtap_object *object); /* bytes that the object adds to the payload */

/* Writes the head of an EVENTS payload; the caller appends the entries. count: 1 to TXTAP_RECORDING_EVENTS_MAX. */
size_t txtap_recording_put_events(uint8_t *payload, uint64_t seq, uint64_t ticks, uint64_t unix_us, uint32_t span_us,
                                  uint32_t count);

/*
 * Writes a WORDS payload for count events. counts: the number of words of each event. more: for each event, the words
 * after the first four; more_count words in total. The caller ensures that all words fit.
 */
size_t txtap_recording_put_words(uint8_t *payload, const uint8_t *counts, uint32_t count, const uint32_t *more,
                                 size_t more_count);
size_t txtap_recording_put_definitions(uint8_t *payload, const char *text); /* text must fit, including the NUL */
size_t txtap_recording_put_gap(uint8_t *payload, const struct txtap_gap *gap);
size_t txtap_recording_put_mark(uint8_t *payload, const struct txtap_mark *mark); /* cuts a long text */

/*
 * Writes a METADATA payload with a piece of the metadata. text: the metadata, length bytes. *at: before the call, the
 * offset of the piece, below length; after the call, the offset of the next piece. *at == length: there is no further
 * piece.
 */
size_t txtap_recording_put_metadata(uint8_t *payload, const char *text, size_t length, size_t *at);

/* Writes a RATE payload. rate: known. */
size_t txtap_recording_put_rate(uint8_t *payload, const struct txtap_rate *rate);

/* Writes an ABOUT payload. text: lines "KEY VALUE"; must fit with its NUL. */
size_t txtap_recording_put_about(uint8_t *payload, const char *text);

/* Writes a STACKS payload. text: the lines of stacks.h; must fit with its NUL. */
size_t txtap_recording_put_stacks(uint8_t *payload, const char *text);

/* Writes a MEANING payload, piece by piece like txtap_recording_put_metadata(). length: at most
 * TXTAP_RECORDING_MEANING_MAX. */
size_t txtap_recording_put_meaning(uint8_t *payload, bool of_user, const char *text, size_t length, size_t *at);

/* The pieces of a text so far. {0}: no piece. */
struct txtap_recording_pieces {
    uint32_t length, total; /* bytes so far, and bytes of the whole text */
    bool of_user;
};

/*
 * Takes a MEANING item. A piece with at 0 begins a text: the caller then needs item->total bytes for it. Returns true
 * if the caller may copy the piece to item->at; the text is complete when pieces->length is pieces->total. False: the
 * piece does not continue the text, and must be ignored.
 */
bool txtap_recording_piece(struct txtap_recording_pieces *pieces, const struct txtap_recording_item *item);

/* Writes a CHANNEL payload. channel: as txtap_channels_add() accepts it. */
size_t txtap_recording_put_channel(uint8_t *payload, const struct txtap_channel *channel);

/*
 * txtap_recording_put_samples() writes a SAMPLES payload without samples. Each call of txtap_recording_add_sample()
 * then adds a sample; it returns false and leaves the payload unchanged if there is no room. A text is cut to
 * TXTAP_SAMPLE_TEXT_BYTES.
 */
size_t txtap_recording_put_samples(uint8_t *payload);
bool txtap_recording_add_sample(uint8_t *payload, size_t *length, const struct txtap_sample *sample);
size_t txtap_recording_sample_bytes(const struct txtap_sample *sample); /* bytes that the sample adds to the payload */

/* Writes the head of a CTF payload; the caller appends at most CTF_MAX bytes of the stream. */
size_t txtap_recording_put_ctf(uint8_t *payload, bool another, uint64_t seq, uint64_t ticks);
size_t txtap_recording_put_end(uint8_t *payload, enum txtap_recording_why why, uint64_t events, uint64_t unix_us);

/* The type and the size of a block, without its payload. */
struct txtap_recording_outline {
    unsigned type;
    size_t stored_bytes; /* bytes of the payload in the file */
};

/*
 * Reads only the head of a block, to find the blocks of some types in a large file. The checksum is not verified, so a
 * block that is used must still be parsed. number: index of the block in its file. False: the head is invalid.
 */
bool txtap_recording_outline(const uint8_t head[TXTAP_RECORDING_BLOCK_BYTES], uint32_t number,
                             struct txtap_recording_outline *outline);

/*
 * Writes the bytes before a payload in the file. block: all fields set. number: index of the block in its file, from 0.
 */
void txtap_recording_seal(uint8_t out[TXTAP_RECORDING_BLOCK_BYTES], const struct txtap_recording_block *block,
                          uint32_t number);

#endif
