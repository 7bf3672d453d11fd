/* SPDX-License-Identifier: MIT */
/*
 * The states of a row over time, as a step function. The list has the sums at every 16th step. This file also has the
 * values of a counter over time, with the smallest and the largest value of each group of 16 and each group of 1,024
 * values.
 */
#include "rows/rows_parts.h"

#include <string.h>

/* ---- states that are added up ---- */

enum txtap_row_state state_of_slot(uint8_t kind, unsigned slot)
{
    static const uint8_t states[][SLOTS + 1] = {
        [TXTAP_ROW_CORE] = {TXTAP_ROW_RUNNING, TXTAP_ROW_IN_ISR, TXTAP_ROW_IS_IDLE, TXTAP_ROW_IN_INIT},
        [TXTAP_ROW_INTERRUPT] = {TXTAP_ROW_IN_ISR, TXTAP_ROW_INTERRUPTED, TXTAP_ROW_OFF},
        [TXTAP_ROW_THREAD] = {TXTAP_ROW_RUNNING, TXTAP_ROW_READY, TXTAP_ROW_INTERRUPTED, TXTAP_ROW_BLOCKED},
        [TXTAP_ROW_IDLE] = {TXTAP_ROW_IS_IDLE, TXTAP_ROW_UNKNOWN, TXTAP_ROW_OFF},
        [TXTAP_ROW_MUTEX] = {TXTAP_ROW_HELD, TXTAP_ROW_UNKNOWN, TXTAP_ROW_OFF},
    };

    return (enum txtap_row_state)states[kind][slot];
}

static void add_up(uint64_t sums[SLOTS], uint8_t kind, uint8_t state, uint64_t ticks)
{
    unsigned slot = slot_of_state(kind, state);

    if (slot < SLOTS)
        sums[slot] += ticks;
}

/* ---- taking ---- */

static void replace_last(struct row *row, struct step step)
{
    uint32_t number = row->steps.count - 1;
    struct group *page = paged_page(&row->steps, number / STEPS);

    page[number % STEPS / GROUP_STEPS].steps[number % GROUP_STEPS] = step;
    row->last = step;
}

static void append(struct row *row, struct group *page, struct step step, uint64_t ticks)
{
    struct group *group = page + row->steps.count % STEPS / GROUP_STEPS;

    if (row->steps.count > row->steps.first)
        add_up(row->sums, row->kind, row->last.state, ticks - row->since);
    if (row->steps.count % GROUP_STEPS == 0) {
        group->ticks = ticks;
        memcpy(group->sums, row->sums, sizeof group->sums);
    }
    group->steps[row->steps.count % GROUP_STEPS] = step;
    row->steps.count++;
    row->last = step;
    row->since = ticks;
}

bool steps_set(struct txtap_rows *rows, struct row *row, uint32_t index, struct step step)
{
    struct group *page = rows_room(rows, &row->steps, STEPS);

    if (page == NULL)
        return false;
    step.index = index > rows->moments.first ? index : rows->moments.first; /* the moment may already be dropped */
    if (row->steps.count > row->steps.first && row->last.index == step.index)
        replace_last(row, step);
    else
        append(row, page, step, moment_ticks(rows, step.index));
    return true;
}

bool steps_change(struct txtap_rows *rows, struct row *row, enum txtap_row_state state, uint8_t reason, uint32_t object)
{
    struct step step = {.state = (uint8_t)state, .reason = reason, .object = (uint16_t)object};

    if (row->last.state == step.state && row->last.reason == reason && row->last.object == step.object)
        return true;
    return steps_set(rows, row, moments_end(rows) - 1, step);
}

/* ---- finding ---- */

