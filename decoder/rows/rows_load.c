/* SPDX-License-Identifier: MIT */
/* The load of rows: the share of each column in which a row was active, and the window in which a core was busiest. */
#include "rows/rows_parts.h"

/* ---- shares of columns ---- */

/* Finds the step at an edge: the newest step that began before the edge, or else the first step of the row. */
static uint32_t step_before(const struct row *row, uint32_t number, uint32_t guess, uint32_t index)
{
    number = steps_find_near(row, number, guess, index);
    return number > row->steps.first ? number - 1 : number;
}

bool txtap_rows_shares(const struct txtap_rows *rows, uint32_t number, bool second, const struct txtap_rows_edge *edges,
                       uint32_t count, uint16_t *out)
{
    const struct row *row = number < rows->rows.count ? row_at(rows, number) : NULL;
    bool has_steps = row != NULL && row_has_states(row) && row->steps.first < row->steps.count, any = false;
    struct totals before, after;
    uint32_t step = 0, width = 0;

    if (has_steps && count > 0) {
        step = step_before(row, row->steps.first, row->steps.first, edges[0].index);
        steps_totals(rows, row, step, edges[0].ticks, &before);
    }
    for (uint32_t x = 0; x < count; x++) {
        uint64_t spent;
        uint32_t next;

        out[x] = 0;
        if (!has_steps || edges[x + 1].ticks == edges[x].ticks)
            continue;
        next = step_before(row, step, step + width, edges[x + 1].index);
        steps_totals(rows, row, next, edges[x + 1].ticks, &after);
        spent = after.slot[second] - before.slot[second];
        out[x] = share_of(spent, edges[x + 1].ticks - edges[x].ticks, spent > 0);
        any = any || out[x] > 0;
        width = next - step;
        step = next;
        before = after;
    }
    return any;
}

/* ---- the busiest window ---- */

/* The time up to which the windows of a core were examined. */
struct examined {
    const struct txtap_rows *rows;
    const struct row *row;
    uint64_t ticks;
    uint32_t moment; /* the newest moment before `ticks`, or an earlier moment */
    uint32_t step;   /* the step at `ticks` */
};

/* Returns how long threads and interrupts ran on the core before `ticks`. */
static uint64_t busy_before(const struct examined *at)
{
    struct totals totals;

    steps_totals(at->rows, at->row, at->step, at->ticks, &totals);
    return totals.slot[slot_of_state(TXTAP_ROW_CORE, TXTAP_ROW_RUNNING)] +
           totals.slot[slot_of_state(TXTAP_ROW_CORE, TXTAP_ROW_IN_ISR)];
}

static void examine_until(struct examined *at, uint64_t ticks)
{
    at->ticks = ticks;
    at->moment = moments_find(at->rows, at->moment, ticks);
    at->step = step_before(at->row, at->step, at->step, at->moment);
}

/* Returns the number of windows from `at` on that end before the current step ends; all of them have the same load.
 */
static uint64_t windows_in_step(const struct examined *at, uint64_t window)
{
    uint32_t next = at->step + 1;
    uint64_t end =
        next < at->row->steps.count ? moment_ticks(at->rows, step_at(at->row, next)->index) : at->rows->newest;

    return end > at->ticks ? (end - at->ticks) / window : 0;
}

bool txtap_rows_peak(const struct txtap_rows *rows, uint32_t number, uint64_t window, uint32_t most,
                     struct txtap_rows_peak *peak)
{
    const struct row *row = number < rows->rows.count ? row_at(rows, number) : NULL;
    struct examined at = {.rows = rows, .row = row, .moment = rows->moments.first};
    uint64_t begin = moments_begin_ticks(rows), before, after;

    if (row == NULL || row->kind != TXTAP_ROW_CORE || row->steps.first == row->steps.count || window == 0)
        return true;
    if (peak->next < begin)
        peak->next = begin;
    at.step = row->steps.first;
    examine_until(&at, peak->next);
    before = busy_before(&at);
    for (uint32_t i = 0; i < most && peak->busy < window; i++) {
        uint64_t start = at.ticks, same = windows_in_step(&at, window);

        if (start + window > rows->newest)
            return true;
        examine_until(&at, start + (same > 1 ? same : 1) * window);
        after = busy_before(&at);
        if (same > 1)
            after = before + (after - before) / same;
        if (after - before > peak->busy) {
            peak->busy = after - before;
            peak->from = start;
        }
        before = busy_before(&at);
        peak->next = at.ticks;
    }
    return peak->busy >= window || peak->next + window > rows->newest;
}
