/* SPDX-License-Identifier: MIT */
#include "rows/rows_check.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#define COLUMNS_MOST 700u

static const struct walk *walk;
static const struct txtap_rows *rows;
static struct txtap_rows_summary summary;
static const char *trace;
static uint64_t state;

static uint64_t any_below(uint64_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return limit > 0 ? (state >> 17) % limit : 0;
}

/* ---- sums and steps ---- */

static void check_sums(uint32_t number, uint64_t from, uint64_t to)
{
    uint64_t sums[TXTAP_ROW_STATES], known = 0;
    struct txtap_row row;

    cr_assert(txtap_rows_row(rows, number, &row));
    txtap_rows_sums(rows, number, from, to, sums);
    if (row.kind > TXTAP_ROW_IDLE && row.kind != TXTAP_ROW_MUTEX)
        return;
    for (unsigned i = TXTAP_ROW_UNKNOWN + 1; i < TXTAP_ROW_STATES; i++) {
        uint64_t expected = walk_sum(walk, &row, (enum txtap_row_state)i, from, to);

        cr_assert_eq(sums[i], expected, "%s: row %u (%s), state %u, %" PRIu64 "-%" PRIu64 ": %" PRIu64 ", not %" PRIu64,
                     trace, number, txtap_row_kind_name(row.kind), i, from, to, sums[i], expected);
        known += expected;
    }
    cr_assert_eq(sums[TXTAP_ROW_UNKNOWN], to - from - known);
}

static uint32_t number_of(uint32_t number)
{
    struct txtap_row row;

    return txtap_rows_row(rows, number, &row) ? row.number : TXTAP_CHANGE_NONE;
}

static void check_step(uint32_t number, uint64_t ticks)
{
    const struct walk_span *span;
    struct txtap_row_step step;
    struct txtap_row row;

    cr_assert(txtap_rows_row(rows, number, &row));
    if (!txtap_rows_at(rows, number, ticks, &step)) {
        cr_assert(row.kind > TXTAP_ROW_MUTEX && !row.counter);
        return;
    }
    cr_assert_leq(step.from_ticks, ticks);
    cr_assert(ticks < step.to_ticks || step.to_ticks == summary.to_ticks);
    span = ticks < summary.to_ticks ? walk_at(walk, &row, ticks) : NULL;
    if (span == NULL)
        return;
    if (row.counter) {
        cr_assert_eq(step.value, span->value, "%s: row %u at %" PRIu64, trace, number, ticks);
        return;
    }
    cr_assert_eq(step.state, span->state, "%s: row %u at %" PRIu64, trace, number, ticks);
    if (step.state == TXTAP_ROW_UNKNOWN)
        return;
    cr_assert_eq(step.reason, span->reason);
    cr_assert_eq(number_of(step.object), span->value, "%s: row %u (%s) at %" PRIu64 ": object %u, not %u", trace,
                 number, txtap_row_kind_name(row.kind), ticks, number_of(step.object), span->value);
}

/* Checks the busiest window of a core against a walk over all windows. */
static void check_peak(uint32_t number, uint64_t window)
{
    struct txtap_rows_peak peak = {0};
    uint64_t most = 0;
    struct txtap_row row;

    cr_assert(txtap_rows_row(rows, number, &row));
    while (!txtap_rows_peak(rows, number, window, 1 + (uint32_t)any_below(9), &peak))
        ;
    for (uint64_t from = summary.from_ticks; from + window <= summary.to_ticks; from += window) {
        uint64_t busy = walk_sum(walk, &row, TXTAP_ROW_RUNNING, from, from + window) +
                        walk_sum(walk, &row, TXTAP_ROW_IN_ISR, from, from + window);

        most = busy > most ? busy : most;
        cr_assert(peak.from != from || peak.busy == busy, "%s: %" PRIu64 " in the window at %" PRIu64 ", not %" PRIu64,
                  trace, peak.busy, from, busy);
    }
    cr_assert_eq(peak.busy, most, "%s: the peak in windows of %" PRIu64 " is %" PRIu64 ", not %" PRIu64, trace, window,
                 peak.busy, most);
}

/* ---- columns ---- */

static uint64_t spent(const struct txtap_row *row, enum txtap_row_state which, uint64_t from, uint64_t to)
{
    uint64_t known = 0;

    if (which != TXTAP_ROW_UNKNOWN)
        return walk_sum(walk, row, which, from, to);
    for (unsigned i = 1; i < TXTAP_ROW_STATES; i++)
        known += walk_sum(walk, row, (enum txtap_row_state)i, from, to);
    return to - from - known;
}

static void check_share(const struct txtap_row *row, const struct txtap_rows_edge *edge, uint16_t share,
                        enum txtap_row_state which)
{
    uint64_t whole = edge[1].ticks - edge[0].ticks, part = walk_sum(walk, row, which, edge[0].ticks, edge[1].ticks);
    double expected = whole > 0 ? (double)part * UINT16_MAX / (double)whole : 0;

