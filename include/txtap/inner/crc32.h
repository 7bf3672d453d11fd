/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * The checksum of a recording's blocks.
 */
#ifndef TXTAP_INNER_CRC32_H
#define TXTAP_INNER_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of all bytes so far. crc: the checksum of all earlier bytes; 0 at the start. */
uint32_t txtap_crc32(uint32_t crc, const uint8_t *bytes, size_t length);

#endif
