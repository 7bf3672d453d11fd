/* SPDX-License-Identifier: MIT */
/*
 * The layout of recordings, for the reader and the writer. All numbers are little-endian, except the numbers in ring
 * entries and control headers.
 */
#ifndef TXTAP_DECODER_FILE_RECORDING_LAYOUT_H
#define TXTAP_DECODER_FILE_RECORDING_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/*
 * File head:   8 magic, u32 version, u32 CRC-32 of the 12 bytes before
 * Block head:  u16 type, u16 flags, u32 stored bytes, u32 bytes when decompressed, u32 number of the block in its file,
 *              u32 CRC-32 of the 16 bytes before and the payload as stored
 * BUFFER:      48 control header in the target's byte order, u64 unix_us, name and NUL
 * OBJECTS:     u32 fresh (0 or 1), then objects: u32 pointer, u32 parameter 1, u32 parameter 2, u8 type, u8 reserved 1,
 *              u8 reserved 2, u8 flags, u32 events, u64 from_seq, u8 bytes of the name, name without NUL
 * EVENTS:      u64 seq, u64 ticks, u64 unix_us, u32 span_us, u32 count, count * 32 entries as recorded
 * GAP:         u64 seq, u64 lost, u32 exact (0 or 1), u64 estimate
 * MARK:        u32 kind, u64 seq, u64 unix_us, text and NUL
 * DEFINITIONS: text and NUL
 * WORDS:       u32 count, count * u8 words of an event, u32 for each word beyond four
 * METADATA:    u32 bytes of the whole text, u32 at, bytes of the text from there on
 * CTF:         u32 another (0 or 1), u64 seq, u64 ticks, bytes of the stream
 * FILE:        u64 id, u32 number, u32 kept, u64 events, u64 seq, u32 doubts
 * RATE:        u32 how, u64 hz, u64 low, u64 high, each in microhertz
 * ABOUT:       text and NUL
 * MEANING:     u32 of_user (0 or 1), u32 bytes of the whole text, u32 at, bytes of the text from there on
 * STACKS:      text and NUL
 * CHANNEL:     u32 number, u32 kind, u32 form, u32 words, name and NUL, unit and NUL, words * (u64 number, word and
 * NUL) SAMPLES:     u32 count, count * sample: u16 channel, u16 state, u64 seq, u64 ticks, u32 before, u32 after, u64
 * unix_us, u64 bits, u32 thread, text and NUL END:         u32 why, u64 events, u64 unix_us
 */
#define RECORDING_MAGIC       "txtaprec"
#define RECORDING_MAGIC_BYTES 8u
#define RECORDING_FLAG_ZSTD   1u
#define RECORDING_OBJECT_LIVE 1u
/* from_seq and events are valid: events from_seq to from_seq + events - 1 refer to the object */
#define RECORDING_OBJECT_TIMED   2u
#define RECORDING_OBJECT_DELETED 4u          /* the object's delete event was seen */
#define RECORDING_OBJECT_CREATED 8u          /* from_seq is the seq of the object's create event */
#define RECORDING_OBJECT_OPEN    0xFFFFFFFFu /* value of the field events if the object still exists */

#define RECORDING_METADATA_HEAD 8u  /* bytes of a METADATA payload before the text */
#define RECORDING_MEANING_HEAD  12u /* bytes of a MEANING payload before the text */
#define RECORDING_PER_HZ        1e6 /* a RATE payload counts in microhertz */

/* Offsets of members that txtap_recording_series_take() changes. */
#define RECORDING_OBJECTS_HEAD  4u  /* bytes of an OBJECTS payload before the objects */
#define RECORDING_OBJECT_BYTES  29u /* bytes of an object before its name; the last byte is the length of the name */
#define RECORDING_OBJECT_SEQ    20u
#define RECORDING_EVENTS_TICKS  8u
#define RECORDING_EVENTS_COUNT  28u
#define RECORDING_GAP_LOST      8u
#define RECORDING_MARK_SEQ      4u
#define RECORDING_FILE_SEQ      24u
#define RECORDING_SAMPLES_HEAD  4u /* bytes of a SAMPLES payload before the samples */
#define RECORDING_SAMPLE_SEQ    4u
#define RECORDING_SAMPLE_TICKS  12u
#define RECORDING_SAMPLE_BEFORE 20u /* ticks that the sample may have been taken before its ticks */

#define RECORDING_SAMPLE_BYTES   48u         /* bytes of a sample before its text */
#define RECORDING_SAMPLE_UNKNOWN 0xFFFFFFFFu /* value of the fields before and after: the bound is unknown */

/*
 * Returns the number of words that a WORDS block contains for an event with count words: all words after the fourth
 * word.
 */
static inline size_t words_beyond_four(uint8_t count)
{
    return count > 4 ? count - 4u : 0;
}

#endif