/* Like steps_find(), for a result from low to high. */
static uint32_t find_between(const struct row *row, uint32_t low, uint32_t high, uint32_t index)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (step_at(row, middle)->index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t steps_find(const struct row *row, uint32_t from, uint32_t index)
{
    uint32_t end = row->steps.count, low = from, high = from, wide = 1;

    while (high < end && step_at(row, high)->index < index) {
        low = high + 1;
        high = end - high > wide ? high + wide : end;
        wide *= 2;
    }
    return find_between(row, low, high, index);
}

uint32_t steps_find_near(const struct row *row, uint32_t from, uint32_t guess, uint32_t index)
{
    uint32_t high, wide = 1;

    if (guess >= row->steps.count || step_at(row, guess)->index < index)
        return steps_find(row, guess < row->steps.count ? guess + 1 : from, index);
    for (high = guess; high - from > wide && step_at(row, high - wide)->index >= index; wide *= 2)
        high -= wide;
    return find_between(row, high - from > wide ? high - wide + 1 : from, high, index);
}

/* Returns the ticks of an existing moment. */
static uint64_t ticks_in_page(const struct txtap_rows *rows, uint32_t index, struct moment_page *page)
{
    return moment_page(rows, index, page)->ticks[index % MOMENTS];
}

/* Adds up the times from the start of the group to the time `ticks`. at: the current step at this time. */
static void walk_forwards(const struct txtap_rows *rows, const struct row *row, const struct group *group, uint32_t at,
                          struct totals *totals, uint64_t ticks)
{
    uint64_t since = group->ticks;
    struct moment_page page = {0};

    memcpy(totals->slot, group->sums, sizeof totals->slot);
    for (uint32_t i = 0; i < at; i++) {
        uint64_t until = ticks_in_page(rows, group->steps[i + 1].index, &page);

        add_up(totals->slot, row->kind, group->steps[i].state, until - since);
        since = until;
    }
    add_up(totals->slot, row->kind, group->steps[at].state, ticks - since);
}

/* Subtracts the times from the start of the next group back to the time `ticks`. at: the current step at this time. */
static void walk_back(const struct txtap_rows *rows, const struct row *row, const struct group *group,
                      const struct group *next, uint32_t at, struct totals *totals, uint64_t ticks)
{
    uint64_t until = next->ticks;
    struct moment_page page = {0};

    memcpy(totals->slot, next->sums, sizeof totals->slot);
    for (uint32_t i = GROUP_STEPS - 1; i > at; i--) {
        uint64_t since = ticks_in_page(rows, group->steps[i].index, &page);

        add_up(totals->slot, row->kind, group->steps[i].state, since - until);
        until = since;
    }
    add_up(totals->slot, row->kind, group->steps[at].state, ticks - until);
}

void steps_totals(const struct txtap_rows *rows, const struct row *row, uint32_t number, uint64_t ticks,
                  struct totals *totals)
{
    const struct group *group = group_of(row, number);
    uint32_t at = number % GROUP_STEPS, next = number - at + GROUP_STEPS;

    if (at < GROUP_STEPS / 2 || next >= row->steps.count)
        walk_forwards(rows, row, group, at, totals, ticks);
    else
        walk_back(rows, row, group, group_of(row, next), at, totals, ticks);
}

/* ---- dropping ---- */

/*
 * Makes the step at `index` the first step. The earlier steps of the same group then begin and end at this index, so
 * they have no duration.
 */
void steps_cut(struct txtap_rows *rows, struct row *row, uint32_t index)
{
    uint32_t number = steps_find(row, row->steps.first, index + 1);
    uint64_t ticks = moment_ticks(rows, index);
    struct totals totals;
    struct group *group;

    if (number == row->steps.first)
        return;
    number--;
    steps_totals(rows, row, number, ticks, &totals);
    group = (struct group *)paged_page(&row->steps, number / STEPS) + number % STEPS / GROUP_STEPS;
    group->ticks = ticks;
    memcpy(group->sums, totals.slot, sizeof group->sums);
    for (uint32_t i = 0; i <= number % GROUP_STEPS; i++)
        group->steps[i].index = index;
    if (number + 1 == row->steps.count) {
        row->last.index = index;
        row->since = ticks;
        memcpy(row->sums, totals.slot, sizeof row->sums);
    }
    paged_drop(&row->steps, &rows->source, STEPS, number);
}

/* ---- queries ---- */

/* Sets *number to the step that is current at moment `index`. False: the row has no step there. */
static bool find_at(const struct txtap_rows *rows, const struct row *row, uint32_t index, uint32_t *number)
{
    if (index >= moments_end(rows) || index < rows->moments.first)
        return false;
    *number = row_is_counter(row) ? values_find(row, row->steps.first, index + 1)
                                  : steps_find(row, row->steps.first, index + 1);
    return (*number)-- > row->steps.first;
}

static bool is_unknown(const struct row *row, uint32_t number)
{
    return row_is_counter(row) ? (value_flags(row, number) & VALUE_UNKNOWN) != 0
                               : step_at(row, number)->state == TXTAP_ROW_UNKNOWN;
}

static uint32_t index_of_step(const struct row *row, uint32_t number)
{
    return row_is_counter(row) ? value_at(row, number)->index : step_at(row, number)->index;
}

static void describe(const struct txtap_rows *rows, const struct row *row, uint32_t number, struct txtap_row_step *out)
{
    uint32_t end = moments_end(rows), next = number + 1 < row->steps.count ? index_of_step(row, number + 1) : end;
    bool unknown = is_unknown(row, number), ended = next < end;

    *out = (struct txtap_row_step){.index = index_of_step(row, number), .next = ended ? next : end, .object = NO_ROW};
    out->from_ticks = moment_ticks(rows, out->index);
    out->to_ticks = moment_ticks(rows, out->next);
    out->from_known = number > row->steps.first && (unknown || !is_unknown(row, number - 1));
    out->to_known = ended && (unknown || !is_unknown(row, number + 1));
    if (row_is_user(row)) /* an event shows its value, and nothing is known of the time before it */
        out->from_known = number > row->steps.first && (value_flags(row, number) & VALUE_INFERRED) == 0;
    if (row_is_counter(row)) {
        out->value =
            unknown ? UNKNOWN_VALUE : txtap_value_word((enum txtap_value_form)row->form, value_at(row, number)->value);
        out->value_known = !unknown;
    } else {
        out->state = step_at(row, number)->state;
        out->reason = step_at(row, number)->reason;
        out->object = step_at(row, number)->object;
    }
}

bool txtap_rows_step(const struct txtap_rows *rows, uint32_t number, uint32_t index, struct txtap_row_step *step)
{
    uint32_t at;

    if (number >= rows->rows.count || !find_at(rows, row_at(rows, number), index, &at))
        return false;
    describe(rows, row_at(rows, number), at, step);
    return true;
}

/* Sets *index to the newest moment at or before the time `ticks`. False: the time is outside the trace. */
static bool moment_at(const struct txtap_rows *rows, uint64_t ticks, uint32_t *index)
{
    uint32_t end = moments_end(rows);

    if (rows->moments.first == end || ticks < moments_begin_ticks(rows) || ticks > rows->newest)
        return false;
    *index = (ticks == UINT64_MAX ? end : moments_find(rows, rows->moments.first, ticks + 1)) - 1;
    return true;
}

bool txtap_rows_at(const struct txtap_rows *rows, uint32_t number, uint64_t ticks, struct txtap_row_step *step)
{
    uint32_t index;

    return moment_at(rows, ticks, &index) && txtap_rows_step(rows, number, index, step);
}

void txtap_rows_sums(const struct txtap_rows *rows, uint32_t number, uint64_t from_ticks, uint64_t to_ticks,
                     uint64_t sums[TXTAP_ROW_STATES])
{
    uint64_t begin = moments_begin_ticks(rows), from = from_ticks > begin ? from_ticks : begin,
             to = to_ticks < rows->newest ? to_ticks : rows->newest, known = 0;
    struct totals before, after;
    uint32_t first, last;
    const struct row *row;

    memset(sums, 0, TXTAP_ROW_STATES * sizeof *sums);
    if (number >= rows->rows.count || from >= to)
        return;
    row = row_at(rows, number);
    if (!row_has_states(row) || !moment_at(rows, from, &first) || !moment_at(rows, to, &last) ||
        !find_at(rows, row, first, &first) || !find_at(rows, row, last, &last))
        return;
    steps_totals(rows, row, first, from, &before);
    steps_totals(rows, row, last, to, &after);
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        uint64_t ticks = after.slot[slot] - before.slot[slot];

        if (state_of_slot(row->kind, slot) != TXTAP_ROW_UNKNOWN)
            sums[state_of_slot(row->kind, slot)] = ticks;
        known += ticks;
    }
    sums[TXTAP_ROW_UNKNOWN] = to - from - known;
}

