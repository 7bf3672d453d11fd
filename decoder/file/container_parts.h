/* SPDX-License-Identifier: MIT */
/* The parts of container: all kinds are a sequence of records, each with some bytes at an address. */
#ifndef TXTAP_DECODER_FILE_CONTAINER_PARTS_H
#define TXTAP_DECODER_FILE_CONTAINER_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/status.h"

#define RECORD_TEXT_BYTES 256 /* at most, from one line of text */

struct record {
    uint64_t address;
    const uint8_t *bytes; /* of the file or of the reader; valid until the next one is read */
    size_t length;        /* address + length does not pass the last address of 64 bits */
};

struct reader {
    const uint8_t *file;
    size_t length;
    /* text */
    size_t at, line;
    uint64_t base;    /* added to addresses; plain hexadecimal: the next address */
    bool segmented;   /* Intel HEX: base came from a type 02 record */
    uint32_t counted; /* S-records: data records since the last count */
    uint8_t data[RECORD_TEXT_BYTES];
    /* ELF */
    uint64_t index;
    uint64_t missing_bytes, given_bytes;
    /* after TXTAP_ERROR_FORMAT */
    const char *error;
};

/* TXTAP_OK: *record has at least one byte. TXTAP_END: no more. TXTAP_ERROR_FORMAT: reader->error says why. */
typedef enum txtap_status record_reader(struct reader *reader, struct record *record);

record_reader elf_next, ihex_next, srec_next, hex_next;

/* Do the first bytes look like that kind? */
bool elf_recognised(const uint8_t *bytes, size_t length);
bool ihex_recognised(const uint8_t *bytes, size_t length);
bool srec_recognised(const uint8_t *bytes, size_t length);
bool hex_recognised(const uint8_t *bytes, size_t length);

static inline enum txtap_status fail_record(struct reader *reader, const char *why)
{
    reader->error = why;
    return TXTAP_ERROR_FORMAT;
}

/* ---- hexadecimal text, line by line ---- */

bool text_is_blank(uint8_t character); /* blank, tab, carriage return, line feed */

/* Offset of the first character that is not blank; length if there is none. */
size_t text_first(const uint8_t *bytes, size_t length);

/* Passes over blanks and counts lines. False at the end of the text. */
bool text_skip_blanks(struct reader *reader);

/*
 * Takes the pairs of digits up to the next blank or the end into data[0..*count), *count <= RECORD_TEXT_BYTES. After
 * them only blanks may stand on the line.
 */
enum txtap_status text_take_pairs(struct reader *reader, size_t *count);

/* The next record with data. take_record: TXTAP_AGAIN says that a line had none. */
enum txtap_status text_next(struct reader *reader, struct record *record, record_reader *take_record);

/* Sum of data[0..count), modulo 256. */
uint8_t text_sum(const struct reader *reader, size_t count);

#endif
