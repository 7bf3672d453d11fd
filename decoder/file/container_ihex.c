/* SPDX-License-Identifier: MIT */
/*
 * Intel HEX. A record is ':' and pairs of digits:
 *
 *   offset  bytes  meaning
 *   0       1      n, number of data bytes
 *   1       2      address, big endian
 *   3       1      type
 *   4       n      data
 *   4 + n   1      checksum: all bytes add up to 0 modulo 256
 */
#include "base/bytes.h"
#include "base/digits.h"
#include "file/container_parts.h"

#define FIXED_BYTES   5u /* all but the data */
#define BANK_BYTES    0x10000u
#define ADDRESS_BYTES (UINT64_C(1) << 32)

enum ihex_type {
    IHEX_DATA,
    IHEX_END,
    IHEX_SEGMENT, /* base is the value times 16 */
    IHEX_SEGMENT_START,
    IHEX_LINEAR, /* base is the value times 65536 */
    IHEX_LINEAR_START,
};

bool ihex_recognised(const uint8_t *bytes, size_t length)
{
    size_t at = text_first(bytes, length);

    return length - at >= 3 && bytes[at] == ':' && digit_value((char)bytes[at + 1]) < 16 &&
           digit_value((char)bytes[at + 2]) < 16;
}

static enum txtap_status take_data(struct reader *reader, struct record *record, size_t count)
{
    unsigned offset = bytes_u16(reader->data + 1, TXTAP_BIG);

    /* The 8086 would go on at the bank's start; no tool writes that, and it is more likely damage. */
    if (reader->segmented && offset + count > BANK_BYTES)
        return fail_record(reader, "passes the end of its 64 KiB segment");
    record->address = reader->base + offset;
    record->bytes = reader->data + 4;
    record->length = count;
    if (record->address + count > ADDRESS_BYTES)
        return fail_record(reader, "passes the last address");
    return TXTAP_OK;
}

static enum txtap_status take_base(struct reader *reader, size_t count, bool segmented)
{
    uint64_t value = bytes_u16(reader->data + 4, TXTAP_BIG);

    if (count != 2)
        return fail_record(reader, "is an address record that does not have 2 bytes");
    reader->segmented = segmented;
    reader->base = segmented ? value << 4 : value << 16;
    return TXTAP_AGAIN;
}

/* TXTAP_AGAIN: it had no data. */
static enum txtap_status take_record(struct reader *reader, struct record *record)
{
    size_t taken = 0, count;
    enum txtap_status status;

    if (reader->file[reader->at] != ':')
        return fail_record(reader, "does not begin with ':'");
    reader->at++;
    status = text_take_pairs(reader, &taken);
    if (status != TXTAP_OK)
        return status;
    if (taken < FIXED_BYTES || taken != FIXED_BYTES + reader->data[0])
        return fail_record(reader, "is shorter or longer than its length field says");
    if (text_sum(reader, taken) != 0)
        return fail_record(reader, "has a wrong checksum");
    count = reader->data[0];
    switch (reader->data[3]) {
    case IHEX_DATA:
        return count == 0 ? TXTAP_AGAIN : take_data(reader, record, count);
    case IHEX_END:
        reader->base = 0;
        reader->segmented = false;
        return TXTAP_AGAIN;
    case IHEX_SEGMENT:
        return take_base(reader, count, true);
    case IHEX_LINEAR:
        return take_base(reader, count, false);
    case IHEX_SEGMENT_START:
    case IHEX_LINEAR_START:
        return TXTAP_AGAIN; /* where a program would begin */
    default:
        return fail_record(reader, "is of an unknown record type");
    }
}

enum txtap_status ihex_next(struct reader *reader, struct record *record)
{
    return text_next(reader, record, take_record);
}