uint32_t txtap_rows_next_step(const struct txtap_rows *rows, uint32_t number, uint32_t index, bool forward)
{
    const struct row *row;
    uint32_t at, found, from = forward && index < UINT32_MAX ? index + 1 : index;

    if (number >= rows->rows.count)
        return TXTAP_ROWS_NO_INDEX;
    row = row_at(rows, number);
    at = row_is_counter(row) ? values_find(row, row->steps.first, from) : steps_find(row, row->steps.first, from);
    if (forward ? at >= row->steps.count : at == row->steps.first)
        return TXTAP_ROWS_NO_INDEX;
    found = index_of_step(row, forward ? at : at - 1);
    return found < moments_end(rows) ? found : TXTAP_ROWS_NO_INDEX;
}

/* ---- a counter: taking ---- */

static void put(struct value_page *page, uint32_t number, struct value value, unsigned flags)
{
    struct value_group *group = &page->groups[number % STEPS / GROUP_STEPS];

    if (number % STEPS == 0)
        page->known = NO_EXTREMES;
    if (number % GROUP_STEPS == 0) {
        group->known = NO_EXTREMES;
        group->any = 0;
    }
    group->values[number % GROUP_STEPS] = value;
    group->flags[number % GROUP_STEPS] = (uint8_t)flags;
    group->any |= (uint8_t)flags;
    extremes_add_value(&group->known, value.value, flags);
    extremes_add_value(&page->known, value.value, flags);
}

