/* SPDX-License-Identifier: MIT */
/* Internal to the readers of containers. A container is a sequence of records; a record is bytes at an address. */
#ifndef TXTAP_DECODER_FILE_CONTAINER_PARTS_H
#define TXTAP_DECODER_FILE_CONTAINER_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/status.h"

#define RECORD_TEXT_BYTES 256 /* maximum data bytes in a line of text */

struct record {
    uint64_t address;
    const uint8_t *bytes; /* the data, in the file or in the reader; valid until the next record is read */
    size_t length;        /* address + length - 1 fits into 64 bits */
};

struct reader {
    const uint8_t *file;
    size_t length;
    /* text */
    size_t at, line;
    uint64_t base;    /* Intel HEX: added to addresses; plain hexadecimal text: the next address */
    bool segmented;   /* Intel HEX: base came from a type 02 record */
    uint32_t counted; /* S-records: number of data records since the last count record */
    uint8_t data[RECORD_TEXT_BYTES];
    /* ELF */
    uint64_t index;
    uint64_t missing_bytes, given_bytes;
    /* after TXTAP_ERROR_FORMAT: the reason */
    const char *error;
};

/*
 * Reads a record. TXTAP_OK: *record has at least one byte. TXTAP_END: there are no more records. TXTAP_ERROR_FORMAT:
 * reader->error has the reason.
 */
typedef enum txtap_status record_reader(struct reader *reader, struct record *record);

/* A kind of file: an element of the table in container.c. */
struct container_kind {
    const char *name;
    bool (*recognised)(const uint8_t *bytes,
                       size_t length); /* returns true if the file begins like this kind; NULL: see recognise() */
    record_reader *next;               /* NULL: the file has no records, its bytes are the memory */
    bool addressed;
};

extern const struct container_kind container_elf, container_ihex, container_srec, container_hex;

static inline enum txtap_status fail_record(struct reader *reader, const char *why)
{
    reader->error = why;
    return TXTAP_ERROR_FORMAT;
}

#endif
