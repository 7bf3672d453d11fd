/* SPDX-License-Identifier: MIT */
/* Wakes, gaps and marks, in the order of time. */
#include "rows/rows_parts.h"

#include <string.h>

static struct wake *wake_at(const struct txtap_rows *rows, uint32_t number)
{
    return (struct wake *)paged_page(&rows->wakes, number / PER_PAGE(struct wake)) + number % PER_PAGE(struct wake);
}

static struct gap *gap_at(const struct txtap_rows *rows, uint32_t number)
{
    return (struct gap *)paged_page(&rows->gaps, number / PER_PAGE(struct gap)) + number % PER_PAGE(struct gap);
}

static struct mark *mark_at(const struct txtap_rows *rows, uint32_t number)
{
    return (struct mark *)paged_page(&rows->marks, number / PER_PAGE(struct mark)) + number % PER_PAGE(struct mark);
}

/* ---- taking ---- */

static uint32_t waker_of(struct txtap_rows *rows, const struct txtap_change_wake *wake)
{
    if (wake->waker == TXTAP_RUNNING_THREAD)
        return rows_of_party(rows, &wake->waker_thread);
    if (wake->waker == TXTAP_RUNNING_ISR && wake->interrupt != TXTAP_CHANGE_NONE)
        return rows_of_interrupt(rows, wake->interrupt);
    return NO_ROW;
}

bool wakes_add(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint32_t from = waker_of(rows, &change->wake), object = rows_of_party(rows, &change->wake.object),
             to = rows_of_party(rows, &change->wake.thread);
    const struct row *row;
    bool since;

    if (to == NO_ROW || rows->full)
        return !rows->full;
    if (rows_room(rows, &rows->wakes, PER_PAGE(struct wake)) == NULL)
        return false;
    row = row_at(rows, to);
    since = change->wake.since_known && row->last.state == TXTAP_ROW_BLOCKED && row->since == change->wake.since;
    rows->wakes.count++;
    *wake_at(rows, rows->wakes.count - 1) = (struct wake){
        .index = moments_end(rows) - 1,
        .since = since ? row->last.index : TXTAP_ROWS_NO_INDEX,
        .from = (uint16_t)from,
        .to = (uint16_t)to,
        .object = (uint16_t)object,
        .reason = (uint8_t)change->wake.reason,
        .ending = (uint8_t)change->wake.ending,
    };
    return true;
}

static bool add_gap(struct txtap_rows *rows, struct gap gap)
{
    if (rows_room(rows, &rows->gaps, PER_PAGE(struct gap)) == NULL)
        return false;
    rows->gaps.count++;
    rows->gap_count++;
    *gap_at(rows, rows->gaps.count - 1) = gap;
    return true;
}

bool gaps_begin(struct txtap_rows *rows)
{
    return rows->in_gap || add_gap(rows, (struct gap){.from = rows->newest, .index = UINT32_MAX});
}

bool gaps_end(struct txtap_rows *rows, const struct txtap_change *change)
{
    uint64_t ticks = change->ticks > rows->newest ? change->ticks : rows->newest;
    struct gap *gap;

    if (!rows->in_gap && !add_gap(rows, (struct gap){.from = change->gap.since < ticks ? change->gap.since : ticks}))
        return false;
    gap = gap_at(rows, rows->gaps.count - 1);
    gap->to = ticks;
    gap->index = moments_end(rows);
    gap->lost = change->gap.lost;
    gap->exact = change->gap.exact;
    gap->ended = true;
    rows->lost = gap->lost > UINT64_MAX - rows->lost ? UINT64_MAX : rows->lost + gap->lost;
    rows->lost_exact = rows->lost_exact && gap->exact;
    return true;
}

/* ---- marks ---- */

static void settle_until(struct txtap_rows *rows, uint32_t number, uint32_t index)
{
    for (; rows->marks_ready < number; rows->marks_ready++)
        mark_at(rows, rows->marks_ready)->index = index;
}

void marks_settle(struct txtap_rows *rows, uint64_t seq, uint32_t index)
{
    while (rows->marks_ready < rows->marks.count && mark_at(rows, rows->marks_ready)->seq <= seq)
        settle_until(rows, rows->marks_ready + 1, index);
}

enum txtap_status txtap_rows_take_mark(struct txtap_rows *rows, const struct txtap_mark *from)
{
    struct mark *mark;

    if (rows->full || rows_room(rows, &rows->marks, PER_PAGE(struct mark)) == NULL)
        return TXTAP_ERROR_SPACE;
    rows->version++;
    rows->marks.count++;
    mark = mark_at(rows, rows->marks.count - 1);
    *mark = (struct mark){.seq = from->seq, .unix_us = from->unix_us, .index = UINT32_MAX, .kind = (uint8_t)from->kind};
    strncpy(mark->text, from->text != NULL ? from->text : "", sizeof mark->text - 1);
    rows->resets += from->kind == TXTAP_MARK_RESET;
    if (rows->ended || (rows->last_event != TXTAP_ROWS_NO_INDEX && from->seq <= rows->last_seq))
        settle_until(rows, rows->marks.count, moments_end(rows));
    return TXTAP_OK;
}

