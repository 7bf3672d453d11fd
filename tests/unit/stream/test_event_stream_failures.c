/* SPDX-License-Identifier: MIT */
/* Broken connections and failing calls: each call fails once in every way. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "stream/fixtures/event_stream_fixture.h"
#include "error_line.h"
#include "sanitized.h"

Test(event_stream_failures, a_broken_connection_is_restored_within_a_second)
{
    begin(true);
    run_well(200000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 8;
    fixture.failure = ERROR_CLOSED;
    write_events(5);
    run_well(3000000);
    write_events(5);
    run_well(200000);
    end();
    cr_assert_str_eq(fixture.marks, "detached attached ");
    cr_assert_eq(fixture.events, 20);
    cr_assert_eq(fixture.lost, 0);
    cr_assert_eq(fixture.stream.poller.stats.reconnections, 1);
}

Test(event_stream_failures, a_connection_that_breaks_in_the_last_read_is_a_normal_end)
{
    begin(true);
    run_well(200000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 8;
    fixture.failure = ERROR_CLOSED;
    end();
    cr_assert_str_eq(fixture.marks, "detached ");
    cr_assert_eq(fixture.events, 10);
}

Test(event_stream_failures, a_target_that_does_not_answer_may_need_a_restart_of_the_server)
{
    begin(true);
    run_well(200000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 8;
    fixture.failure = ERROR_TARGET;
    run_well(3000000);
    end();
    cr_assert_str_eq(fixture.marks, "detached attached ");
    cr_assert_not_null(strstr(fixture.why, "the read failed; start the server again: txtap continues by itself"), "%s",
                       fixture.why);
}

Test(event_stream_failures, without_reconnection_each_of_these_ends_the_stream)
{
    begin(false);
    run_well(200000);
    reset_target(ENTRIES);
    cr_assert_eq(run_for(1000000), TXTAP_ERROR_MOVED);
    cr_assert_not_null(strstr(error_line(&fixture.error), "set up again"));
    event_stream_free(&fixture.stream);

    begin(false);
    run_well(200000);
    fixture.fail_at = fixture.calls + 1;
    fixture.fail_for = 1;
    fixture.failure = ERROR_TIMEOUT;
    cr_assert_eq(run_for(1000000), ERROR_TIMEOUT);
    event_stream_free(&fixture.stream);
    cr_assert_str_eq(fixture.marks, "");
}

Test(event_stream_failures, a_pointer_that_is_invalid_once_changes_nothing)
{
    uint32_t current;

    begin(true);
    run_well(200000);
    memcpy(&current, ram + TXTB_HEADER_CURRENT, 4);
    memset(ram + TXTB_HEADER_CURRENT, 0x5A, 4);
    cr_assert_eq(event_stream_step(&fixture.stream, &fixture.error), TXTAP_OK);
    memcpy(ram + TXTB_HEADER_CURRENT, &current, 4);
    write_events(5);
    run_well(500000);
    end();
    cr_assert_str_eq(fixture.marks, "");
    cr_assert_eq(fixture.events, 15);
}

/*
 * Returns how long the target is silent after the stream works again, in us. A longer time only adds calls of the same
 * kinds: with TXTAP_QUIET_MS=100 (100 ms) the test takes three times as long.
 */
static uint64_t quiet_us(void)
{
    const char *text = getenv("TXTAP_QUIET_MS");

    return 1000 * (text ? strtoull(text, NULL, 0) : 30);
}

static void run_until_streaming(void)
{
    do
        run_well(quiet_us());
    while (fixture.stream.state != STREAM_READING);
}

/*
 * Runs a stream through events, a flood, a reset, a smaller ring and silence. Whatever call fails, the stream must work
 * again at the end.
 */
static void live(void)
{
    for (int i = 0; i < 3; i++) {
        write_events(5);
        run_well(20000);
    }
    write_events(3 * ENTRIES);
    run_until_streaming();
    reset_target(ENTRIES);
    write_events(7);
    run_until_streaming();
    reset_target(ENTRIES / 2);
    write_events(ENTRIES);
    run_until_streaming();
    write_events(6);
    run_until_streaming();
}

Test(event_stream_failures, any_call_may_fail_in_any_way_once_or_for_a_while)
{
    static const enum txtap_status failures[] = {
        ERROR_CLOSED,   ERROR_TIMEOUT, ERROR_UNREACHABLE,  ERROR_FAULT,
        ERROR_PROTOCOL, ERROR_TARGET,  TXTAP_ERROR_SYSTEM, ERROR_NOT_FOUND,
    };
    static const unsigned lengths[] = {1, 10};
    unsigned calls;

    begin(true);
    live();
    calls = fixture.calls;
    end();
    cr_assert_gt(calls, 30);
    for (size_t f = 0; f < sizeof failures / sizeof failures[0]; f++) {
        for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
            for (unsigned n = 1 + (unsigned)f % RUNS_DIVISOR; n <= calls; n += RUNS_DIVISOR) {
                begin(true);
                fixture.fail_at = n;
                fixture.fail_for = lengths[l];
                fixture.failure = failures[f];
                live();
                end();
                cr_assert_eq(fixture.next_number + fixture.lost_here, fixture.written,
                             "%s at call %u for %u: %lu of %u, %s", status_text(failures[f]), n, lengths[l],
                             (unsigned long)fixture.next_number, fixture.written, fixture.marks);
            }
        }
    }
}
