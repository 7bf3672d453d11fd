/* SPDX-License-Identifier: MIT */
/* Queries the rows, and writes the answers where the page reads them. */
#include <stdlib.h>

#include "txtap/inner/rows_samples.h"
#include "view/wasm/view_trace.h"

#define CELL_BYTES sizeof(struct txtap_row_samples) /* the largest answer for a column */

_Static_assert(sizeof(struct txtap_row_columns) <= CELL_BYTES, "cells have room for states");
_Static_assert(sizeof(struct txtap_row_values) <= CELL_BYTES, "cells have room for values");

void columns_free(struct columns *columns)
{
    free(columns->edges);
    free(columns->events);
    free(columns->cells);
    *columns = (struct columns){.room = 0};
}

/* ---- events and moments ---- */

uint32_t columns_event_of(const struct view_trace *trace, uint32_t moment)
{
    return trace->even ? moment : store_at(&trace->store, txtap_rows_ticks(trace->timeline.rows, moment));
}

uint32_t columns_moment_of(const struct view_trace *trace, uint32_t index)
{
    const struct store *store = &trace->store;

    if (trace->even || store_end(store) == store_first(store))
        return index;
    if (index < store_first(store) || index >= store_end(store))
        return UINT32_MAX;
    return txtap_rows_event_at(trace->timeline.rows, store_ticks(store, index));
}

/* ---- edges ---- */

static bool make_room(struct columns *columns, uint32_t count)
{
    if (count <= columns->room)
        return true;
    columns_free(columns);
    columns->edges = malloc((count + 1u) * sizeof *columns->edges);
    columns->events = malloc(count * sizeof *columns->events);
    columns->cells = malloc(count * CELL_BYTES);
    columns->room = columns->edges != NULL && columns->events != NULL && columns->cells != NULL ? count : 0;
    return columns->room > 0;
}

/* Makes edges that give all events the same width, even if moments differ from events. */
static void edges_by_event(const struct view_trace *trace, const struct txtap_rows_range *range,
                           struct txtap_rows_edge *edges)
{
    const struct store *store = &trace->store;
    uint64_t span = range->to - range->from;

    for (uint32_t i = 0; i <= range->count; i++) {
        uint64_t index = range->from + span / range->count * i + span % range->count * i / range->count;
        uint64_t ticks;

        if (index >= store_end(store))
            ticks = store->newest + 1 + (index - store_end(store));
        else
            ticks = store_ticks(store, index < store_first(store) ? store_first(store) : (uint32_t)index);
        edges[i] = (struct txtap_rows_edge){
            .at = ticks, .ticks = ticks, .index = txtap_rows_event_at(trace->timeline.rows, ticks)};
    }
}

static bool same_range(const struct txtap_rows_range *a, const struct txtap_rows_range *b)
{
    return a->from == b->from && a->to == b->to && a->count == b->count && a->by_event == b->by_event;
}

static bool find_edges(struct view_trace *trace, const struct txtap_rows_range *range)
{
    struct columns *columns = &trace->columns;

    if (columns->room > 0 && columns->version == trace->version && same_range(&columns->range, range))
        return true;
    if (range->from >= range->to || range->count == 0 || range->count > TXTAP_ROWS_COLUMNS_MAX ||
        store_end(&trace->store) == store_first(&trace->store) || !make_room(columns, range->count))
        return false;
    if (range->by_event && !trace->even)
        edges_by_event(trace, range, columns->edges);
    else if (txtap_rows_edges(trace->timeline.rows, range, columns->edges) != TXTAP_OK)
        return false;
    columns->range = *range;
    columns->version = trace->version;
    return true;
}

/* ---- answers ---- */

