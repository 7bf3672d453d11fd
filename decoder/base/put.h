/* SPDX-License-Identifier: MIT */
/* Writes numbers as bytes, the reverse of bytes.h. The caller makes sure that there is room. */
#ifndef TXTAP_DECODER_BASE_PUT_H
#define TXTAP_DECODER_BASE_PUT_H

#include <stdint.h>

#include "txtap/header.h"

/* Writes the lowest count bytes of value. Returns the place behind them. */
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
