/* SPDX-License-Identifier: MIT */
/* Compression of payloads of recordings. Only compress.c knows the library, zstd. */
#ifndef TXTAP_CAPTURE_BASE_COMPRESS_H
#define TXTAP_CAPTURE_BASE_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPRESS_LEVEL_DEFAULT 3
#define COMPRESS_LEVEL_MAX     19

struct compressor;

/* NULL: out of memory. */
struct compressor *compressor_new(int level);
void compressor_free(struct compressor *compressor);

/* Compresses into `out`, which has room for `room` bytes. Returns the compressed length; 0: the result does not fit. */
size_t compressor_pack(struct compressor *compressor, uint8_t *out, size_t room, const uint8_t *bytes, size_t length);

/* Returns false if `packed` is damaged, or if its content does not have exactly `length` bytes. `out` is then
 * undefined. */
bool compressor_unpack(struct compressor *compressor, uint8_t *out, size_t length, const uint8_t *packed,
                       size_t packed_length);

#endif
