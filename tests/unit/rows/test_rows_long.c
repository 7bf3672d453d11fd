/* SPDX-License-Identifier: MIT */
/* Rows with many pages: with all events, with only the latest events, and with too little memory. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rows/rows_check.h"
#include "rows/rows_churn.h"
#include "rows/rows_fixture.h"
#include "txtap/registry.h"

#define EVENTS  12000u
#define COLUMNS 300u

static struct txtap_rows *make_rows(uint64_t seed, unsigned events, uint32_t keep, uint32_t pages_most)
{
    struct txtap_rows *rows = fixture_rows(keep, pages_most);

    churn(seed, events, &(struct txtap_change_sink){txtap_rows_take, rows}, 1);
    return rows;
}

Test(rows_long, equal_a_walk_over_all_changes)
{
    struct walk walk = {0};
    struct txtap_rows *rows = fixture_rows(0, UINT32_MAX);
    const struct txtap_change_sink both[2] = {{walk_take, &walk}, {txtap_rows_take, rows}};

    churn(1, EVENTS, both, 2);
    rows_check(rows, &walk, "churn", 4);
    fixture_close(rows);
    walk_end(&walk);
}

/* ---- counters ---- */

static void take_value(struct txtap_rows *rows, uint64_t ticks, uint32_t value)
{
    struct txtap_change change = {.kind = TXTAP_CHANGE_EVENT, .ticks = ticks, .seq = ticks};

    change.recorded.thread.number = TXTAP_CHANGE_NONE;
    cr_assert_eq(txtap_rows_take(rows, &change), TXTAP_OK);
    change.kind = TXTAP_CHANGE_COUNTER;
    change.counter = (struct txtap_change_counter){
        .object = {0, 0x2000, TXTAP_OBJECT_QUEUE}, .known = value != UINT32_MAX, .value = value};
    cr_assert_eq(txtap_rows_take(rows, &change), TXTAP_OK);
}

/* Checks columns if there is one value per tick. A column must have only the values of its own ticks. */
static void check_extremes(const struct txtap_rows *rows, const uint32_t *values, uint64_t from, uint64_t to,
                           uint32_t count)
{
    static struct txtap_rows_edge edges[COLUMNS + 1];
    static struct txtap_row_values pieces[COLUMNS];
    size_t found;

    cr_assert_eq(txtap_rows_edges(rows, &(struct txtap_rows_range){from, to, count, false}, edges), TXTAP_OK);
    found = txtap_rows_values(rows, fixture_row(rows, TXTAP_ROW_QUEUE, 0x2000), edges, count, pieces);
    cr_assert_gt(found, 0);
    cr_assert_eq(pieces[found - 1].x1, count);
    for (size_t i = 0; i < found; i++) {
        uint64_t first = edges[pieces[i].x0].at, end = edges[pieces[i].x1].at;
        uint32_t min = UINT32_MAX, max = 0;

        for (uint64_t at = first; at < (end > first ? end : first + 1); at++) {
            min = values[at] != UINT32_MAX && values[at] < min ? values[at] : min;
            max = values[at] != UINT32_MAX && values[at] > max ? values[at] : max;
        }
        if (end == first)
            continue; /* a column that is narrower than a tick */
        cr_assert_eq(pieces[i].min, min, "%" PRIu64 "-%" PRIu64 ": %u, not %u", first, end, pieces[i].min, min);
        cr_assert_eq(pieces[i].max, max, "%" PRIu64 "-%" PRIu64 ": %u, not %u", first, end, pieces[i].max, max);
        cr_assert_eq(pieces[i].last, values[end - 1]);
    }
}

Test(rows_long, have_the_extremes_of_counters)
{
    static uint32_t values[EVENTS];
    struct txtap_rows *rows = fixture_rows(0, UINT32_MAX);
    uint64_t state = 1;

    for (uint32_t i = 0; i < EVENTS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = state >> 60 == 0 ? UINT32_MAX : i % 4000 + (uint32_t)(state >> 40) % 50;
        take_value(rows, i, values[i]);
    }
    for (uint32_t i = 0; i < 60; i++) {
        uint64_t from = i * 190;

        check_extremes(rows, values, from, from + 600, 1 + i);
        check_extremes(rows, values, from % 100, EVENTS - 1 - from % 77, 1 + i % 7);
        check_extremes(rows, values, 0, EVENTS - 1, COLUMNS);
    }
    fixture_close(rows);
}

