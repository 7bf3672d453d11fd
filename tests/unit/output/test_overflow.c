/* SPDX-License-Identifier: MIT */
/* What did not fit, summed up into gaps. */
#include "output/overflow.h"

#include <criterion/criterion.h>

static struct overflow overflow;
static struct txtap_gap taken;

static void lose(uint64_t seq, uint64_t lost, bool exact, uint64_t estimate)
{
    overflow_add_gap(&overflow, &(struct txtap_gap){seq, lost, exact, estimate});
}

static void is_taken(uint64_t seq, uint64_t lost, bool exact, uint64_t estimate)
{
    cr_assert(overflow_take(&overflow, &taken));
    cr_assert_eq(taken.seq, seq);
    cr_assert_eq(taken.lost, lost);
    cr_assert_eq(taken.exact, exact);
    cr_assert_eq(taken.estimate, estimate);
    cr_assert_not(overflow_take(&overflow, &taken), "once");
}

Test(overflow, events_become_one_exact_gap_after_the_other)
{
    cr_assert_not(overflow_take(&overflow, &taken));
    overflow_add_event(&overflow, 7);
    overflow_add_event(&overflow, 8);
    is_taken(7, 2, true, 0);
    overflow_add_event(&overflow, 20);
    is_taken(20, 1, true, 0);
    cr_assert_eq(overflow.events, 3);
    cr_assert_eq(overflow.gaps, 2);
}

Test(overflow, a_gap_of_which_nobody_knows_the_size_is_not_forgotten)
{
    lose(7, 0, false, 0);
    is_taken(7, 0, false, 0);
    lose(7, 0, false, 0);
    overflow_add_event(&overflow, 7);
    is_taken(7, 1, false, 0);
}

Test(overflow, is_as_exact_as_its_parts)
{
    overflow_add_event(&overflow, 7);
    lose(8, 10, true, 0);
    is_taken(7, 11, true, 0);
    overflow_add_event(&overflow, 30);
    lose(31, 10, false, 0);
    overflow_add_event(&overflow, 41);
    is_taken(30, 12, false, 0);
    overflow_add_event(&overflow, 50);
    is_taken(50, 1, true, 0);
    cr_assert_eq(overflow.events, 4, "what the target lost is counted elsewhere");
}

Test(overflow, has_an_estimate_if_all_of_it_has)
{
    overflow_add_event(&overflow, 7);
    lose(8, 10, false, 900);
    lose(18, 5, true, 0);
    is_taken(7, 16, false, 906);
    lose(30, 10, false, 900);
    lose(40, 10, false, 0);
    lose(50, 10, false, 900);
    is_taken(30, 30, false, 0);
    lose(70, 1, false, 5);
    is_taken(70, 1, false, 5);
}
