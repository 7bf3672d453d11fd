/* SPDX-License-Identifier: MIT */
/* Parses any bytes as a HID device's report descriptor. Valid sizes are within their limits, and do not depend on bytes
 * after the descriptor. */
#include <string.h>

#include "fuzz.h"
#include "probe/hid/hid_reports.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    uint8_t *bytes = malloc(length + 1);
    struct hid_reports reports, again;

    REQUIRE(bytes != NULL);
    if (length > 0)
        memcpy(bytes, data, length);
    if (hid_reports_parse(&reports, bytes, length)) {
        REQUIRE(reports.in_bytes > 0 && reports.in_bytes <= HID_REPORT_BYTES_MAX);
        REQUIRE(reports.out_bytes > 0 && reports.out_bytes <= HID_REPORT_BYTES_MAX);
        bytes[length] = 0xC0; /* the end of a collection, which is an item without data */
        REQUIRE(hid_reports_parse(&again, bytes, length + 1));
        REQUIRE(again.in_bytes == reports.in_bytes && again.out_bytes == reports.out_bytes);
    }
    free(bytes);
    return 0;
}
