/* SPDX-License-Identifier: MIT */
/*
 * The rows of user values: counter and slice lines of the definitions. A slice row counts the slices that are open. So
 * its steps, extremes and columns are the steps, extremes and columns of a counter.
 */
#include "rows/rows_parts.h"

/* ---- the row of a line ---- */

void txtap_rows_define(struct txtap_rows *rows, const struct txtap_definitions *definitions)
{
    rows->definitions = definitions;
}

/* Sets the row's kind, and the form of its values. */
static void set_kind(struct row *row, const struct txtap_definition *definition)
{
    const struct txtap_definition_part *part = txtap_definition_part_of(definition, definition->row.word);
    enum txtap_field_kind kind = part != NULL ? part->field.kind : TXTAP_FIELD_NUMBER;

    row->kind = TXTAP_ROW_USER_VALUE;
    if (kind == TXTAP_FIELD_SIGNED)
        row->form = TXTAP_VALUE_SIGNED;
    else if (kind == TXTAP_FIELD_FLOAT)
        row->form = TXTAP_VALUE_FLOAT;
    else if (kind != TXTAP_FIELD_NUMBER && kind != TXTAP_FIELD_HEX)
        row->kind = TXTAP_ROW_USER_STATE;
}

/* Returns the id of the line's other event; 0: the definitions have no such event. */
static uint16_t other_event(const struct txtap_definitions *definitions, const struct txtap_definition *definition)
{
    for (size_t i = 0; i < definitions->event_count; i++) {
        const struct txtap_definition *other = &definitions->memory.events[i];

        if (other->row.role != TXTAP_DEFINITION_PLAIN && other->row.role != definition->row.role &&
            other->row.number == definition->row.number)
            return other->info.id;
    }
    return 0;
}

static struct row row_of_line(const struct txtap_rows *rows, const struct txtap_definition *definition)
{
    struct row row = {.number = definition->row.number,
                      .word = definition->row.word,
                      .id = definition->info.id,
                      .end = definition->info.id};

    if (definition->row.role == TXTAP_DEFINITION_COUNTER) {
        set_kind(&row, definition);
        return row;
    }
    row.kind = TXTAP_ROW_SLICE;
    if (definition->row.role == TXTAP_DEFINITION_BEGIN)
        row.end = other_event(rows->definitions, definition);
    else
        row.id = other_event(rows->definitions, definition);
    return row;
}

/* Returns true if both rows belong to the same line. Does not compare the numbers of the lines, because the number of a
 * line may change. */
static bool is_same(const struct row *row, const struct row *other)
{
    return row->kind == other->kind && row->form == other->form && row->word == other->word && row->id == other->id &&
           row->end == other->end;
}

/* Returns the row that already exists for a line; NO_ROW: there is no such row. */
static uint32_t find_row(const struct txtap_rows *rows, const struct row *line)
{
    for (uint32_t i = 0; i < rows->rows.count; i++)
        if (is_same(row_at(rows, i), line))
            return i;
    return NO_ROW;
}

/* Returns true if the event belongs to the row. */
static bool is_event_of(const struct row *row, const struct txtap_definition *definition)
{
    if (definition->row.role == TXTAP_DEFINITION_COUNTER)
        return row->kind != TXTAP_ROW_SLICE && row->id == definition->info.id && row->word == definition->row.word;
    return row->kind == TXTAP_ROW_SLICE &&
           definition->info.id == (definition->row.role == TXTAP_DEFINITION_BEGIN ? row->id : row->end);
}

/* Returns the row of the line that defines the event. Adds a row if the line has no row yet. NO_ROW: no room. */
static uint32_t row_of(struct txtap_rows *rows, const struct txtap_definition *definition)
{
    uint16_t *place = &rows->user_rows[definition->row.number];
    struct row line;
    uint32_t row;

    if (*place > 0 && is_event_of(row_at(rows, *place - 1u), definition))
        return *place - 1u;
    line = row_of_line(rows, definition);
    row = find_row(rows, &line);
    if (row == NO_ROW && rows->user_row_count == TXTAP_DEFINITION_ROWS_MAX) {
        rows->left_out++;
        return NO_ROW;
    }
    if (row == NO_ROW) {
        row = rows_add(rows, &line);
        rows->user_row_count += row != NO_ROW;
    }
    if (row != NO_ROW)
        *place = (uint16_t)(row + 1);
    return row;
}

/* ---- taking ---- */

static bool set_now(struct txtap_rows *rows, struct row *row, uint32_t value, unsigned flags)
{
    return values_set(rows, row, moments_end(rows) - 1, value, flags);
}

#define FLOAT_EXPONENT 0x7F800000u /* all bits of the exponent are set: a NaN or an infinite number */

static bool take_value(struct txtap_rows *rows, struct row *row, uint32_t word)
{
    bool finite = row->form != TXTAP_VALUE_FLOAT || (word & FLOAT_EXPONENT) != FLOAT_EXPONENT;

    return set_now(rows, row, txtap_value_key((enum txtap_value_form)row->form, word), finite ? 0 : VALUE_OFF_SCALE);
}