    cr_assert(share >= expected - 1 && share <= expected + 1, "%s: share %u, not %g", trace, share, expected);
    cr_assert(part == 0 || share > 0);
}

/* The states whose shares columns have, by kind of row; UNKNOWN: no share. */
static const enum txtap_row_state first_states[] = {TXTAP_ROW_RUNNING, TXTAP_ROW_IN_ISR,  TXTAP_ROW_RUNNING,
                                                    TXTAP_ROW_IS_IDLE, TXTAP_ROW_UNKNOWN, TXTAP_ROW_UNKNOWN,
                                                    TXTAP_ROW_HELD},
                                  second_states[] = {TXTAP_ROW_IN_ISR,  TXTAP_ROW_INTERRUPTED, TXTAP_ROW_READY,
                                                     TXTAP_ROW_UNKNOWN, TXTAP_ROW_UNKNOWN,     TXTAP_ROW_UNKNOWN,
                                                     TXTAP_ROW_UNKNOWN};

/* Checks a piece of a row. If it is not dense, it may include up to half of each neighbouring column. */
static void check_piece(const struct txtap_row *row, const struct txtap_rows_edge *edges,
                        const struct txtap_row_columns *piece)
{
    uint64_t from = edges[piece->x0].ticks, to = edges[piece->x1].ticks, others, slack;

    if ((piece->flags & TXTAP_COLUMNS_DENSE) != 0) {
        cr_assert_eq(piece->x1, piece->x0 + 1);
        check_share(row, &edges[piece->x0], piece->run, first_states[row->kind]);
        cr_assert_gt(piece->steps, 0);
        if (second_states[row->kind] != TXTAP_ROW_UNKNOWN)
            check_share(row, &edges[piece->x0], piece->ready, second_states[row->kind]);
        return;
    }
    if (edges->by_event)
        return;
    others = to - from - spent(row, (enum txtap_row_state)piece->state, from, to);
    slack = (edges[piece->x0 + 1].ticks - from + 1) / 2 + (to - edges[piece->x1 - 1].ticks + 1) / 2 + 1;
    cr_assert_leq(others, slack, "%s: row %s %u, columns %u-%u, state %u", trace, txtap_row_kind_name(row->kind),
                  row->number, piece->x0, piece->x1, piece->state);
}

/* Checks that each running step is visible in its own column or in the next column. */
static void check_seen(uint32_t number, const struct txtap_rows_edge *edges, uint32_t count,
                       const struct txtap_row_columns *pieces, size_t piece_count)
{
    struct txtap_row_step step;
    uint32_t at = edges[0].index;
    size_t piece = 0;

    for (uint32_t x = 0; at < edges[count].index; at = txtap_rows_next_step(rows, number, at, true)) {
        bool seen = false;

        cr_assert(txtap_rows_step(rows, number, at, &step));
        if (step.state != TXTAP_ROW_RUNNING || step.index < edges[0].index)
            continue;
        while (x + 1 < count && edges[x + 1].index <= step.index)
            x++;
        while (piece + 1 < piece_count && pieces[piece].x1 <= x)
            piece++;
        for (size_t i = piece; i < piece_count && i < piece + 3; i++)
            seen = seen || (pieces[i].run > 0 && pieces[i].x0 <= x + 1);
        cr_assert(seen, "%s: row %u: the step at %u is not seen in column %u", trace, number, at, x);
    }
}

static void check_columns(uint32_t number, const struct txtap_rows_edge *edges, uint32_t count)
{
    static struct txtap_row_columns pieces[COLUMNS_MOST];
    size_t piece_count = txtap_rows_columns(rows, number, edges, count, pieces);
    struct txtap_row row;

    cr_assert(txtap_rows_row(rows, number, &row));
    cr_assert_leq(piece_count, count);
    for (size_t i = 0; i < piece_count; i++) {
        cr_assert_lt(pieces[i].x0, pieces[i].x1);
        cr_assert_leq(pieces[i].x1, count);
        cr_assert(i == 0 || pieces[i].x0 == pieces[i - 1].x1, "%s: columns are left out", trace);
        check_piece(&row, edges, &pieces[i]);
    }
    if (row.kind == TXTAP_ROW_THREAD)
        check_seen(number, edges, count, pieces, piece_count);
}

/* Checks the shares of a row in its first or second state. */
static void check_shares(uint32_t number, bool second, const struct txtap_rows_edge *edges, uint32_t count)
{
    static uint16_t shares[COLUMNS_MOST];
    bool any = txtap_rows_shares(rows, number, second, edges, count, shares), found = false;
    struct txtap_row row;

    cr_assert(txtap_rows_row(rows, number, &row));
    for (uint32_t x = 0; x < count; x++) {
        found = found || shares[x] > 0;
        check_share(&row, &edges[x], shares[x], (second ? second_states : first_states)[row.kind]);
    }
    cr_assert_eq(any, found);
}

