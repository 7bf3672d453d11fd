/* SPDX-License-Identifier: MIT */
/* Writes text into the cells of the screen. Each character takes one cell, so only ASCII is written. A table leaves out
 * columns of high rank until the other columns fit. It gives the remaining width to columns that can grow. */
#include "top/screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_printable(char c)
{
    return c >= ' ' && c <= '~';
}

void screen_name(char *out, size_t size, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    size_t used = 0;

    for (; *text; text++) {
        unsigned byte = (unsigned char)*text;
        const char escaped[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        size_t length = is_printable(*text) ? 1 : sizeof escaped;

        if (used + length >= size)
            break;
        memcpy(out + used, length == 1 ? text : escaped, length);
        used += length;
    }
    if (*text) {
        used = used + 1 < size ? used : size - 2;
        out[used++] = '~';
    }
    out[used] = '\0';
}

void screen_clear(struct txtap_top_screen *screen)
{
    memset(screen->cells, ' ', screen->rows * screen->columns);
    if (screen->styles != NULL)
        memset(screen->styles, 0, screen->rows * screen->columns);
    screen->used = 0;
}

void screen_erase(struct txtap_top_screen *screen, size_t row)
{
    memset(screen->cells + row * screen->columns, ' ', screen->columns);
    if (screen->styles != NULL)
        memset(screen->styles + row * screen->columns, 0, screen->columns);
}

/* Returns how many of the `width` cells from this row and column on are on the screen. */
static size_t room_at(const struct txtap_top_screen *screen, size_t row, size_t column, size_t width)
{
    if (row >= screen->rows || column >= screen->columns)
        return 0;
    return width < screen->columns - column ? width : screen->columns - column;
}

/* Returns the place of `length` cells that will be written. */
static char *cells_at(struct txtap_top_screen *screen, size_t row, size_t column, size_t length)
{
    if (length > 0 && row >= screen->used)
        screen->used = row + 1;
    return screen->cells + row * screen->columns + column;
}

static void copy(struct txtap_top_screen *screen, size_t row, size_t column, const char *text, size_t length)
{
    char *at = cells_at(screen, row, column, length);

    for (size_t i = 0; i < length; i++)
        at[i] = is_printable(text[i]) ? text[i] : '?';
}

void screen_put(struct txtap_top_screen *screen, size_t row, size_t column, size_t width, const char *text)
{
    size_t room = room_at(screen, row, column, width), length = strlen(text);

    if (room == 0)
        return;
    copy(screen, row, column, text, length < room ? length : room);
    if (length > room)
        copy(screen, row, column + room - 1, "~", 1);
}

void screen_put_right(struct txtap_top_screen *screen, size_t row, size_t column, size_t width, const char *text)
{
    size_t room = room_at(screen, row, column, width), length = strlen(text);

    if (length <= room)
        copy(screen, row, column + room - length, text, length);
    for (size_t i = 0; length > room && i < room; i++)
        copy(screen, row, column + i, "#", 1);
}

void screen_put_bars(struct txtap_top_screen *screen, size_t row, size_t column, size_t width, const char *heights)
{
    size_t room = room_at(screen, row, column, width), length = strlen(heights), skipped;
    char *at;

    skipped = length > room ? length - room : 0;
    length -= skipped;
    at = cells_at(screen, row, column + room - length, length);
    for (size_t i = 0; i < length; i++) {
        char height = heights[skipped + i];

        if (height >= '1' && height <= '8')
            at[i] = (char)(TXTAP_TOP_CELL_BAR + (unsigned)(height - '0'));
        else
            at[i] = height == '0' ? ' ' : height;
    }
}

void screen_style(struct txtap_top_screen *screen, size_t row, size_t column, size_t width, uint8_t style)
{
    size_t room = room_at(screen, row, column, width);

    if (screen->styles == NULL || style == 0)
        return;
    for (size_t i = 0; i < room; i++)
        screen->styles[row * screen->columns + column + i] |= style;
}

size_t screen_append(struct txtap_top_screen *screen, size_t row, size_t column, uint8_t style, const char *format, ...)
{
    char text[SCREEN_TEXT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    screen_put(screen, row, column, screen->columns, text);
    screen_style(screen, row, column, strlen(text), style);
    return column + strlen(text);
}

void screen_print(struct txtap_top_screen *screen, size_t row, const char *format, ...)
{
    char text[SCREEN_TEXT_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    screen_put(screen, row, 0, screen->columns, text);
}

void screen_rule(struct txtap_top_screen *screen, size_t row)
{
    if (row < screen->rows)
        memset(cells_at(screen, row, 0, screen->columns), '-', screen->columns);
}

/* ---- tables ---- */

/* Returns the width of all columns, with one space between two columns. */
static size_t total_width(const struct grid *grid)
{
    size_t total = 0;

    for (size_t i = 0; i < grid->kind->count; i++)
        total += grid->width[i] > 0 ? grid->width[i] + 1 : 0;
    return total > 0 ? total - 1 : 0;
}

static size_t highest_rank(const struct grid *grid)
{
    size_t found = 0;

    for (size_t i = 1; i < grid->kind->count; i++)
        if (grid->width[i] > 0 &&
            (grid->width[found] == 0 || grid->kind->columns[i].rank > grid->kind->columns[found].rank))
            found = i;
    return found;
}

/* Makes each text as narrow as it may be. */
static void narrow_texts(struct grid *grid)
{
    for (size_t i = 0; i < grid->kind->count; i++)
        if (grid->width[i] > grid->kind->columns[i].width_least)
            grid->width[i] = grid->kind->columns[i].width_least;
}

/* Makes a column up to `width` wide, with at most `room` more characters. Returns the number of these characters. */
static size_t widen(struct grid *grid, size_t column, size_t width, size_t room)
{
    size_t more = width > grid->width[column] ? width - grid->width[column] : 0;

    if (grid->width[column] == 0)
        return 0;
    more = more < room ? more : room;
    grid->width[column] += (unsigned)more;
    return more;
}

void grid_fit(struct grid *grid, const struct grid_kind *kind, size_t columns)
{
    size_t shown = kind->count, total;
    bool narrow = false;

    grid->kind = kind;
    for (size_t i = 0; i < kind->count; i++)
        grid->width[i] = kind->columns[i].width;
    while ((total = total_width(grid)) > columns && shown > 1) {
        size_t next = highest_rank(grid);

        if (narrow || kind->columns[next].rank >= GRID_RANK_OPTIONAL) {
            grid->width[next] = 0;
            shown--;
        } else {
            narrow_texts(grid);
            narrow = true;
        }
    }
    total = total < columns ? total : columns;
    for (size_t i = 0; i < kind->count; i++)
        total += widen(grid, i, kind->columns[i].width, columns - total);
    for (size_t i = 0; i < kind->count; i++)
        total += widen(grid, i, kind->columns[i].width_most, columns - total);
}

static void put_cell(const struct grid *grid, size_t i, struct txtap_top_screen *screen, size_t row, size_t column,
                     const char *text, enum grid_form form)
{
    if (form == GRID_BARS)
        screen_put_bars(screen, row, column, grid->width[i], text);
    else if (form == GRID_NUMBER)
        screen_put_right(screen, row, column, grid->width[i], text);
    else
        screen_put(screen, row, column, grid->width[i], text);
}

void grid_head(const struct grid *grid, struct txtap_top_screen *screen, size_t row, size_t sorted)
{
    size_t column = 0;

    for (size_t i = 0; i < grid->kind->count; i++) {
        enum grid_form form = grid->kind->columns[i].form;

        if (grid->width[i] == 0)
            continue;
        put_cell(grid, i, screen, row, column, grid->kind->columns[i].title, form == GRID_BARS ? GRID_TEXT : form);
        screen_style(screen, row, column, grid->width[i],
                     i == sorted ? TXTAP_TOP_BOLD | TXTAP_TOP_REVERSE : TXTAP_TOP_BOLD);
        column += grid->width[i] + 1;
    }
}

void grid_row(const struct grid *grid, const struct txtap_top_state *state, size_t number,
              struct txtap_top_screen *screen, size_t row)
{
    size_t column = 0;

    for (size_t i = 0; i < grid->kind->count; i++) {
        char text[GRID_TEXT_BYTES];

        if (grid->width[i] == 0)
            continue;
        put_cell(grid, i, screen, row, column, grid->kind->cell(state, number, i, text), grid->kind->columns[i].form);
        screen_style(screen, row, column, grid->width[i], grid->kind->style(state, number, i));
        column += grid->width[i] + 1;
    }
}
