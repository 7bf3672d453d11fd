/* SPDX-License-Identifier: MIT */
/* Estimates of the number of events in a gap, from the rate of events before and after the gap. */
#include "stream/gap_estimate.h"

#include <criterion/criterion.h>

enum { LAP = 100, MASK16 = 0xFFFF };

static struct gap_estimator before, after;

/*
 * Notes evenly spaced events on both sides of a gap. The stamp `last` is the last before the gap, `first` the first
 * after it.
 */
static void note(uint32_t mask, int step, uint32_t last, uint32_t first)
{
    before = after = (struct gap_estimator){0};
    for (int i = 300; i >= 0; i--)
        gap_estimator_note(&before, mask, (last - (uint32_t)(i * step)) & mask);
    for (int i = 0; i < 300; i++)
        gap_estimator_note(&after, mask, (first + (uint32_t)(i * step)) & mask);
}

static uint64_t estimate(uint32_t mask, uint32_t stamp, uint64_t lost)
{
    const struct gap_estimator_gap gap = {stamp, lost, LAP};

    return gap_estimate_find(&before, &after, mask, &gap).estimate;
}

/* Estimates a gap of `missing` events. The estimator knows only the remainder of this number after whole laps. */
static uint64_t guess(uint32_t mask, int step, uint32_t last, unsigned missing)
{
    uint32_t first = (last + (uint32_t)(step * (int)(missing + 1))) & mask;

    note(mask, step, last, first);
    return estimate(mask, first, missing % LAP);
}

static bool is_near(uint64_t estimate, uint64_t missing)
{
    return estimate == 0 || (estimate <= 2 * missing && missing <= 2 * estimate);
}

/* The first gap may include a silence. It has at least the certain loss, and at most a run at the highest rate. */
Test(gap_estimate, a_first_gap_is_known_within_a_factor_of_two_or_not)
{
    for (unsigned missing = 1; missing < 1000; missing++) {
        cr_assert(is_near(guess(UINT32_MAX, 7, 5000, missing), missing), "%u", missing);
        cr_assert(is_near(guess(UINT32_MAX, -7, 500, missing), missing), "a counter that counts down: %u", missing);
        cr_assert(is_near(guess(MASK16, 7, 65000, missing), missing), "one that wraps: %u", missing);
    }
    cr_assert_eq(guess(UINT32_MAX, 7, 5000, 950), 0, "it may be 50 as well");
    cr_assert_eq(guess(UINT32_MAX, 7, 5000, 50), 50);
}

Test(gap_estimate, with_similar_gaps_an_even_rate_gives_the_size)
{
    uint32_t stamp = 1000;

    before = (struct gap_estimator){0};
    for (int round = 0; round < 20; round++) {
        struct gap_estimate last;

        for (int i = 0; i < 100; i++)
            gap_estimator_note(&before, UINT32_MAX, stamp += 10);
        after = (struct gap_estimator){0};
        last = gap_estimate_find(&before, &after, UINT32_MAX, &(struct gap_estimator_gap){stamp + 10 * 952, 51, LAP});
        if (round > 10)
            cr_assert_eq(last.estimate, 951, "%lu", (unsigned long)last.estimate);
        gap_estimator_break(&before);
        stamp += 10 * 951;
    }
}

Test(gap_estimate, is_never_below_the_known_loss)
{
    note(UINT32_MAX, 10, 1000, 1010);
    cr_assert_eq(estimate(UINT32_MAX, 1010, 51), 0, "events were never that dense");
}

Test(gap_estimate, without_a_lap_there_is_no_estimate)
{
    struct gap_estimate nothing;

    note(UINT32_MAX, 7, 5000, 5000 + 7 * 51);
    nothing = gap_estimate_find(&before, &after, UINT32_MAX, &(struct gap_estimator_gap){5000 + 7 * 51, 50, 0});
    cr_assert(nothing.estimate == 0 && nothing.most == 0);
    cr_assert_eq(estimate(UINT32_MAX, 5000 + 7 * 51, 50), 50);
}

Test(gap_estimate, without_a_rate_there_is_no_estimate)
{
    note(UINT32_MAX, 0, 1000, 1000);
    cr_assert_eq(estimate(UINT32_MAX, 1000, 51), 0, "a clock that stands still");
    before = after = (struct gap_estimator){0};
    cr_assert_eq(estimate(UINT32_MAX, 1000, 51), 0, "nothing before");
    for (int i = 0; i < 5; i++)
        gap_estimator_note(&before, UINT32_MAX, (uint32_t)i);
    cr_assert_eq(estimate(UINT32_MAX, 1000, 51), 0, "too little before");
}

