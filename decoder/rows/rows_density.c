/* SPDX-License-Identifier: MIT */
/* How many events a row, or all together, recorded in each column, and of which class. */
#include "rows/rows_parts.h"

struct counted {
    uint32_t of_class[TXTAP_CLASSES];
};

static uint8_t class_of(const struct txtap_rows *rows, uint32_t index, struct moment_page *page)
{
    return moment_page(rows, index, page)->event_class[index % MOMENTS];
}

/* first: the index of the first event, if there is one. */
static struct txtap_row_events sum_up(const struct counted *counted, uint32_t first)
{
    struct txtap_row_events events = {.index = first};
    uint32_t all = 0, classes = 0;

    for (uint8_t i = TXTAP_CLASS_NONE + 1; i < TXTAP_CLASSES; i++) {
        all += counted->of_class[i];
        classes += counted->of_class[i] > 0;
        if (counted->of_class[i] > counted->of_class[events.event_class] || events.event_class == TXTAP_CLASS_NONE)
            events.event_class = counted->of_class[i] > 0 ? i : events.event_class;
    }
    events.count = all < UINT16_MAX ? (uint16_t)all : UINT16_MAX;
    events.more = classes > 1;
    return events;
}

static void count_all(const struct txtap_rows *rows, const struct txtap_rows_edge *edges, uint32_t count,
                      struct txtap_row_events *out)
{
    struct moment_page page = {0};

    for (uint32_t x = 0; x < count; x++) {
        struct counted counted = {0};
        uint32_t first = edges[x].index, end = edges[x + 1].index;

        for (uint32_t i = first; i < end; i++)
            counted.of_class[class_of(rows, i, &page)]++;
        while (first < end && class_of(rows, first, &page) == TXTAP_CLASS_NONE)
            first++;
        out[x] = sum_up(&counted, first);
    }
}

/* The row's events from that number on, up to an index. Returns the number behind them. */
static uint32_t count_until(const struct txtap_rows *rows, const struct row *row, uint32_t number, uint32_t end,
                            struct moment_page *page, struct counted *counted)
{
    for (; number < row->recorded.count; number++) {
        uint32_t index = recorded_index(row, number);

        if (index >= end)
            break;
        counted->of_class[class_of(rows, index, page)]++;
    }
    return number;
}

static void count_row(const struct txtap_rows *rows, const struct row *row, const struct txtap_rows_edge *edges,
                      uint32_t count, struct txtap_row_events *out)
{
    uint32_t number = recorded_find(row, row->recorded.first, edges[0].index);
    struct moment_page page = {0};

    for (uint32_t x = 0; x < count; x++) {
        uint32_t first = number < row->recorded.count ? recorded_index(row, number) : UINT32_MAX;
        struct counted counted = {0};

        if (first >= edges[x + 1].index) {
            out[x] = (struct txtap_row_events){.index = edges[x].index};
            continue;
        }
        number = count_until(rows, row, number, edges[x + 1].index, &page, &counted);
        out[x] = sum_up(&counted, first);
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
