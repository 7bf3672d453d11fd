/* SPDX-License-Identifier: MIT */
/*
 * Draws a row in columns. The columns show the row's states, and the shares of the states in dense columns. They show
 * the values of a counter, the number of events that the row recorded, and the class of these events.
 */
#include "rows/rows_parts.h"

#define LOOK_BACK 32u /* steps of a dense column that are examined one by one, if the sums do not show every state */

/* ---- the edges of columns ---- */

/*
 * Returns from + span * number / count, rounded up. Column number `number` begins at this place. A moment at this place
 * or later is in the column.
 */
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

/* Sets *begin and *end: the columns begin..end - 1 contain part of the trace. Returns false if no column contains part
 * of the trace. */
static bool columns_span(const struct txtap_rows *rows, const struct txtap_rows_edge *edges, uint32_t count,
                         uint32_t *begin, uint32_t *end)
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

/* Returns the place of moment `index`, in the unit of the edges. */
static uint64_t place_of(const struct txtap_rows *rows, const struct txtap_rows_edge *edge, uint32_t index)
{
    return edge->by_event ? index : moment_ticks(rows, index);
}

/* Returns true if the moment is exactly at the column's start. Such a moment is in the column. */
static bool columns_begin_with(const struct txtap_rows *rows, const struct txtap_rows_edge *edge, uint32_t index)
{
    return place_of(rows, edge, index) <= edge->at;
}

/* ---- pieces ---- */

struct drawing {
    const struct txtap_rows *rows;
    const struct row *row;
    const struct txtap_rows_edge *edges;
    uint32_t end; /* number of the first column after the drawn columns */
    struct txtap_row_columns *out;
    size_t count;
    uint32_t step;        /* number of the current step */
    uint32_t x0;          /* column in which the current step begins */
    struct totals totals; /* sums at the end of the newest dense column */
    uint32_t totals_at;   /* number of the column after the newest dense column; 0: there is no dense column */
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
        .run = slot == 0 ? SHARE_WHOLE : 0,
        .ready = slot == 1 ? SHARE_WHOLE : 0,
        .object = step->object,
        .index = step->index,
    };
}

/* The content of a dense column. */
struct dense {
    /* spent: ticks in each state that has a sum; the last element: ticks in all other states. whole: ticks of the
     * column. */
    uint64_t spent[SLOTS + 1], whole;
    bool any[SLOTS + 1]; /* a step in this state is in the column, or among the examined steps */
};

/* Measures column `x`. The steps with the numbers `from` to `until` - 1 begin in it. The step before `from` is the
 * current step at the start of the column. */
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
    if (drawing->x0 == x) /* the step before `from` has no column of its own */
        dense->any[slot_of_state(drawing->row->kind, step_at(drawing->row, from - 1)->state)] = true;
    for (uint32_t i = looked; i < until && !dense->any[0]; i++) /* look for steps that have no duration */
        dense->any[slot_of_state(drawing->row->kind, step_at(drawing->row, i)->state)] = true;
}

/*
 * Returns the state that lasts longest. If several states last equally long, or if the column has no duration, returns
 * the state of the column's last step.
 */
static unsigned longest(const struct dense *dense, unsigned last)
{
    unsigned found = last;

    for (unsigned slot = 0; slot <= SLOTS; slot++)
        if (dense->spent[slot] > dense->spent[found])
            found = slot;
    return found;
}

/*
 * Returns the newest step whose state has the sum `slot`, among the examined steps of the column. NULL: there is no
 * such step.
 */
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
        .run = share_of(dense.spent[0], dense.whole, dense.any[0]),
        .ready = share_of(dense.spent[1], dense.whole, dense.any[1]),
        .object = step != NULL ? step->object : NO_ROW,
        .flags = TXTAP_COLUMNS_DENSE,
        .steps = until - from < UINT16_MAX ? (uint16_t)(until - from) : UINT16_MAX,
        .index = step_at(row, drawing->x0 == x ? from - 1 : from)->index,
    };
}

/* The step begins in column x. Returns x or x + 1: the column whose start is nearer to the begin of the step. */
static uint32_t nearer_side(const struct drawing *drawing, uint32_t x, uint32_t step)
{
    const struct txtap_rows_edge *edge = &drawing->edges[x];
    uint64_t place = place_of(drawing->rows, edge, step_at(drawing->row, step)->index);

    return place <= edge->at || place - edge->at < edge[1].at - place ? x : x + 1;
}

/* Draws a column in which the steps from..until - 1 begin. */
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

/* Returns the number of the first step after the column's start. The preceding step is the current step at the
 * start. */
static uint32_t first_after(const struct txtap_rows *rows, const struct row *row, const struct txtap_rows_edge *edge)
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
    from = first_after(rows, row, &edges[drawing.x0]);
    drawing.step = from - 1;
    for (uint32_t x = drawing.x0; x < drawing.end; x++, width = until - from, from = until) {
        until = steps_find_near(row, from, from + width, edges[x + 1].index);
        if (until > from)
            draw_column(&drawing, x, from, until);
    }
    draw_step(&drawing, drawing.end);
    return drawing.count;
}

/* ---- values of a counter ---- */

