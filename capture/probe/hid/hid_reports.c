/* SPDX-License-Identifier: MIT */
/* Adds up the fields of the reports in a report descriptor. */
#include "probe/hid/hid_reports.h"

#define LONG_ITEM 0xFE
#define SIZE_MASK 0x03 /* bits of an item's first byte: length of its data; the other bits are its kind */

/* The items that matter. Of these, PUSH, POP and REPORT_ID do not occur in a descriptor with a single report. */
enum {
    INPUT = 0x80,
    OUTPUT = 0x90,
    REPORT_SIZE = 0x74,
    REPORT_ID = 0x84,
    REPORT_COUNT = 0x94,
    PUSH = 0xA4,
    POP = 0xB4
};

struct fields {
    uint32_t size, count;       /* bits of a field, and number of fields, for the next report item */
    uint64_t in_bits, out_bits; /* lengths of the reports up to here */
};

static uint32_t value_of(const uint8_t *data, size_t length)
{
    uint32_t value = 0;

    for (size_t i = 0; i < length; i++)
        value |= (uint32_t)data[i] << 8 * i;
    return value;
}

static bool add(uint64_t *bits, const struct fields *fields)
{
    uint64_t more = (uint64_t)fields->size * fields->count;

    if (more > 8 * HID_REPORT_BYTES_MAX)
        return false;
    *bits += more;
    return *bits <= 8 * HID_REPORT_BYTES_MAX;
}

/* Takes an item. False: no descriptor of a device with single reports has it. */
static bool take(struct fields *fields, unsigned kind, uint32_t value)
{
    switch (kind) {
    case REPORT_SIZE:
        fields->size = value;
        return true;
    case REPORT_COUNT:
        fields->count = value;
        return true;
    case INPUT:
        return add(&fields->in_bits, fields);
    case OUTPUT:
        return add(&fields->out_bits, fields);
    case REPORT_ID:
    case PUSH:
    case POP:
        return false;
    default:
        return true;
    }
}

bool hid_reports_parse(struct hid_reports *reports, const uint8_t *bytes, size_t length)
{
    static const uint8_t sizes[] = {0, 1, 2, 4};
    struct fields fields = {0};

    for (size_t at = 0; at < length;) {
        size_t size = sizes[bytes[at] & SIZE_MASK];

        if (bytes[at] == LONG_ITEM || size >= length - at)
            return false;
        if (!take(&fields, bytes[at] & ~(unsigned)SIZE_MASK, value_of(bytes + at + 1, size)))
            return false;
        at += 1 + size;
    }
    *reports = (struct hid_reports){(size_t)(fields.in_bits + 7) / 8, (size_t)(fields.out_bits + 7) / 8};
    return reports->in_bytes > 0 && reports->out_bytes > 0;
}