static bool take_begin(struct txtap_rows *rows, struct row *row)
{
    row->open += row->open < UINT32_MAX;
    if (row->open > row->deepest) {
        row->deepest = row->open;
        rows->rows_version++;
    }
    return set_now(rows, row, row->open, 0);
}

static bool take_slice_end(struct txtap_rows *rows, struct row *row)
{
    bool known = (value_flags(row, row->steps.count - 1) & VALUE_UNKNOWN) == 0;

    if (known && row->open == 0) {
        row->unpaired++;
        rows->rows_version++;
        return true;
    }
    if (!known && !values_set(rows, row, rows->lost_until, 1, VALUE_INFERRED))
        return false;
    row->deepest = row->deepest > 0 ? row->deepest : 1;
    row->open -= row->open > 0;
    return set_now(rows, row, row->open, 0);
}

bool user_take(struct txtap_rows *rows, const struct txtap_event *event)
{
    const struct txtap_definition *definition =
        rows->definitions != NULL && event != NULL ? txtap_definitions_find(rows->definitions, event->id) : NULL;
    unsigned word = definition != NULL ? definition->row.word : 0;
    uint32_t row;

    if (definition == NULL || definition->row.role == TXTAP_DEFINITION_PLAIN ||
        (event->words != NULL && word >= event->word_count))
        return true;
    row = row_of(rows, definition);
    if (row == NO_ROW)
        return !rows->full;
    if (definition->row.role == TXTAP_DEFINITION_COUNTER)
        return take_value(rows, row_at(rows, row), event->info[word]);
    return definition->row.role == TXTAP_DEFINITION_BEGIN ? take_begin(rows, row_at(rows, row))
                                                          : take_slice_end(rows, row_at(rows, row));
}

bool user_forget(struct txtap_rows *rows, struct row *row)
{
    row->open = 0;
    return set_now(rows, row, UNKNOWN_VALUE, VALUE_UNKNOWN);
}

/* ---- slices ---- */

/* Returns true if at least `depth` slices are open in the step. */
static bool is_open(const struct row *row, uint32_t number, uint32_t depth)
{
    return (value_flags(row, number) & VALUE_UNKNOWN) == 0 && value_at(row, number)->value >= depth;
}

/* Returns true if at least `depth` slices are open in each of the 16 steps of the group. */
static bool is_group_open(const struct row *row, uint32_t number, uint32_t depth)
{
    const struct value_group *group = value_group_of(row, number);

    return (group->any & VALUE_UNKNOWN) == 0 && group->known.min >= depth;
}

/* Returns the first step of the slice that is open in step `number`. */
static uint32_t first_step(const struct row *row, uint32_t number, uint32_t depth)
{
    while (number > row->steps.first) {
        if (number % GROUP_STEPS == 0 && number >= row->steps.first + GROUP_STEPS &&
            is_group_open(row, number - 1, depth))
            number -= GROUP_STEPS;
        else if (is_open(row, number - 1, depth))
            number--;
        else
            break;
    }
    return number;
}

/* Returns the first step after the slice that is open in step `number`. */
static uint32_t step_after(const struct row *row, uint32_t number, uint32_t depth)
{
    while (number < row->steps.count && is_open(row, number, depth)) {
        if (number % GROUP_STEPS == 0 && row->steps.count - number >= GROUP_STEPS && is_group_open(row, number, depth))
            number += GROUP_STEPS;
        else
            number++;
    }
    return number;
}

bool txtap_rows_slice(const struct txtap_rows *rows, uint32_t number, uint64_t ticks, uint32_t depth,
                      struct txtap_row_slice *slice)
{
    const struct row *row = number < rows->rows.count ? row_at(rows, number) : NULL;
    uint32_t end = moments_end(rows), step, from, until;
    bool ended;

    if (row == NULL || row->kind != TXTAP_ROW_SLICE || depth == 0 || rows->moments.first == end ||
        ticks < moments_begin_ticks(rows) || ticks > rows->newest)
        return false;
    step = values_find(row, row->steps.first,
                       ticks == UINT64_MAX ? end : moments_find(rows, rows->moments.first, ticks + 1));
    if (step == row->steps.first || !is_open(row, step - 1, depth))
        return false;
    from = first_step(row, step - 1, depth);
    until = step_after(row, step - 1, depth);
    ended = until < row->steps.count && value_at(row, until)->index < end;
    *slice = (struct txtap_row_slice){.index = value_at(row, from)->index,
                                      .next = ended ? value_at(row, until)->index : end,
                                      .from_known =
                                          from > row->steps.first && (value_flags(row, from) & VALUE_INFERRED) == 0,
                                      .to_known = ended && (value_flags(row, until) & VALUE_UNKNOWN) == 0,
                                      .depth = depth};
    slice->from_ticks = moment_ticks(rows, slice->index);
    slice->to_ticks = moment_ticks(rows, slice->next);
    return true;
}
