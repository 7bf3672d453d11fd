/* SPDX-License-Identifier: MIT */
/* Most threads use a small share of a core. So the heights of their bars have a scale on which a step is a factor of
 * about three. */
#include "top/history.h"

#include <string.h>

#define AXIS_COLUMNS 5  /* "100% " */
#define BAR_COLUMNS  4u /* the greatest width of a bar of the load */
#define EIGHTHS      8.0f

static char digit(unsigned height)
{
    return (char)('0' + height);
}

/* Returns the height of a thread's bar: its share is above this number of limits. */
static char height_of_cpu(float percent)
{
    static const float above[] = {0, 0.1f, 0.3f, 1, 3, 10, 30, 70};
    unsigned height = 0;

    if (!(percent >= 0))
        return '?';
    while (height < sizeof above / sizeof *above && percent > above[height])
        height++;
    return digit(height);
}

/* Returns the height of a queue's bar. Each message shows, and only a full queue has the whole height. */
static char height_of_depth(float percent)
{
    if (!(percent >= 0))
        return '?';
    return percent >= 100 ? '8' : percent > 0 ? digit(1 + (unsigned)(percent * 7 / 100)) : '0';
}

static const char *heights(const struct txtap_top_state *state, const float *history, char (*height)(float), char *text)
{
    size_t count = state->history_count < TXTAP_TOP_HISTORY ? state->history_count : TXTAP_TOP_HISTORY;

    for (size_t i = 0; i < count; i++)
        text[i] = height(history[TXTAP_TOP_HISTORY - count + i]);
    text[count] = '\0';
    return text;
}

const char *history_of_cpu(const struct txtap_top_state *state, const float history[static TXTAP_TOP_HISTORY],
                           char text[GRID_TEXT_BYTES])
{
    return heights(state, history, height_of_cpu, text);
}

const char *history_of_depth(const struct txtap_top_state *state, const float history[static TXTAP_TOP_HISTORY],
                             char text[GRID_TEXT_BYTES])
{
    return heights(state, history, height_of_depth, text);
}

/* Returns the percentage of the highest bar: the smallest limit that no load exceeds. */
static float scale_of(const struct txtap_top_state *state, size_t count)
{
    static const float limits[] = {1, 2, 5, 10, 20, 50, 100};
    size_t chosen = 0;

    for (size_t i = TXTAP_TOP_HISTORY - count; i < TXTAP_TOP_HISTORY; i++)
        while (chosen + 1 < sizeof limits / sizeof *limits && state->load_history[i] > limits[chosen])
            chosen++;
    return limits[chosen];
}

/* Returns the height of a bar's part in one row. rows: number of rows of the highest bar. below: number of these rows
 * that are below this row. */
static char part_in_row(float percent, float scale, size_t rows, size_t below)
{
    float eighths;

    if (!(percent >= 0))
        return below == 0 ? '?' : '0';
    eighths = (percent < scale ? percent / scale : 1) * EIGHTHS * (float)rows - EIGHTHS * (float)below;
    return eighths >= EIGHTHS ? '8' : eighths > 0 ? digit((unsigned)(eighths + 0.5f)) : '0';
}

void draw_load_history(const struct txtap_top_state *state, struct txtap_top_screen *screen, size_t from, size_t to)
{
    size_t count = state->history_count < TXTAP_TOP_HISTORY ? state->history_count : TXTAP_TOP_HISTORY;
    size_t room = screen->columns > AXIS_COLUMNS ? screen->columns - AXIS_COLUMNS : 0;
    size_t width = room / TXTAP_TOP_HISTORY < BAR_COLUMNS ? room / TXTAP_TOP_HISTORY : BAR_COLUMNS;

    float scale = scale_of(state, count);

    screen_append(screen, from, 0, 0, "%3.0f%%", (double)scale);
    screen_append(screen, to - 1, 0, 0, "  0%%");
    for (size_t i = TXTAP_TOP_HISTORY - count; width > 0 && i < TXTAP_TOP_HISTORY; i++)
        for (size_t row = from; row < to; row++) {
            char bars[BAR_COLUMNS + 1] = "";

            memset(bars, part_in_row(state->load_history[i], scale, to - from, to - 1 - row), width);
            screen_put_bars(screen, row, AXIS_COLUMNS + i * width, width, bars);
        }
}
