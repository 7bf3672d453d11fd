/* SPDX-License-Identifier: MIT */
/* The measured offset between two clocks, if the measuring process is sometimes stopped. */
#include "base/runtime.h"

#include <criterion/criterion.h>

#define OFFSET UINT64_C(1790000000000000)

static uint64_t us;
static unsigned calls, stopped_from, stopped_until; /* before each of these calls the process stops for 0.3 s */

static uint64_t fake_now(void)
{
    us += calls >= stopped_from && calls < stopped_until ? 300000 : 1;
    calls++;
    return us;
}

static uint64_t fake_wall(void)
{
    return fake_now() + OFFSET;
}

static uint64_t offset_with_stops(unsigned from, unsigned until)
{
    us = 5000000;
    calls = 0;
    stopped_from = from;
    stopped_until = until;
    return wall_offset_us(fake_wall, fake_now);
}

Test(wall_offset, a_stop_between_two_readings_does_not_matter)
{
    cr_assert_eq(offset_with_stops(0, 0), OFFSET);
    for (unsigned call = 0; call < 12; call++)
        for (unsigned stops = 1; stops < 20; stops++)
            cr_assert_eq(offset_with_stops(call, call + stops), OFFSET, "%u stops before call %u", stops, call);
}

Test(wall_offset, it_ends_even_on_a_host_that_always_stops)
{
    uint64_t offset = offset_with_stops(0, UINT32_MAX);

    cr_assert_leq(calls, 100);
    cr_assert(offset >= OFFSET - 300000 && offset <= OFFSET + 300000);
}
