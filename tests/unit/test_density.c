/* SPDX-License-Identifier: MIT */
/* A guess at what a gap has swallowed, by the rate of the events around it. */
#include "density.h"

#include <criterion/criterion.h>

enum { LAP = 100, MASK16 = 0xFFFF };

static struct density before, after;

/* Events that come evenly, up to the stamp last and from the stamp first on. */
static void note(uint32_t mask, int step, uint32_t last, uint32_t first)
{
    before = after = (struct density){0};
    for (int i = 40; i >= 0; i--)
        density_note(&before, mask, (last - (uint32_t)(i * step)) & mask);
    for (int i = 0; i < 40; i++)
        density_note(&after, mask, (first + (uint32_t)(i * step)) & mask);
}

/* After so many events that are missing, of which only what is over whole laps is known. */
static uint64_t guess(uint32_t mask, int step, uint32_t last, unsigned missing)
{
    uint32_t first = (last + (uint32_t)(step * (int)(missing + 1))) & mask;

    note(mask, step, last, first);
    return density_estimate(&before, &after, mask, first, missing % LAP, LAP);
}

Test(density, an_even_rate_tells_the_size)
{
    for (unsigned missing = 1; missing < 1000; missing++) {
        cr_assert_eq(guess(UINT32_MAX, 7, 5000, missing), missing);
        cr_assert_eq(guess(UINT32_MAX, -7, 500, missing), missing, "a counter that counts down, and wraps");
        cr_assert_eq(guess(MASK16, 7, 65000, missing), missing, "one that wraps");
    }
}

Test(density, a_rate_that_differs_a_little_does_not_matter)
{
    note(UINT32_MAX, 10, 1000, 1000 + 452 * 11);
    cr_assert_eq(density_estimate(&before, &after, UINT32_MAX, 1000 + 452 * 11, 51, LAP), 451);
}

Test(density, is_never_below_what_is_known)
{
    note(UINT32_MAX, 10, 1000, 1010);
    cr_assert_eq(density_estimate(&before, &after, UINT32_MAX, 1010, 51, LAP), 51);
}

Test(density, no_guide_no_guess)
{
    note(UINT32_MAX, 0, 1000, 1000);
    cr_assert_eq(density_estimate(&before, &after, UINT32_MAX, 1000, 51, LAP), 0, "a clock that stands still");
    before = after = (struct density){0};
    cr_assert_eq(density_estimate(&before, &after, UINT32_MAX, 1000, 51, LAP), 0, "nothing before");
    for (int i = 0; i < 5; i++)
        density_note(&before, UINT32_MAX, (uint32_t)i);
    cr_assert_eq(density_estimate(&before, &after, UINT32_MAX, 1000, 51, LAP), 0, "too little before");
}

Test(density, follows_a_rate_that_changed)
{
    before = after = (struct density){0};
    for (uint32_t i = 0; i < 1000; i++)
        density_note(&before, UINT32_MAX, i);
    for (uint32_t i = 0; i < 2000; i++)
        density_note(&before, UINT32_MAX, 1000 + i * 50);
    cr_assert_float_eq(before.ticks / before.steps, 50, 0.01);
}

Test(density, what_lies_in_a_break_does_not_count)
{
    before = (struct density){0};
    for (uint32_t i = 0; i < 20; i++)
        density_note(&before, UINT32_MAX, i);
    density_break(&before);
    for (uint32_t i = 0; i < 20; i++)
        density_note(&before, UINT32_MAX, 100000 + i);
    cr_assert_float_eq(before.ticks / before.steps, 1, 1e-9);
}
