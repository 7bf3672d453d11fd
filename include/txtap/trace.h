/* SPDX-License-Identifier: MIT */
/*
 * Reads a complete TXTB buffer from an image that the target no longer writes: a .trx file, or a piece of a RAM dump.
 * The oldest event comes first. If the image lacks a part of the ring, a gap replaces this part.
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
    uint32_t missing_entries;       /* slots that are not, or not completely, in the image */
    uint32_t missing_objects;       /* registry entries that are not, or not completely, in the image */
    size_t extra_bytes;             /* number of bytes after the buffer's end, which are ignored */
    struct txtap_event_maker maker; /* makes the events; maker.clock has the notices */

    /* private */
    const uint8_t *ring; /* the ring's slots in the image; borrowed */
    uint32_t present_entries;
    uint32_t oldest;            /* slot of the current pointer, which is the oldest slot once the ring has wrapped */
    uint32_t index;             /* the next slot, counted from oldest */
    uint64_t seq_first;         /* seq of the slot `oldest`, if the ring has wrapped */
    bool wrapped;               /* the writer is known to have passed the ring's end */
    struct txtap_clock settled; /* the clock as it must be before the oldest event, with the counting direction found
                                   from all events */
};

/*
 * Opens the buffer whose control header begins at the image's first byte. bytes: borrowed as long as the trace is in
 * use. length: may be less or more than the header describes. objects: room for capacity objects, borrowed, for names.
 * txtap_trace_objects() returns a sufficient capacity; registry.dropped counts objects that do not fit.
 *
 * TXTAP_ERROR_TRUNCATED: length is less than a header. _SIGNATURE, _REGISTRY, _RING, _POINTER, _OVERLAP: as from
 * txtap_header_parse(); trace->header then has the parsed values. Unlike txtap_header_parse(), this function allows a
 * base that is not a multiple of 4, and it takes a current pointer at the ring's end as a pointer to the ring's start.
 * _WIDE: the buffer has 64-bit words, see txtap_trace_narrow(). Takes as many steps as txtap_registry_update(), and
 * reads each event once: all events together show whether the time source counts up or down.
 */
enum txtap_status txtap_trace_open(struct txtap_trace *trace, const uint8_t *bytes, size_t length,
                                   struct txtap_object *objects, size_t capacity);

/*
 * Sets *item to the next event, with its seq and ticks, or to the next gap, which is always exact. Returns TXTAP_END
 * after the last event. A slot is empty if its thread word is 0. In a ring that has not wrapped, an empty slot before
 * the first event is no loss. An empty slot is a gap, like a missing slot, if it comes after the first event, or if the
 * current pointer shows that it was written.
 *
 * seq counts the events that the target wrote, as far as the buffer shows. If the header counts laps (txtap's
 * recorder), seq counts from the trace's first event. Otherwise the seq of slot 0 in a wrapped ring is ring_entries, as
 * after exactly one lap.
 */
enum txtap_status txtap_trace_next(struct txtap_trace *trace, struct txtap_item *item);

/* Restarts at the oldest event. */
void txtap_trace_rewind(struct txtap_trace *trace);

/* ---- before txtap_trace_open() ---- */

/*
 * Parses the control header at the image's first byte. Sets *word_bytes to the size of the header's words, 4 or 8, or
 * to 0 if there is no signature. Returns the statuses of txtap_trace_open(), except _WIDE. If the words have 8 bytes,
 * *header describes the narrowed image.
 */
enum txtap_status txtap_trace_header(const uint8_t *bytes, size_t length, struct txtap_header *header,
                                     unsigned *word_bytes);

/* Returns the largest number of objects that txtap_trace_open() needs for an image of length bytes with this header. */
size_t txtap_trace_objects(const struct txtap_header *header, size_t length);

/*
 * Returns the offset of the first header signature at or after the offset `from`, in any word size and byte order.
 * Returns length if there is no signature.
 */
size_t txtap_trace_scan(const uint8_t *bytes, size_t length, size_t from);

/* ---- 64-bit words: RISC-V 64 up to ThreadX 6.4, the SMP port for Linux ---- */

struct txtap_trace_narrowed {
    size_t bytes;       /* bytes of the narrowed image */
    uint64_t base;      /* address of the header, from the header's own base word */
    uint64_t cut_words; /* words whose lost upper half was neither 0 nor the sign extension of the lower half */
    bool cut_stamps;    /* the timer mask has more than 32 bits; stamps keep the lower 32 */
};

/* Returns the maximum size of the narrowed image in bytes; 0 if bytes are not a buffer of 64-bit words. */
size_t txtap_trace_narrow_bytes(const uint8_t *bytes, size_t length);

/*
 * Rewrites an image of 64-bit words (96-byte header, 64-byte entries) with 32-bit words, as ThreadX itself writes it on
 * 64-bit targets where ULONG has 32 bits. Each word keeps its lower half, and the header describes the new image. Two
 * objects whose addresses differ only in the upper half become one object; this is possible only if cut_words is above
 * 0. If the image is cut, the function rewrites the bytes that exist. out: capacity bytes that do not overlap the
 * image.
 *
 * TXTAP_ERROR_SPACE: capacity is below txtap_trace_narrow_bytes(). Otherwise the function returns the statuses of
 * txtap_trace_header(), and also _SIGNATURE if the image has 32-bit words. out is valid only after TXTAP_OK. Source:
 * tx_trace.h with an 8-byte ULONG, natural alignment.
 */
enum txtap_status txtap_trace_narrow(const uint8_t *bytes, size_t length, uint8_t *out, size_t capacity,
                                     struct txtap_trace_narrowed *narrowed);

TXTAP_API_END

#endif
