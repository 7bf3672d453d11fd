/* SPDX-License-Identifier: MIT */
/* States of a row in columns: where one column has several steps, how much of it they take. */
#include "rows/rows_parts.h"

#define LOOK_BACK 32u /* steps of a dense column that are looked at one by one, if their sums are not enough */

/* ---- where columns begin ---- */

/* from + span * number / count, rounded up: what is there or later is in the column. */
static uint64_t edge_at(const struct txtap_rows_range *range, uint32_t number)
{
    uint64_t span = range->to - range->from, rest = span % range->count * number;

    return range->from + span / range->count * number + (rest + range->count - 1) / range->count;
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
    return value < low ? low : value > high ? high : value;
}

enum txtap_status txtap_rows_edges(const struct txtap_rows *rows, const struct txtap_rows_range *range,
                                   struct txtap_rows_edge *edges)
{
    uint32_t first = rows->moments.first, end = moments_end(rows), index = first;

    if (range->from >= range->to || range->count == 0 || range->count > TXTAP_ROWS_COLUMNS_MAX)
        return TXTAP_ERROR_USAGE;
    for (uint32_t i = 0; i <= range->count; i++) {
        struct txtap_rows_edge *edge = &edges[i];

        edge->at = edge_at(range, i);
        edge->by_event = range->by_event;
        index = range->by_event ? (uint32_t)clamp(edge->at, first, end) : moments_find(rows, index, edge->at);
        edge->index = index;
        edge->ticks =
            range->by_event ? moment_ticks(rows, index) : clamp(edge->at, moments_begin_ticks(rows), rows->newest);
    }
    return TXTAP_OK;
}

bool columns_span(const struct txtap_rows *rows, const struct txtap_rows_edge *edges, uint32_t count, uint32_t *begin,
                  uint32_t *end)
{
    bool by_event = edges[0].by_event;
    uint64_t oldest = by_event ? rows->moments.first : moments_begin_ticks(rows),
             newest = by_event ? (uint64_t)moments_end(rows) - 1 : rows->newest;

    if (rows->moments.first == moments_end(rows))
        return false;
    for (*begin = 0; *begin < count && edges[*begin + 1].at <= oldest; (*begin)++)
        ;
    for (*end = count; *end > *begin && edges[*end - 1].at > newest; (*end)--)
        ;
    return *begin < *end;
}

/* Where that moment is, in the edges' unit. */
static uint64_t place_of(const struct txtap_rows *rows, const struct txtap_rows_edge *edge, uint32_t index)
{
    return edge->by_event ? index : moment_ticks(rows, index);
}

bool columns_begin_with(const struct txtap_rows *rows, const struct txtap_rows_edge *edge, uint32_t index)
{
    return place_of(rows, edge, index) <= edge->at;
}

/* ---- pieces ---- */

struct drawing {
    const struct txtap_rows *rows;
    const struct row *row;
    const struct txtap_rows_edge *edges;
    uint32_t end; /* of the columns */
    struct txtap_row_columns *out;
    size_t count;
    uint32_t step;        /* that goes on, */
    uint32_t x0;          /* from this column */
    struct totals totals; /* at the end of the newest dense column, */
    uint32_t totals_at;   /* which is here; 0: there is none */
};

static void draw_step(struct drawing *drawing, uint32_t x1)
{
    const struct step *step = step_at(drawing->row, drawing->step);
    unsigned slot = slot_of_state(drawing->row->kind, step->state);

    if (drawing->x0 >= x1)
        return;
    drawing->out[drawing->count++] = (struct txtap_row_columns){
        .x0 = (uint16_t)drawing->x0,
        .x1 = (uint16_t)x1,
        .state = step->state,
        .reason = step->reason,
        .run = slot == 0 ? 255 : 0,
        .ready = slot == 1 ? 255 : 0,
        .object = step->object,
        .index = step->index,
    };
}

static uint8_t share(uint64_t part, uint64_t whole, bool any)
{
    double share = whole > 0 ? (double)part * 255 / (double)whole + 0.5 : 0;

    return share >= 255 ? 255 : share < 1 && any ? 1 : (uint8_t)share;
}

/* What is in a dense column. */
struct dense {
    uint64_t spent[SLOTS + 1], whole; /* ticks in each state that is added up, and in none */
    bool any[SLOTS + 1];              /* there is a step in it, as far as they are looked at */
};

/* The column has the steps from..until - 1, and the one before them at its start. */
static void measure(struct drawing *drawing, uint32_t x, uint32_t from, uint32_t until, struct dense *dense)
{
    const struct txtap_rows_edge *edge = &drawing->edges[x];
    uint32_t looked = until - from > LOOK_BACK ? until - LOOK_BACK : from;
    struct totals before = drawing->totals, *after = &drawing->totals;

    *dense = (struct dense){.whole = edge[1].ticks - edge->ticks};
    if (drawing->totals_at != x || x == 0)
        steps_totals(drawing->rows, drawing->row, from - 1, edge->ticks, &before);
    steps_totals(drawing->rows, drawing->row, until - 1, edge[1].ticks, after);
    drawing->totals_at = x + 1;
    dense->spent[SLOTS] = dense->whole;
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        dense->spent[slot] = after->slot[slot] - before.slot[slot];
        dense->spent[SLOTS] -= dense->spent[slot];
        dense->any[slot] = dense->spent[slot] > 0;
    }
    if (drawing->x0 == x) /* the step before them has no column of its own */
        dense->any[slot_of_state(drawing->row->kind, step_at(drawing->row, from - 1)->state)] = true;
    for (uint32_t i = looked; i < until && !dense->any[0]; i++) /* perhaps it ran for no time */
        dense->any[slot_of_state(drawing->row->kind, step_at(drawing->row, i)->state)] = true;
}