Test(gap_estimate, follows_a_rate_that_changed)
{
    before = after = (struct gap_estimator){0};
    for (uint32_t i = 0; i < 1000; i++)
        gap_estimator_note(&before, UINT32_MAX, i);
    for (uint32_t i = 0; i < 2000; i++)
        gap_estimator_note(&before, UINT32_MAX, 1000 + i * 50);
    cr_assert_float_eq(before.runs[0].ticks / before.runs[0].steps, 50, 0.01);
    cr_assert_float_eq(before.runs[31].ticks / before.runs[31].steps, 50, 0.01);
}

Test(gap_estimate, a_break_between_events_does_not_count)
{
    before = (struct gap_estimator){0};
    for (uint32_t i = 0; i < 20; i++)
        gap_estimator_note(&before, UINT32_MAX, i);
    gap_estimator_break(&before);
    for (uint32_t i = 0; i < 20; i++)
        gap_estimator_note(&before, UINT32_MAX, 100000 + i);
    cr_assert_float_eq(before.run.ticks / before.run.steps, 1, 1e-9);
}

/* The gaps are of equal length. If the target was silent in a part of the time, the rate does not predict the
 * remainder. The average over bursts and pauses becomes more precise with each pause. */
Test(gap_estimate, has_an_average_rate_unless_the_load_is_too_uneven)
{
    uint32_t stamp = 0;

    before = (struct gap_estimator){0};
    for (int i = 0; i <= 15 * GAP_ESTIMATOR_STEPS; i++)
        gap_estimator_note(&before, UINT32_MAX, stamp += 10);
    cr_assert_eq(gap_estimator_rate(&before), 0, "few runs");
    gap_estimator_break(&before);
    for (int i = 0; i <= 15 * GAP_ESTIMATOR_STEPS; i++)
        gap_estimator_note(&before, UINT32_MAX, stamp -= 10);
    cr_assert_float_eq(gap_estimator_rate(&before), 0.1, 1e-6);
    gap_estimator_note(&before, UINT32_MAX, stamp -= 20000);
    for (int i = 0; i < GAP_ESTIMATOR_STEPS; i++)
        gap_estimator_note(&before, UINT32_MAX, stamp -= 10);
    cr_assert_eq(gap_estimator_rate(&before), 0, "one pause was as long as all runs together");
    before = (struct gap_estimator){0};
    for (int i = 0; i < 100 * GAP_ESTIMATOR_STEPS; i++)
        gap_estimator_note(&before, UINT32_MAX, 5);
    cr_assert_eq(gap_estimator_rate(&before), 0, "the stamps stand still");
}

static struct gap_estimate after_gaps(unsigned silent)
{
    struct gap_estimate guess = {0, 0};
    uint32_t stamp = 1000, missing = 0;

    before = (struct gap_estimator){0};
    for (unsigned round = 0; round < 20; round++) {
        for (int i = 0; i < 100; i++)
            gap_estimator_note(&before, UINT32_MAX, stamp += 10);
        after = (struct gap_estimator){0};
        missing = 950 - (silent ? (round * silent) % 400 : 0);
        guess = gap_estimate_find(&before, &after, UINT32_MAX,
                                  &(struct gap_estimator_gap){stamp + 10 * 951, missing % LAP, LAP});
        gap_estimator_break(&before);
        stamp += 10 * 950;
    }
    return guess;
}

Test(gap_estimate, a_rate_that_did_not_predict_earlier_gaps_gives_no_estimate)
{
    cr_assert_eq(after_gaps(0).estimate, 950);
    cr_assert_eq(after_gaps(37).estimate, 0);
    cr_assert_eq(after_gaps(63).estimate, 0);
}

Test(gap_estimate, a_gap_with_another_remainder_than_predicted_has_no_estimate)
{
    uint32_t stamp = 10000;

    (void)after_gaps(0);
    for (int i = 0; i < 100; i++)
        gap_estimator_note(&before, UINT32_MAX, stamp = before.last + 10);
    cr_assert_eq(
        gap_estimate_find(&before, &after, UINT32_MAX, &(struct gap_estimator_gap){stamp + 10 * 951, 10, LAP}).estimate,
        0);
    cr_assert_eq(
        gap_estimate_find(&before, &after, UINT32_MAX, &(struct gap_estimator_gap){stamp + 10 * 951, 50, LAP}).estimate,
        950);
}
