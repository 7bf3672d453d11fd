/* SPDX-License-Identifier: MIT */
/*
 * Reads a buffer that no writer changes. This file finds the slots and their order, and event.c parses the entries. The
 * image may be cut anywhere. A slot counts as present only if the image contains all of it.
 */
#include "txtap/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/min_max.h"
#include "buffer/registry_parts.h"
#include "txtap/header.h"
#include "txtap/inner/host_time.h"
#include "txtap/inner/header.h"

/*
 * Returns the number of complete structures in an image of length bytes, but at most `most`. before: number of bytes
 * before the structures. each: size of a structure in bytes.
 */
static inline uint32_t whole_structures(size_t length, size_t before, size_t each, uint32_t most)
{
    size_t count = length > before ? (length - before) / each : 0;

    return count < most ? (uint32_t)count : most;
}

/* ---- rewrites buffers of 64-bit words with 32-bit words; only this part knows the 64-bit layout ---- */

struct wide_header {
    enum txtap_endian endian;
    uint64_t mask, base, registry_start, registry_end, ring_start, ring_end, current;
    uint16_t laps, name_bytes;
};

static bool signature_in(const uint8_t *bytes, enum txtap_endian endian)
{
    return bytes_u64(bytes + TXTB64_HEADER_ID, endian) == TXTB_ID &&
           bytes_u64(bytes + TXTB64_HEADER_RESERVED2, endian) == TXTB_RESERVED2 &&
           bytes_u64(bytes + TXTB64_HEADER_RESERVED3, endian) == TXTB_RESERVED3 &&
           bytes_u64(bytes + TXTB64_HEADER_RESERVED4, endian) == TXTB_RESERVED4;
}

/*
 * Returns true if bytes contain the id and the three constants, in 64-bit words of either byte order. bytes:
 * TXTB64_HEADER_BYTES bytes.
 */
static bool trace64_signature(const uint8_t *bytes)
{
    return signature_in(bytes, TXTAP_LITTLE) || signature_in(bytes, TXTAP_BIG);
}

static struct wide_header take_header(const uint8_t *bytes)
{
    enum txtap_endian endian = signature_in(bytes, TXTAP_BIG) ? TXTAP_BIG : TXTAP_LITTLE;

    return (struct wide_header){
        .endian = endian,
        .mask = bytes_u64(bytes + TXTB64_HEADER_TIMER_MASK, endian),
        .base = bytes_u64(bytes + TXTB64_HEADER_BASE, endian),
        .registry_start = bytes_u64(bytes + TXTB64_HEADER_REGISTRY_START, endian),
        .registry_end = bytes_u64(bytes + TXTB64_HEADER_REGISTRY_END, endian),
        .ring_start = bytes_u64(bytes + TXTB64_HEADER_RING_START, endian),
        .ring_end = bytes_u64(bytes + TXTB64_HEADER_RING_END, endian),
        .current = bytes_u64(bytes + TXTB64_HEADER_CURRENT, endian),
        .laps = bytes_u16(bytes + TXTB64_HEADER_LAPS, endian),
        .name_bytes = bytes_u16(bytes + TXTB64_HEADER_NAME_BYTES, endian),
    };
}

static size_t wide_object_bytes(uint16_t name_bytes)
{
    return TXTB64_OBJECT_FIXED_BYTES + ((name_bytes + 7u) & ~7u);
}

/* Checks the values that are lost when the header is narrowed. txtap_header_check() checks the rest. */
static enum txtap_status check_wide(const struct wide_header *wide)
{
    uint64_t registry = wide->registry_end - wide->registry_start, ring = wide->ring_end - wide->ring_start;

