/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * What only the program and the decoder ask of a control header, and how it is built.
 */
#ifndef TXTAP_INNER_HEADER_H
#define TXTAP_INNER_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "txtap/header.h"

/*
 * The checks of txtap_header_parse() without signature and alignment, for numbers from any origin:
 * TXTAP_ERROR_REGISTRY, _RING, _POINTER or _OVERLAP, checked in this order. What passes may be asked for its figures as
 * after txtap_header_parse().
 */
enum txtap_status txtap_header_check(const struct txtap_header *header);

/* The reverse of txtap_header_parse(), in header->endian. Checks nothing. */
void txtap_header_build(const struct txtap_header *header, uint8_t bytes[TXTB_HEADER_BYTES]);

/* True if both describe the same buffer: all but current and laps are equal. */
bool txtap_header_same_buffer(const struct txtap_header *a, const struct txtap_header *b);

/* Does an entry of that header's ring begin at the address? */
bool txtap_header_is_slot(const struct txtap_header *header, uint32_t address);

/* Which entry that is, 0 the one at ring_start. address: one for which txtap_header_is_slot() holds. */
uint32_t txtap_header_slot(const struct txtap_header *header, uint32_t address);

#endif
