/* SPDX-License-Identifier: MIT */
/*
 * The stamps of a target without a cycle counter. They are computed from a kernel time that has the same errors as
 * Zephyr's time with SysTick.
 */
#include <criterion/criterion.h>

#include "txtap_clock.h"

Test(zephyr_clock, a_time_that_goes_back_is_held)
{
    cr_assert_eq(txtap_clock_step(1000, 1001), 1001);
    cr_assert_eq(txtap_clock_step(1000, 1000), 1000);
    cr_assert_eq(txtap_clock_step(1000, 999), 1000);
    cr_assert_eq(txtap_clock_step(20000000, 20000000 - 16550000), 20000000, "a whole period of SysTick");
    cr_assert_eq(txtap_clock_step(5, 0xFFFFFFFB), 5, "across 0");
    cr_assert_eq(txtap_clock_step(0xFFFFFFFB, 5), 5);
    cr_assert_eq(txtap_clock_step(0, 0x80000000), 0x80000000, "a long silence");
    cr_assert_eq(txtap_clock_step(0, 0xFDFFFFFF), 0xFDFFFFFF, "a longer one");
}

Test(zephyr_clock, a_reading_is_trusted_if_systick_only_counted_down)
{
    cr_assert(txtap_clock_is_steady(100, 90));
    cr_assert(txtap_clock_is_steady(100, 100));
    cr_assert(txtap_clock_is_steady(1, 1));
    cr_assert_not(txtap_clock_is_steady(0, 0));
    cr_assert_not(txtap_clock_is_steady(0, 90));
    cr_assert_not(txtap_clock_is_steady(100, 0));
    cr_assert_not(txtap_clock_is_steady(100, 101), "it wrapped");
    cr_assert_not(txtap_clock_is_steady(0, 0xFFFFFF));
}

/*
 * SysTick stays at 0 for some ticks of each period, for which the kernel already counts a whole period. The stamps must
 * never go back and never be ahead of the time. While SysTick is not 0, they must be right.
 */
Test(zephyr_clock, a_kernel_that_is_a_period_ahead_while_systick_is_0)
{
    static const uint32_t periods[] = {1000, 12000, 0xFFFFFF};

    for (size_t i = 0; i < sizeof(periods) / sizeof(*periods); i++) {
        uint32_t period = periods[i], standing = period / 50, step = period / 97, latest = 0;

        for (uint64_t time = 1; time < (UINT64_C(5) << 32) && time < (uint64_t)period * 40000; time += step) {
            uint32_t place = (uint32_t)(time % period), value = place < standing ? 0 : period - place;
            uint32_t kernel_time = (uint32_t)time + (value == 0 ? period : 0), before = latest;

            if (txtap_clock_is_steady(value, value))
                latest = txtap_clock_step(latest, kernel_time);
            cr_assert_lt(latest - before, 0x80000000u, "goes back at %llu", (unsigned long long)time);
            cr_assert_leq((uint32_t)time - latest, standing + step, "not the time at %llu", (unsigned long long)time);
        }
    }
}
