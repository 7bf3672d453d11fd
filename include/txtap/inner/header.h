/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core. Functions that build a control
 * header, and other functions for headers that only the program and the decoder need.
 */
#ifndef TXTAP_INNER_HEADER_H
#define TXTAP_INNER_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/header.h"

/*
 * Checks a header as txtap_header_parse() does, but without signature and alignment. The header's numbers may come from
 * any source. Returns TXTAP_ERROR_REGISTRY, _RING, _POINTER or _OVERLAP, checked in this order. After TXTAP_OK, the
 * caller may use all functions for parsed headers.
 */
enum txtap_status txtap_header_check(const struct txtap_header *header);

/* Writes the header's bytes in header->endian: the reverse of txtap_header_parse(). Checks nothing. */
void txtap_header_build(const struct txtap_header *header, uint8_t bytes[TXTB_HEADER_BYTES]);

/* Returns true if both headers describe the same buffer: all fields except current and laps are equal. */
bool txtap_header_same_buffer(const struct txtap_header *a, const struct txtap_header *b);

/* Returns true if an entry of the header's ring begins at address. */
bool txtap_header_is_slot(const struct txtap_header *header, uint32_t address);

/*
 * Returns the index of the entry at address; 0: the entry at ring_start. txtap_header_is_slot() must be true for
 * address.
 */
uint32_t txtap_header_slot(const struct txtap_header *header, uint32_t address);

#endif
