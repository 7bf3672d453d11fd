/* SPDX-License-Identifier: MIT */
/* Resets while the connection is lost. If the target has an uptime, it shows these resets. */
#include <criterion/criterion.h>

#include "stream/fixtures/event_stream_fixture.h"

/* Resets the target while nothing is read. Then the target writes more events than before the reset, so the ring alone
 * looks as if the old trace had continued. */
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

Test(event_stream_unseen, an_unseen_reset_is_known_from_the_targets_uptime)
{
    begin(true);
    reset_unseen();
    end();
    cr_assert_str_eq(fixture.marks, "detached attached reset ");
    cr_assert_eq(fixture.events + fixture.lost, 10 + 20 * ENTRIES);
    cr_assert_eq(fixture.stream.poller.stats.reconnections, 1, "each attach counts, whatever was found");
}

Test(event_stream_unseen, without_an_uptime_losses_meanwhile_are_not_exact)
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

Test(event_stream_unseen, the_uptime_proves_nothing_for_a_target_that_had_just_started)
{
    begin(true);
    fixture.start_us = fixture.now_us;
    run_well(1500000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 80; /* calls fail for about 30 seconds, twenty times the target's uptime */
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

/* A pause of the host makes the uptime seem to count at half speed. So it can seem right even after a reset. */
Test(event_stream_unseen, an_uptime_read_by_a_stopped_host_proves_nothing_for_a_target_that_was_reset)
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

Test(event_stream_unseen, the_uptime_proves_that_a_target_kept_running_unseen)
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
