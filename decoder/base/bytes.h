/* SPDX-License-Identifier: MIT */
/*
 * The only functions that convert bytes from outside into numbers. They check bounds and convert the byte order, and do
 * not know the meaning of the numbers. If a function bytes_take_*() returns false, it has consumed no bytes and left
 * *value unchanged.
 */
#ifndef TXTAP_DECODER_BASE_BYTES_H
#define TXTAP_DECODER_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/header.h"

struct bytes {
    const uint8_t *at;
    size_t left;
};

/*
 * These functions return the number in the first 2, 4 or 8 bytes at the address. The caller ensures that there are
 * enough bytes.
 */

static inline uint16_t bytes_u16(const uint8_t *at, enum txtap_endian endian)
{
    return (uint16_t)(endian == TXTAP_BIG ? at[0] << 8 | at[1] : at[1] << 8 | at[0]);
}

static inline uint32_t bytes_u32(const uint8_t *at, enum txtap_endian endian)
{
    if (endian == TXTAP_BIG)
        return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static inline uint64_t bytes_u64(const uint8_t *at, enum txtap_endian endian)
{
    uint64_t first = bytes_u32(at, endian), second = bytes_u32(at + 4, endian);

    return endian == TXTAP_BIG ? first << 32 | second : second << 32 | first;
}

/* Returns the number in the first count bytes. count: at most 8. */
static inline uint64_t bytes_number(const uint8_t *at, enum txtap_endian endian, unsigned count)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < count; i++)
        value = value << 8 | at[endian == TXTAP_BIG ? i : count - 1 - i];
    return value;
}

static inline bool bytes_skip(struct bytes *bytes, size_t count)
{
    if (bytes->left < count)
        return false;
    bytes->at += count;
    bytes->left -= count;
    return true;
}

static inline bool bytes_take_u8(struct bytes *bytes, uint8_t *value)
{
    const uint8_t *at = bytes->at;

    if (!bytes_skip(bytes, 1))
        return false;
    *value = at[0];
    return true;
}

static inline bool bytes_take_u16(struct bytes *bytes, enum txtap_endian endian, uint16_t *value)
{
    const uint8_t *at = bytes->at;

    if (!bytes_skip(bytes, 2))
        return false;
    *value = bytes_u16(at, endian);
    return true;
}

static inline bool bytes_take_u32(struct bytes *bytes, enum txtap_endian endian, uint32_t *value)
{
    const uint8_t *at = bytes->at;

    if (!bytes_skip(bytes, 4))
        return false;
    *value = bytes_u32(at, endian);
    return true;
}

static inline bool bytes_take_u64(struct bytes *bytes, enum txtap_endian endian, uint64_t *value)
{
    const uint8_t *at = bytes->at;

    if (!bytes_skip(bytes, 8))
        return false;
    *value = bytes_u64(at, endian);
    return true;
}

/* Takes count words. Each loop has one byte order and no branches, so the compiler can use vector instructions. */
static inline bool bytes_take_words(struct bytes *bytes, enum txtap_endian endian, uint32_t *words, size_t count)
{
    const uint8_t *at = bytes->at;

    if (!bytes_skip(bytes, 4 * count))
        return false;
    if (endian == TXTAP_BIG) {
        for (size_t i = 0; i < count; i++)
            words[i] = bytes_u32(at + 4 * i, TXTAP_BIG);
    } else {
        for (size_t i = 0; i < count; i++)
            words[i] = bytes_u32(at + 4 * i, TXTAP_LITTLE);
    }
    return true;
}

/* ---- the reverse: numbers as bytes; the caller ensures that there is room ---- */

/* Writes the lowest count bytes of value. Returns the address after them. */
static inline uint8_t *put_number(uint8_t *at, enum txtap_endian endian, uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        at[endian == TXTAP_BIG ? count - 1 - i : i] = (uint8_t)(value >> 8 * i & 0xFF);
    return at + count;
}

static inline uint8_t *put_u8(uint8_t *at, uint8_t value)
{
    *at = value;
    return at + 1;
}

static inline uint8_t *put_u16(uint8_t *at, enum txtap_endian endian, uint16_t value)
{
    return put_number(at, endian, value, 2);
}

static inline uint8_t *put_u32(uint8_t *at, enum txtap_endian endian, uint32_t value)
{
    return put_number(at, endian, value, 4);
}

static inline uint8_t *put_u64(uint8_t *at, enum txtap_endian endian, uint64_t value)
{
    return put_number(at, endian, value, 8);
}

#endif
