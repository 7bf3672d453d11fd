/* SPDX-License-Identifier: MIT */
/*
 * Reads a whole TXTB buffer in memory that is no longer written: a .trx file, or a piece of a RAM dump. Events come
 * oldest first. If the image lacks a part of the ring, a gap replaces it.
 *
 *     struct txtap_object objects[256];
 *     struct txtap_trace trace;
 *     struct txtap_item item;
 *
 *     if (txtap_trace_open(&trace, bytes, length, objects, 256) != TXTAP_OK) ...
 *     while (txtap_trace_next(&trace, &item) == TXTAP_OK)
 *         if (item.kind == TXTAP_ITEM_EVENT) ...
 */
#ifndef TXTAP_TRACE_H
#define TXTAP_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/event_maker.h"
#include "txtap/header.h"
#include "txtap/item.h"
#include "txtap/registry.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

/* The caller only reads the fields of this struct. */
struct txtap_trace {
    struct txtap_header header;
    struct txtap_registry registry; /* the objects in the image */
    uint32_t ring_entries;          /* number of slots in the ring, from the header */
    uint32_t missing_entries;       /* slots that the image lacks, in whole or in part */
    uint32_t missing_objects;       /* registry entries that the image lacks, in whole or in part */
    size_t extra_bytes;             /* bytes of the image after the buffer's end: ignored */
    struct txtap_event_maker maker; /* makes the events; its clock has the notices */

    /* private */
    const uint8_t *ring; /* the ring's slots in the image; borrowed */
    uint32_t present_entries;
    uint32_t oldest;            /* slot of the current pointer, which is the oldest slot once the ring has wrapped */
    uint32_t index;             /* the next slot, counted from oldest */
    uint64_t seq_first;         /* seq of slot oldest, if the ring has wrapped */
    bool wrapped;               /* the writer is known to have passed the ring's end */
    struct txtap_clock settled; /* the clock before the oldest event, with the direction that all events show */
};

/*
 * Opens the buffer whose control header begins at the image's first byte. bytes: borrowed as long as the trace is in
 * use. length: may be less or more than the header says. objects: room for capacity objects, borrowed, for names.
 * txtap_trace_objects() returns a sufficient capacity; registry.dropped counts objects that do not fit.
 *
 * TXTAP_ERROR_TRUNCATED: less than a header. _SIGNATURE, _REGISTRY, _RING, _POINTER, _OVERLAP like
 * txtap_header_parse(), and trace->header then has the parsed values. Unlike there, base need not be a multiple of 4,
 * and a current pointer at the ring's end counts as a pointer to the ring's start. _WIDE: 64-bit words, see
 * txtap_trace_narrow(). Takes as long as txtap_registry_update(), and reads each event once, because only all events
 * together show whether the time source counts up or down.
 */
enum txtap_status txtap_trace_open(struct txtap_trace *trace, const uint8_t *bytes, size_t length,
                                   struct txtap_object *objects, size_t capacity);

/*
 * Sets *item to the next event, with its seq and ticks, or to the next gap, which is always exact. TXTAP_END at the
 * end. An empty slot (its thread word is 0) before the first event of a ring that has not wrapped is no loss. An empty
 * slot after the first event, or one that was written according to the current pointer, is a gap, like a missing slot.
 *
 * seq counts the events that the target wrote, as far as the buffer shows. If the header counts laps (txtap's
 * recorder), seq counts from the trace's first event. Otherwise slot 0 of a wrapped ring has seq ring_entries, as if
 * after one lap.
 */
enum txtap_status txtap_trace_next(struct txtap_trace *trace, struct txtap_item *item);

/* Restarts at the oldest event. */
void txtap_trace_rewind(struct txtap_trace *trace);

/* ---- before txtap_trace_open() ---- */

/*
 * Parses the control header at the image's first byte, whose words have 4 or 8 bytes. Sets *word_bytes to this number,
 * or to 0 if there is no signature. Returns the statuses of txtap_trace_open(), except _WIDE. If the words have 8
 * bytes, *header describes the narrowed image.
 */
enum txtap_status txtap_trace_header(const uint8_t *bytes, size_t length, struct txtap_header *header,
                                     unsigned *word_bytes);

/* Returns the largest number of objects that txtap_trace_open() needs for an image of length bytes with this header. */
size_t txtap_trace_objects(const struct txtap_header *header, size_t length);

/*
 * Returns the offset of the first header signature from offset from on, in any word size and byte order; length: no
 * signature.
 */
size_t txtap_trace_scan(const uint8_t *bytes, size_t length, size_t from);

/* ---- 64-bit words: RISC-V 64 up to ThreadX 6.4, the SMP port for Linux ---- */

struct txtap_trace_narrowed {
    size_t bytes;       /* bytes of the narrowed image */
    uint64_t base;      /* address of the header, as stated in the header itself */
    uint64_t cut_words; /* words that lost an upper half that was neither 0 nor the lower half's sign */
    bool cut_stamps;    /* the timer mask has more than 32 bits; stamps keep the lower 32 */
};

/* Returns the number of bytes that the narrowed image needs at most; 0 if this is not a buffer of 64-bit words. */
size_t txtap_trace_narrow_bytes(const uint8_t *bytes, size_t length);

/*
 * Rewrites an image of 64-bit words (96-byte header, 64-byte entries) with 32-bit words, as ThreadX itself writes it on
 * 64-bit targets where ULONG has 32 bits. Each word keeps its lower half, and the header describes the new image. Two
 * objects whose addresses differ only in the upper half become one; cut_words shows whether that is possible. Of a cut
 * image, the bytes that exist are rewritten. out: capacity bytes that do not overlap bytes.
 *
 * TXTAP_ERROR_SPACE: capacity is below txtap_trace_narrow_bytes(). Otherwise the same statuses as txtap_trace_header();
 * _SIGNATURE also for 32-bit words. out is valid only after TXTAP_OK. Source: tx_trace.h with an 8-byte ULONG, natural
 * alignment.
 */
enum txtap_status txtap_trace_narrow(const uint8_t *bytes, size_t length, uint8_t *out, size_t capacity,
                                     struct txtap_trace_narrowed *narrowed);

TXTAP_API_END

#endif
