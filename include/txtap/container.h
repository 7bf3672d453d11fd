/* SPDX-License-Identifier: MIT */
/*
 * Files that hold target memory, as what they hold: pieces of memory with addresses. The kind is told by content.
 * The caller reads the file and gives all memory.
 */
#ifndef TXTAP_CONTAINER_H
#define TXTAP_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/api.h"
#include "txtap/status.h"

TXTAP_API_BEGIN

enum txtap_container_kind {
    TXTAP_CONTAINER_TRACE, /* begins with a trace buffer's header: .trx */
    TXTAP_CONTAINER_RAW,   /* none of the others: memory as it is */
    TXTAP_CONTAINER_ELF,   /* 32 or 64 bits, of any machine: PT_LOAD segments; meant for core files */
    TXTAP_CONTAINER_IHEX,  /* Intel HEX, record types 00 to 05 */
    TXTAP_CONTAINER_SREC,  /* Motorola S-record, S0 to S9 */
    TXTAP_CONTAINER_HEX,   /* pairs of hexadecimal digits, blanks and line ends between them */
};

/* More pieces than any memory dump has; a file with more is refused with TXTAP_ERROR_SPACE. */
#define TXTAP_CONTAINER_SEGMENTS_MAX (1u << 20)

/* A piece of target memory. address + length - 1 is an address: it does not wrap. */
struct txtap_segment {
    uint64_t address;
    size_t length; /* bytes; > 0 */
    const uint8_t *bytes;
};

struct txtap_container {
    enum txtap_container_kind kind;
    bool addressed;         /* the file says where its bytes lay; false: address is 0, the caller may know better */
    size_t memory_bytes;    /* what txtap_container_read() needs, at most file_bytes; 0 for TRACE and RAW: not copied */
    size_t segments_max;    /* and how many segments at most */
    uint64_t missing_bytes; /* ELF: promised by its headers, but behind the file's end */
    size_t error_line;      /* after a failure: the line, from 1, that is damaged; 0: not a matter of lines */
    const char *error;      /* and what about it, one static phrase; "" otherwise */

    const uint8_t *file; /* borrowed */
    size_t file_bytes;
};

/*
 * Tells the kind and checks the whole file. bytes: borrowed until nothing of the container is used any more. Takes
 * O(length) steps.
 *
 * TXTAP_ERROR_FORMAT: recognised, but damaged: a checksum, a length, a character, an address past the last one, a count
 * (S5, S6) that says that records are missing. TXTAP_ERROR_SPACE: more pieces than TXTAP_CONTAINER_SEGMENTS_MAX.
 * error and error_line say what and where. A file of no bytes, and text without one byte of data, is RAW or a container
 * of no segments.
 *
 * A text file that ends without its end record is taken as it is; what follows an end record is read on, with the
 * address base at 0, so that concatenated files work.
 * Sources: Intel "Hexadecimal Object File Format Specification" rev. A 1988; srec(5); TraceX tml_convert_file() for
 * plain hexadecimal text; System V ABI for ELF.
 */
enum txtap_status txtap_container_open(struct txtap_container *container, const uint8_t *bytes, size_t length);

/*
 * Decodes a container that was opened with TXTAP_OK. memory: container->memory_bytes; segments: segments_max. *count
 * segments are written, sorted by address, apart from each other by at least one byte: what touches is merged. Where
 * the file gives an address twice, the later one stands, as it would if the records were loaded one after the other.
 * *overlapping: bytes given more than once. Their bytes lie in memory, or in the file for TRACE and RAW. Always
 * TXTAP_OK for the same bytes. Takes O(length * log segments) steps.
 */
enum txtap_status txtap_container_read(const struct txtap_container *container, uint8_t *memory,
                                       struct txtap_segment *segments, size_t *count, uint64_t *overlapping);

/* "Intel HEX", ...: for messages. */
const char *txtap_container_name(enum txtap_container_kind kind);

TXTAP_API_END

#endif
