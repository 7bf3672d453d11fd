/* SPDX-License-Identifier: MIT */
/* Output for a terminal. A small model of a terminal interprets it. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "command/top/frame.h"

#define ROWS    24
#define COLUMNS 80

static struct frame frame;
static char shown[ROWS][COLUMNS]; /* contents of the terminal */
static char wanted[ROWS * COLUMNS];

static void setup(void)
{
    memset(&frame, 0, sizeof frame);
    memset(shown, ' ', sizeof shown);
    memset(wanted, ' ', sizeof wanted);
}

TestSuite(frame, .init = setup);

/* Plays the escape sequences that frame.c uses. Any other sequence fails the test. */
static void play(void)
{
    size_t row = 0, column = 0;

    for (size_t i = 0; i < frame.used;) {
        char *end = frame.bytes + i + 1;
        unsigned long number;

        if (frame.bytes[i] != '\033') {
            cr_assert(row < ROWS && column < COLUMNS);
            shown[row][column++] = frame.bytes[i++];
            continue;
        }
        cr_assert_eq(*end++, '[');
        if (*end == '?')
            end++;
        number = strtoul(end, &end, 10);
        if (*end == 'H') {
            row = number - 1;
            column = 0;
        } else if (*end == 'K') {
            cr_assert(column < COLUMNS, "it would erase the last character");
            memset(&shown[row][column], ' ', COLUMNS - column);
        } else {
            cr_assert(strchr("hlm", *end) != NULL);
        }
        i = (size_t)(end + 1 - frame.bytes);
    }
}

static void show(size_t highlighted)
{
    frame_change(&frame, wanted, ROWS, COLUMNS, highlighted);
    play();
    cr_assert_arr_eq(shown, wanted, sizeof wanted);
}

Test(frame, the_terminal_shows_any_sequence_of_screens)
{
    unsigned seed = 1;

    for (int i = 0; i < 2000; i++) {
        for (int changes = rand_r(&seed) % 100; changes > 0; changes--)
            wanted[(unsigned)rand_r(&seed) % sizeof wanted] =
                (char)(rand_r(&seed) % 3 ? ' ' : 'a' + rand_r(&seed) % 26);
        show((size_t)rand_r(&seed) % (ROWS + 1));
    }
}

Test(frame, an_unchanged_screen_costs_nothing)
{
    memset(wanted, 'x', sizeof wanted);
    show(ROWS);
    cr_assert_geq(frame.used, sizeof wanted);
    show(ROWS);
    cr_assert_eq(frame.used, 0);
}

Test(frame, one_character_costs_its_line)
{
    show(ROWS);
    memcpy(wanted + 5 * COLUMNS, "logger", 6);
    show(ROWS);
    cr_assert_leq(frame.used, 40);
}

Test(frame, after_a_change_of_size_everything_is_written)
{
    show(ROWS);
    frame_change(&frame, wanted, ROWS - 1, COLUMNS, ROWS - 1);
    cr_assert_gt(frame.used, (ROWS - 1) * 4);
}
