/* SPDX-License-Identifier: MIT */
/* The control header of a TXTB buffer. A header is valid only if its values are consistent. */
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

/* The largest valid ring, registry and name. On no target with a 32-bit trace buffer are they larger. */
#define TXTAP_RING_BYTES_MAX     (64u * 1024 * 1024)
#define TXTAP_REGISTRY_BYTES_MAX (64u * 1024 * 1024)
#define TXTAP_NAME_BYTES_MAX     4096u

struct txtap_header {
    enum txtap_endian endian;
    uint32_t timer_mask;
    uint32_t base; /* address of the header, as stated in the header itself */
    uint32_t registry_start, registry_end;
    uint32_t ring_start, ring_end;
    uint32_t current;    /* address of the next entry to write */
    uint16_t laps;       /* number of laps modulo 65536; always 0 if the recorder does not count laps */
    uint16_t name_bytes; /* length of a name in the registry */
};

/*
 * Parses and checks a header. bytes: TXTB_HEADER_BYTES bytes. Returns TXTAP_ERROR_SIGNATURE, _ALIGNMENT, _REGISTRY,
 * _RING, _POINTER or _OVERLAP, checked in this order. After an error *header has the parsed values, for a message; all
 * are 0 after _SIGNATURE. Source: ThreadX common/inc/tx_trace.h, tx_trace_enable.c.
 */
enum txtap_status txtap_header_parse(const uint8_t bytes[TXTB_HEADER_BYTES], struct txtap_header *header);

/* Returns true if bytes contain the id and the three constants of a complete header, in either byte order. */
bool txtap_header_signature(const uint8_t bytes[TXTB_HEADER_BYTES]);

/*
 * Returns the number of entries of the ring. This function and the following functions require a header that was parsed
 * with TXTAP_OK.
 */
uint32_t txtap_header_ring_entries(const struct txtap_header *header);
uint32_t txtap_header_registry_entries(const struct txtap_header *header);
uint32_t txtap_header_object_bytes(const struct txtap_header *header); /* bytes of one registry entry, padding
                                                                          included */
uint32_t txtap_header_total_bytes(const struct txtap_header *header);  /* from base to ring end */

TXTAP_API_END

#endif
