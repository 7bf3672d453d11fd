/* SPDX-License-Identifier: MIT */
/* The text of --watch. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "variables/variable.h"

static struct variable_requests requests;

static bool add(const char *list, struct error *error)
{
    memset(&requests, 0, sizeof requests);
    *error = (struct error){0};
    return variable_requests_add(&requests, list, error);
}

Test(variable_text, lists_have_suffixes_in_any_order)
{
    struct error error;

    cr_assert(add("motor.iq, speed@1kHz , state:enum@20ms!V,a[2]!\xc2\xb0"
                  "C:hex,f.c:x:bool,n::y@5",
                  &error),
              "%s", error.what);
    cr_assert_eq(requests.count, 6);
    cr_expect_str_eq(requests.at[0].expression, "motor.iq");
    cr_expect(requests.at[0].period_us == VARIABLE_PERIOD_US_DEFAULT && !requests.at[0].has_rate);
    cr_expect(requests.at[1].period_us == 1000 && requests.at[1].has_rate);
    cr_expect_str_eq(requests.at[2].expression, "state");
    cr_expect(requests.at[2].form == VARIABLE_FORM_ENUM && requests.at[2].period_us == 20000);
    cr_expect_str_eq(requests.at[2].unit, "V");
    cr_expect_str_eq(requests.at[3].unit, "\xc2\xb0"
                                          "C");
    cr_expect_eq(requests.at[3].form, VARIABLE_FORM_HEX);
    cr_expect_str_eq(requests.at[4].expression, "f.c:x");
    cr_expect_eq(requests.at[4].form, VARIABLE_FORM_BOOL);
    cr_expect_str_eq(requests.at[5].expression, "n::y");
    cr_expect_eq(requests.at[5].period_us, 200000);
}

Test(variable_text, wrong_texts_have_messages)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "missing"},
        {"a,", "missing"},
        {"a@", "is no rate"},
        {"a@0", "is no rate"},
        {"a@-1", "is no rate"},
        {"a@1MHz", "is no rate"},
        {"a@1min", "is no rate"},
        {"a@nan", "is no rate"},
        {"a!", "is no unit"},
        {"a!a\"b", "is no unit"},
        {"a b", "is no variable"},
        {"a,b,a", "given twice"},
        {"a(b)", "is no variable"},
        {"a@1kHz@", "is no rate"},
    };
    struct error error;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_expect_not(add(rows[i].text, &error), "%s", rows[i].text);
        cr_expect(strstr(error.what, rows[i].message) != NULL, "%s: %s", rows[i].text, error.what);
    }
}

Test(variable_text, the_number_of_variables_is_limited)
{
    struct error error = {0};
    char name[16];

    memset(&requests, 0, sizeof requests);
    for (unsigned i = 0; i < VARIABLES_MAX; i++) {
        snprintf(name, sizeof name, "v%u", i);
        cr_assert(variable_requests_add(&requests, name, &error));
    }
    cr_assert_not(variable_requests_add(&requests, "more", &error));
}
