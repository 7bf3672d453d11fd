/* SPDX-License-Identifier: MIT */
/*
 * The one door through which bytes from outside become numbers. It knows bounds and byte order; it knows nothing of
 * what the numbers mean. A take that returns false has taken nothing and left *value alone.
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
    if (endian == TXTAP_BIG)
        *value = (uint16_t)(at[0] << 8 | at[1]);
    else
        *value = (uint16_t)(at[1] << 8 | at[0]);
    return true;
}

static inline bool bytes_take_u32(struct bytes *bytes, enum txtap_endian endian, uint32_t *value)
{
    const uint8_t *at = bytes->at;

    if (!bytes_skip(bytes, 4))
        return false;
    if (endian == TXTAP_BIG)
        *value = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    else
        *value = (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
    return true;
}

static inline bool bytes_take_u64(struct bytes *bytes, enum txtap_endian endian, uint64_t *value)
{
    uint32_t first = 0, second = 0;

    if (bytes->left < 8)
        return false;
    (void)bytes_take_u32(bytes, endian, &first);
    (void)bytes_take_u32(bytes, endian, &second);
    if (endian == TXTAP_BIG)
        *value = (uint64_t)first << 32 | second;
    else
        *value = (uint64_t)second << 32 | first;
    return true;
}

/* count words at once; the byte order is looked at once, and a loop without branches becomes vector instructions. */
static inline bool bytes_take_words(struct bytes *bytes, enum txtap_endian endian, uint32_t *words, size_t count)
{
    const uint8_t *at = bytes->at;

    if (!bytes_skip(bytes, 4 * count))
        return false;
    if (endian == TXTAP_BIG) {
        for (size_t i = 0; i < count; i++, at += 4)
            words[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    } else {
        for (size_t i = 0; i < count; i++, at += 4)
            words[i] = (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
    }
    return true;
}

#endif
