/* SPDX-License-Identifier: MIT */
/* Part of trace: the control header in 64-bit words. */
#ifndef TXTAP_DECODER_BUFFER_WIDE_WORDS_H
#define TXTAP_DECODER_BUFFER_WIDE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/header.h"

/* True for the id and the three constants, in 64-bit words of either byte order. bytes: TXTB64_HEADER_BYTES. */
bool trace64_signature(const uint8_t *bytes);

/*
 * Parses a header of 64-bit words into what it is when narrowed. *base and *mask: as recorded. Statuses as
 * txtap_header_parse(), _ALIGNMENT apart.
 */
enum txtap_status trace64_header(const uint8_t bytes[TXTB64_HEADER_BYTES], struct txtap_header *header, uint64_t *base,
                                 uint64_t *mask);

#endif
