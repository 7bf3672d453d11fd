/* SPDX-License-Identifier: MIT */
/* The rate of the time stamps as text and JSON, and the first members of JSON documents. */
#include "txtap/inner/rate.h"

#include <criterion/criterion.h>
#include <string.h>

#include "txtap/inner/json_head.h"
#include "txtap/version.h"

Test(rate, the_text_says_how_the_rate_was_found)
{
    const struct txtap_rate measured = {TXTAP_RATE_MEASURED, 168e6, 167.99e6, 168.01e6};
    const struct txtap_rate lopsided = {TXTAP_RATE_MEASURED, 1e6, 0.996e6, 1.0005e6};
    const struct txtap_rate clock = {TXTAP_RATE_FIRMWARE, 1e6, 0.99e6, 1.01e6};
    const struct txtap_rate given = {.how = TXTAP_RATE_GIVEN, .hz = 32768};
    char text[TXTAP_RATE_TEXT_BYTES];

    txtap_rate_text(text, &measured);
    cr_assert_str_eq(text, "168.000 MHz +- 0.006 %, measured");
    txtap_rate_text(text, &lopsided);
    cr_assert_str_eq(text, "1.000 MHz +- 0.4 %, measured");
    txtap_rate_text(text, &clock);
    cr_assert_str_eq(text, "1.000 MHz, SystemCoreClock, confirmed to 1 %");
    txtap_rate_text(text, &given);
    cr_assert_str_eq(text, "32.768 kHz, given");
}

static void json_is(const struct txtap_rate *rate, bool recorded, const char *expected)
{
    char text[TXTAP_RATE_JSON_BYTES];

    cr_expect_str_eq(txtap_rate_json(text, rate, recorded), expected);
}

Test(rate, the_json_has_the_bound_of_a_measurement)
{
    json_is(&(struct txtap_rate){TXTAP_RATE_MEASURED, 168e6, 167.99e6, 168.01e6}, false,
            "{\"hz\":168000000,\"how\":\"measured\",\"bound\":5.95e-05,\"recorded\":false}");
    json_is(&(struct txtap_rate){TXTAP_RATE_FIRMWARE, 1e6, 0.996e6, 1.0005e6}, true,
            "{\"hz\":1000000,\"how\":\"SystemCoreClock\",\"bound\":0.004,\"recorded\":true}");
    json_is(&(struct txtap_rate){.how = TXTAP_RATE_GIVEN, .hz = 32768}, false,
            "{\"hz\":32768,\"how\":\"given\",\"bound\":null,\"recorded\":false}");
    json_is(&(struct txtap_rate){.how = TXTAP_RATE_UNKNOWN}, true,
            "{\"hz\":null,\"how\":\"unknown\",\"bound\":null,\"recorded\":false}");
}

Test(json_head, names_tool_version_and_schema)
{
    char text[TXTAP_JSON_HEAD_BYTES];

    cr_expect_str_eq(txtap_json_head(text, TXTAP_SCHEMA_REPORT), "\"tool\":\"txtap\",\"version\":\"" TXTAP_VERSION
                                                                 "\",\"schema\":\"txtap-report\",\"schema_version\":2");
    for (unsigned i = 0; i < TXTAP_SCHEMAS; i++) {
        cr_expect_lt(strlen(txtap_json_head(text, (enum txtap_schema)i)) + 1, TXTAP_JSON_HEAD_BYTES, "cut");
        cr_expect_eq(strncmp(txtap_schema_name((enum txtap_schema)i), "txtap-", 6), 0);
    }
}
