/* SPDX-License-Identifier: MIT */
/* Gaps in the event logger's ring at the poller: it adds laps only if the rate of events can give the gap's size. */
#include <criterion/criterion.h>
#include <string.h>

#include "ring/event_logger.h"
#include "ring/logger/event_logger_fixture.h"

static struct txtap_registry registry;
static void *reader;

/* The delivered gaps: the last gap, and the number of gaps. */
static struct txtap_ring_batch gap;
static unsigned gaps;

static void poll_reader(unsigned times)
{
    for (; times > 0; times--) {
        struct reader_write_time write_time = {.any = false};
        struct txtap_logger_plan plan = {.count = 0};
        const struct txtap_read *reads;
        struct reader_batch batch;

        target.now_us += fixture.step_us;
        plan.count = logger_reader_ops.plan(reader, &reads, target.now_us);
        cr_assert_leq(plan.count, TXTAP_LOGGER_READS_MAX);
        memcpy(plan.reads, reads, plan.count * sizeof *reads);
        target_read(&plan);
        cr_assert_eq(logger_reader_ops.commit(reader, plan.begin_us, target.now_us, &write_time), TXTAP_OK);
        while (logger_reader_ops.next(reader, &batch)) {
            if (batch.ring.lost == 0)
                continue;
            gap = batch.ring;
            gaps++;
        }
    }
}

static void open_reader(enum target_logger kind)
{
    static struct txtap_object objects[64];
    struct txtap_logger_place place;
    struct reader_place own = {.ops = &logger_reader_ops};
    struct error error;

    begin(kind, 32);
    place = target_place();
    memcpy(own.own, &place, sizeof place);
    txtap_registry_init(&registry, objects, 64);
    cr_assert_eq(logger_reader_ops.open(&reader,
                                        &(struct reader_setup){.place = &own,
                                                               .address = TARGET_RING,
                                                               .read_bytes_max = 4096,
                                                               .from = TXTAP_RING_FROM_NOW,
                                                               .registry = &registry},
                                        &error),
                 TXTAP_OK);
    gaps = 0;
    poll_reader(2);
}

/* The ring is full while 300 events are dropped. Its header counts 300 - 256 of them. Then there is room for one
 * event. */
static void drop_and_go_on(void)
{
    for (int i = 0; i < 10; i++) {
        put_events(1, 2);
        poll_reader(4);
    }
    put_events(300, 2);
    get_all();
    put_events(1, 2);
    poll_reader(4);
}

/* No rate shows how many laps of 256 are missing: a burst that was written and collected between two exchanges
 * changes no rate. */
Test(logger_reader, without_counts_a_gap_has_no_lap)
{
    open_reader(TARGET_ZEPHYR);
    drop_and_go_on();
    cr_assert_eq(gaps, 1);
    cr_assert_eq(gap.lost, 300 % 256);
    cr_assert_not(gap.exact);
    cr_assert_eq(gap.lap, 0);
    logger_reader_ops.close(reader);
}

/* The target may have been reset: more events may be missing than the counts show, and the rate may give their
 * number. */
Test(logger_reader, with_counts_a_gap_that_is_not_exact_has_a_lap)
{
    open_reader(TARGET_COUNTS);
    put_events(1, 2);
    poll_reader(4);
    logger_reader_ops.mark_inexact(reader);
    pass_events(500, 1);
    put_events(1, 1);
    poll_reader(4);
    cr_assert_eq(gaps, 1);
    cr_assert_gt(gap.lost, 450);
    cr_assert_not(gap.exact);
    cr_assert_eq(gap.lap, 1);
    logger_reader_ops.close(reader);
}