/* ---- what others see ---- */

/* The first of low..high - 1 for which before() is false; it is true for all in front of that one. */
static uint32_t find(const struct txtap_rows *rows, const struct paged *list, uint64_t than,
                     bool (*before)(const struct txtap_rows *rows, uint32_t number, uint64_t than))
{
    uint32_t low = list->first, high = list->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (before(rows, middle, than))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool wake_is_before(const struct txtap_rows *rows, uint32_t number, uint64_t index)
{
    return wake_at(rows, number)->index < index;
}

static bool gap_is_before(const struct txtap_rows *rows, uint32_t number, uint64_t ticks)
{
    return gap_at(rows, number)->ended && gap_at(rows, number)->to < ticks;
}

static bool mark_is_before(const struct txtap_rows *rows, uint32_t number, uint64_t index)
{
    return mark_at(rows, number)->index < index;
}

uint32_t txtap_rows_first_wake(const struct txtap_rows *rows, uint32_t index)
{
    return find(rows, &rows->wakes, index, wake_is_before);
}

uint32_t txtap_rows_first_gap(const struct txtap_rows *rows, uint64_t ticks)
{
    return find(rows, &rows->gaps, ticks, gap_is_before);
}

uint32_t txtap_rows_first_mark(const struct txtap_rows *rows, uint32_t index)
{
    return find(rows, &rows->marks, index, mark_is_before);
}

#define STEPS_TO_RUN 64u /* a thread that waits for a core seldom takes more than one */

/* The event after which the thread ran. */
static uint32_t find_run(const struct row *row, uint32_t woken)
{
    uint32_t at = steps_find(row, row->steps.first, woken + 1), end = row->steps.count;

    at -= at > row->steps.first;
    for (uint32_t i = at; i < end && i - at < STEPS_TO_RUN; i++) {
        const struct step *step = step_at(row, i);

        if (step->state == TXTAP_ROW_RUNNING)
            return step->index > woken ? step->index : woken;
        if (step->state == TXTAP_ROW_BLOCKED || step->state == TXTAP_ROW_UNKNOWN)
            break;
    }
    return TXTAP_ROWS_NO_INDEX;
}

bool txtap_rows_wake(const struct txtap_rows *rows, uint32_t number, struct txtap_row_wake *out)
{
    const struct wake *wake;
    uint32_t run;

    if (number < rows->wakes.first || number >= rows->wakes.count || wake_at(rows, number)->index >= moments_end(rows))
        return false;
    wake = wake_at(rows, number);
    run = find_run(row_at(rows, wake->to), wake->index);
    *out = (struct txtap_row_wake){
        .index = wake->index,
        .since = wake->since >= rows->moments.first ? wake->since : TXTAP_ROWS_NO_INDEX,
        .run = run < moments_end(rows) ? run : TXTAP_ROWS_NO_INDEX,
        .ticks = moment_ticks(rows, wake->index),
        .from = wake->from,
        .to = wake->to,
        .object = wake->object,
        .reason = wake->reason,
        .ending = wake->ending,
    };
    if (out->since != TXTAP_ROWS_NO_INDEX)
        out->since_ticks = moment_ticks(rows, out->since);
    if (out->run != TXTAP_ROWS_NO_INDEX)
        out->run_ticks = moment_ticks(rows, out->run);
    return true;
}

bool txtap_rows_gap(const struct txtap_rows *rows, uint32_t number, struct txtap_row_gap *out)
{
    const struct gap *gap;

    if (number < rows->gaps.first || number >= rows->gaps.count)
        return false;
    gap = gap_at(rows, number);
    *out = (struct txtap_row_gap){
        .index = gap->index < moments_end(rows) ? gap->index : moments_end(rows),
        .from_ticks = gap->from,
        .to_ticks = gap->ended                 ? gap->to
                    : rows->newest < gap->from ? gap->from /* memory ended just then */
                                               : rows->newest,
        .lost = gap->lost,
        .exact = gap->exact,
        .ended = gap->ended,
    };
    return true;
}

bool txtap_rows_mark(const struct txtap_rows *rows, uint32_t number, struct txtap_row_mark *out)
{
    const struct mark *mark;

    if (number < rows->marks.first || number >= rows->marks.count)
        return false;
    mark = mark_at(rows, number);
    *out = (struct txtap_row_mark){
        .kind = (enum txtap_mark_kind)mark->kind,
        .index = mark->index < moments_end(rows) ? mark->index : moments_end(rows),
        .ticks = moment_ticks(rows, mark->index),
        .unix_us = mark->unix_us,
        .text = mark->text,
    };
    return true;
}
