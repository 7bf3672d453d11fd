/* SPDX-License-Identifier: MIT */
/* Lists of rows: events by index and by number, marks, and moments without an event. */
#include <criterion/criterion.h>
#include <string.h>

#include "rows/rows_fixture.h"
#include "txtap/registry.h"

static struct txtap_rows *rows;

static void take(struct txtap_change change, uint64_t ticks, uint64_t seq)
{
    change.ticks = ticks;
    change.seq = seq;
    cr_assert_eq(txtap_rows_take(rows, &change), TXTAP_OK);
}

static void event(uint64_t ticks, uint64_t seq, uint32_t id, uint32_t thread)
{
    struct txtap_event of = {.id = id};
    struct txtap_change change = {.kind = TXTAP_CHANGE_EVENT, .event = &of};

    change.recorded.thread = (struct txtap_change_party){thread, 0x1000 + thread, TXTAP_OBJECT_THREAD};
    take(change, ticks, seq);
}

static void state(uint64_t ticks, uint64_t seq, uint32_t thread, enum txtap_thread_state now)
{
    struct txtap_change change = {.kind = TXTAP_CHANGE_STATE};

    change.state = (struct txtap_change_state){.thread = {thread, 0x1000 + thread, TXTAP_OBJECT_THREAD},
                                               .state = now,
                                               .object = {.number = TXTAP_CHANGE_NONE}};
    take(change, ticks, seq);
}

static void mark(uint64_t seq, enum txtap_mark_kind kind, const char *text)
{
    cr_assert_eq(txtap_rows_take_mark(rows, &(struct txtap_mark){kind, seq, 42, text}), TXTAP_OK);
}

static void open_rows(void)
{
    rows = fixture_rows(0, UINT32_MAX);
}

static void close_rows(void)
{
    fixture_close(rows);
}

TestSuite(rows_lists, .init = open_rows, .fini = close_rows);

Test(rows_lists, find_events_by_number)
{
    event(10, 100, 60, 0);
    event(20, 101, 60, 0);
    event(30, 110, 60, 0); /* 8 events were lost before this event */
    event(40, 111, 60, 0);
    event(50, 3, 60, 0); /* the numbers start again */
    event(60, 4, 60, 0);
    cr_assert_eq(txtap_rows_event_of_seq(rows, 101), 1);
    cr_assert_eq(txtap_rows_event_of_seq(rows, 105), 2, "the next one");
    cr_assert_eq(txtap_rows_event_of_seq(rows, 111), 3);
    cr_assert_eq(txtap_rows_event_of_seq(rows, 4), 5);
    cr_assert_eq(txtap_rows_event_of_seq(rows, 112), 6, "none");
    cr_assert_eq(txtap_rows_event_of_seq(rows, 0), 4, "the nearest that is later");
    for (uint32_t i = 0; i < 6; i++) {
        static const uint64_t seqs[] = {100, 101, 110, 111, 3, 4};
        struct txtap_row_event of;

        cr_assert(txtap_rows_event(rows, i, &of));
        cr_assert_eq(of.seq, seqs[i]);
        cr_assert_eq(of.ticks, 10 + 10 * i);
    }
    cr_assert_not(txtap_rows_event(rows, 6, &(struct txtap_row_event){0}));
    cr_assert_eq(txtap_rows_event_at(rows, 31), 3);
    cr_assert_eq(txtap_rows_event_at(rows, 30), 2);
    cr_assert_eq(txtap_rows_event_at(rows, 61), 6);
    cr_assert_eq(txtap_rows_ticks(rows, 99), 60);
}

Test(rows_lists, know_the_row_of_each_event)
{
    struct txtap_rows_edge edges[3];
    struct txtap_row_events counts[2];
    struct txtap_row_event of;
    uint32_t row;

    event(10, 0, 69, 0);
    event(20, 1, 83, 1);
    event(30, 2, 52, 0);
    event(40, 3, 4096, 1);
    event(50, 4, 4097, 1);
    row = fixture_row(rows, TXTAP_ROW_THREAD, 0x1001);
    cr_assert_eq(txtap_rows_next_event(rows, row, 1, true), 3);
    cr_assert_eq(txtap_rows_next_event(rows, row, 4, true), TXTAP_ROWS_NO_INDEX);
    cr_assert_eq(txtap_rows_next_event(rows, row, 4, false), 3);
    cr_assert_eq(txtap_rows_next_event(rows, row, 1, false), TXTAP_ROWS_NO_INDEX);
    cr_assert(txtap_rows_event(rows, 1, &of) && of.event_class == TXTAP_CLASS_SEMAPHORE && of.row == row);
    cr_assert_eq(txtap_rows_edges(rows, &(struct txtap_rows_range){10, 60, 2, false}, edges), TXTAP_OK);
    txtap_rows_events(rows, row, edges, 2, counts);
    cr_assert(counts[0].count == 1 && counts[0].index == 1 && counts[0].event_class == TXTAP_CLASS_SEMAPHORE);
    cr_assert(counts[1].count == 2 && counts[1].index == 3 && counts[1].event_class == TXTAP_CLASS_USER);
    txtap_rows_events(rows, TXTAP_ROW_NONE, edges, 2, counts);
    cr_assert(counts[0].count == 3 && counts[0].more == 1 && counts[1].more == 0);
}

