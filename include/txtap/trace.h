/* SPDX-License-Identifier: MIT */
/*
 * A whole TXTB buffer in memory that nobody writes any more: a .trx file, a piece of a RAM dump. Events come oldest
 * first; what the image does not hold of the buffer stands as a gap at its place.
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

/* The caller's memory. Fields are to be read only. */
struct txtap_trace {
    struct txtap_header header;
    struct txtap_registry registry; /* of what the image holds of it */
    uint32_t ring_entries;          /* slots of the ring, as the header says */
    uint32_t missing_entries;       /* of them, not in the image (or only in part) */
    uint32_t missing_objects;       /* registry entries not in the image (or only in part) */
    size_t extra_bytes;             /* of the image, behind the buffer's end: ignored */

    const uint8_t *ring; /* the slots that the image holds; borrowed */
    uint32_t present_entries;
    uint32_t oldest;    /* slot that the current pointer stands at: the oldest once the ring has wrapped */
    uint32_t index;     /* the slot that comes next, counted from oldest */
    uint64_t seq_first; /* of slot oldest, if the ring has wrapped */
    bool wrapped;       /* it is known that the writer was at the ring's end before */

    struct txtap_event_maker maker; /* of the events; its clock has the notices */
    struct txtap_clock settled;     /* at the oldest event: which way time counts, all of them have told */
};

/*
 * Opens the buffer whose control header is the image's first byte. bytes: borrowed until the trace is used no more.
 * length: may be less or more than the header says. objects: room for capacity objects, the caller's, for names;
 * txtap_trace_objects() says how many are enough, and what does not fit is counted in registry.dropped.
 *
 * TXTAP_ERROR_TRUNCATED: less than a header. _SIGNATURE, _REGISTRY, _RING, _POINTER, _OVERLAP as
 * txtap_header_parse(), trace->header then holds what was parsed; but a base at no multiple of 4 is allowed, and a
 * current pointer at the ring's end means its start. _WIDE: 64-bit words, see txtap_trace_narrow(). Takes as long as
 * txtap_registry_update(), and looks at each event once: which way time counts, only all of them together tell.
 */
enum txtap_status txtap_trace_open(struct txtap_trace *trace, const uint8_t *bytes, size_t length,
                                   struct txtap_object *objects, size_t capacity);

/*
 * The next event, with its seq and ticks, or gap, which is always exact. TXTAP_END when there is none. A slot that was
 * never written (its thread word is 0) is nobody's loss before the first event of a ring that has not wrapped; where
 * the current pointer says that it was written, and behind the first event, it is a gap like a slot that the image does
 * not hold.
 *
 * seq counts the events that the target wrote, as far as the buffer tells: with laps counted in the header (txtap's
 * recorder) from the first one; without, a wrapped ring's slot 0 has seq ring_entries, one lap being the least.
 */
enum txtap_status txtap_trace_next(struct txtap_trace *trace, struct txtap_item *item);

/* Restarts at the oldest event. */
void txtap_trace_rewind(struct txtap_trace *trace);

/* ---- before it can be opened ---- */

/*
 * Parses the control header at the image's first byte, of either word size. *word_bytes: 4 or 8; 0 if there is no
 * signature. Statuses as txtap_trace_open() but for _WIDE. Of 8-byte words header describes the narrowed image.
 */
enum txtap_status txtap_trace_header(const uint8_t *bytes, size_t length, struct txtap_header *header,
                                     unsigned *word_bytes);

/* Objects that are enough for txtap_trace_open() of length bytes with that header: it may hold fewer. */
size_t txtap_trace_objects(const struct txtap_header *header, size_t length);

/* Offset of the first header signature, of either word size and byte order, at or behind from; length if none. */
size_t txtap_trace_scan(const uint8_t *bytes, size_t length, size_t from);

/* ---- 64-bit words: RISC-V 64 up to ThreadX 6.4, the SMP port for Linux ---- */

struct txtap_trace_narrowed {
    size_t bytes;       /* of the narrowed image */
    uint64_t base;      /* where the target says the header lies */
    uint64_t cut_words; /* words whose upper half was neither 0 nor the lower half's sign: it is lost */
    bool cut_stamps;    /* the timer mask has more than 32 bits; stamps keep the lower 32 */
};

/* Bytes that the narrowed form of the image needs at most; 0 if it is no buffer of 64-bit words. */
size_t txtap_trace_narrow_bytes(const uint8_t *bytes, size_t length);

/*
 * Rewrites an image of 64-bit words (96-byte header, 64-byte entries) with 32-bit ones, as ThreadX itself writes it on
 * other 64-bit targets, where ULONG has 32 bits: each word keeps its lower half. The header gets the geometry of what
 * is written. Two objects whose addresses differ in the upper half alone become one: cut_words says whether that can
 * be. out: capacity bytes, not overlapping bytes. As much as the image holds is rewritten.
 *
 * TXTAP_ERROR_SPACE: capacity is below txtap_trace_narrow_bytes(). Otherwise as txtap_trace_header(), _SIGNATURE also
 * for 32-bit words. narrowed->bytes of out are valid after TXTAP_OK only.
 * Source: tx_trace.h with an 8-byte ULONG, natural alignment.
 */
enum txtap_status txtap_trace_narrow(const uint8_t *bytes, size_t length, uint8_t *out, size_t capacity,
                                     struct txtap_trace_narrowed *narrowed);

TXTAP_API_END

#endif
