/* SPDX-License-Identifier: MIT */
#include "txtap/inner/host_time.h"

#include <criterion/criterion.h>

Test(clock, starts_at_zero_whatever_the_first_stamp_is)
{
    struct txtap_clock clock;

    txtap_clock_init(&clock, 0xFFFFFFFFu);
    cr_assert_eq(txtap_clock_unwrap(&clock, 0xDEADBEEF), 0);
    cr_assert_eq(txtap_clock_unwrap(&clock, 0xDEADBEF0), 1);
    cr_assert_eq(txtap_clock_unwrap(&clock, 0xDEADBEF0), 1);
}

Test(clock, continues_when_stamps_wrap_at_any_width)
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

Test(clock, accepts_a_mask_without_low_bits)
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
    cr_assert_eq(txtap_clock_notices(&clock), 0);
    for (int i = 0; i < 100; i++)
        (void)txtap_clock_unwrap(&clock, 42);
    cr_assert_eq(txtap_clock_notices(&clock), TXTAP_CLOCK_CONSTANT);
    (void)txtap_clock_unwrap(&clock, 43);
    cr_assert_eq(txtap_clock_notices(&clock), 0);
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
    cr_assert_eq(txtap_clock_notices(&clock), TXTAP_CLOCK_BACKWARDS);

    txtap_clock_init(&clock, 0xFFFF);
    clock.down = true;
    (void)txtap_clock_unwrap(&clock, 5);
    cr_assert_eq(txtap_clock_unwrap(&clock, 0xFFFE), 7);
}

Test(clock, that_counts_up_with_long_silences_is_not_mistaken_for_counting_down)
{
    struct txtap_clock clock;
    uint32_t stamp = 0;

    txtap_clock_init(&clock, 0xFFFF);
    for (int i = 0; i < 300; i++)
        (void)txtap_clock_unwrap(&clock, stamp += i % 3 == 0 ? 60000 : 100);
    cr_assert_eq(txtap_clock_notices(&clock), 0);
}