static void check_values(uint32_t number, const struct txtap_rows_edge *edges, uint32_t count)
{
    static struct txtap_row_values pieces[COLUMNS_MOST];
    size_t piece_count = txtap_rows_values(rows, number, edges, count, pieces);
    struct txtap_row row;

    cr_assert(txtap_rows_row(rows, number, &row));
    for (size_t i = 0; i < piece_count; i++) {
        uint64_t from = edges[pieces[i].x0].ticks, to = edges[pieces[i].x1].ticks;
        uint32_t min = UINT32_MAX, max = 0;

        cr_assert(i == 0 || pieces[i].x0 == pieces[i - 1].x1);
        for (size_t j = 0; j < walk->count; j++) {
            const struct walk_span *span = &walk->spans[j];

            if (span->kind != row.kind || span->number != row.number || span->from >= to || span->to <= from ||
                span->from == span->to || span->value == UINT32_MAX)
                continue;
            min = span->value < min ? span->value : min;
            max = span->value > max ? span->value : max;
        }
        if (from == to || edges->by_event)
            continue;
        cr_assert(pieces[i].min <= min && pieces[i].max >= max, "%s: %u-%u, not %u-%u", trace, pieces[i].min,
                  pieces[i].max, min, max);
    }
}

static void check_events(const struct txtap_rows_edge *edges, uint32_t count)
{
    static struct txtap_row_events all[COLUMNS_MOST], some[COLUMNS_MOST];
    static uint32_t added[COLUMNS_MOST];

    memset(added, 0, sizeof added);
    txtap_rows_events(rows, TXTAP_ROW_NONE, edges, count, all);
    for (uint32_t i = 0; i < summary.rows; i++) {
        txtap_rows_events(rows, i, edges, count, some);
        for (uint32_t x = 0; x < count; x++)
            added[x] += some[x].count;
    }
    for (uint32_t x = 0; x < count; x++) {
        cr_assert_eq(added[x], all[x].count);
        cr_assert_eq(added[x], edges[x + 1].index - edges[x].index, "each event is a row's");
    }
}

static void check_range(const struct txtap_rows_range *range)
{
    static struct txtap_rows_edge edges[COLUMNS_MOST + 1];
    struct txtap_row row;

    cr_assert_eq(txtap_rows_edges(rows, range, edges), TXTAP_OK);
    for (uint32_t i = 0; i < summary.rows; i++) {
        cr_assert(txtap_rows_row(rows, i, &row));
        if (row.counter)
            check_values(i, edges, range->count);
        else
            check_columns(i, edges, range->count);
        for (unsigned second = 0; second < 2 && row.kind <= TXTAP_ROW_THREAD; second++)
            check_shares(i, second, edges, range->count);
    }
    check_events(edges, range->count);
}

static void check_ranges(unsigned ranges)
{
    uint64_t whole = summary.to_ticks - summary.from_ticks;

    for (unsigned i = 0; i < ranges; i++) {
        uint64_t from = summary.from_ticks + any_below(whole),
                 to = from + 1 + any_below(i % 2 ? whole : whole / 50 + 1);
        uint32_t count = 1 + (uint32_t)any_below(i % 4 ? COLUMNS_MOST : 20), events = summary.end - summary.first;
        uint64_t first = summary.first + any_below(events);

        check_range(&(struct txtap_rows_range){from, to, count, false});
        check_range(&(struct txtap_rows_range){first, first + 1 + any_below(events), count, true});
        to = to < summary.to_ticks ? to : summary.to_ticks;
        for (uint32_t row = 0; row < summary.rows && from < to; row++) {
            check_sums(row, from, to);
            check_step(row, from);
        }
    }
    check_range(&(struct txtap_rows_range){summary.from_ticks, summary.to_ticks + 1, COLUMNS_MOST, false});
}

void rows_check(const struct txtap_rows *of, const struct walk *expected, const char *name, unsigned ranges)
{
    rows = of;
    walk = expected;
    trace = name;
    state = 4711;
    txtap_rows_summary(rows, &summary);
    cr_assert(summary.ended && !summary.full);
    cr_assert_eq(summary.end - summary.first, walk->events);
    cr_assert_eq(summary.to_ticks, walk->last);
    for (uint32_t i = 0; i < summary.rows && summary.from_ticks < summary.to_ticks; i++)
        check_sums(i, summary.from_ticks, summary.to_ticks);
    check_ranges(ranges);
    for (uint32_t i = 0; i < summary.rows && summary.from_ticks < summary.to_ticks; i++) {
        struct txtap_row row;

        if (txtap_rows_row(rows, i, &row) && row.kind == TXTAP_ROW_CORE)
            for (uint64_t parts = 1; parts <= 100; parts *= 10)
                check_peak(i, 1 + (summary.to_ticks - summary.from_ticks) / parts);
    }
}
