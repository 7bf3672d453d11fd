/* SPDX-License-Identifier: MIT */
/* The control header of a TXTB buffer, parsed and believed only as far as its numbers agree with each other. */
#ifndef TXTAP_HEADER_H
#define TXTAP_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/status.h"
#include "txtap/txtb.h"

TXTAP_API_BEGIN

enum txtap_endian { TXTAP_LITTLE, TXTAP_BIG };

/* Largest ring and registry that are believed: 64 MiB each. No target with a 32-bit trace buffer has more. */
#define TXTAP_RING_BYTES_MAX     (64u * 1024 * 1024)
#define TXTAP_REGISTRY_BYTES_MAX (64u * 1024 * 1024)
#define TXTAP_NAME_BYTES_MAX     4096u

struct txtap_header {
    enum txtap_endian endian;
    uint32_t timer_mask;
    uint32_t base; /* where the target says the header lies */
    uint32_t registry_start, registry_end;
    uint32_t ring_start, ring_end;
    uint32_t current;    /* address of the next entry to write */
    uint16_t laps;       /* modulo 65536; 0 with a recorder that does not count */
    uint16_t name_bytes; /* of one registry entry */
};

/*
 * Parses and checks a header. bytes: TXTB_HEADER_BYTES bytes.
 * TXTAP_ERROR_SIGNATURE, _ALIGNMENT, _REGISTRY, _RING, _POINTER or _OVERLAP, in this order, when it cannot be believed;
 * *header then holds what was parsed (all zero after _SIGNATURE), for the message. Source: ThreadX
 * common/inc/tx_trace.h, tx_trace_enable.c.
 */
enum txtap_status txtap_header_parse(const uint8_t bytes[TXTB_HEADER_BYTES], struct txtap_header *header);

/*
 * The checks of txtap_header_parse() but for signature and alignment, on numbers that came from anywhere:
 * TXTAP_ERROR_REGISTRY, _RING, _POINTER or _OVERLAP, in this order.
 */
enum txtap_status txtap_header_check(const struct txtap_header *header);

/* The reverse of txtap_header_parse(), in header->endian; nothing is checked. */
void txtap_header_build(const struct txtap_header *header, uint8_t bytes[TXTB_HEADER_BYTES]);

/* True if the first bytes can be those of a complete header: id and the three constants, in either byte order. */
bool txtap_header_signature(const uint8_t bytes[TXTB_HEADER_BYTES]);

/* True if both describe the same buffer: all but current and laps are equal. */
bool txtap_header_same_buffer(const struct txtap_header *a, const struct txtap_header *b);

/* Derived figures, of a header that was parsed with TXTAP_OK or passed txtap_header_check(). */
uint32_t txtap_header_ring_entries(const struct txtap_header *header);
uint32_t txtap_header_registry_entries(const struct txtap_header *header);
uint32_t txtap_header_object_bytes(const struct txtap_header *header); /* of one registry entry, padding included */
uint32_t txtap_header_total_bytes(const struct txtap_header *header);  /* from base to ring end */

TXTAP_API_END

#endif