/* The values in a piece: their extremes, and VALUE_* bits of at least one of them. */
struct summed {
    struct extremes known;
    unsigned any;
};

static void sum_value(struct summed *of, const struct row *row, uint32_t number)
{
    unsigned flags = value_flags(row, number);

    extremes_add_value(&of->known, value_at(row, number)->value, flags);
    of->any |= flags;
}

static void sum_group(struct summed *of, const struct value_group *group)
{
    extremes_add(&of->known, group->known.min, group->known.max);
    of->any |= group->any;
}

static void sum_page(struct summed *of, const struct value_page *page)
{
    extremes_add(&of->known, page->known.min, page->known.max);
    for (uint32_t i = 0; i < STEPS / GROUP_STEPS; i++)
        of->any |= page->groups[i].any;
}

/* Adds the values from..until - 1. Uses whole pages where possible, then groups of 16, then single values. */
static void sum_values(const struct row *row, uint32_t from, uint32_t until, struct summed *of)
{
    while (from < until) {
        if (from % STEPS == 0 && until - from >= STEPS) {
            sum_page(of, value_page_of(row, from));
            from += STEPS;
        } else if (from % GROUP_STEPS == 0 && until - from >= GROUP_STEPS) {
            sum_group(of, value_group_of(row, from));
            from += GROUP_STEPS;
        } else {
            sum_value(of, row, from++);
        }
    }
}

/* Returns a piece with these values. last: number of the value at the end of the piece. */
static struct txtap_row_values piece(const struct row *row, uint32_t x0, uint32_t x1, const struct summed *of,
                                     uint32_t last)
{
    struct txtap_row_values out = {.x0 = (uint16_t)x0, .x1 = (uint16_t)x1, .min = of->known.min, .max = of->known.max};

    out.last = value_at(row, last)->value;
    if ((value_flags(row, last) & (VALUE_UNKNOWN | VALUE_OFF_SCALE)) == 0)
        out.flags |= TXTAP_VALUES_LAST;
    if ((of->any & (VALUE_UNKNOWN | VALUE_OFF_SCALE)) != 0)
        out.flags |= TXTAP_VALUES_PARTLY;
    if ((of->any & VALUE_INFERRED) != 0)
        out.flags |= TXTAP_VALUES_INFERRED;
    return out;
}

/* Returns a piece that shows one value in several columns. */
static struct txtap_row_values level(const struct row *row, uint32_t x0, uint32_t x1, uint32_t number)
{
    struct summed of = {.known = NO_EXTREMES};

    sum_value(&of, row, number);
    return piece(row, x0, x1, &of, number);
}

size_t txtap_rows_values(const struct txtap_rows *rows, uint32_t number, const struct txtap_rows_edge *edges,
                         uint32_t count, struct txtap_row_values *out)
{
    const struct row *row = number < rows->rows.count ? row_at(rows, number) : NULL;
    uint32_t begin, end, from, until, x0;
    size_t pieces = 0;

    if (row == NULL || !row_is_counter(row) || row->steps.first == row->steps.count ||
        !columns_span(rows, edges, count, &begin, &end))
        return 0;
    from = values_find(row, row->steps.first, edges[begin].index);
    from += from == row->steps.first; /* the first value is also used for the columns before it */
    x0 = begin;
    for (uint32_t x = begin; x < end; x++, from = until) {
        struct summed of = {.known = NO_EXTREMES};

        until = values_find(row, from, edges[x + 1].index);
        if (until == from)
            continue;
        if (x0 < x)
            out[pieces++] = level(row, x0, x, from - 1);
        if (!columns_begin_with(rows, &edges[x], value_at(row, from)->index))
            sum_value(&of, row, from - 1);
        sum_values(row, from, until, &of);
        out[pieces++] = piece(row, x, x + 1, &of, until - 1);
        x0 = x + 1;
    }
    if (x0 < end)
        out[pieces++] = level(row, x0, end, from - 1);
    return pieces;
}

/* ---- events, of one row or of all rows ---- */

#define LOOKED_AT 16u /* maximum number of events of a column whose classes are examined */

struct counted {
    uint32_t events;
    uint32_t of_class[TXTAP_CLASSES]; /* number of examined events of each class */
};

static uint8_t class_at(const struct txtap_rows *rows, uint32_t index)
{
    return ((const struct moments *)paged_page(&rows->moments, index / MOMENTS))->event_class[index % MOMENTS];
}

/* Returns the events of a column. first: index of the first event, if there are events. */
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

/* Returns the offset of the i-th examined event in a column of count events. */
static uint32_t looked_at(uint32_t i, uint32_t count)
{
    return count <= LOOKED_AT ? i : (uint32_t)((uint64_t)i * count / LOOKED_AT);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Counts the events of a column if each moment is an event. */
static struct txtap_row_events count_column(const struct txtap_rows *rows, uint32_t from, uint32_t to)
{
    struct counted counted = {.events = to - from};

    for (uint32_t i = 0; i < least(LOOKED_AT, to - from); i++)
        counted.of_class[class_at(rows, from + looked_at(i, to - from))]++;
    return sum_up(&counted, from);
}

/* Counts the events of a column if some moments are not events. */
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