/* ---- events ---- */

#define ALL_LOOKED_AT 16u

/* Checks a column's events one by one. */
static void check_classes(const struct txtap_rows *rows, uint32_t row, const struct txtap_rows_edge *edge,
                          const struct txtap_row_events *found)
{
    uint32_t of_class[TXTAP_CLASSES] = {0}, count = 0, kinds = 0, first = edge->index;
    struct txtap_row_event event;

    for (uint32_t at = edge[1].index; at-- > edge->index;) {
        cr_assert(txtap_rows_event(rows, at, &event));
        if (row != TXTAP_ROW_NONE && event.row != row)
            continue;
        of_class[event.event_class]++;
        count++;
        first = at;
    }
    for (unsigned i = 0; i < TXTAP_CLASSES; i++) {
        kinds += of_class[i] > 0;
        cr_assert(count > ALL_LOOKED_AT || of_class[i] <= of_class[found->event_class], "row %u: class %u", row, i);
    }
    cr_assert_eq(found->count, count);
    cr_assert_eq(found->index, first);
    cr_assert(found->more == (kinds > 1) || (count > ALL_LOOKED_AT && !found->more));
    cr_assert(count == 0 || of_class[found->event_class] > 0);
    cr_assert_eq(found->event_class == TXTAP_CLASS_NONE, count == 0);
}

Test(rows_long, count_events_by_class)
{
    struct txtap_rows *rows = make_rows(7, EVENTS, 0, UINT32_MAX);
    static struct txtap_rows_edge edges[COLUMNS + 1];
    static struct txtap_row_events found[COLUMNS];
    struct txtap_rows_summary held;

    txtap_rows_drop(rows, 2048);
    txtap_rows_summary(rows, &held);
    for (uint32_t count = 1; count < COLUMNS; count = count * 2 + 1) {
        struct txtap_rows_range range = {held.first + count % 7, held.end, count, true};

        cr_assert_eq(txtap_rows_edges(rows, &range, edges), TXTAP_OK);
        for (uint32_t row = 0; row <= held.rows; row++) {
            uint32_t of = row < held.rows ? row : TXTAP_ROW_NONE;

            txtap_rows_events(rows, of, edges, count, found);
            for (uint32_t x = 0; x < count; x++)
                check_classes(rows, of, &edges[x], &found[x]);
        }
    }
    fixture_close(rows);
}

/* ---- comparison of two rows ---- */

static void same_columns(const struct txtap_rows *all, const struct txtap_rows *some, uint32_t row,
                         const struct txtap_rows_edge *edges, uint32_t count, uint32_t oldest)
{
    static struct txtap_row_columns a[COLUMNS], b[COLUMNS];
    size_t found = txtap_rows_columns(some, row, edges, count, b);
    struct txtap_row_step step;

    if (found == 1 && b[0].state == TXTAP_ROW_UNKNOWN && b[0].flags == 0 &&
        txtap_rows_step(some, row, b[0].index, &step) && !step.to_known)
        return; /* memory was used up before this step's state was known */
    cr_assert_eq(txtap_rows_columns(all, row, edges, count, a), found);
    for (size_t i = 0; i < found; i++) {
        if (a[i].index < oldest) /* its beginning was dropped */
            a[i].index = oldest;
        cr_assert_eq(memcmp(&a[i], &b[i], sizeof a[i]), 0,
                     "row %u: %u-%u state %u run %u ready %u object %u index %u, not %u-%u %u %u %u %u %u", row,
                     b[i].x0, b[i].x1, b[i].state, b[i].run, b[i].ready, b[i].object, b[i].index, a[i].x0, a[i].x1,
                     a[i].state, a[i].run, a[i].ready, a[i].object, a[i].index);
    }
}

static void same_values(const struct txtap_rows *all, const struct txtap_rows *some, uint32_t row,
                        const struct txtap_rows_edge *edges, uint32_t count)
{
    static struct txtap_row_values a[COLUMNS], b[COLUMNS];
    size_t found = txtap_rows_values(all, row, edges, count, a);

    cr_assert_eq(txtap_rows_values(some, row, edges, count, b), found);
    cr_assert_eq(memcmp(a, b, found * sizeof *a), 0);
}

