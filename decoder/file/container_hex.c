/* SPDX-License-Identifier: MIT */
/*
 * Plain hexadecimal text, as TraceX reads it (tml_convert_file) and `xxd -p` writes it: pairs of digits in the order of
 * the bytes, with line ends and blanks between them. It has no addresses.
 */
#include "base/digits.h"
#include "file/container_parts.h"

#define CHECK_BYTES 64 /* binary memory does not begin with this many digits and blanks */

bool hex_recognised(const uint8_t *bytes, size_t length)
{
    size_t digits = 0;

    for (size_t i = 0; i < length && digits < CHECK_BYTES; i++) {
        if (digit_value((char)bytes[i]) < 16)
            digits++;
        else if (!text_is_blank(bytes[i]))
            return false;
    }
    return digits > 0;
}

enum txtap_status hex_next(struct reader *reader, struct record *record)
{
    size_t count = 0;

    while (count < RECORD_TEXT_BYTES && text_skip_blanks(reader)) {
        unsigned high = digit_value((char)reader->file[reader->at]), low = 16;

        if (reader->length - reader->at >= 2)
            low = digit_value((char)reader->file[reader->at + 1]);
        if (high >= 16)
            return fail_record(reader, "has a character that is not a hexadecimal digit");
        if (low >= 16)
            return fail_record(reader, "has half a byte: the digits come in pairs");
        reader->data[count++] = (uint8_t)(high << 4 | low);
        reader->at += 2;
    }
    if (count == 0)
        return TXTAP_END;
    record->address = reader->base;
    record->bytes = reader->data;
    record->length = count;
    reader->base += count;
    return TXTAP_OK;
}