    if (wide->name_bytes > TXTAP_NAME_BYTES_MAX || wide->registry_end < wide->registry_start ||
        registry > TXTAP_REGISTRY_BYTES_MAX || registry % wide_object_bytes(wide->name_bytes) != 0)
        return TXTAP_ERROR_REGISTRY;
    if (wide->ring_end <= wide->ring_start || ring > 2 * (uint64_t)TXTAP_RING_BYTES_MAX ||
        ring % TXTB64_ENTRY_BYTES != 0)
        return TXTAP_ERROR_RING;
    if (wide->current < wide->ring_start || wide->current > wide->ring_end ||
        (wide->current - wide->ring_start) % TXTB64_ENTRY_BYTES != 0)
        return TXTAP_ERROR_POINTER;
    if (wide->registry_start < wide->base || wide->registry_start - wide->base != TXTB64_HEADER_BYTES ||
        wide->ring_start != wide->registry_end)
        return TXTAP_ERROR_OVERLAP;
    return TXTAP_OK;
}

/*
 * Returns the header of the narrowed image. base is the lower half of the wide base, or 0 if an address in the buffer
 * would wrap.
 */
static struct txtap_header narrow_header(const struct wide_header *wide)
{
    struct txtap_header header = {.endian = wide->endian,
                                  .timer_mask = (uint32_t)wide->mask,
                                  .base = (uint32_t)wide->base,
                                  .laps = wide->laps,
                                  .name_bytes = wide->name_bytes};
    uint64_t objects = (wide->registry_end - wide->registry_start) / wide_object_bytes(wide->name_bytes);
    uint32_t registry = (uint32_t)objects * txtap_header_object_bytes(&header);
    uint32_t ring = (uint32_t)((wide->ring_end - wide->ring_start) / TXTB64_ENTRY_BYTES * TXTB_ENTRY_BYTES);
    uint64_t slot = (wide->current - wide->ring_start) / TXTB64_ENTRY_BYTES;

    if ((uint64_t)header.base + TXTB_HEADER_BYTES + registry + ring > UINT32_MAX)
        header.base = 0;
    header.registry_start = header.base + TXTB_HEADER_BYTES;
    header.registry_end = header.registry_start + registry;
    header.ring_start = header.registry_end;
    header.ring_end = header.ring_start + ring;
    header.current = header.ring_start + (uint32_t)slot * TXTB_ENTRY_BYTES;
    if (header.current == header.ring_end)
        header.current = header.ring_start;
    return header;
}

/*
 * Parses a header of 64-bit words into the header of the narrowed image. *base and *mask: as recorded. Returns the
 * statuses of txtap_header_parse(), except _ALIGNMENT.
 */
static enum txtap_status trace64_header(const uint8_t bytes[TXTB64_HEADER_BYTES], struct txtap_header *header,
                                        uint64_t *base, uint64_t *mask)
{
    struct wide_header wide = take_header(bytes);
    enum txtap_status status = check_wide(&wide);

    *base = wide.base;
    *mask = wide.mask;
    if (status != TXTAP_OK)
        return status;
    *header = narrow_header(&wide);
    return txtap_header_check(header);
}

/* ---- writing ---- */

struct narrower {
    enum txtap_endian endian;
    uint8_t *at;
    uint64_t cut_words;
};

static void put_narrowed(struct narrower *to, uint64_t word)
{
    uint64_t upper = word >> 32;
    bool negative = upper == UINT32_MAX && (word & 0x80000000u) != 0;

    to->cut_words += upper != 0 && !negative;
    to->at = put_u32(to->at, to->endian, (uint32_t)word);
}

/* Like put_narrowed(), but for pointers. 0 means "no object", so a pointer whose lower half is 0 becomes 1. */
static void put_pointer(struct narrower *to, uint64_t word)
{
    if (word != 0 && (uint32_t)word == 0)
        word |= 1;
    put_narrowed(to, word);
}

static void put_object(struct narrower *to, const uint8_t *object, uint16_t name_bytes)
{
    size_t padded = (name_bytes + 3u) & ~3u;

    memcpy(to->at, object, 4); /* available, type, reserved1, reserved2 */
    to->at += 4;
    put_pointer(to, bytes_u64(object + TXTB64_OBJECT_POINTER, to->endian));
    put_narrowed(to, bytes_u64(object + TXTB64_OBJECT_POINTER + 8, to->endian));
    put_narrowed(to, bytes_u64(object + TXTB64_OBJECT_POINTER + 16, to->endian));
    memset(to->at, 0, padded);
    memcpy(to->at, object + TXTB64_OBJECT_NAME, name_bytes);
    to->at += padded;
}

