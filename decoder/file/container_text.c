/* SPDX-License-Identifier: MIT */
/*
 * Reads the three text formats for memory: plain hexadecimal text, Intel HEX and Motorola S-records. All three formats
 * consist of pairs of hexadecimal digits.
 */
#include "file/container_parts.h"

#include "base/bytes.h"
#include "base/text.h"

#define ADDRESS_BYTES (UINT64_C(1) << 32)

/* ---- pairs of digits, and lines ---- */

static bool text_is_blank(uint8_t character)
{
    return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

/* Returns the offset of the first character that is not blank; length if all characters are blank. */
static size_t text_first(const uint8_t *bytes, size_t length)
{
    size_t at = 0;

    while (at < length && text_is_blank(bytes[at]))
        at++;
    return at;
}

/* Skips blanks, and counts lines. Returns false at the end of the text. */
static bool text_skip_blanks(struct reader *reader)
{
    while (reader->at < reader->length && text_is_blank(reader->file[reader->at])) {
        reader->line += reader->file[reader->at] == '\n';
        reader->at++;
    }
    return reader->at < reader->length;
}

/*
 * Converts the pairs of digits up to the next blank or the end of the text, into data[0..*count). *count is at most
 * RECORD_TEXT_BYTES. Only blanks may follow the pairs on the line.
 */
static enum txtap_status text_take_pairs(struct reader *reader, size_t *count)
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

/* Returns the sum of data[0..count), modulo 256. */
static uint8_t text_sum(const struct reader *reader, size_t count)
{
    unsigned sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += reader->data[i];
    return (uint8_t)sum;
}

/*
 * Reads the next record with data. take_record: reads the record of a line; returns TXTAP_AGAIN if the line has no
 * data.
 */
static enum txtap_status text_next(struct reader *reader, struct record *record, record_reader *take_record)
{
    enum txtap_status status = TXTAP_AGAIN;

    while (status == TXTAP_AGAIN) {
        if (!text_skip_blanks(reader))
            return TXTAP_END;
        status = take_record(reader, record);
    }
    return status;
}

/* ---- plain hexadecimal text ---- */

/*
 * Plain hexadecimal text, as TraceX reads it (tml_convert_file) and `xxd -p` writes it: pairs of digits in the order of
 * the bytes, with line ends and blanks between them. The text has no addresses.
 */

#define CHECK_BYTES 64 /* binary memory does not begin with this number of digits with only blanks between them */

static bool hex_recognised(const uint8_t *bytes, size_t length)
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

static enum txtap_status hex_next(struct reader *reader, struct record *record)
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

const struct container_kind container_hex = {"hexadecimal text", hex_recognised, hex_next, false};

/* ---- Intel HEX ---- */

/*
 * Intel HEX. A record is ':' and pairs of digits:
 *
 *   offset  bytes  meaning
 *   0       1      n, number of data bytes
 *   1       2      address, big endian
 *   3       1      type
 *   4       n      data
 *   4 + n 1 checksum: the sum of all bytes is 0 modulo 256
 */

#define IHEX_FIXED_BYTES 5u /* bytes of a record without the data */
#define IHEX_BANK_BYTES  0x10000u

enum ihex_type {
    IHEX_DATA,
    IHEX_END,
    IHEX_SEGMENT, /* base is the value times 16 */
    IHEX_SEGMENT_START,
    IHEX_LINEAR, /* base is the value times 65536 */
    IHEX_LINEAR_START,
};

static bool ihex_recognised(const uint8_t *bytes, size_t length)
{
    size_t at = text_first(bytes, length);

    return length - at >= 3 && bytes[at] == ':' && digit_value((char)bytes[at + 1]) < 16 &&
           digit_value((char)bytes[at + 2]) < 16;
}

static enum txtap_status ihex_take_data(struct reader *reader, struct record *record, size_t count)
{
    unsigned offset = bytes_u16(reader->data + 1, TXTAP_BIG);

    /* An 8086 would continue at the start of the bank. No tool writes such a record, so the file is probably
     * damaged. */
    if (reader->segmented && offset + count > IHEX_BANK_BYTES)
        return fail_record(reader, "passes the end of its 64 KiB segment");
    record->address = reader->base + offset;
    record->bytes = reader->data + 4;
    record->length = count;
    if (record->address + count > ADDRESS_BYTES)
        return fail_record(reader, "passes the last address");
    return TXTAP_OK;
}

static enum txtap_status ihex_take_base(struct reader *reader, size_t count, bool segmented)
{
    uint64_t value = bytes_u16(reader->data + 4, TXTAP_BIG);

    if (count != 2)
        return fail_record(reader, "is an address record that does not have 2 bytes");
    reader->segmented = segmented;
    reader->base = segmented ? value << 4 : value << 16;
    return TXTAP_AGAIN;
}

/* Takes a record. TXTAP_AGAIN: the record has no data. */
static enum txtap_status ihex_take_record(struct reader *reader, struct record *record)
{
    size_t taken = 0, count;
    enum txtap_status status;

    if (reader->file[reader->at] != ':')
        return fail_record(reader, "does not begin with ':'");
    reader->at++;
    status = text_take_pairs(reader, &taken);
    if (status != TXTAP_OK)
        return status;
    if (taken < IHEX_FIXED_BYTES || taken != IHEX_FIXED_BYTES + reader->data[0])
        return fail_record(reader, "is shorter or longer than its length field says");
    if (text_sum(reader, taken) != 0)
        return fail_record(reader, "has a wrong checksum");
    count = reader->data[0];
    switch (reader->data[3]) {
    case IHEX_DATA:
        return count == 0 ? TXTAP_AGAIN : ihex_take_data(reader, record, count);
    case IHEX_END:
        reader->base = 0;
        reader->segmented = false;
        return TXTAP_AGAIN;
    case IHEX_SEGMENT:
        return ihex_take_base(reader, count, true);
    case IHEX_LINEAR:
        return ihex_take_base(reader, count, false);
    case IHEX_SEGMENT_START:
    case IHEX_LINEAR_START:
        return TXTAP_AGAIN; /* the record contains the start address of a program */
    default:
        return fail_record(reader, "is of an unknown record type");
    }
}

static enum txtap_status ihex_next(struct reader *reader, struct record *record)
{
    return text_next(reader, record, ihex_take_record);
}

const struct container_kind container_ihex = {"Intel HEX", ihex_recognised, ihex_next, true};

/* ---- Motorola S-records ---- */

/*
 * Motorola S-records. A record is 'S', a digit for its type, and pairs of digits:
 *
 *   offset      bytes  meaning
 *   0           1      n, number of bytes that follow
 *   1 a address, big endian; a is 2, 3 or 4, depending on the type
 *   1 + a       ...    data
 *   n 1 checksum: the sum of all bytes is 0xFF modulo 256
 */

#define SREC_FIXED_BYTES 2u /* bytes of a record without address and data: count and checksum */

static bool srec_recognised(const uint8_t *bytes, size_t length)
{
    size_t at = text_first(bytes, length);

    return length - at >= 4 && bytes[at] == 'S' && bytes[at + 1] >= '0' && bytes[at + 1] <= '9' &&
           digit_value((char)bytes[at + 2]) < 16 && digit_value((char)bytes[at + 3]) < 16;
}

static enum txtap_status srec_take_data(struct reader *reader, struct record *record, unsigned address_bytes,
                                        size_t taken)
{
    reader->counted++;
    record->address = bytes_number(reader->data + 1, TXTAP_BIG, address_bytes);
    record->bytes = reader->data + 1 + address_bytes;
    record->length = taken - SREC_FIXED_BYTES - address_bytes;
    if (record->address + record->length > ADDRESS_BYTES)
        return fail_record(reader, "passes the last address");
    return record->length == 0 ? TXTAP_AGAIN : TXTAP_OK;
}

/*
 * Checks the count in an S5 or S6 record: the number of data records since the last count record. A 16-bit count
 * contains only the lowest 16 bits of this number.
 */
static enum txtap_status srec_take_count(struct reader *reader, unsigned bytes)
{
    uint32_t mask = bytes == 2 ? 0xFFFFu : 0xFFFFFFu;

    if (bytes_number(reader->data + 1, TXTAP_BIG, bytes) != (reader->counted & mask))
        return fail_record(reader, "counts other data records than precede it: some are missing");
    reader->counted = 0;
    return TXTAP_AGAIN;
}

/* Takes a record. TXTAP_AGAIN: the record has no data. */
static enum txtap_status srec_take_record(struct reader *reader, struct record *record)
{
    /* S0: header; S1 to S3: data; S4: reserved; S5 and S6: counts; S7 to S9: start address */
    static const uint8_t address_bytes[] = {2, 2, 3, 4, 0, 2, 3, 4, 3, 2};
    size_t taken = 0;
    unsigned type;
    enum txtap_status status;

    if (reader->file[reader->at] != 'S' || reader->length - reader->at < 2)
        return fail_record(reader, "does not begin with 'S' and a digit");
    type = reader->file[reader->at + 1] - (unsigned)'0';
    if (type > 9 || address_bytes[type] == 0)
        return fail_record(reader, "is of an unknown record type");
    reader->at += 2;
    status = text_take_pairs(reader, &taken);
    if (status != TXTAP_OK)
        return status;
    if (taken < SREC_FIXED_BYTES + address_bytes[type] || taken != reader->data[0] + 1u)
        return fail_record(reader, "is shorter or longer than its length field says");
    if (text_sum(reader, taken) != 0xFF)
        return fail_record(reader, "has a wrong checksum");
    if (type >= 1 && type <= 3)
        return srec_take_data(reader, record, address_bytes[type], taken);
    if (type == 5 || type == 6)
        return srec_take_count(reader, address_bytes[type]);
    reader->counted = 0;
    return TXTAP_AGAIN;
}

static enum txtap_status srec_next(struct reader *reader, struct record *record)
{
    return text_next(reader, record, srec_take_record);
}

const struct container_kind container_srec = {"Motorola S-record", srec_recognised, srec_next, true};