static void same_events(const struct txtap_rows *all, const struct txtap_rows *some, uint32_t row,
                        const struct txtap_rows_edge *edges, uint32_t count)
{
    static struct txtap_row_events a[COLUMNS], b[COLUMNS];

    txtap_rows_events(all, row, edges, count, a);
    txtap_rows_events(some, row, edges, count, b);
    cr_assert_eq(memcmp(a, b, count * sizeof *a), 0);
}

static void same_range(const struct txtap_rows *all, const struct txtap_rows *some,
                       const struct txtap_rows_range *range, uint32_t oldest)
{
    static struct txtap_rows_edge a[COLUMNS + 1], b[COLUMNS + 1];
    uint64_t sums[2][TXTAP_ROW_STATES];
    struct txtap_row row;

    cr_assert_eq(txtap_rows_edges(all, range, a), TXTAP_OK);
    cr_assert_eq(txtap_rows_edges(some, range, b), TXTAP_OK);
    for (uint32_t i = 0; i <= range->count; i++)
        cr_assert(a[i].index == b[i].index && a[i].ticks == b[i].ticks);
    for (uint32_t i = 0; txtap_rows_row(some, i, &row); i++) {
        same_columns(all, some, i, b, range->count, oldest);
        same_values(all, some, i, b, range->count);
        same_events(all, some, i, b, range->count);
        if (range->by_event)
            continue;
        txtap_rows_sums(all, i, range->from, range->to, sums[0]);
        txtap_rows_sums(some, i, range->from, range->to, sums[1]);
        if (sums[1][TXTAP_ROW_UNKNOWN] < range->to - range->from)
            cr_assert_eq(memcmp(sums[0], sums[1], sizeof sums[0]), 0, "row %u", i);
    }
    same_events(all, some, TXTAP_ROW_NONE, b, range->count);
}

static void same_wakes(const struct txtap_rows *all, const struct txtap_rows *some,
                       const struct txtap_rows_summary *held)
{
    uint32_t a = txtap_rows_first_wake(all, held->first), b = txtap_rows_first_wake(some, held->first);
    struct txtap_row_wake wakes[2];

    for (; txtap_rows_wake(some, b, &wakes[1]); a++, b++) {
        cr_assert(txtap_rows_wake(all, a, &wakes[0]));
        cr_assert_eq(wakes[0].index, wakes[1].index);
        cr_assert_eq(wakes[0].to, wakes[1].to);
        cr_assert(wakes[0].run == wakes[1].run || wakes[0].run >= held->end);
    }
    cr_assert(!txtap_rows_wake(all, a, &wakes[0]) || wakes[0].index >= held->end);
}

static void same_steps(const struct txtap_rows *all, const struct txtap_rows *some, uint32_t row,
                       const struct txtap_rows_summary *held)
{
    struct txtap_row_step a, b;

    for (uint32_t at = held->first; at < held->end; at = txtap_rows_next_step(some, row, at, true)) {
        if (!txtap_rows_step(some, row, at, &b))
            return; /* this row has no steps */
        cr_assert(txtap_rows_step(all, row, at, &a));
        if (b.next == held->end && !b.from_known && b.state == TXTAP_ROW_UNKNOWN)
            return;
        cr_assert(b.index >= held->first && b.from_ticks >= held->from_ticks && b.from_ticks <= b.to_ticks);
        cr_assert(b.index == (a.index > held->first ? a.index : held->first));
        cr_assert(b.next == (a.next < held->end ? a.next : held->end));
        cr_assert(a.state == b.state && a.reason == b.reason && a.object == b.object && a.value == b.value);
        cr_assert(b.from_known == (a.from_known && at > held->first) || a.index == held->first);
    }
}

/* Compares both rows in the part of the trace that `some` still has. */
static void check_same(const struct txtap_rows *all, const struct txtap_rows *some, unsigned ranges)
{
    struct txtap_rows_summary held;
    uint64_t state = 1;

    txtap_rows_summary(some, &held);
    cr_assert_lt(held.first, held.end);
    for (unsigned i = 0; i < ranges && held.from_ticks < held.to_ticks; i++) {
        uint64_t from, to;

        state = state * 6364136223846793005u + 1442695040888963407u;
        from = held.from_ticks + 1 + (state >> 33) % (held.to_ticks - held.from_ticks) * (i % 3 > 0);
        state = state * 6364136223846793005u + 1442695040888963407u;
        to = from + 1 + (state >> 33) % (held.to_ticks - held.from_ticks);
        if (to < held.to_ticks)
            same_range(all, some, &(struct txtap_rows_range){from, to, 1 + i * 7 % COLUMNS, false}, held.first);
        from = held.first + (state >> 40) % (held.end - held.first) * (i % 3 > 0);
        to = from + 1 + (state >> 35) % (held.end - from);
        if (to < held.end)
            same_range(all, some, &(struct txtap_rows_range){from, to, 1 + i * 7 % COLUMNS, true}, held.first);
    }
    for (uint32_t i = 0; i < held.rows; i++)
        same_steps(all, some, i, &held);
    same_wakes(all, some, &held);
}