static void put_entry(struct narrower *to, const uint8_t *entry)
{
    put_pointer(to, bytes_u64(entry, to->endian));
    for (size_t word = 1; word < TXTB64_ENTRY_BYTES / 8; word++) {
        uint64_t value = bytes_u64(entry + 8 * word, to->endian);

        if (word == TXTB_ENTRY_STAMP / 4)
            to->at = put_u32(to->at, to->endian, (uint32_t)value); /* the upper half of a stamp does not count as cut */
        else
            put_narrowed(to, value);
    }
}

size_t txtap_trace_narrow_bytes(const uint8_t *bytes, size_t length)
{
    struct txtap_header header;
    unsigned word_bytes;
    size_t total;

    if (txtap_trace_header(bytes, length, &header, &word_bytes) != TXTAP_OK || word_bytes != 8)
        return 0;
    total = txtap_header_total_bytes(&header);
    return total < length ? total : length; /* narrowing makes no structure larger */
}

enum txtap_status txtap_trace_narrow(const uint8_t *bytes, size_t length, uint8_t *out, size_t capacity,
                                     struct txtap_trace_narrowed *narrowed)
{
    struct txtap_header header;
    struct narrower to = {.at = out + TXTB_HEADER_BYTES};
    uint64_t mask;
    uint32_t objects, entries;
    size_t object_bytes, before_ring;
    enum txtap_status status;

    memset(narrowed, 0, sizeof(*narrowed));
    if (length < TXTB64_HEADER_BYTES)
        return TXTAP_ERROR_TRUNCATED;
    if (!trace64_signature(bytes))
        return TXTAP_ERROR_SIGNATURE;
    status = trace64_header(bytes, &header, &narrowed->base, &mask);
    if (status != TXTAP_OK)
        return status;
    if (capacity < txtap_trace_narrow_bytes(bytes, length))
        return TXTAP_ERROR_SPACE;

    object_bytes = wide_object_bytes(header.name_bytes);
    before_ring = TXTB64_HEADER_BYTES + object_bytes * txtap_header_registry_entries(&header);
    objects = whole_structures(length, TXTB64_HEADER_BYTES, object_bytes, txtap_header_registry_entries(&header));
    entries = whole_structures(length, before_ring, TXTB64_ENTRY_BYTES, txtap_header_ring_entries(&header));
    to.endian = header.endian;
    txtap_header_build(&header, out);
    for (uint32_t i = 0; i < objects; i++)
        put_object(&to, bytes + TXTB64_HEADER_BYTES + i * object_bytes, header.name_bytes);
    for (uint32_t i = 0; i < entries; i++)
        put_entry(&to, bytes + before_ring + (size_t)i * TXTB64_ENTRY_BYTES);
    narrowed->bytes = (size_t)(to.at - out);
    narrowed->cut_words = to.cut_words;
    narrowed->cut_stamps = mask > UINT32_MAX;
    return TXTAP_OK;
}

/* ---- all buffers ---- */

/*
 * Parses a header whose current pointer may be at the ring's end. ThreadX moves such a pointer to the ring's start at
 * once, but other writers may leave it at the end.
 */
static enum txtap_status parse_narrow(const uint8_t *bytes, struct txtap_header *header)
{
    enum txtap_status status = txtap_header_parse(bytes, header);

    if (status == TXTAP_ERROR_SIGNATURE)
        return status;
    if (header->current == header->ring_end)
        header->current = header->ring_start;
    return txtap_header_check(header); /* does not check the alignment, which only probes need */
}

