/* SPDX-License-Identifier: MIT */
/* Part of container: hexadecimal text, line by line. */
#ifndef TXTAP_DECODER_FILE_CONTAINER_TEXT_H
#define TXTAP_DECODER_FILE_CONTAINER_TEXT_H

#include "file/container_records.h"

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