Test(rows_lists, count_pages_that_are_full)
{
    struct txtap_rows_edge edges[2];
    struct txtap_row_events count;

    for (uint32_t i = 0; i < 4096; i++)
        event(i, i, 69, 0);
    cr_assert_eq(txtap_rows_edges(rows, &(struct txtap_rows_range){0, 4096, 1, false}, edges), TXTAP_OK);
    txtap_rows_events(rows, fixture_row(rows, TXTAP_ROW_THREAD, 0x1000), edges, 1, &count);
    cr_assert(count.count == 4096 && count.event_class == TXTAP_CLASS_QUEUE && count.more == 0);
    txtap_rows_events(rows, TXTAP_ROW_NONE, edges, 1, &count);
    cr_assert(count.count == 4096 && count.event_class == TXTAP_CLASS_QUEUE && count.more == 0);
}

Test(rows_lists, give_each_mark_the_event_after_it)
{
    struct txtap_row_mark of;
    char text[300];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    mark(5, TXTAP_MARK_ATTACHED, "first");
    event(10, 5, 60, 0);
    mark(8, TXTAP_MARK_CHECK, text); /* before an event that still waits */
    event(20, 6, 60, 0);
    event(30, 7, 60, 0);
    cr_assert_eq(txtap_rows_first_mark(rows, 1), 1);
    cr_assert(txtap_rows_mark(rows, 1, &of) && of.index == 3, "it did not come yet");
    event(40, 8, 60, 0);
    mark(9, TXTAP_MARK_RESET, "");
    event(50, 2, 60, 0);
    mark(0, TXTAP_MARK_TRIGGER, NULL); /* the mark of the last event: earlier events no longer wait */
    cr_assert(txtap_rows_mark(rows, 0, &of) && of.index == 0 && of.ticks == 10 && strcmp(of.text, "first") == 0);
    cr_assert(txtap_rows_mark(rows, 1, &of) && of.index == 3 && of.ticks == 40);
    cr_assert_eq(strlen(of.text), TXTAP_ROW_MARK_TEXT_BYTES - 1);
    cr_assert_eq(of.unix_us, 42);
    cr_assert(txtap_rows_mark(rows, 2, &of) && of.kind == TXTAP_MARK_RESET && of.index == 5);
    cr_assert(txtap_rows_mark(rows, 3, &of) && of.kind == TXTAP_MARK_TRIGGER && of.index == 5);
    cr_assert_not(txtap_rows_mark(rows, 4, &of));
}

/* Some events of other kernels only show which thread runs. They are not listed, but their changes are. */
Test(rows_lists, have_moments_without_an_event)
{
    uint64_t sums[TXTAP_ROW_STATES];
    struct txtap_row_event of;
    struct txtap_row_step step;
    uint32_t row;

    state(10, 0, 0, TXTAP_THREAD_RUNNING);
    state(10, 0, 1, TXTAP_THREAD_READY);
    event(15, 1, 4096, 0);
    state(20, 2, 0, TXTAP_THREAD_READY);
    state(20, 2, 1, TXTAP_THREAD_RUNNING);
    event(30, 3, 4096, 1);
    row = fixture_row(rows, TXTAP_ROW_THREAD, 0x1000);
    cr_assert(txtap_rows_event(rows, 2, &of));
    cr_assert(of.event_class == TXTAP_CLASS_NONE && of.row == TXTAP_ROW_NONE && of.seq == 0 && of.ticks == 20);
    cr_assert(txtap_rows_event(rows, 3, &of) && of.seq == 3 && of.event_class == TXTAP_CLASS_USER);
    cr_assert(txtap_rows_step(rows, row, 2, &step));
    cr_assert(step.state == TXTAP_ROW_READY && step.from_ticks == 20);
    txtap_rows_sums(rows, row, 0, 100, sums);
    cr_assert(sums[TXTAP_ROW_RUNNING] == 10 && sums[TXTAP_ROW_READY] == 10 && sums[TXTAP_ROW_UNKNOWN] == 0);
    cr_assert_eq(txtap_rows_event_of_seq(rows, 3), 3);
}