size_t columns_of_row(struct view_trace *trace, uint32_t row, const struct txtap_rows_range *range)
{
    struct columns *columns = &trace->columns;
    struct txtap_row_columns *states;
    struct txtap_row what;
    size_t count;

    if (!txtap_rows_row(trace->timeline.rows, row, &what) || !find_edges(trace, range))
        return 0;
    if (what.counter)
        return txtap_rows_values(trace->timeline.rows, row, columns->edges, range->count, columns->cells);
    if (what.channel != NULL)
        return txtap_rows_samples(trace->timeline.rows, row, columns->edges, range->count, columns->cells);
    states = columns->cells;
    count = txtap_rows_columns(trace->timeline.rows, row, columns->edges, range->count, states);
    for (size_t i = 0; i < count && !trace->even; i++)
        states[i].index = columns_event_of(trace, states[i].index);
    return count;
}

size_t columns_of_events(struct view_trace *trace, uint32_t row, const struct txtap_rows_range *range)
{
    struct columns *columns = &trace->columns;
    uint32_t count = range->count;
    uint32_t *index;
    uint16_t *number;
    uint8_t *event_class;

    if (!find_edges(trace, range))
        return 0;
    index = columns->cells;
    number = (uint16_t *)(index + count);
    event_class = (uint8_t *)(number + count);
    txtap_rows_events(trace->timeline.rows, row, columns->edges, count, columns->events);
    for (uint32_t i = 0; i < count; i++) {
        const struct txtap_row_events *events = &columns->events[i];

        index[i] = trace->even || events->count == 0 ? events->index : columns_event_of(trace, events->index);
        number[i] = events->count;
        event_class[i] = events->event_class;
    }
    return count;
}

size_t columns_of_shares(struct view_trace *trace, uint32_t row, bool second, const struct txtap_rows_range *range)
{
    struct columns *columns = &trace->columns;

    if (!find_edges(trace, range) ||
        !txtap_rows_shares(trace->timeline.rows, row, second, columns->edges, range->count, columns->cells))
        return 0;
    return range->count;
}

uint32_t columns_row_of(const struct view_trace *trace, uint32_t index)
{
    struct txtap_row_event event;

    return txtap_rows_event(trace->timeline.rows, columns_moment_of(trace, index), &event) ? event.row : TXTAP_ROW_NONE;
}

/* Returns the nearer of two moments after (forward) or before some moment. TXTAP_ROWS_NO_INDEX: no such moment. */
static uint32_t nearer(uint32_t a, uint32_t b, bool forward)
{
    if (a == TXTAP_ROWS_NO_INDEX || b == TXTAP_ROWS_NO_INDEX)
        return a == TXTAP_ROWS_NO_INDEX ? b : a;
    return (a < b) == forward ? a : b;
}

/* Returns the first event at or after the row's first sample at `ticks` or later (forward), or the last event at or
 * before its last sample before `ticks`. */
static uint32_t near_sample(const struct view_trace *trace, uint32_t row, uint64_t ticks, bool forward)
{
    const struct store *store = &trace->store;
    uint32_t number = txtap_rows_first_sample(trace->timeline.rows, row, ticks), index;
    struct txtap_row_sample sample;

    if ((!forward && number == 0) ||
        !txtap_rows_sample(trace->timeline.rows, row, forward ? number : number - 1, &sample))
        return TXTAP_ROWS_NO_INDEX;
    index = store_at(store, sample.sample.ticks + !forward);
    if (forward)
        return index < store_end(store) ? index : TXTAP_ROWS_NO_INDEX;
    return index > store_first(store) ? index - 1 : TXTAP_ROWS_NO_INDEX;
}

uint32_t columns_near(const struct view_trace *trace, uint32_t row, uint64_t ticks, bool forward)
{
    const struct txtap_rows *rows = trace->timeline.rows;
    struct txtap_row what;
    uint32_t at = txtap_rows_event_at(rows, ticks), from = forward ? at - (at > 0) : at, event, step;

    if (txtap_rows_row(rows, row, &what) && what.channel != NULL)
        return near_sample(trace, row, ticks, forward);
    event = txtap_rows_next_event(rows, row, from, forward);
    step = txtap_rows_next_step(rows, row, from, forward);
    event = nearer(event, step, forward);
    return event == TXTAP_ROWS_NO_INDEX ? event : columns_event_of(trace, event);
}
