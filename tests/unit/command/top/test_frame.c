/* SPDX-License-Identifier: MIT */
/* Output for a terminal. A small model of a terminal interprets it. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "command/top/frame.h"
#include "txtap/inner/top.h"

#define ROWS    24
#define COLUMNS 80

static struct frame frame;
static char shown[ROWS][COLUMNS];          /* contents of the terminal; bars as cells */
static char attributes[ROWS][COLUMNS][24]; /* the sequence that set the attributes of each cell */
static char wanted[ROWS * COLUMNS];
static uint8_t styles[ROWS * COLUMNS];

static void setup(void)
{
    memset(&frame, 0, sizeof frame);
    memset(shown, ' ', sizeof shown);
    memset(wanted, ' ', sizeof wanted);
    memset(styles, 0, sizeof styles);
    memset(attributes, 0, sizeof attributes);
    frame.colours = frame.utf8 = true;
}

TestSuite(frame, .init = setup);

/* Plays the escape sequences that frame.c uses. Any other sequence fails the test. */
static void play(void)
{
    size_t row = 0, column = 0;
    char style[24] = "";

    for (size_t i = 0; i < frame.used;) {
        char *end = frame.bytes + i + 1;
        unsigned long number;

        if (frame.bytes[i] != '\033') {
            cr_assert(row < ROWS && column < COLUMNS);
            if (memcmp(frame.bytes + i, "\xe2\x96", 2) == 0)
                i += 2;
            strcpy(attributes[row][column], style);
            shown[row][column++] = frame.bytes[i++];
            continue;
        }
        cr_assert_eq(*end++, '[');
        if (*end == '?')
            end++;
        number = strtoul(end, &end, 10);
        end += strspn(end, ";0123456789");
        if (*end == 'H') {
            row = number - 1;
            column = 0;
        } else if (*end == 'K') {
            cr_assert(column < COLUMNS, "it would erase the last character");
            memset(&shown[row][column], ' ', COLUMNS - column);
            memset(attributes[row][column], 0, (COLUMNS - column) * sizeof *attributes[row]);
        } else {
            cr_assert(strchr("hlm", *end) != NULL);
        }
        if (*end == 'm')
            snprintf(style, sizeof style, "%.*s", (int)(end - (frame.bytes + i) - 2), frame.bytes + i + 2);
        i = (size_t)(end + 1 - frame.bytes);
    }
    cr_assert(*style == '\0' || strcmp(style, "0") == 0, "the attributes end with the line");
}

/* Returns the sequence for attributes on a terminal with colours. */
static const char *sequence(uint8_t style)
{
    switch (style) {
    case 0:
        return "0";
    case TXTAP_TOP_BOLD:
        return "0;1";
    case TXTAP_TOP_REVERSE:
        return "0;7";
    case TXTAP_TOP_RED:
        return "0;1;31";
    case TXTAP_TOP_YELLOW:
        return "0;30;43";
    default:
        return "0;1;7;31";
    }
}

static void show(void)
{
    frame_change(&frame, wanted, styles, ROWS, COLUMNS);
    play();
    cr_assert_arr_eq(shown, wanted, sizeof wanted);
    for (size_t i = 0; i < sizeof styles; i++) {
        const char *got = attributes[i / COLUMNS][i % COLUMNS];

        cr_assert_str_eq(*got ? got : "0", sequence(styles[i]));
    }
}

Test(frame, the_terminal_shows_any_sequence_of_screens)
{
    static const uint8_t any_style[] = {0,
                                        0,
                                        TXTAP_TOP_BOLD,
                                        TXTAP_TOP_REVERSE,
                                        TXTAP_TOP_RED,
                                        TXTAP_TOP_YELLOW,
                                        TXTAP_TOP_BOLD | TXTAP_TOP_REVERSE | TXTAP_TOP_RED};
    unsigned seed = 1;

    for (int i = 0; i < 2000; i++) {
        for (int changes = rand_r(&seed) % 100; changes > 0; changes--)
            wanted[(unsigned)rand_r(&seed) % sizeof wanted] = (char)(rand_r(&seed) % 3   ? ' '
                                                                     : rand_r(&seed) % 3 ? 'a' + rand_r(&seed) % 26
                                                                                         : 0x81 + rand_r(&seed) % 8);
        for (int changes = rand_r(&seed) % 100; changes > 0; changes--)
            styles[(unsigned)rand_r(&seed) % sizeof styles] = any_style[(unsigned)rand_r(&seed) % 7];
        show();
    }
}

Test(frame, an_unchanged_screen_costs_nothing)
{
    memset(wanted, 'x', sizeof wanted);
    show();
    cr_assert_geq(frame.used, sizeof wanted);
    show();
    cr_assert_eq(frame.used, 0);
}

Test(frame, one_character_costs_its_line)
{
    show();
    memcpy(wanted + 5 * COLUMNS, "logger", 6);
    show();
    cr_assert_leq(frame.used, 40);
}

Test(frame, after_a_change_of_size_everything_is_written)
{
    show();
    frame_change(&frame, wanted, styles, ROWS - 1, COLUMNS);
    cr_assert_gt(frame.used, (ROWS - 1) * 4);
}

static bool contains(const char *part)
{
    return memmem(frame.bytes, frame.used, part, strlen(part)) != NULL;
}

Test(frame, without_colours_only_bold_and_reverse_are_left)
{
    frame.colours = false;
    memset(wanted, 'x', sizeof wanted);
    styles[0] = TXTAP_TOP_RED;
    styles[COLUMNS] = TXTAP_TOP_YELLOW;
    styles[2 * COLUMNS] = TXTAP_TOP_REVERSE;
    frame_change(&frame, wanted, styles, ROWS, COLUMNS);
    cr_assert(contains("\033[0;1mx") && contains("\033[0;7mx") && contains("\033[0mx"));
    cr_assert(!contains("31") && !contains("43"));
}

Test(frame, without_utf8_bars_are_ascii)
{
    for (int height = 1; height <= 8; height++)
        wanted[height] = (char)(0x80 + height);
    frame_change(&frame, wanted, styles, ROWS, COLUMNS);
    cr_assert(contains("▁▂▃▄▅▆▇█"));
    frame.utf8 = false;
    frame.rows = 0;
    frame_change(&frame, wanted, styles, ROWS, COLUMNS);
    cr_assert(contains(" .:-=+*#@"));
}

Test(frame, the_largest_screen_with_a_change_in_each_cell_fits)
{
    static char cells[FRAME_CELLS_MAX];
    static uint8_t all[FRAME_CELLS_MAX];

    memset(cells, 0x88, sizeof cells);
    for (size_t i = 0; i < sizeof all; i++)
        all[i] = i % 2 ? TXTAP_TOP_BOLD | TXTAP_TOP_REVERSE | TXTAP_TOP_RED : TXTAP_TOP_YELLOW | TXTAP_TOP_REVERSE;
    frame_change(&frame, cells, all, FRAME_ROWS_MAX, FRAME_COLUMNS_MAX);
    cr_assert_leq(frame.used, sizeof frame.bytes);
}
