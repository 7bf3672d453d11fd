/* SPDX-License-Identifier: MIT */
/*
 * Guests of the poller. The guest reads the target's time, so the true ticks of each sample are known: they must be in
 * the sample's window, and the sample must be between the right events.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "seeds.h"
#include "stream/fixtures/poller_fixture.h"
#include "stream/guest.h"

enum { PERIOD_US = 700 };

static struct guests guests;
static uint8_t answer[4];
static uint64_t due, asked, failed;
static uint32_t first_stamp, samples, wide, unbounded;
static uint64_t last_ticks, newest_value;
static const struct txtap_channel channel = {.name = "time"};

static size_t plan(void *self, struct txtap_read *reads, size_t room, uint32_t bytes, uint64_t now_us)
{
    (void)self;
    if (now_us < due || room == 0 || bytes < 4)
        return 0;
    reads[0] = (struct txtap_read){VARIABLE, 4, answer};
    due = now_us + PERIOD_US;
    asked++;
    return 1;
}

static void commit(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    uint32_t value;

    (void)self;
    memcpy(&value, answer, 4);
    sample_queue_add(queue,
                     &(struct taken_sample){.channel = &channel, .bits = value, .from_us = begin_us, .to_us = end_us});
}

static void fail(void *self, struct sample_queue *queue, uint64_t begin_us, uint64_t end_us)
{
    (void)self;
    (void)queue;
    cr_assert_leq(begin_us, end_us);
    failed++;
}

static uint64_t due_us(const void *self)
{
    (void)self;
    return due;
}

static const struct guest_ops ops = {plan, commit, fail, due_us, NULL};

/* The first event's stamp has tick 0. */
static void take_sample(const struct txtap_sample *sample)
{
    uint64_t truth = sample->bits - first_stamp;

    samples++;
    cr_assert_leq(sample->from_ticks, sample->ticks);
    cr_assert_leq(sample->ticks, sample->to_ticks);
    cr_assert_geq(sample->ticks, last_ticks, "time goes back");
    cr_assert_gt(sample->bits, newest_value, "samples are in another order");
    newest_value = sample->bits;
    last_ticks = sample->ticks;
    cr_assert_leq(sample->from_ticks, truth, "sample %u", samples);
    cr_assert_geq(sample->to_ticks, truth, "sample %u", samples);
    if (sample->to_ticks == UINT64_MAX)
        unbounded++;
    else
        wide += sample->to_ticks - sample->from_ticks > 2000;
    cr_assert_leq(sample->seq, fixture.last_seq + 1);
}

static void open_with_guest(void)
{
    set_up();
    memset(&guests, 0, sizeof guests);
    guests_add(&guests, (struct guest){&ops, NULL});
    fixture.guests = &guests;
    fixture.take_sample = take_sample;
    fixture.timed = fixture.has_variable = true;
    due = asked = failed = samples = wide = unbounded = 0;
    last_ticks = newest_value = 0;
    write_timed(1, 10);
    first_stamp = tick;
    cr_assert_eq(try_open(TXTAP_RING_FROM_OLDEST), TXTAP_OK);
}

static void end(void)
{
    cr_assert_eq(poller_drain(&fixture.poller, 1000000, &fixture.error), TXTAP_OK);
    cr_assert_eq(guests.queue.count, 0, "no sample stays in the queue");
    close_poller();
}

TestSuite(guests, .init = open_with_guest);

Test(guests, samples_are_between_the_right_events)
{
    for (unsigned i = 0; i < 2000; i++) {
        write_timed(i % 3, 50);
        steps(1);
    }
    end();
    cr_assert_eq(samples, asked);
    cr_assert_eq(guests.queue.delivered, samples);
    cr_assert_gt(samples, 1000);
    cr_assert_lt(unbounded, 600, "%u of %u: the rate becomes known", unbounded, samples);
    cr_assert_lt(wide, samples / 10, "%u of %u samples have wide windows", wide, samples);
    cr_assert_eq(fixture.lost, 0);
}

/* No event follows: the samples come all the same, in time. */
Test(guests, samples_do_not_wait_for_events)
{
    for (unsigned i = 0; i < 200; i++) {
        steps(1);
        cr_assert_leq(guests.queue.count, 2);
    }
    cr_assert_gt(samples, 190);
    end();
}

Test(guests, failed_exchange_is_repeated_without_guests)
{
    steps(20);
    write_timed(5, 50);
    fixture.fail_at = fixture.reads + 1;
    due = 0;
    steps(1);
    cr_assert_eq(failed, 1);
    cr_assert_eq(guests.failures, 1);
    steps(20);
    end();
    cr_assert_eq(fixture.taken_count, 6);
    cr_assert_eq(samples + failed, asked);
    cr_assert_eq(guests.bytes, 4 * samples, "a failed exchange has read nothing");
}

/* While events are being lost, or nearly, the guest has to wait. */
Test(guests, busy_ring_has_priority)
{
    uint64_t before;

    steps(100);
    before = guests.exchanges;
    for (unsigned i = 0; i < 50; i++) {
        write_timed(ENTRIES - 10, 1);
        fixture.write_during_reads = 3;
        due = 0;
        cr_assert_eq(poller_step(&fixture.poller, &fixture.error), TXTAP_OK);
    }
    cr_assert_gt(guests.postponed, 20, "%d", (int)guests.postponed);
    cr_assert_lt(guests.exchanges - before, 30, "%d", (int)(guests.exchanges - before));
    fixture.write_during_reads = 0;
    steps(20);
    end();
}

Test(guests, any_load)
{
    uint64_t seed = setting("TXTAP_SEED", 4711), runs = setting("TXTAP_RUNS", 20);

    for (uint64_t run = 0; run < runs; run++, seed++) {
        uint64_t state = seed * 2 + 1;
        uint32_t each, pace;

        if (run > 0)
            open_with_guest();
        each = 1 + next_random(&state, 200);
        pace = next_random(&state, 4);
        fixture.read_us = 20 + next_random(&state, 500);
        fixture.write_during_reads = next_random(&state, 3);
        for (unsigned i = 0; i < 300; i++) {
            write_timed(next_random(&state, pace + 1), each);
            steps(1);
        }
        fixture.write_during_reads = 0;
        end();
        cr_assert_eq(samples, asked, "seed %d", (int)seed);
    }
}
