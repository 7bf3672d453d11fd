/* SPDX-License-Identifier: MIT */
/* An error has one line for the cause and one line for the next step. Names in it may contain any bytes. */
#include "base/failure.h"

#include <criterion/criterion.h>
#include <string.h>

Test(failure, has_the_cause_and_the_next_step)
{
    struct error error;
    char text[ERROR_TEXT_BYTES];

    cr_assert_eq(failure(&error, ERROR_TARGET, "%s is in use\nend that program", "It"), ERROR_TARGET);
    cr_expect_str_eq(error.what, "It is in use");
    cr_expect_str_eq(error.hint, "end that program");
    cr_expect_str_eq(error_text(&error, text), "It is in use: end that program");
    cr_assert_eq(failure(&error, ERROR_TARGET, "It is in use"), ERROR_TARGET);
    cr_expect_str_eq(error_text(&error, text), "It is in use");
    cr_assert_eq(failure(NULL, ERROR_TARGET, "nobody asks"), ERROR_TARGET);
}

Test(failure, a_name_does_not_begin_a_line)
{
    struct error error;

    failure(&error, ERROR_TARGET, "%s is in use\nend that program", "Probe\ntxtap: all is well\n");
    cr_expect_str_eq(error.what, "Probe txtap: all is well  is in use");
    cr_expect_str_eq(error.hint, "end that program");
    failure(&error, ERROR_TARGET, "%s is in use", "\nProbe");
    cr_expect_str_eq(error.what, " Probe is in use");
    cr_expect_str_eq(error.hint, "");
}

Test(failure, a_long_text_is_cut)
{
    struct error error;
    char name[2 * ERROR_TEXT_BYTES];

    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    failure(&error, ERROR_TARGET, "%s", name);
    cr_expect_eq(strlen(error.what), ERROR_WHAT_BYTES - 1);
    cr_expect_str_eq(error.hint, "");
}
