/* SPDX-License-Identifier: MIT */
/* Deadlocks and inversions must be reported while they last, not only after their end or at the end of the trace. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "model/event_ids.h"
#include "txtap/analysis.h"

#define A      0x20000100u
#define B      0x20000200u
#define C      0x20000300u
#define FIRST  0x20001000u
#define SECOND 0x20002000u

static struct txtap_analysis *analysis;
static uint64_t now;

static void priority_event(uint16_t priority, uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3,
                           uint32_t i4)
{
    const uint32_t info[4] = {i1, i2, i3, i4};
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT};

    item.event = (struct txtap_event){.seq = now, .ticks = now, .thread = thread, .id = id, .priority = priority};
    memcpy(item.event.info, info, sizeof info);
    now++;
    txtap_analysis_take(analysis, &item);
}

static void event(uint32_t thread, uint32_t id, uint32_t i1, uint32_t i2, uint32_t i3, uint32_t i4)
{
    priority_event(4, thread, id, i1, i2, i3, i4);
}

struct query {
    const char *name;
    enum txtap_subject_kind subject;
    enum txtap_stat stat;
    double value; /* lower bound of the first matching figure; -1: no figure matches */
};

static enum txtap_status take(void *self, const struct txtap_figure *figure)
{
    struct query *query = self;

    if (query->value < 0 && figure->subject.kind == query->subject && strcmp(figure->name, query->name) == 0)
        query->value = figure->stat[query->stat].lower;
    return TXTAP_OK;
}

static double value(const char *name, enum txtap_subject_kind subject, enum txtap_stat stat)
{
    struct query query = {name, subject, stat, -1};

    txtap_analysis_figures(analysis, 0, (struct txtap_figure_sink){take, &query});
    return query.value;
}

static double deadlocks(void)
{
    return value("deadlock", TXTAP_SUBJECT_SYSTEM, TXTAP_STAT_N);
}

static void setup(void)
{
    const struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    const struct txtap_analysis_options options = {0};

    now = 0;
    analysis = txtap_analysis_open(malloc(txtap_analysis_bytes(&limits, 0)), &limits, &options);
}

static void teardown(void)
{
    free(analysis);
}

TestSuite(lasting, .init = setup, .fini = teardown);

Test(lasting, a_deadlock_counts_once_while_it_lasts_and_at_the_end)
{
    event(A, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, 0, 0);
    event(A, EVENT_THREAD_RELINQUISH, 0, B, 0, 0);
    event(B, EVENT_MUTEX_GET, SECOND, WAIT_FOREVER, 0, 0);
    event(B, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, A, 1);
    event(B, EVENT_THREAD_SUSPEND, B, REASON_MUTEX, 0, A);
    event(A, EVENT_RUNNING, 0, 0, 0, 0);
    cr_assert_eq(deadlocks(), 0);
    event(A, EVENT_MUTEX_GET, SECOND, WAIT_FOREVER, B, 1);
    event(A, EVENT_THREAD_SUSPEND, A, REASON_MUTEX, 0, 0);
    for (unsigned i = 0; i < 4; i++)
        event(C, EVENT_RUNNING, 0, 0, 0, 0);
    cr_assert_eq(deadlocks(), 1);
    txtap_analysis_end(analysis);
    cr_assert_eq(deadlocks(), 1);
}

/* A requests B's mutex. It gets the mutex without a wait, and continues. */
Test(lasting, a_call_without_a_wait_is_no_inversion_at_the_end)
{
    priority_event(9, B, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, 0, 0);
    priority_event(9, B, EVENT_THREAD_RELINQUISH, 0, A, 0, 0);
    priority_event(4, A, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, B, 1);
    priority_event(4, A, EVENT_QUEUE_SEND, SECOND, 0, WAIT_FOREVER, 0);
    txtap_analysis_end(analysis);
    cr_assert_eq(value("inversions", TXTAP_SUBJECT_SYSTEM, TXTAP_STAT_VALUE), 0);
}

/* A waits for the mutex of B, whose priority is lower. Meanwhile C runs; its priority is between those of A and B. */
Test(lasting, an_inversion_counts_and_grows_while_it_lasts)
{
    double so_far;

    priority_event(9, B, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, 0, 0);
    priority_event(9, B, EVENT_THREAD_RELINQUISH, 0, A, 0, 0);
    priority_event(4, A, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, B, 1);
    priority_event(4, A, EVENT_THREAD_SUSPEND, A, REASON_MUTEX, 0, C);
    for (unsigned i = 0; i < 20; i++)
        priority_event(6, C, EVENT_RUNNING, 0, 0, 0, 0);
    cr_assert_eq(value("inversions", TXTAP_SUBJECT_SYSTEM, TXTAP_STAT_VALUE), 1);
    so_far = value("inversion", TXTAP_SUBJECT_THREAD, TXTAP_STAT_MAX);
    cr_assert(so_far > 10 && so_far <= 20, "%g", so_far); /* the last events are counted only after more events */
    priority_event(6, C, EVENT_THREAD_RELINQUISH, 0, B, 0, 0);
    for (unsigned i = 0; i < 20; i++)
        priority_event(9, B, EVENT_RUNNING, 0, 0, 0, 0);
    cr_assert_eq(value("unbounded", TXTAP_SUBJECT_SYSTEM, TXTAP_STAT_VALUE), 1);
    cr_assert_gt(value("inversion", TXTAP_SUBJECT_SYSTEM, TXTAP_STAT_MAX), so_far);
    txtap_analysis_end(analysis);
    cr_assert_eq(value("inversions", TXTAP_SUBJECT_SYSTEM, TXTAP_STAT_VALUE), 1);
    cr_assert_eq(value("inversion", TXTAP_SUBJECT_SYSTEM, TXTAP_STAT_MAX), 41);
}

/* The analysis has no room for the thread whose priority changes, so it does not know this priority. */
Test(lasting, an_inversion_survives_a_change_of_a_thread_without_room)
{
    const uint32_t room = txtap_analysis_limits_default().threads;

    for (uint32_t i = 0; i < room - 2; i++) /* A and B need room, too */
        event(A, EVENT_THREAD_RESUME, C + 4 * i, REASON_SLEEP, 0, A);
    priority_event(9, B, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, 0, 0);
    priority_event(9, B, EVENT_THREAD_RELINQUISH, 0, A, 0, 0);
    priority_event(4, A, EVENT_MUTEX_GET, FIRST, WAIT_FOREVER, B, 1);
    priority_event(4, A, EVENT_THREAD_SUSPEND, A, REASON_MUTEX, 0, B);
    priority_event(9, B, EVENT_THREAD_PRIORITY_CHANGE, C + 4 * room, 3, 20, 0);
    priority_event(9, B, EVENT_RUNNING, 0, 0, 0, 0);
    txtap_analysis_end(analysis);
    cr_assert_eq(value("inversions", TXTAP_SUBJECT_SYSTEM, TXTAP_STAT_VALUE), 1);
}