enum txtap_status txtap_trace_header(const uint8_t *bytes, size_t length, struct txtap_header *header,
                                     unsigned *word_bytes)
{
    uint64_t base, mask;

    memset(header, 0, sizeof(*header));
    *word_bytes = 0;
    if (length < TXTB_HEADER_BYTES)
        return TXTAP_ERROR_TRUNCATED;
    if (txtap_header_signature(bytes)) {
        *word_bytes = 4;
        return parse_narrow(bytes, header);
    }
    if (length < TXTB64_HEADER_BYTES || !trace64_signature(bytes))
        return TXTAP_ERROR_SIGNATURE;
    *word_bytes = 8;
    return trace64_header(bytes, header, &base, &mask);
}

static uint32_t held_objects(const struct txtap_header *header, size_t length)
{
    return whole_structures(length, TXTB_HEADER_BYTES, txtap_header_object_bytes(header),
                            txtap_header_registry_entries(header));
}

static uint32_t held_entries(const struct txtap_header *header, size_t length)
{
    return whole_structures(length, header->ring_start - header->base, TXTB_ENTRY_BYTES,
                            txtap_header_ring_entries(header));
}

size_t txtap_trace_objects(const struct txtap_header *header, size_t length)
{
    return (size_t)held_objects(header, length) + held_entries(header, length);
}

/* Returns true if the slot was ever written. The thread word of a slot is 0 until the slot is written. */
static bool is_written(const uint8_t *entry)
{
    return (entry[0] | entry[1] | entry[2] | entry[3]) != 0;
}

void txtap_trace_rewind(struct txtap_trace *trace)
{
    uint32_t laps = trace->header.laps;

    trace->index = 0;
    trace->maker.clock = trace->settled;
    trace->seq_first = (laps > 0 ? (uint64_t)(laps - 1) * trace->ring_entries : 0) + trace->oldest;
    /* Slots are filled in order. If the slot at the pointer is empty, all slots after it are also empty. */
    trace->wrapped = laps > 0 || (trace->oldest < trace->present_entries &&
                                  is_written(trace->ring + (size_t)trace->oldest * TXTB_ENTRY_BYTES));
}

static uint32_t next_slot(const struct txtap_trace *trace)
{
    uint32_t slot = trace->index + trace->oldest;

    return slot >= trace->ring_entries ? slot - trace->ring_entries : slot;
}

/* Returns the next slot; NULL if the image lacks this slot, or if the slot was never written. */
static const uint8_t *written_slot(const struct txtap_trace *trace)
{
    uint32_t slot = next_slot(trace);
    const uint8_t *entry;

    if (slot >= trace->present_entries)
        return NULL;
    entry = trace->ring + (size_t)slot * TXTB_ENTRY_BYTES;
    return is_written(entry) ? entry : NULL;
}

/*
 * Returns the number of slots to skip at once: 1 for a present slot. Missing slots are skipped all at once, because a
 * header may claim any number of slots.
 */
static uint32_t slots_to_skip(const struct txtap_trace *trace)
{
    uint32_t slot = next_slot(trace);

    if (slot < trace->present_entries)
        return 1;
    return (uint32_t)min_u64(trace->ring_entries - slot, trace->ring_entries - trace->index);
}

/*
 * Returns the seq of the next slot. In a ring that has not wrapped, the slots from the pointer on were never written,
 * so seq begins after them.
 */
static uint64_t next_seq(const struct txtap_trace *trace)
{
    return trace->seq_first + trace->index - (trace->wrapped ? 0 : trace->ring_entries);
}

/*
 * Skips slots without an event. Counts the skipped slots that the writer had passed as lost. Returns false if nothing
 * is lost.
 */
static bool take_gap(struct txtap_trace *trace, struct txtap_item *item)
{
    struct txtap_gap gap = {.exact = true};

    while (trace->index < trace->ring_entries && written_slot(trace) == NULL) {
        bool in_this_lap = trace->index >= trace->ring_entries - trace->oldest;
        uint32_t slots = slots_to_skip(trace); /* all in one lap, because missing slots end at the ring's end */

        if (in_this_lap || trace->wrapped) {
            if (gap.lost == 0)
                gap.seq = next_seq(trace);
            gap.lost += slots;
        }
        trace->index += slots;
    }
    *item = (struct txtap_item){.kind = TXTAP_ITEM_GAP, .gap = gap};
    return gap.lost > 0;
}

