/* SPDX-License-Identifier: MIT */
/* The rows of a small trace, step by step. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/event_ids.h"
#include "rows/rows_fixture.h"
#include "txtap/inner/change.h"

#define A     0x20000100u
#define B     0x20000200u
#define QUEUE 0x20001000u
#define MUTEX 0x20002000u

static const struct txtap_change_limits limits = {.threads = 8, .objects = 8};

static struct txtap_rows *rows;
static struct txtap_changes *changes;
static uint64_t seq;

static void begin(void)
{
    void *memory = malloc(txtap_changes_bytes(&limits));

    cr_assert_not_null(memory);
    rows = fixture_rows(0, UINT32_MAX);
    changes = txtap_changes_open(memory, &limits, (struct txtap_change_sink){txtap_rows_take, rows});
    seq = 100;
}

static void event_in(enum txtap_context context, uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2,
                     uint32_t i4)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};

    item.event = (struct txtap_event){.seq = seq++,
                                      .ticks = ticks,
                                      .thread = thread,
                                      .id = id,
                                      .priority = thread == A ? 4 : 9,
                                      .context = context,
                                      .info = {i1, i2, 0, i4}};
    cr_assert_eq(txtap_changes_take(changes, &item), TXTAP_OK);
}

static void event(uint64_t ticks, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i4)
{
    event_in(TXTAP_CONTEXT_THREAD, ticks, thread, id, i1, i2, i4);
}

static void gap(void)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_GAP, .gap = {.seq = seq, .lost = 3, .exact = true}};

    seq += 3;
    cr_assert_eq(txtap_changes_take(changes, &item), TXTAP_OK);
}

static void end(void)
{
    cr_assert_eq(txtap_changes_end(changes), TXTAP_OK);
    free(changes);
}

/* Records that A waits for a message. B sends it, and A displaces B. */
static void hand_over(void)
{
    begin();
    event(0, A, EVENT_QUEUE_RECEIVE, QUEUE, 0, 0);
    event(10, A, EVENT_THREAD_SUSPEND, A, REASON_QUEUE, B);
    event(20, B, EVENT_QUEUE_SEND, QUEUE, 0, 0);
    event(30, B, EVENT_THREAD_RESUME, A, REASON_QUEUE, A);
    event(40, A, EVENT_RUNNING, 0, 0, 0);
}

/* Returns all steps of a row as text, such as "0-10 running, ...". */
static const char *steps_of(enum txtap_row_kind kind, uint32_t address)
{
    static const char *const states[] = {"unknown", "running", "interrupted", "ready", "blocked",
                                         "idle",    "isr",     "init",        "off",   "held"};
    static char text[1024];
    uint32_t row = fixture_row(rows, kind, address), at = 0;
    struct txtap_row_step step;
    size_t used = 0;

    for (*text = '\0'; at != TXTAP_ROWS_NO_INDEX; at = txtap_rows_next_step(rows, row, at, true)) {
        cr_assert(txtap_rows_step(rows, row, at, &step));
        if (step.object != TXTAP_ROW_NONE) {
            struct txtap_row object;

            cr_assert(txtap_rows_row(rows, step.object, &object));
            used += (size_t)snprintf(text + used, sizeof text - used, "%x ",
                                     object.address != 0 ? object.address : object.number);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%" PRIu64 "%s%" PRIu64 " %s\n", step.from_ticks,
                                 step.to_known ? "-" : "..", step.to_ticks,
                                 step.value_known ? "value" : states[step.state]);
    }
    return text;
}

static void expect_steps(enum txtap_row_kind kind, uint32_t address, const char *expected)
{
    const char *text = steps_of(kind, address);

    cr_assert_str_eq(text, expected, "%s", text);
}