/* Replaces the last value. Then finds the extremes of the value's group and page again. */
static void replace(struct row *row, struct value value, unsigned flags)
{
    uint32_t newest = row->steps.count - 1;
    struct value_page *page = paged_page(&row->steps, newest / STEPS);
    struct value_group *group = &page->groups[newest % STEPS / GROUP_STEPS];

    group->values[newest % GROUP_STEPS] = value;
    group->flags[newest % GROUP_STEPS] = (uint8_t)flags;
    group->known = page->known = NO_EXTREMES;
    group->any = 0;
    for (uint32_t i = 0; i <= newest % GROUP_STEPS; i++) {
        extremes_add_value(&group->known, group->values[i].value, group->flags[i]);
        group->any |= group->flags[i];
    }
    for (uint32_t i = 0; i <= newest % STEPS / GROUP_STEPS; i++)
        extremes_add(&page->known, page->groups[i].known.min, page->groups[i].known.max);
}

bool values_set(struct txtap_rows *rows, struct row *row, uint32_t index, uint32_t value, unsigned flags)
{
    struct value_page *page = rows_room(rows, &row->steps, STEPS);
    const struct value *last;

    if (page == NULL)
        return false;
    index = index > rows->moments.first ? index : rows->moments.first; /* the moment may already be dropped */
    if (row->steps.count > row->steps.first) {
        last = value_at(row, row->steps.count - 1);
        if (last->value == value && value_flags(row, row->steps.count - 1) == flags)
            return true;
        /* A user value is never replaced: its event has shown it. */
        if (last->index == index && !row_is_user(row)) {
            replace(row, (struct value){index, value}, flags);
            return true;
        }
    }
    put(page, row->steps.count, (struct value){index, value}, flags);
    row->steps.count++;
    return true;
}

/* ---- a counter: finding and dropping ---- */

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