enum txtap_status txtap_trace_next(struct txtap_trace *trace, struct txtap_item *item)
{
    const uint8_t *entry = NULL;

    if (trace->index < trace->ring_entries)
        entry = written_slot(trace);
    if (entry == NULL) {
        if (take_gap(trace, item))
            return TXTAP_OK;
        if (trace->index >= trace->ring_entries)
            return TXTAP_END;
        entry = written_slot(trace);
    }
    if (trace->index < trace->ring_entries - trace->oldest)
        trace->wrapped = true; /* a slot after the pointer was written */
    txtap_event_maker_event(&trace->maker, &trace->header, entry, next_seq(trace), item);
    trace->index++;
    return TXTAP_OK;
}

/*
 * Notes all events before the caller reads the first event, because the registry in the image is newer than all events.
 * All events together also show whether the counter counts up or down.
 */
static void note_all(struct txtap_trace *trace)
{
    struct txtap_item item;

    while (txtap_trace_next(trace, &item) == TXTAP_OK) {
        if (item.kind == TXTAP_ITEM_GAP)
            txtap_registry_note_gap(&trace->registry, item.gap.seq, item.gap.lost);
        else if (trace->wrapped && trace->index == 1 &&
                 /* This create event may really be the newest event, if that has just overwritten the oldest. */
                 lifetime_creates_late(&item.event))
            txtap_registry_note_gap(&trace->registry, item.event.seq + 1, 0);
        else
            txtap_registry_note(&trace->registry, &item.event);
    }
    txtap_clock_settle(&trace->maker.clock);
    trace->settled = trace->maker.clock;
}

enum txtap_status txtap_trace_open(struct txtap_trace *trace, const uint8_t *bytes, size_t length,
                                   struct txtap_object *objects, size_t capacity)
{
    struct txtap_header *header = &trace->header;
    unsigned word_bytes;
    enum txtap_status status;
    uint32_t objects_held;

    memset(trace, 0, sizeof(*trace));
    txtap_registry_init(&trace->registry, objects, capacity);
    status = txtap_trace_header(bytes, length, header, &word_bytes);
    if (status != TXTAP_OK)
        return status;
    if (word_bytes != 4)
        return TXTAP_ERROR_WIDE;

    objects_held = held_objects(header, length);
    trace->missing_objects = txtap_header_registry_entries(header) - objects_held;
    trace->ring_entries = txtap_header_ring_entries(header);
    trace->present_entries = held_entries(header, length);
    trace->missing_entries = trace->ring_entries - trace->present_entries;
    trace->ring = trace->present_entries > 0 ? bytes + (header->ring_start - header->base) : bytes;
    if (length > txtap_header_total_bytes(header))
        trace->extra_bytes = length - txtap_header_total_bytes(header);
    trace->oldest = txtap_header_slot(header, header->current);
    txtap_event_maker_init(&trace->maker, header->timer_mask, 0);
    trace->settled = trace->maker.clock;
    txtap_trace_rewind(trace);
    note_all(trace);
    txtap_registry_update(&trace->registry, header, bytes + TXTB_HEADER_BYTES,
                          (size_t)objects_held * txtap_header_object_bytes(header));
    txtap_trace_rewind(trace);
    return TXTAP_OK;
}

size_t txtap_trace_scan(const uint8_t *bytes, size_t length, size_t from)
{
    for (size_t at = from; at < length && length - at >= TXTB_HEADER_BYTES; at++) {
        /* The id begins with T or B. In a big-endian 64-bit word, the upper half comes first, and is 0. */
        if (bytes[at] != 'T' && bytes[at] != 'B' && (bytes[at] != 0 || bytes[at + 4] != 'T'))
            continue;
        if (bytes[at] != 0 && txtap_header_signature(bytes + at))
            return at;
        if (length - at >= TXTB64_HEADER_BYTES && trace64_signature(bytes + at))
            return at;
    }
    return length;
}