/* The state that lasts longest; of several, and of no time, the last one's. */
static unsigned longest(const struct dense *dense, unsigned last)
{
    unsigned found = last;

    for (unsigned slot = 0; slot <= SLOTS; slot++)
        if (dense->spent[slot] > dense->spent[found])
            found = slot;
    return found;
}

/* The newest step in that state among those of the column. NULL: none among the last ones. */
static const struct step *newest_in(const struct drawing *drawing, unsigned slot, uint32_t from, uint32_t until)
{
    uint32_t looked = until - from > LOOK_BACK ? until - LOOK_BACK : from - 1;

    for (uint32_t i = until; i > looked; i--) {
        const struct step *step = step_at(drawing->row, i - 1);

        if (slot_of_state(drawing->row->kind, step->state) == slot)
            return step;
    }
    return NULL;
}

static void draw_dense(struct drawing *drawing, uint32_t x, uint32_t from, uint32_t until)
{
    const struct row *row = drawing->row;
    const struct step *step;
    struct dense dense;
    unsigned slot;

    measure(drawing, x, from, until, &dense);
    slot = longest(&dense, slot_of_state(row->kind, step_at(row, until - 1)->state));
    step = newest_in(drawing, slot, from, until);
    drawing->out[drawing->count++] = (struct txtap_row_columns){
        .x0 = (uint16_t)x,
        .x1 = (uint16_t)(x + 1),
        .state = (uint8_t)state_of_slot(row->kind, slot),
        .reason = step != NULL ? step->reason : 0,
        .run = share(dense.spent[0], dense.whole, dense.any[0]),
        .ready = share(dense.spent[1], dense.whole, dense.any[1]),
        .object = step != NULL ? step->object : NO_ROW,
        .flags = TXTAP_COLUMNS_DENSE,
        .index = step_at(row, drawing->x0 == x ? from - 1 : from)->index,
    };
}

/* The column where a step begins that begins inside this one: the nearer side. */
static uint32_t nearer_side(const struct drawing *drawing, uint32_t x, uint32_t step)
{
    const struct txtap_rows_edge *edge = &drawing->edges[x];
    uint64_t place = place_of(drawing->rows, edge, step_at(drawing->row, step)->index);

    return place <= edge->at || place - edge->at < edge[1].at - place ? x : x + 1;
}

/* The steps from..until - 1 begin in the column. */
static void draw_column(struct drawing *drawing, uint32_t x, uint32_t from, uint32_t until)
{
    uint32_t side = until - from == 1 ? nearer_side(drawing, x, from) : drawing->x0;

    if (side > drawing->x0 && side < drawing->end) {
        draw_step(drawing, side);
        drawing->x0 = side;
    } else {
        draw_step(drawing, x);
        draw_dense(drawing, x, from, until);
        drawing->x0 = x + 1;
    }
    drawing->step = until - 1;
}

/* The first step behind the column's start; the one that is there then comes before it. */
static uint32_t first_behind(const struct txtap_rows *rows, const struct row *row, const struct txtap_rows_edge *edge)
{
    uint32_t first = row->steps.first, number = steps_find(row, first, edge->index);
    bool begins = number < row->steps.count && columns_begin_with(rows, edge, step_at(row, number)->index),
         one = number + 1 >= row->steps.count || !columns_begin_with(rows, edge, step_at(row, number + 1)->index);

    return number + ((begins && one) || number == first);
}

size_t txtap_rows_columns(const struct txtap_rows *rows, uint32_t number, const struct txtap_rows_edge *edges,
                          uint32_t count, struct txtap_row_columns *out)
{
    const struct row *row = number < rows->rows.count ? row_at(rows, number) : NULL;
    struct drawing drawing = {.rows = rows, .row = row, .edges = edges, .out = out};
    uint32_t from, until, width = 0;

    if (row == NULL || !row_has_states(row) || row->steps.first == row->steps.count ||
        !columns_span(rows, edges, count, &drawing.x0, &drawing.end))
        return 0;
    from = first_behind(rows, row, &edges[drawing.x0]);
    drawing.step = from - 1;
    for (uint32_t x = drawing.x0; x < drawing.end; x++, width = until - from, from = until) {
        until = steps_find_near(row, from, from + width, edges[x + 1].index);
        if (until > from)
            draw_column(&drawing, x, from, until);
    }
    draw_step(&drawing, drawing.end);
    return drawing.count;
}
