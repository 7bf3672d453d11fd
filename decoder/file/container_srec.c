/* SPDX-License-Identifier: MIT */
/*
 * Motorola S-records. A record is 'S', a digit for its type, and pairs of digits:
 *
 *   offset      bytes  meaning
 *   0           1      n, number of bytes that follow
 *   1           a      address, big endian; a is 2, 3 or 4 by type
 *   1 + a       ...    data
 *   n           1      checksum: all bytes add up to 0xFF modulo 256
 */
#include "base/bytes.h"
#include "base/digits.h"
#include "file/container_parts.h"

#define FIXED_BYTES   2u /* count and checksum */
#define ADDRESS_BYTES (UINT64_C(1) << 32)

bool srec_recognised(const uint8_t *bytes, size_t length)
{
    size_t at = text_first(bytes, length);

    return length - at >= 4 && bytes[at] == 'S' && bytes[at + 1] >= '0' && bytes[at + 1] <= '9' &&
           digit_value((char)bytes[at + 2]) < 16 && digit_value((char)bytes[at + 3]) < 16;
}

static enum txtap_status take_data(struct reader *reader, struct record *record, unsigned address_bytes, size_t taken)
{
    reader->counted++;
    record->address = bytes_number(reader->data + 1, TXTAP_BIG, address_bytes);
    record->bytes = reader->data + 1 + address_bytes;
    record->length = taken - FIXED_BYTES - address_bytes;
    if (record->address + record->length > ADDRESS_BYTES)
        return fail_record(reader, "passes the last address");
    return record->length == 0 ? TXTAP_AGAIN : TXTAP_OK;
}

/* S5 and S6 say how many data records were before: fewer have been lost. A 16-bit count cannot say more. */
static enum txtap_status take_count(struct reader *reader, unsigned bytes)
{
    uint32_t mask = bytes == 2 ? 0xFFFFu : 0xFFFFFFu;

    if (bytes_number(reader->data + 1, TXTAP_BIG, bytes) != (reader->counted & mask))
        return fail_record(reader, "counts other data records than precede it: some are missing");
    reader->counted = 0;
    return TXTAP_AGAIN;
}

/* TXTAP_AGAIN: it had no data. */
static enum txtap_status take_record(struct reader *reader, struct record *record)
{
    /* S0 header, S1 to S3 data, S4 reserved, S5 and S6 counts, S7 to S9 start address */
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
    if (taken < FIXED_BYTES + address_bytes[type] || taken != reader->data[0] + 1u)
        return fail_record(reader, "is shorter or longer than its length field says");
    if (text_sum(reader, taken) != 0xFF)
        return fail_record(reader, "has a wrong checksum");
    if (type >= 1 && type <= 3)
        return take_data(reader, record, address_bytes[type], taken);
    if (type == 5 || type == 6)
        return take_count(reader, address_bytes[type]);
    reader->counted = 0;
    return TXTAP_AGAIN;
}

enum txtap_status srec_next(struct reader *reader, struct record *record)
{
    return text_next(reader, record, take_record);
}
