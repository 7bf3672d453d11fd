/* SPDX-License-Identifier: MIT */
/* Ranges of the wall clock as ranges of ticks. */
#include <criterion/criterion.h>

#include "file/wall_range.h"

#define HZ 1e6

static struct wall_range range;

/* Takes a block of events that were read from first_us to first_us + 1000, with as many ticks. */
static void take(uint64_t first_us, uint64_t ticks, double tick_hz)
{
    const struct txtap_recording_item block = {
        .type = TXTAP_RECORDING_EVENTS, .unix_us = first_us, .span_us = 1000, .ticks = ticks, .count = 10};

    wall_range_take(&range, &block, tick_hz);
}

/* Takes three blocks: at 10000, 20000 and 30000 us, with the ticks 0, 10000 and 20000. */
static void take_all(uint64_t since_us, uint64_t until_us, double tick_hz)
{
    wall_range_init(&range, since_us, until_us, 0, UINT64_MAX);
    for (uint64_t i = 1; i <= 3; i++)
        take(10000 * i, 10000 * (i - 1), tick_hz);
}

static void expect(uint64_t from, uint64_t to)
{
    cr_expect_eq(range.from_ticks, from, "from %llu", (unsigned long long)range.from_ticks);
    cr_expect_eq(range.to_ticks, to, "to %llu", (unsigned long long)range.to_ticks);
}

Test(wall_range, without_limits_all_events_are_used)
{
    take_all(0, 0, HZ);
    expect(0, UINT64_MAX);
    cr_assert(!wall_range_is_given(&range));
}

Test(wall_range, limits_within_blocks_use_the_rate)
{
    take_all(20300, 30400, HZ);
    expect(10300, 20400);
}

Test(wall_range, limits_between_blocks_are_the_ends_of_blocks)
{
    take_all(15000, 25000, HZ);
    expect(10000, 19999);
}

Test(wall_range, limits_outside_the_recording_choose_all_or_nothing)
{
    take_all(5000, 50000, HZ);
    expect(0, UINT64_MAX);
    take_all(50000, 0, HZ);
    expect(UINT64_MAX, UINT64_MAX);
    take_all(0, 5000, HZ);
    cr_assert_gt(range.from_ticks, range.to_ticks, "the recording begins after the range");
}

Test(wall_range, without_a_rate_whole_blocks_are_used)
{
    take_all(20300, 30400, 0);
    expect(10000, UINT64_MAX);
    take_all(20300, 20400, 0);
    expect(10000, 19999);
}

Test(wall_range, other_options_choose_events_too)
{
    uint64_t from, to;

    wall_range_init(&range, 20300, 30400, 15000, 16000);
    take(20000, 10000, HZ);
    wall_range_limit(&range, &from, &to);
    cr_assert_eq(from, 15000);
    cr_assert_eq(to, 16000);
}

Test(wall_range, blocks_without_a_time_and_absurd_blocks_are_ignored)
{
    wall_range_init(&range, 20300, 0, 0, UINT64_MAX);
    take(0, 10000, HZ);
    expect(UINT64_MAX, UINT64_MAX);
    take(UINT64_MAX, 10000, HZ);
    expect(UINT64_MAX, UINT64_MAX);
    take(20000, UINT64_MAX - 10, HZ);
    expect(UINT64_MAX - 1, UINT64_MAX);
}

Test(wall_range, other_traces_do_not_have_the_time)
{
    struct error error;

    cr_assert_eq(wall_range_refuse(0, 0, "a.trx", &error), TXTAP_OK);
    cr_assert_eq(wall_range_refuse(1, 0, "a.trx", &error), TXTAP_ERROR_USAGE);
}
