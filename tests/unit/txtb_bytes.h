/* SPDX-License-Identifier: MIT */
/*
 * Writes TXTB structures byte by byte, for tests. It is the reverse of the decoder, but shares no code with it.
 */
#ifndef TXTAP_TESTS_TXTB_BYTES_H
#define TXTAP_TESTS_TXTB_BYTES_H

#include <stdint.h>
#include <string.h>

#include "txtap/header.h"

static inline void put_u16(uint8_t *at, enum txtap_endian endian, uint16_t value)
{
    at[endian == TXTAP_BIG ? 0 : 1] = (uint8_t)(value >> 8);
    at[endian == TXTAP_BIG ? 1 : 0] = (uint8_t)value;
}

static inline void put_u32(uint8_t *at, enum txtap_endian endian, uint32_t value)
{
    uint32_t little = endian == TXTAP_BIG ? __builtin_bswap32(value) : value;

    at[0] = (uint8_t)little; /* the compiler merges these assignments into one store */
    at[1] = (uint8_t)(little >> 8);
    at[2] = (uint8_t)(little >> 16);
    at[3] = (uint8_t)(little >> 24);
}

/* Writes a header as the kernel does. The current pointer is at the ring's start, and no lap is counted. */
static inline void put_header(uint8_t *at, enum txtap_endian endian, uint32_t base, uint16_t name_bytes,
                              uint32_t objects, uint32_t entries)
{
    uint32_t registry = base + TXTB_HEADER_BYTES;
    uint32_t ring = registry + objects * (TXTB_OBJECT_FIXED_BYTES + (name_bytes + 3u) / 4 * 4);

    memset(at, 0, TXTB_HEADER_BYTES);
    put_u32(at + TXTB_HEADER_ID, endian, TXTB_ID);
    put_u32(at + TXTB_HEADER_TIMER_MASK, endian, 0xFFFFFFFFu);
    put_u32(at + TXTB_HEADER_BASE, endian, base);
    put_u32(at + TXTB_HEADER_REGISTRY_START, endian, registry);
    put_u16(at + TXTB_HEADER_NAME_BYTES, endian, name_bytes);
    put_u32(at + TXTB_HEADER_REGISTRY_END, endian, ring);
    put_u32(at + TXTB_HEADER_RING_START, endian, ring);
    put_u32(at + TXTB_HEADER_RING_END, endian, ring + entries * TXTB_ENTRY_BYTES);
    put_u32(at + TXTB_HEADER_CURRENT, endian, ring);
    put_u32(at + TXTB_HEADER_RESERVED2, endian, TXTB_RESERVED2);
    put_u32(at + TXTB_HEADER_RESERVED3, endian, TXTB_RESERVED3);
    put_u32(at + TXTB_HEADER_RESERVED4, endian, TXTB_RESERVED4);
}

/* Writes a registry entry with a name of 32 bytes. A longer name is cut and has no terminator. */
static inline void put_object(uint8_t *at, enum txtap_endian endian, uint8_t available, uint8_t type, uint32_t pointer,
                              const char *name)
{
    size_t length = strlen(name);

    memset(at, 0, TXTB_OBJECT_FIXED_BYTES + 32);
    at[TXTB_OBJECT_AVAILABLE] = available;
    at[TXTB_OBJECT_TYPE] = type;
    put_u32(at + TXTB_OBJECT_POINTER, endian, pointer);
    memcpy(at + TXTB_OBJECT_NAME, name, length < 32 ? length : 32);
}

static inline void put_entry(uint8_t *at, enum txtap_endian endian, const uint32_t words[8])
{
    for (unsigned i = 0; i < 8; i++)
        put_u32(at + 4 * i, endian, words[i]);
}

#endif
