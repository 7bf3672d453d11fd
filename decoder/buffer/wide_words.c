/* SPDX-License-Identifier: MIT */
/* Rewrites buffers of 64-bit words with 32-bit words. No other file knows the 64-bit layout. */
#include "buffer/wide_words.h"

#include <string.h>

#include "base/bytes.h"
#include "base/put.h"
#include "txtap/trace.h"
#include "txtap/inner/header.h"

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

bool trace64_signature(const uint8_t *bytes)
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

/* Checks what narrowed numbers no longer show; txtap_header_check() checks the rest. */
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

/* The header of the narrowed image. The base keeps its lower half if the buffer does not wrap there. */
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

enum txtap_status trace64_header(const uint8_t bytes[TXTB64_HEADER_BYTES], struct txtap_header *header, uint64_t *base,
                                 uint64_t *mask)
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

/* As put_narrowed(); but 0 means "none", so an address whose lower half is 0 becomes 1. */
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
            to->at = put_u32(to->at, to->endian, (uint32_t)value); /* the timer mask says what of it counts */
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
    return total < length ? total : length; /* no structure grows */
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
