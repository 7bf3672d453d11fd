/* SPDX-License-Identifier: MIT */
/* Tests when a command gives advice about lost events. */
#include "command/run_loop.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

static struct run_status status;
static struct stream_stats stats;
static uint64_t now_us;
static char *said;
static size_t said_bytes;

static void set_up(void)
{
    status = (struct run_status){.advice = "record fewer events"};
    stats = (struct stream_stats){.lost_exact = true};
    now_us = 0;
    stderr = open_memstream(&said, &said_bytes);
    cr_assert_not_null(stderr);
}

static void tear_down(void)
{
    fclose(stderr);
    free(said);
}

TestSuite(run_status, .init = set_up, .fini = tear_down);

static void run(unsigned seconds, uint64_t events, uint64_t lost)
{
    for (unsigned i = 0; i < 10 * seconds; i++) {
        now_us += 100000;
        stats.events += events / 10;
        stats.lost += lost / 10;
        run_status_step(&status, &stats, false, now_us);
    }
}

static void check_said(const char *words)
{
    fflush(stderr);
    cr_assert_str_eq(said, words);
}

Test(run_status, advice_about_losses_while_reading_is_given_once)
{
    run(5, 1000, 500);
    check_said("txtap: losing events: read 1000 of 1500 per second: record fewer events, "
               "enlarge its trace buffer, or use a faster probe\n");
}

Test(run_status, time_stamps_show_more_losses_than_are_certain)
{
    stats.lost_exact = false;
    stats.rate_by_stamps = 259432;
    run(5, 1000, 500);
    check_said("txtap: losing events: read 1000 of at least 1500 per second (about 260000 by the time stamps of the "
               "events read): record fewer events, enlarge its trace buffer, or use a faster probe\n");
}

Test(run_status, a_quiet_command_keeps_the_advice_and_prints_nothing)
{
    status.quiet = true;
    run(5, 0, 600000);
    check_said("");
    cr_assert_str_eq(status.said, "losing events: read 0 of 600000 per second: record fewer events, enlarge its trace "
                                  "buffer, or use a faster probe");
}

Test(run_status, no_advice_about_losses_while_the_probe_was_away)
{
    run(3, 1000, 0);
    now_us += 20000000;
    stats.reconnections++;
    run_status_step(&status, &stats, false, now_us);
    stats.lost += 30000;
    run(10, 1000, 0);
    check_said("");
}

Test(run_status, advice_about_losses_after_the_probe_came_back)
{
    now_us += 20000000;
    stats.reconnections++;
    stats.lost = 30000;
    run(5, 1000, 1000);
    check_said("txtap: losing events: read 1000 of 2000 per second: record fewer events, "
               "enlarge its trace buffer, or use a faster probe\n");
}
