/* SPDX-License-Identifier: MIT */
/* A counter over time, with the smallest and the largest value beside every 16 and every 1,024. */
#include "rows/rows_parts.h"

/* ---- taking ---- */

static void widen(uint32_t *min, uint32_t *max, uint32_t value)
{
    if (value == UNKNOWN_VALUE)
        return;
    if (value < *min)
        *min = value;
    if (value > *max)
        *max = value;
}

static void put(struct value_page *page, uint32_t number, struct value value)
{
    struct value_group *group = &page->groups[number % STEPS / GROUP_STEPS];

    if (number % STEPS == 0) {
        page->min = UINT32_MAX;
        page->max = 0;
    }
    if (number % GROUP_STEPS == 0) {
        group->min = UINT32_MAX;
        group->max = 0;
    }
    group->values[number % GROUP_STEPS] = value;
    widen(&group->min, &group->max, value.value);
    widen(&page->min, &page->max, value.value);
}

/* A value is replaced: the extremes of its group and its page are found again. */
static void replace(struct row *row, struct value value)
{
    uint32_t newest = row->steps.count - 1;
    struct value_page *page = paged_page(&row->steps, newest / STEPS);
    struct value_group *group = &page->groups[newest % STEPS / GROUP_STEPS];

    group->values[newest % GROUP_STEPS] = value;
    group->min = page->min = UINT32_MAX;
    group->max = page->max = 0;
    for (uint32_t i = 0; i <= newest % GROUP_STEPS; i++)
        widen(&group->min, &group->max, group->values[i].value);
    for (uint32_t i = 0; i <= newest % STEPS / GROUP_STEPS; i++) {
        if (page->groups[i].min <= page->groups[i].max) {
            widen(&page->min, &page->max, page->groups[i].min);
            widen(&page->min, &page->max, page->groups[i].max);
        }
    }
}

bool values_set(struct txtap_rows *rows, struct row *row, uint32_t index, uint32_t value)
{
    struct value_page *page = rows_room(rows, &row->steps, STEPS);
    const struct value *last;

    if (page == NULL)
        return false;
    index = index > rows->moments.first ? index : rows->moments.first; /* it may have been dropped just now */
    if (row->steps.count > row->steps.first) {
        last = value_at(row, row->steps.count - 1);
        if (last->value == value)
            return true;
        if (last->index == index) {
            replace(row, (struct value){index, value});
            return true;
        }
    }
    put(page, row->steps.count, (struct value){index, value});
    row->steps.count++;
    return true;
}

/* ---- finding ---- */

uint32_t values_find(const struct row *row, uint32_t from, uint32_t index)
{
    uint32_t end = row->steps.count, low = from, high = from, wide = 1;

    while (high < end && value_at(row, high)->index < index) {
        low = high + 1;
        high = end - high > wide ? high + wide : end;
        wide *= 2;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (value_at(row, middle)->index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- dropping ---- */

void values_cut(struct txtap_rows *rows, struct row *row, uint32_t index)
{
    uint32_t number = values_find(row, row->steps.first, index + 1);
    struct value_page *page;

    if (number == row->steps.first)
        return;
    number--;
    page = paged_page(&row->steps, number / STEPS);
    page->groups[number % STEPS / GROUP_STEPS].values[number % GROUP_STEPS].index = index;
    paged_drop(&row->steps, &rows->source, STEPS, number);
}

/* ---- columns ---- */

struct extremes {
    uint32_t min, max;
};

static void widen_by(struct extremes *of, uint32_t min, uint32_t max)
{
    if (min > max)
        return;
    widen(&of->min, &of->max, min);
    widen(&of->min, &of->max, max);
}

/* Of the values from..until - 1: by the page, by 16, or one by one. */
static void find_extremes(const struct row *row, uint32_t from, uint32_t until, struct extremes *of)
{
    while (from < until) {
        const struct value_page *page = value_page_of(row, from);
        const struct value_group *group = &page->groups[from % STEPS / GROUP_STEPS];

        if (from % STEPS == 0 && until - from >= STEPS) {
            widen_by(of, page->min, page->max);
            from += STEPS;
        } else if (from % GROUP_STEPS == 0 && until - from >= GROUP_STEPS) {
            widen_by(of, group->min, group->max);
            from += GROUP_STEPS;
        } else {
            widen(&of->min, &of->max, group->values[from % GROUP_STEPS].value);
            from++;
        }
    }
}

static struct txtap_row_values piece(uint32_t x0, uint32_t x1, struct extremes of, uint32_t last)
{
    return (struct txtap_row_values){(uint16_t)x0, (uint16_t)x1, of.min, of.max, last};
}

/* The counter keeps a value over several columns. */
static struct txtap_row_values level(uint32_t x0, uint32_t x1, uint32_t value)
{
    struct extremes of = {UINT32_MAX, 0};

    widen(&of.min, &of.max, value);
    return piece(x0, x1, of, value);
}

size_t txtap_rows_values(const struct txtap_rows *rows, uint32_t number, const struct txtap_rows_edge *edges,
                         uint32_t count, struct txtap_row_values *out)
{
    const struct row *row = number < rows->rows.count ? row_at(rows, number) : NULL;
    uint32_t begin, end, from, until, now, x0;
    size_t pieces = 0;

    if (row == NULL || !row_is_counter(row) || row->steps.first == row->steps.count ||
        !columns_span(rows, edges, count, &begin, &end))
        return 0;
    from = values_find(row, row->steps.first, edges[begin].index);
    from += from == row->steps.first; /* the first one is there from the start */
    now = value_at(row, from - 1)->value;
    x0 = begin;
    for (uint32_t x = begin; x < end; x++, from = until) {
        struct extremes of = {UINT32_MAX, 0};

        until = values_find(row, from, edges[x + 1].index);
        if (until == from)
            continue;
        if (x0 < x)
            out[pieces++] = level(x0, x, now);
        if (!columns_begin_with(rows, &edges[x], value_at(row, from)->index))
            widen(&of.min, &of.max, now);
        find_extremes(row, from, until, &of);
        now = value_at(row, until - 1)->value;
        out[pieces++] = piece(x, x + 1, of, now);
        x0 = x + 1;
    }
    if (x0 < end)
        out[pieces++] = level(x0, end, now);
    return pieces;
}