Test(rows, are_step_functions)
{
    hand_over();
    end();
    expect_steps(TXTAP_ROW_THREAD, A, "0-10 running\n20001000 10-30 blocked\n30..40 running\n");
    expect_steps(TXTAP_ROW_THREAD, B, "0-10 ready\n10-30 running\n30..40 ready\n");
    expect_steps(TXTAP_ROW_CORE, 0, "20000100 0-10 running\n20000200 10-30 running\n20000100 30..40 running\n");
    expect_steps(TXTAP_ROW_IDLE, 0, "0..40 off\n");
    fixture_close(rows);
}

Test(rows, know_which_row_woke_which)
{
    struct txtap_row_wake wake;
    uint32_t number;

    hand_over();
    end();
    number = txtap_rows_first_wake(rows, 1);
    cr_assert(txtap_rows_wake(rows, number, &wake));
    cr_assert_not(txtap_rows_wake(rows, number + 1, &(struct txtap_row_wake){0}));
    cr_assert_eq(wake.index, 3);
    cr_assert_eq(wake.ticks, 30);
    cr_assert_eq(wake.since, 1);
    cr_assert_eq(wake.since_ticks, 10);
    cr_assert_eq(wake.run, 3);
    cr_assert_eq(wake.run_ticks, 30);
    cr_assert_eq(wake.from, fixture_row(rows, TXTAP_ROW_THREAD, B));
    cr_assert_eq(wake.to, fixture_row(rows, TXTAP_ROW_THREAD, A));
    cr_assert_eq(wake.object, fixture_row(rows, TXTAP_ROW_QUEUE, QUEUE));
    cr_assert_eq(wake.reason, TXTAP_WAIT_QUEUE);
    fixture_close(rows);
}

/* Nothing is known within a gap. After the gap, no interrupt runs. */
Test(rows, show_interrupts_and_gaps)
{
    struct txtap_row_gap lost;

    begin();
    event(40, A, EVENT_MUTEX_GET, MUTEX, 0, 0);
    event_in(TXTAP_CONTEXT_ISR, 50, A, EVENT_ISR_ENTER, 0, 7, 0);
    event_in(TXTAP_CONTEXT_ISR, 55, A, EVENT_ISR_ENTER, 0, 8, 0);
    event_in(TXTAP_CONTEXT_ISR, 58, A, EVENT_ISR_EXIT, 0, 8, 0);
    event_in(TXTAP_CONTEXT_ISR, 60, A, EVENT_ISR_EXIT, 0, 7, 0);
    event(70, A, EVENT_RUNNING, 0, 0, 0);
    gap();
    event_in(TXTAP_CONTEXT_ISR, 80, A, EVENT_ISR_EXIT, 0, 9, 0);
    event(90, A, EVENT_MUTEX_PUT, MUTEX, A, 1);
    event(95, A, EVENT_RUNNING, 0, 0, 0);
    end();
    expect_steps(TXTAP_ROW_THREAD, A,
                 "40-50 running\n50-60 interrupted\n60..70 running\n70-90 unknown\n90..95 running\n");
    expect_steps(TXTAP_ROW_INTERRUPT, 7,
                 "40-50 off\n50-55 isr\n55-58 interrupted\n58-60 isr\n60..70 off\n"
                 "70-90 unknown\n90..95 off\n");
    expect_steps(TXTAP_ROW_INTERRUPT, 8, "40-55 off\n55-58 isr\n58..70 off\n70-90 unknown\n90..95 off\n");
    expect_steps(TXTAP_ROW_CORE, 0,
                 "20000100 40-50 running\n7 50-55 isr\n8 55-58 isr\n7 58-60 isr\n20000100 60..70 running\n"
                 "70-90 unknown\n20000100 90..95 running\n");
    cr_assert(txtap_rows_gap(rows, txtap_rows_first_gap(rows, 0), &lost));
    cr_assert_eq(lost.from_ticks, 70);
    cr_assert_eq(lost.to_ticks, 90);
    cr_assert_eq(lost.index, 7);
    cr_assert_eq(lost.lost, 3);
    cr_assert(lost.exact && lost.ended);
    fixture_close(rows);
}
