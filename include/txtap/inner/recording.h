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

/* The head of a file. version: of those above. */
void txtap_recording_put_head(uint8_t out[TXTAP_RECORDING_HEAD_BYTES], uint32_t version);

/* name: of the firmware's file, cut if it is too long. */
size_t txtap_recording_put_buffer(uint8_t *payload, const struct txtap_header *header, uint64_t unix_us,
                                  const char *name);

size_t txtap_recording_put_file(uint8_t *payload, const struct txtap_recording_file *file);

/*
 * OBJECTS, first without an object; then each call adds one. False if there is no room for it; the payload is then
 * unchanged. Readers ignore objects of type or pointer 0.
 */
size_t txtap_recording_put_objects(uint8_t *payload, bool fresh);
bool txtap_recording_add_object(uint8_t *payload, size_t *length, const struct txtap_object *object);
size_t txtap_recording_object_bytes(const struct txtap_object *object); /* that one object adds to the payload */

/* The head of an EVENTS payload; the caller appends the entries. count: 1 to TXTAP_RECORDING_EVENTS_MAX. */
size_t txtap_recording_put_events(uint8_t *payload, uint64_t seq, uint64_t ticks, uint64_t unix_us, uint32_t span_us,
                                  uint32_t count);

/* WORDS of count events. counts: how many words each has. more: all words beyond four, more_count of them. The caller
 * makes sure that they fit. */
size_t txtap_recording_put_words(uint8_t *payload, const uint8_t *counts, uint32_t count, const uint32_t *more,
                                 size_t more_count);
size_t txtap_recording_put_definitions(uint8_t *payload, const char *text); /* must fit with its NUL */
size_t txtap_recording_put_gap(uint8_t *payload, const struct txtap_gap *gap);
size_t txtap_recording_put_mark(uint8_t *payload, const struct txtap_mark *mark); /* cuts a long text */

/* The piece of the metadata that begins at *at, which then is where the next one begins; length: there is none. text:
 * length bytes, of which *at is one. */
size_t txtap_recording_put_metadata(uint8_t *payload, const char *text, size_t length, size_t *at);

/* The head of a CTF payload; the caller appends CTF_MAX bytes of the stream at most. */
size_t txtap_recording_put_ctf(uint8_t *payload, bool another, uint64_t seq, uint64_t ticks);
size_t txtap_recording_put_end(uint8_t *payload, enum txtap_recording_why why, uint64_t events, uint64_t unix_us);

/* The bytes before a payload in the file. block: all fields set. number: of the block in its file, from 0. */
void txtap_recording_seal(uint8_t out[TXTAP_RECORDING_BLOCK_BYTES], const struct txtap_recording_block *block,
                          uint32_t number);

#endif
