/* SPDX-License-Identifier: MIT */
/*
 * Reads files that contain target memory: pieces of memory with addresses. Recognises the kind of a file by its
 * content. The caller reads the file and provides all memory.
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
    TXTAP_CONTAINER_TRACE, /* .trx: the file begins with the header of a trace buffer */
    TXTAP_CONTAINER_RAW,   /* any other content, read as plain bytes of memory */
    TXTAP_CONTAINER_ELF,   /* PT_LOAD segments, 32 or 64 bits, of any machine; meant for core files */
    TXTAP_CONTAINER_IHEX,  /* Intel HEX, record types 00 to 05 */
    TXTAP_CONTAINER_SREC,  /* Motorola S-record, S0 to S9 */
    TXTAP_CONTAINER_HEX,   /* pairs of hexadecimal digits, blanks and line ends between them */
};

/* No memory dump has so many pieces; a file with more is refused with TXTAP_ERROR_SPACE. */
#define TXTAP_CONTAINER_SEGMENTS_MAX (1u << 20)

/* A piece of target memory. address + length - 1 does not wrap. */
struct txtap_segment {
    uint64_t address;
    size_t length; /* bytes; > 0 */
    const uint8_t *bytes;
};

struct txtap_container {
    enum txtap_container_kind kind;
    bool addressed;         /* true: the file contains addresses; false: the address of each segment is 0 */
    size_t memory_bytes;    /* size of memory for txtap_container_read(), at most file_bytes; 0 for TRACE and RAW */
    size_t segments_max;    /* room for segments that txtap_container_read() needs */
    uint64_t missing_bytes; /* ELF: bytes that the headers describe, but that the file does not contain */
    size_t error_line;      /* after a failure: the damaged line, from 1; 0: the file has no lines */
    const char *error;      /* after a failure: the cause, one static phrase; "" otherwise */

    /* private */
    const uint8_t *file; /* borrowed */
    size_t file_bytes;
};

/*
 * Recognises the kind of the file, and checks the whole file. bytes: borrowed as long as the container is in use. Takes
 * O(length) steps.
 *
 * TXTAP_ERROR_FORMAT: the file has a known kind, but is damaged. It has a wrong checksum, length or character, or an
 * address that is too large, or a count (S5, S6) that does not match its records. TXTAP_ERROR_SPACE: more pieces than
 * TXTAP_CONTAINER_SEGMENTS_MAX. error and error_line describe the error. An empty file is RAW and has no segments. A
 * text file without data has no segments either.
 *
 * A text file may lack its end record. Records after an end record are read, too, with the address base at 0, so that
 * concatenated files work. Sources: Intel "Hexadecimal Object File Format Specification" rev. A 1988; srec(5); TraceX
 * tml_convert_file() for plain hexadecimal text; System V ABI for ELF.
 */
enum txtap_status txtap_container_open(struct txtap_container *container, const uint8_t *bytes, size_t length);

/*
 * Decodes a container that was opened with TXTAP_OK. memory: container->memory_bytes bytes; segments: room for
 * segments_max. Writes *count segments, sorted by address, and merges adjacent segments. If the file contains an
 * address twice, the later byte counts, as when a loader loads the records in order. *overlapping: number of bytes
 * given more than once. The segments' bytes are in memory, or in the file for TRACE and RAW. Takes O(length * log
 * segments) steps. Returns TXTAP_OK.
 */
enum txtap_status txtap_container_read(const struct txtap_container *container, uint8_t *memory,
                                       struct txtap_segment *segments, size_t *count, uint64_t *overlapping);

/* Returns "Intel HEX", ...: for messages. */
const char *txtap_container_name(enum txtap_container_kind kind);

TXTAP_API_END

#endif
