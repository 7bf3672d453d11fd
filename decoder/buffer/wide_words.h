/* SPDX-License-Identifier: MIT */
/* Part of trace: the control header in 64-bit words, and how much of a buffer an image holds. */
#ifndef TXTAP_DECODER_BUFFER_WIDE_WORDS_H
#define TXTAP_DECODER_BUFFER_WIDE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/header.h"

/* How many structures of each bytes an image of length bytes holds as a whole, after before bytes; at most most. */
static inline uint32_t whole_structures(size_t length, size_t before, size_t each, uint32_t most)
{
    size_t count = length > before ? (length - before) / each : 0;

    return count < most ? (uint32_t)count : most;
}

/* True for the id and the three constants, in 64-bit words of either byte order. bytes: TXTB64_HEADER_BYTES. */
bool trace64_signature(const uint8_t *bytes);

/*
 * Parses a header of 64-bit words into what it is when narrowed. *base and *mask: as recorded. Statuses as
 * txtap_header_parse(), _ALIGNMENT apart.
 */
enum txtap_status trace64_header(const uint8_t bytes[TXTB64_HEADER_BYTES], struct txtap_header *header, uint64_t *base,
                                 uint64_t *mask);

#endif
