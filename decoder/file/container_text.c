/* SPDX-License-Identifier: MIT */
/* Pairs of hexadecimal digits and lines, for the three text formats of memory. Knows none of the formats. */
#include "file/container_parts.h"

#include "base/digits.h"

bool text_is_blank(uint8_t character)
{
    return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

size_t text_first(const uint8_t *bytes, size_t length)
{
    size_t at = 0;

    while (at < length && text_is_blank(bytes[at]))
        at++;
    return at;
}

bool text_skip_blanks(struct reader *reader)
{
    while (reader->at < reader->length && text_is_blank(reader->file[reader->at])) {
        reader->line += reader->file[reader->at] == '\n';
        reader->at++;
    }
    return reader->at < reader->length;
}

enum txtap_status text_take_pairs(struct reader *reader, size_t *count)
{
    const uint8_t *text = reader->file;

    *count = 0;
    while (reader->length - reader->at >= 2) {
        unsigned high = digit_value((char)text[reader->at]), low = digit_value((char)text[reader->at + 1]);

        if ((high | low) >= 16)
            break;
        if (*count == RECORD_TEXT_BYTES)
            return fail_record(reader, "longer than a record can be");
        reader->data[(*count)++] = (uint8_t)(high << 4 | low);
        reader->at += 2;
    }
    if (reader->at < reader->length && digit_value((char)text[reader->at]) < 16)
        return fail_record(reader, "ends within a byte");
    while (reader->at < reader->length && text[reader->at] != '\n') {
        if (!text_is_blank(text[reader->at]))
            return fail_record(reader, "has a character that is not a hexadecimal digit");
        reader->at++;
    }
    return TXTAP_OK;
}

uint8_t text_sum(const struct reader *reader, size_t count)
{
    unsigned sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += reader->data[i];
    return (uint8_t)sum;
}

enum txtap_status text_next(struct reader *reader, struct record *record, record_reader *take_record)
{
    enum txtap_status status = TXTAP_AGAIN;

    while (status == TXTAP_AGAIN) {
        if (!text_skip_blanks(reader))
            return TXTAP_END;
        status = take_record(reader, record);
    }
    return status;
}
