/* SPDX-License-Identifier: MIT */
/* A row of info. It is as wide as its text or as the terminal. */
#include "base/text_maker.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static char row[2 * TEXT_ROW_BYTES];

Test(text_row, a_text_that_fits_is_one_line)
{
    char text[TEXT_ROW_COLUMNS];

    text_row_within(row, sizeof row, TEXT_ROW_COLUMNS, "rate", "12 events per second");
    cr_assert_str_eq(row, "rate       12 events per second\n");
    memset(text, 'x', sizeof text);
    text[TEXT_ROW_COLUMNS - 11] = '\0';
    text_row_within(row, sizeof row, TEXT_ROW_COLUMNS, "key", text);
    cr_assert_eq(strlen(row), TEXT_ROW_COLUMNS + 1, "to the last column");
    cr_assert_eq(strcspn(row, "\n"), TEXT_ROW_COLUMNS);
    text_row_within(row, sizeof row, TEXT_ROW_COLUMNS, "key", "");
    cr_assert_str_eq(row, "key        \n");
}

/* The rows have words of all lengths. */
Test(text_row, no_line_is_wider_and_no_word_is_lost)
{
    char text[TEXT_ROW_BYTES], found[TEXT_ROW_BYTES];

    for (unsigned seed = 1; seed < 500; seed++) {
        size_t used = 0;
        unsigned state = seed, words = 10 + seed % 60;

        for (unsigned i = 0; i < words; i++) {
            state = state * 1664525u + 1013904223u;
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%0*u", i > 0 ? " " : "",
                                     1 + (int)(state >> 27), i);
        }
        text_row_within(row, sizeof row, TEXT_ROW_COLUMNS, "headroom", text);
        used = 0;
        for (char *line = strtok(row, "\n"); line; line = strtok(NULL, "\n")) {
            cr_assert_leq(strlen(line), TEXT_ROW_COLUMNS, "%u: %s", seed, line);
            cr_assert_eq(strncmp(line, used == 0 ? "headroom   " : "           ", 11), 0, "%s", line);
            used += (size_t)snprintf(found + used, sizeof found - used, "%s%s", used > 0 ? " " : "", line + 11);
        }
        cr_assert_str_eq(found, text);
    }
}

Test(text_row, a_word_that_is_too_long_stays_whole)
{
    char text[2 * TEXT_ROW_COLUMNS + 8], *line;

    memset(text, 'x', sizeof text);
    memcpy(text + 2 * TEXT_ROW_COLUMNS, " after", sizeof " after");
    text_row_within(row, sizeof row, TEXT_ROW_COLUMNS, "server", text);
    line = strchr(row, '\n');
    cr_assert_eq(line - row, 11 + 2 * (long)TEXT_ROW_COLUMNS);
    cr_assert_str_eq(line, "\n           after\n");
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    text_row_within(row, 40, TEXT_ROW_COLUMNS, "server", text);
    cr_assert_eq(strlen(row), 39, "no more than fits");
}
