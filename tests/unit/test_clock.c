/* SPDX-License-Identifier: MIT */
#include "txtap/clock.h"

#include <criterion/criterion.h>

Test(clock, starts_at_zero_whatever_the_first_stamp_is)
{
    struct txtap_clock clock;

    txtap_clock_init(&clock, 0xFFFFFFFFu);
    cr_assert_eq(txtap_clock_unwrap(&clock, 0xDEADBEEF), 0);
    cr_assert_eq(txtap_clock_unwrap(&clock, 0xDEADBEF0), 1);
    cr_assert_eq(txtap_clock_unwrap(&clock, 0xDEADBEF0), 1);
}

Test(clock, goes_on_when_stamps_wrap_at_any_width)
{
    for (unsigned bits = 1; bits <= 32; bits++) {
        uint32_t mask = UINT32_MAX >> (32 - bits);
        uint64_t expected = 0, step = mask / 3 + 1;
        struct txtap_clock clock;

        txtap_clock_init(&clock, mask);
        (void)txtap_clock_unwrap(&clock, 0);
        for (int i = 0; i < 1000; i++) {
            expected += step;
            cr_assert_eq(txtap_clock_unwrap(&clock, (uint32_t)expected & mask), expected, "%u bits", bits);
        }
    }
}

Test(clock, ignores_bits_outside_the_mask)
{
    struct txtap_clock clock;

    txtap_clock_init(&clock, 0xFFFF);
    (void)txtap_clock_unwrap(&clock, 0x1111FFFE);
    cr_assert_eq(txtap_clock_unwrap(&clock, 0x22220003), 5);
}

Test(clock, never_goes_back_with_any_mask)
{
    static const uint32_t masks[] = {0, 1, 0xFFFFFF00u, 0x00FF00FFu, 0x80000000u, 0xFFFF, 0xFFFFFFFFu};
    uint32_t stamp = 1;

    for (size_t i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
        struct txtap_clock clock;
        uint64_t last = 0;

        txtap_clock_init(&clock, masks[i]);
        for (int n = 0; n < 10000; n++) {
            uint64_t ticks;

            stamp = stamp * 1664525u + 1013904223u;
            ticks = txtap_clock_unwrap(&clock, stamp);
            cr_assert_geq(ticks, last, "mask %#x", masks[i]);
            cr_assert_leq(ticks - last, UINT32_MAX, "mask %#x", masks[i]);
            last = ticks;
        }
    }
}

Test(clock, steps_by_the_low_bits_of_a_mask_with_none)
{
    struct txtap_clock clock;

    txtap_clock_init(&clock, 0xFFFFFF00u);
    (void)txtap_clock_unwrap(&clock, 0xFFFFFF00u);
    cr_assert_eq(txtap_clock_unwrap(&clock, 0x00000100u), 0x200);
}

Test(clock, is_constant_only_after_many_equal_stamps)
{
    struct txtap_clock clock;

    txtap_clock_init(&clock, 0xFFFFFFFFu);
    for (int i = 0; i < 10; i++)
        (void)txtap_clock_unwrap(&clock, 42);
    cr_assert_not(txtap_clock_is_constant(&clock));
    for (int i = 0; i < 100; i++)
        (void)txtap_clock_unwrap(&clock, 42);
    cr_assert(txtap_clock_is_constant(&clock));
    (void)txtap_clock_unwrap(&clock, 43);
    cr_assert_not(txtap_clock_is_constant(&clock));
    cr_assert_eq(clock.stamps, 111);
    cr_assert_eq(clock.changes, 1);
}

Test(clock, that_counts_down_is_noticed_and_then_measured)
{
    struct txtap_clock clock;
    uint32_t stamp = 100;

    txtap_clock_init(&clock, 0xFFFF);
    for (int i = 0; i < 40; i++)
        (void)txtap_clock_unwrap(&clock, stamp -= 7);
    cr_assert(txtap_clock_seems_down(&clock));

    txtap_clock_init(&clock, 0xFFFF);
    clock.down = true;
    (void)txtap_clock_unwrap(&clock, 5);
    cr_assert_eq(txtap_clock_unwrap(&clock, 0xFFFE), 7);
}

Test(clock, that_counts_up_with_long_silences_is_not_taken_for_one_that_counts_down)
{
    struct txtap_clock clock;
    uint32_t stamp = 0;

    txtap_clock_init(&clock, 0xFFFF);
    for (int i = 0; i < 300; i++)
        (void)txtap_clock_unwrap(&clock, stamp += i % 3 == 0 ? 60000 : 100);
    cr_assert_not(txtap_clock_seems_down(&clock));
}