Test(rows_long, give_the_same_answers_without_the_oldest_events)
{
    struct txtap_rows *all = make_rows(2, EVENTS, 0, UINT32_MAX);
    static const uint32_t keeps[] = {1, 1024, 3000, 5000, EVENTS};

    for (size_t i = 0; i < sizeof keeps / sizeof *keeps; i++) {
        struct txtap_rows *some = make_rows(2, EVENTS, keeps[i], UINT32_MAX);
        struct txtap_rows_summary held;

        txtap_rows_summary(some, &held);
        cr_assert_eq(held.end, EVENTS);
        cr_assert_geq(held.end - held.first, keeps[i]);
        cr_assert_leq(held.end - held.first, keeps[i] + keeps[i] / 8 + 2048);
        check_same(all, some, 60);
        fixture_close(some);
    }
    fixture_close(all);
}

Test(rows_long, are_dropped_page_by_page)
{
    struct txtap_rows *all = make_rows(3, EVENTS, 0, UINT32_MAX), *some = make_rows(3, EVENTS, 0, UINT32_MAX);
    struct txtap_rows_summary held, less;

    txtap_rows_summary(some, &held);
    for (uint32_t first = 1024; first < EVENTS; first += 1024) {
        txtap_rows_drop(some, 1023);
        txtap_rows_drop(some, 1500);
        txtap_rows_summary(some, &less);
        cr_assert_eq(less.first, first);
        cr_assert_lt(less.pages, held.pages);
        held = less;
        check_same(all, some, 20);
    }
    txtap_rows_drop(some, UINT32_MAX);
    txtap_rows_summary(some, &less);
    cr_assert_eq(less.first, held.first, "the newest page stays");
    fixture_close(some);
    fixture_close(all);
}

/* ---- too little memory ---- */

/* Counts an event as complete if the rows took every change of the event. */
struct counting {
    struct txtap_rows *rows;
    uint32_t begun, complete;
    bool full;
};

static enum txtap_status count_and_take(void *self, const struct txtap_change *change)
{
    struct counting *counting = self;

    if (change->kind == TXTAP_CHANGE_EVENT && !counting->full)
        counting->complete = counting->begun++;
    counting->full = txtap_rows_take(counting->rows, change) != TXTAP_OK || counting->full;
    return TXTAP_OK;
}

Test(rows_long, stay_correct_when_memory_runs_out)
{
    struct txtap_rows *all = make_rows(4, 4000, 0, UINT32_MAX);
    struct txtap_rows_summary whole;

    txtap_rows_summary(all, &whole);
    for (uint32_t pages = 0; pages < whole.pages; pages++) {
        struct txtap_rows *some = fixture_rows(0, pages);
        struct counting counting = {.rows = some};
        struct txtap_rows_summary held;

        churn(4, 4000, &(struct txtap_change_sink){count_and_take, &counting}, 1);
        txtap_rows_summary(some, &held);
        cr_assert_eq(held.end, counting.complete);
        cr_assert(held.full);
        cr_assert_leq(held.pages, pages);
        if (held.end > held.first)
            check_same(all, some, 12);
        cr_assert_eq(txtap_rows_take(some, &(struct txtap_change){.kind = TXTAP_CHANGE_END}), TXTAP_ERROR_SPACE);
        fixture_close(some);
    }
    fixture_close(all);
}

Test(rows_long, drop_the_oldest_events_when_memory_runs_out)
{
    struct txtap_rows *all = make_rows(5, EVENTS, 0, UINT32_MAX), *some = make_rows(5, EVENTS, 1000000, 60);
    struct txtap_rows_summary held;

    txtap_rows_summary(some, &held);
    cr_assert(!held.full && held.ended);
    cr_assert_eq(held.end, EVENTS);
    cr_assert_gt(held.first, 0);
    check_same(all, some, 60);
    fixture_close(some);
    fixture_close(all);
}
