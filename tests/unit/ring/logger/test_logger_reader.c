/* SPDX-License-Identifier: MIT */
/* Gaps in the event logger's ring, as the poller sees them: a gap gets `lap` only if the rate can resolve its size. */
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

static void follow(unsigned events, uint32_t words)
{
    while (events-- > 0) {
        put_events(1, words);
        poll_reader(4);
    }
}

static void expect_gap(uint64_t lost, uint32_t lap)
{
    cr_assert_eq(gaps, 1);
    cr_assert_eq(gap.lost, lost);
    cr_assert_not(gap.exact);
    cr_assert_eq(gap.lap, lap);
    logger_reader_ops.close(reader);
}

/* The rate of events cannot show how many times 256 events are missing. A burst that was written and collected between
 * two exchanges does not change the rate. */
Test(logger_reader, without_counts_a_gap_has_no_lap)
{
    open_reader(TARGET_ZEPHYR);
    follow(10, 2);
    put_events(300, 2); /* dropped, because the ring is full; the next header shows 300 - 256 */
    get_all();
    follow(1, 2);
    expect_gap(300 - 256, 0);
}

/* The target may have been reset, so more events may be missing than the counts show. The rate of events may show how
 * many. */
Test(logger_reader, with_counts_a_gap_that_is_not_exact_has_a_lap)
{
    open_reader(TARGET_COUNTS);
    follow(1, 2);
    logger_reader_ops.mark_inexact(reader);
    pass_events(500, 1);
    follow(1, 1);
    expect_gap(499, 1); /* the words of the newest event are still in the ring */
}
