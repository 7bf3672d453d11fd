/* SPDX-License-Identifier: MIT */
/* The checksum of a recording's blocks. */
#ifndef TXTAP_DECODER_BASE_CRC32_H
#define TXTAP_DECODER_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of all bytes so far. crc: the checksum of all earlier bytes; 0 at the start. */
uint32_t crc32_add(uint32_t crc, const uint8_t *bytes, size_t length);

#endif
