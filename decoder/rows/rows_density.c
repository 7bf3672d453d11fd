/* SPDX-License-Identifier: MIT */
/* How many events a row, or all together, recorded in each column, and of which class. */
#include "rows/rows_parts.h"

#define LOOKED_AT 16u /* events of a column, whose classes stand for those of all */

struct counted {
    uint32_t events;
    uint32_t of_class[TXTAP_CLASSES]; /* of those that were looked at */
};

static uint8_t class_at(const struct txtap_rows *rows, uint32_t index)
{
    return ((const struct moments *)paged_page(&rows->moments, index / MOMENTS))->event_class[index % MOMENTS];
}

/* first: the index of the first event, if there is one. */
static struct txtap_row_events sum_up(const struct counted *counted, uint32_t first)
{
    struct txtap_row_events events = {.index = first};
    uint32_t classes = 0;

    for (uint8_t i = TXTAP_CLASS_NONE + 1; i < TXTAP_CLASSES; i++) {
        classes += counted->of_class[i] > 0;
        if (counted->of_class[i] > counted->of_class[events.event_class] || events.event_class == TXTAP_CLASS_NONE)
            events.event_class = counted->of_class[i] > 0 ? i : events.event_class;
    }
    events.count = counted->events < UINT16_MAX ? (uint16_t)counted->events : UINT16_MAX;
    events.more = classes > 1;
    return events;
}

/* Which one is looked at of so many. */
static uint32_t looked_at(uint32_t i, uint32_t count)
{
    return count <= LOOKED_AT ? i : (uint32_t)((uint64_t)i * count / LOOKED_AT);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Where each moment is an event. */
static struct txtap_row_events count_column(const struct txtap_rows *rows, uint32_t from, uint32_t to)
{
    struct counted counted = {.events = to - from};

    for (uint32_t i = 0; i < least(LOOKED_AT, to - from); i++)
        counted.of_class[class_at(rows, from + looked_at(i, to - from))]++;
    return sum_up(&counted, from);
}

/* Where some moments are none. */
static struct txtap_row_events count_moments(const struct txtap_rows *rows, uint32_t from, uint32_t to)
{
    struct counted counted = {.events = 0};
    uint32_t first = to;

    for (uint32_t i = from; i < to; i++) {
        uint8_t event_class = class_at(rows, i);

        if (event_class == TXTAP_CLASS_NONE)
            continue;
        first = least(first, i);
        counted.events++;
        counted.of_class[event_class]++;
    }
    return sum_up(&counted, first);
}

static void count_all(const struct txtap_rows *rows, const struct txtap_rows_edge *edges, uint32_t count,
                      struct txtap_row_events *out)
{
    for (uint32_t x = 0; x < count; x++)
        out[x] = rows->bare ? count_moments(rows, edges[x].index, edges[x + 1].index)
                            : count_column(rows, edges[x].index, edges[x + 1].index);
}

static void count_row(const struct txtap_rows *rows, const struct row *row, const struct txtap_rows_edge *edges,
                      uint32_t count, struct txtap_row_events *out)
{
    uint32_t from = recorded_find(row, row->recorded.first, edges[0].index), to;

    for (uint32_t x = 0; x < count; x++, from = to) {
        struct counted counted = {0};

        to = recorded_find(row, from, edges[x + 1].index);
        counted.events = to - from;
        for (uint32_t i = 0; i < least(LOOKED_AT, to - from); i++)
            counted.of_class[class_at(rows, recorded_index(row, from + looked_at(i, to - from)))]++;
        out[x] = sum_up(&counted, to > from ? recorded_index(row, from) : edges[x].index);
    }
}

void txtap_rows_events(const struct txtap_rows *rows, uint32_t number, const struct txtap_rows_edge *edges,
                       uint32_t count, struct txtap_row_events *out)
{
    if (number < rows->rows.count)
        count_row(rows, row_at(rows, number), edges, count, out);
    else if (number == NO_ROW)
        count_all(rows, edges, count, out);
    else
        for (uint32_t x = 0; x < count; x++)
            out[x] = (struct txtap_row_events){0};
}