/* Unwraps all stamps, lets the clock settle, and unwraps all stamps again. Returns the ticks of the last stamp. */
static uint64_t settled(struct txtap_clock *clock, uint32_t mask, const uint32_t *stamps, size_t count)
{
    uint64_t ticks = 0;

    txtap_clock_init(clock, mask);
    for (size_t i = 0; i < count; i++)
        (void)txtap_clock_unwrap(clock, stamps[i]);
    txtap_clock_settle(clock);
    for (size_t i = 0; i < count; i++)
        ticks = txtap_clock_unwrap(clock, stamps[i]);
    return ticks;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

Test(clock, settles_on_down_when_more_stamps_fall_than_rise)
{
    static const uint32_t down[] = {20, 10, 5, 0xFFF0, 0xFF00}, up[] = {0xFF00, 0xFFF0, 5, 10, 20};
    struct txtap_clock clock;

    cr_assert_eq(settled(&clock, 0xFFFF, down, COUNT(down)), 20 + 0x100);
    cr_assert(clock.down);
    cr_assert_eq(txtap_clock_notices(&clock), TXTAP_CLOCK_DOWN);
    cr_assert_eq(settled(&clock, 0xFFFF, up, COUNT(up)), 20 + 0x100);
    cr_assert_not(clock.down);
}

Test(clock, unlike_the_reference_tool_treats_a_tie_and_two_stamps_as_counting_up)
{
    static const uint32_t tie[] = {0xFFF0, 0xFFF8, 4, 8, 2}, two[] = {0xFFFF, 1};
    struct txtap_clock clock;

    cr_assert_eq(settled(&clock, 0xFFFF, tie, COUNT(tie)), 0xFFFF - 0xFFF0 + 1 + 2 + 0x10000);
    cr_assert_eq(settled(&clock, 0xFFFF, two, COUNT(two)), 2);
}

Test(clock, continues_when_a_counter_that_counts_down_wraps_at_any_width)
{
    for (unsigned bits = 2; bits <= 32; bits++) {
        uint32_t mask = UINT32_MAX >> (32 - bits);
        uint64_t expected = 0, step = mask / 3 + 1;
        struct txtap_clock clock;

        txtap_clock_init(&clock, mask);
        clock.down = true;
        (void)txtap_clock_unwrap(&clock, 0);
        for (int i = 0; i < 1000; i++) {
            expected += step;
            cr_assert_eq(txtap_clock_unwrap(&clock, (uint32_t)(0 - expected) & mask), expected, "%u bits", bits);
        }
    }
}

Test(clock, of_nanoseconds_wraps_at_a_billion_whatever_the_mask_says)
{
    struct txtap_clock clock;
    uint64_t now = 0;

    txtap_clock_init(&clock, UINT32_MAX);
    (void)txtap_clock_unwrap(&clock, 0);
    for (int i = 0; i < 1000; i++) {
        now += 30000000 + (uint64_t)i;
        cr_assert_eq(txtap_clock_unwrap(&clock, (uint32_t)(now % 1000000000)), now);
    }
    cr_assert_eq(txtap_clock_notices(&clock), TXTAP_CLOCK_NANOSECONDS);
}

Test(clock, settled_on_nanoseconds_wraps_at_a_billion_after_a_long_silence_too)
{
    static const uint32_t stamps[] = {100000000, 400000000, 300000000, 600000000, 990000000, 10000000};
    struct txtap_clock clock;

    cr_assert_eq(settled(&clock, UINT32_MAX, stamps, COUNT(stamps)), 300000000 + 900000000 + 690000000 + 20000000);
    cr_assert_eq(txtap_clock_notices(&clock), TXTAP_CLOCK_NANOSECONDS);
}

Test(clock, is_not_one_of_nanoseconds_with_larger_stamps_other_masks_or_wraps_elsewhere)
{
    static const uint32_t larger[] = {1000000000, 1500000000, 990000000 - 1, 10000000, 20000000};
    static const uint32_t narrow[] = {0x3000, 0x3F00, 5, 10};
    static const uint32_t elsewhere[] = {100, 500000000, 5, 10};
    struct txtap_clock clock;

    (void)settled(&clock, UINT32_MAX, larger, COUNT(larger));
    cr_assert_eq(txtap_clock_notices(&clock), 0);
    (void)settled(&clock, 0x3FFF, narrow, COUNT(narrow));
    cr_assert_eq(txtap_clock_notices(&clock), 0);
    cr_assert_eq(settled(&clock, UINT32_MAX, elsewhere, COUNT(elsewhere)), (UINT64_C(1) << 32) - 90);
    cr_assert_eq(txtap_clock_notices(&clock), 0);
}

Test(clock, gives_up_the_billion_when_a_larger_stamp_follows)
{
    struct txtap_clock clock;

    txtap_clock_init(&clock, UINT32_MAX);
    (void)txtap_clock_unwrap(&clock, 950000000);
    cr_assert_eq(txtap_clock_unwrap(&clock, 50000000), 100000000);
    cr_assert_eq(txtap_clock_unwrap(&clock, 3000000000u), 3050000000u);
    cr_assert_eq(txtap_clock_unwrap(&clock, 0), 3050000000u + (UINT64_C(1) << 32) - 3000000000u);
    cr_assert_eq(txtap_clock_notices(&clock), 0);
}

Test(clock, that_only_counts_entries_is_noticed)
{
    struct txtap_clock clock;

    txtap_clock_init(&clock, 0xFF);
    for (uint32_t i = 0; i < 1000; i++)
        (void)txtap_clock_unwrap(&clock, i + (i >= 500 ? 17 : 0)); /* from 500 on, as if 17 events were lost */
    cr_assert_eq(txtap_clock_notices(&clock), TXTAP_CLOCK_SIMULATED);
    for (uint32_t i = 0; i < 100; i++)
        (void)txtap_clock_unwrap(&clock, 3 * i);
    cr_assert_eq(txtap_clock_notices(&clock), 0);
}

Test(clock, with_every_tick_twice_is_a_slow_timer_and_not_a_count)
{
    struct txtap_clock clock;

    txtap_clock_init(&clock, UINT32_MAX);
    for (uint32_t i = 0; i < 1000; i++)
        (void)txtap_clock_unwrap(&clock, i / 2);
    cr_assert_eq(txtap_clock_notices(&clock), 0);
}

Test(clock, has_a_text_for_each_notice)
{
    for (unsigned bit = TXTAP_CLOCK_CONSTANT; bit <= TXTAP_CLOCK_NANOSECONDS; bit <<= 1)
        cr_assert_gt(strlen(txtap_clock_notice_text(bit)), 20);
    cr_assert_str_eq(txtap_clock_notice_text(0), "");
    cr_assert_str_eq(txtap_clock_notice_text(3), "");
}

Test(clock, continues_after_a_reset_wherever_the_counter_starts)
{
    struct txtap_clock clock;

    txtap_clock_init(&clock, UINT32_MAX);
    cr_assert_eq(txtap_clock_unwrap(&clock, 1000), 0);
    cr_assert_eq(txtap_clock_unwrap(&clock, 5000), 4000);
    txtap_clock_restart(&clock, 0xFFFF, 500);
    cr_assert_eq(txtap_clock_unwrap(&clock, 3), 4500);
    cr_assert_eq(txtap_clock_unwrap(&clock, 10), 4507);
    cr_assert_eq(txtap_clock_unwrap(&clock, 9), 4507 + 0xFFFF, "it wraps where the new mask says");
}
