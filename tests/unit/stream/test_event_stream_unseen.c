/* SPDX-License-Identifier: MIT */
/* Resets that nobody saw, while the connection was lost: the uptime of the target tells of them, if it has one. */
#include <criterion/criterion.h>

#include "stream/event_stream_fixture.h"

/* While nothing is read the target is reset, and writes more than it had: the ring alone looks as if it had gone on. */
static void reset_unseen(void)
{
    run_well(3000000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 8;
    fixture.failure = ERROR_CLOSED;
    run_well(50000);
    reset_target(ENTRIES);
    write_events(20 * ENTRIES);
    run_well(3000000);
}

Test(event_stream_unseen, a_reset_that_nobody_saw_is_told_by_the_targets_uptime)
{
    begin(true);
    reset_unseen();
    end();
    cr_assert_str_eq(fixture.marks, "detached attached reset ");
    cr_assert_eq(fixture.events + fixture.lost, 10 + 20 * ENTRIES);
    cr_assert_eq(fixture.stream.poller.stats.reconnections, 1, "each attached counts, whatever was found then");
}

Test(event_stream_unseen, without_an_uptime_what_was_lost_meanwhile_is_not_called_exact)
{
    begin(true);
    fixture.counts_time = false;
    fixture.unknown = true;
    reset_unseen();
    end();
    cr_assert_str_eq(fixture.marks, "detached attached ");
    cr_assert(!fixture.stream.poller.stats.lost_exact);
    cr_assert_leq(fixture.events + fixture.lost, 10 + 20 * ENTRIES, "at least is never more than it was");
}

Test(event_stream_unseen, a_young_target_that_was_reset_as_soon_as_it_was_left_is_not_vouched_for)
{
    begin(true);
    fixture.start_us = fixture.now_us;
    run_well(1500000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 80; /* for some 30 seconds: twenty times as long as it had lived */
    fixture.failure = ERROR_CLOSED;
    run_well(50000);
    reset_target(ENTRIES);
    write_events(20 * ENTRIES);
    fixture.unknown = true;
    run_well(40000000);
    end();
    cr_assert(!fixture.stream.poller.stats.lost_exact, "%s", fixture.marks);
    cr_assert_leq(fixture.events + fixture.lost, fixture.written);
}

/* It seems to count half as fast as it does, which a second life that has come as far would have done. */
Test(event_stream_unseen, a_host_that_stood_still_when_it_read_the_uptime_does_not_vouch_for_a_target_that_was_reset)
{
    for (unsigned failing = 4; failing < 20; failing++) {
        begin(true);
        fixture.start_us = fixture.now_us;
        run_well(900000);
        fixture.stall_us = 800000;
        run_well(950000);
        fixture.fail_at = fixture.calls + 1;
        fixture.fail_for = failing;
        fixture.failure = ERROR_CLOSED;
        run_well(50000);
        reset_target(ENTRIES);
        write_events(20 * ENTRIES);
        fixture.unknown = true;
        run_well(10000000);
        end();
        cr_assert(!fixture.stream.poller.stats.lost_exact, "%u failing calls: %s", failing, fixture.marks);
    }
}

Test(event_stream_unseen, a_target_that_lived_on_unseen_is_vouched_for_by_its_uptime)
{
    begin(true);
    run_well(3000000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 8;
    fixture.failure = ERROR_CLOSED;
    run_well(50000);
    write_events(20 * ENTRIES);
    run_well(3000000);
    end();
    cr_assert_str_eq(fixture.marks, "detached attached ");
    cr_assert(fixture.stream.poller.stats.lost_exact);
    cr_assert_eq(fixture.events + fixture.lost, fixture.written);
}
