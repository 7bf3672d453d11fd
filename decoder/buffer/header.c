/* SPDX-License-Identifier: MIT */
/*
 * Parses and builds the control header. Any 48 bytes of memory may look like a header, so every number is checked
 * against the other numbers before it is used. These functions know the layout of a header, but no events.
 */
#include "txtap/inner/header.h"

#include <string.h>

#include "base/bytes.h"

/*
 * Returns true if the bytes contain the id and the three constants. ThreadX writes the id before the other fields are
 * valid, and the three constants last.
 */
static bool signature_in(const uint8_t *bytes, enum txtap_endian endian)
{
    return bytes_u32(bytes + TXTB_HEADER_ID, endian) == TXTB_ID &&
           bytes_u32(bytes + TXTB_HEADER_RESERVED2, endian) == TXTB_RESERVED2 &&
           bytes_u32(bytes + TXTB_HEADER_RESERVED3, endian) == TXTB_RESERVED3 &&
           bytes_u32(bytes + TXTB_HEADER_RESERVED4, endian) == TXTB_RESERVED4;
}

bool txtap_header_signature(const uint8_t bytes[TXTB_HEADER_BYTES])
{
    return signature_in(bytes, TXTAP_LITTLE) || signature_in(bytes, TXTAP_BIG);
}

/* Adds base and header size in 64 bits: with a base near the end of memory, the sum must not wrap to 0. */
enum txtap_status txtap_header_check(const struct txtap_header *header)
{
    uint32_t registry = header->registry_end - header->registry_start, ring = header->ring_end - header->ring_start;

    if (header->name_bytes > TXTAP_NAME_BYTES_MAX || header->registry_end < header->registry_start ||
        registry > TXTAP_REGISTRY_BYTES_MAX || registry % txtap_header_object_bytes(header) != 0)
        return TXTAP_ERROR_REGISTRY;
    if (header->ring_end <= header->ring_start || ring > TXTAP_RING_BYTES_MAX || ring % TXTB_ENTRY_BYTES != 0)
        return TXTAP_ERROR_RING;
    if (!txtap_header_is_slot(header, header->current))
        return TXTAP_ERROR_POINTER;
    if (header->registry_start != (uint64_t)header->base + TXTB_HEADER_BYTES ||
        header->ring_start != header->registry_end)
        return TXTAP_ERROR_OVERLAP;
    return TXTAP_OK;
}

enum txtap_status txtap_header_parse(const uint8_t bytes[TXTB_HEADER_BYTES], struct txtap_header *header)
{
    enum txtap_endian endian = signature_in(bytes, TXTAP_BIG) ? TXTAP_BIG : TXTAP_LITTLE;

    memset(header, 0, sizeof(*header));
    if (!signature_in(bytes, endian))
        return TXTAP_ERROR_SIGNATURE;
    header->endian = endian;
    header->timer_mask = bytes_u32(bytes + TXTB_HEADER_TIMER_MASK, endian);
    header->base = bytes_u32(bytes + TXTB_HEADER_BASE, endian);
    header->registry_start = bytes_u32(bytes + TXTB_HEADER_REGISTRY_START, endian);
    header->registry_end = bytes_u32(bytes + TXTB_HEADER_REGISTRY_END, endian);
    header->ring_start = bytes_u32(bytes + TXTB_HEADER_RING_START, endian);
    header->ring_end = bytes_u32(bytes + TXTB_HEADER_RING_END, endian);
    header->current = bytes_u32(bytes + TXTB_HEADER_CURRENT, endian);
    header->laps = bytes_u16(bytes + TXTB_HEADER_LAPS, endian);
    header->name_bytes = bytes_u16(bytes + TXTB_HEADER_NAME_BYTES, endian);

    if (header->base % 4 != 0)
        return TXTAP_ERROR_ALIGNMENT;
    return txtap_header_check(header);
}

void txtap_header_build(const struct txtap_header *header, uint8_t bytes[TXTB_HEADER_BYTES])
{
    enum txtap_endian endian = header->endian;

    (void)put_u32(bytes + TXTB_HEADER_ID, endian, TXTB_ID);
    (void)put_u32(bytes + TXTB_HEADER_TIMER_MASK, endian, header->timer_mask);
    (void)put_u32(bytes + TXTB_HEADER_BASE, endian, header->base);
    (void)put_u32(bytes + TXTB_HEADER_REGISTRY_START, endian, header->registry_start);
    (void)put_u16(bytes + TXTB_HEADER_LAPS, endian, header->laps);
    (void)put_u16(bytes + TXTB_HEADER_NAME_BYTES, endian, header->name_bytes);
    (void)put_u32(bytes + TXTB_HEADER_REGISTRY_END, endian, header->registry_end);
    (void)put_u32(bytes + TXTB_HEADER_RING_START, endian, header->ring_start);
    (void)put_u32(bytes + TXTB_HEADER_RING_END, endian, header->ring_end);
    (void)put_u32(bytes + TXTB_HEADER_CURRENT, endian, header->current);
    (void)put_u32(bytes + TXTB_HEADER_RESERVED2, endian, TXTB_RESERVED2);
    (void)put_u32(bytes + TXTB_HEADER_RESERVED3, endian, TXTB_RESERVED3);
    (void)put_u32(bytes + TXTB_HEADER_RESERVED4, endian, TXTB_RESERVED4);
}

bool txtap_header_same_buffer(const struct txtap_header *a, const struct txtap_header *b)
{
    return a->endian == b->endian && a->timer_mask == b->timer_mask && a->base == b->base &&
           a->registry_start == b->registry_start && a->registry_end == b->registry_end &&
           a->ring_start == b->ring_start && a->ring_end == b->ring_end && a->name_bytes == b->name_bytes;
}

uint32_t txtap_header_ring_entries(const struct txtap_header *header)
{
    return (header->ring_end - header->ring_start) / TXTB_ENTRY_BYTES;
}

bool txtap_header_is_slot(const struct txtap_header *header, uint32_t address)
{
    return address >= header->ring_start && address < header->ring_end &&
           (address - header->ring_start) % TXTB_ENTRY_BYTES == 0;
}

uint32_t txtap_header_slot(const struct txtap_header *header, uint32_t address)
{
    return (address - header->ring_start) / TXTB_ENTRY_BYTES;
}

/*
 * Returns the size of a registry entry in bytes. The entry is a C structure of words, so padding follows a name: a name
 * of 30 bytes has 2 bytes of padding.
 */
uint32_t txtap_header_object_bytes(const struct txtap_header *header)
{
    return TXTB_OBJECT_FIXED_BYTES + ((header->name_bytes + 3u) & ~3u);
}

uint32_t txtap_header_registry_entries(const struct txtap_header *header)
{
    return (header->registry_end - header->registry_start) / txtap_header_object_bytes(header);
}

uint32_t txtap_header_total_bytes(const struct txtap_header *header)
{
    return header->ring_end - header->base;
}
