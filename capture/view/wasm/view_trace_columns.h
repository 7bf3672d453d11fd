/* SPDX-License-Identifier: MIT */
/* What the rows show in columns, as typed arrays of the page read it: all rows of a picture share their edges. */
#ifndef TXTAP_CAPTURE_VIEW_WASM_VIEW_TRACE_COLUMNS_H
#define TXTAP_CAPTURE_VIEW_WASM_VIEW_TRACE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/rows.h"

struct view_trace;

/* All 0 at first. */
struct columns {
    struct txtap_rows_edge *edges;
    struct txtap_row_events *events;
    void *cells;      /* the answer: little-endian, 16 bytes for each column at most */
    uint32_t room;    /* columns that there is memory for */
    uint32_t version; /* of the trace, to which the edges belong */
    struct txtap_rows_range range;
};

void columns_free(struct columns *columns);

/* The pieces of a row, as struct txtap_row_columns, or of a counter as struct txtap_row_values, at
 * trace->columns.cells. Returns how many; 0 also if there is no such row or range. Indexes are those of events. */
size_t columns_of_row(struct view_trace *trace, uint32_t row, const struct txtap_rows_range *range);

/* Events that the row recorded, TXTAP_ROW_NONE: all, in each column: count times their number as uint16_t; before them
 * count times the index of the first, uint32_t; behind both count times the class of most, uint8_t. Returns count. */
size_t columns_of_events(struct view_trace *trace, uint32_t row, const struct txtap_rows_range *range);

/* The event at a moment of the rows, and the moment of an event. */
uint32_t columns_event_of(const struct view_trace *trace, uint32_t moment);
uint32_t columns_moment_of(const struct view_trace *trace, uint32_t index);

#endif
