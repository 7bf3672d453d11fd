/* SPDX-License-Identifier: MIT */
/* Chooses columns by rank until they fit, gives what is left over to those that can grow, and draws rows. */
#include "top/grid.h"

#include "top/screen.h"

/* With one space between two columns. */
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

void grid_fit(struct grid *grid, const struct grid_kind *kind, size_t columns)
{
    size_t shown = kind->count, total;

    grid->kind = kind;
    for (size_t i = 0; i < kind->count; i++)
        grid->width[i] = kind->columns[i].width;
    while ((total = total_width(grid)) > columns && shown-- > 1)
        grid->width[highest_rank(grid)] = 0;
    for (size_t i = kind->count; i-- > 0;)
        while (grid->width[i] > 0 && grid->width[i] < kind->columns[i].width_max && total < columns) {
            grid->width[i]++;
            total++;
        }
}

static void put_cell(const struct grid *grid, size_t i, struct txtap_top_screen *screen, size_t row, size_t column,
                     const char *text)
{
    if (grid->kind->columns[i].number)
        screen_put_right(screen, row, column, grid->width[i], text);
    else
        screen_put(screen, row, column, grid->width[i], text);
}

void grid_head(const struct grid *grid, struct txtap_top_screen *screen, size_t row)
{
    size_t column = 0;

    for (size_t i = 0; i < grid->kind->count; i++) {
        if (grid->width[i] == 0)
            continue;
        put_cell(grid, i, screen, row, column, grid->kind->columns[i].title);
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
        put_cell(grid, i, screen, row, column, grid->kind->cell(state, number, i, text));
        column += grid->width[i] + 1;
    }
}
