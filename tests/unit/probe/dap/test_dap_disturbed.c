/* SPDX-License-Identifier: MIT */
/*
 * After a fault a CMSIS-DAP probe must soon be as fast as before. If a probe always fails at a higher speed, the source
 * must try that speed less and less often.
 */
#include "probe/dap/dap_source.h"

#include <criterion/criterion.h>

#include "dap_fixture.h"

/* ---- number of pending commands ---- */

/* Reads until `answers` answers have arrived. All data must be correct. */
static void read_answers(unsigned answers)
{
    unsigned end_at = fixture.probe.answers + answers;

    while (fixture.probe.answers < end_at)
        fixture_reads("on and on");
}

static unsigned in_flight(void)
{
    return dap_source_adi(fixture.source)->link->flight.now;
}

static void merge_at(unsigned answer)
{
    fixture.probe.trouble = MERGED;
    fixture.probe.trouble_at = fixture.probe.answers + answer;
    fixture.probe.trouble_count = 1;
    fixture_reads("merged");
}

Test(dap_disturbed, falls_back_to_one_command_at_a_time)
{
    fixture_begin(64, 4);
    cr_assert_eq(in_flight(), 4);
    merge_at(2);
    cr_expect_eq(in_flight(), 1);
    fixture_end();
}

Test(dap_disturbed, sends_several_commands_again_after_enough_good_answers)
{
    for (unsigned disturbed = 0; disturbed < 3; disturbed++) {
        fixture_begin(64, 4);
        merge_at(2 + disturbed);
        cr_assert_eq(in_flight(), 1);
        read_answers(DAP_FLIGHT_PAUSE - 200);
        cr_expect_eq(in_flight(), 1, "the pause is not over");
        read_answers(400);
        cr_expect_eq(in_flight(), 4, "the pause is over");
        cr_expect_eq(fixture.probe.target.writes, 0);
        fixture_end();
    }
}

/*
 * The probe fails whenever several commands are pending. So the source tries several again after 1000 good answers,
 * then after 2000 more, then after 4000 more, and so on.
 */
Test(dap_disturbed, a_probe_that_merges_answers_is_tried_less_and_less)
{
    struct dap_pipe pipe = dap_probe_init(&fixture.probe, 64, 4, NULL);
    unsigned tries = 0, begin_at;

    fixture.probe.trouble = MERGED;
    fixture.probe.trouble_count = UINT32_MAX;
    cr_assert_eq(dap_source_open(&fixture.source, pipe, &fixture_settings, DAP_FIXTURE_TIMEOUT, &fixture.error),
                 TXTAP_OK, "%s", error_line(&fixture.error));
    begin_at = fixture.probe.answers;
    while (fixture.probe.answers - begin_at < 17 * DAP_FLIGHT_PAUSE) {
        fixture.probe.under_way_max = 0;
        fixture_reads("merging");
        tries += fixture.probe.under_way_max > 1;
        cr_assert_eq(in_flight(), 1);
    }
    cr_expect_eq(tries, 4);
    fixture_end();
}

/* ---- time-outs ---- */

static uint64_t time_to_read(void)
{
    uint64_t begin_us = fixture.probe.now_us;

    fixture_reads("timed");
    return fixture.probe.now_us - begin_us;
}

static void begin_at_speed(uint64_t answer_us, unsigned timeout_ms)
{
    struct dap_pipe pipe = dap_probe_init(&fixture.probe, 64, 4, NULL);

    fixture.probe.answer_us = answer_us;
    cr_assert_eq(dap_source_open(&fixture.source, pipe, &fixture_settings, timeout_ms, &fixture.error), TXTAP_OK, "%s",
                 error_line(&fixture.error));
}

/* After the lost answer the source synchronizes with the probe, and then reads the pieces again. */
Test(dap_disturbed, a_lost_answer_costs_little_more_than_answers_take)
{
    static const struct {
        uint64_t answer_us, most_us;
    } rows[] = {{100, 75000}, {5000, 110000}, {30000, 350000}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned at = 0; at < 20; at++) {
            uint64_t usual_us, us;

            begin_at_speed(rows[i].answer_us, 1000);
            usual_us = time_to_read();
            fixture.probe.trouble = at % 2 == 0 ? LOST : LATE;
            fixture.probe.trouble_at = fixture.probe.answers + at;
            fixture.probe.trouble_count = 1;
            us = time_to_read();
            cr_expect_leq(us, 2 * usual_us + rows[i].most_us, "%lu us an answer, the %uth is lost: %lu us more",
                          rows[i].answer_us, at, us - usual_us);
            cr_expect_eq(in_flight(), 4);
            fixture_end();
        }
}

Test(dap_disturbed, a_probe_that_is_slow_once_is_not_given_up)
{
    for (uint64_t slow_us = 10000; slow_us < 2000000; slow_us += slow_us / 4) {
        begin_at_speed(200, 1000);
        for (unsigned i = 0; i < 5; i++)
            fixture_reads("fast");
        fixture.probe.due_us = fixture.probe.now_us + slow_us; /* one answer arrives late */
        if (slow_us < 1000000) {
            fixture_reads("slow");
            cr_expect_eq(in_flight(), 4, "%lu us", slow_us);
        }
        fixture_end();
    }
}

Test(dap_disturbed, a_probe_that_becomes_slow_gets_a_longer_time_out)
{
    begin_at_speed(100, 1000);
    fixture_reads("fast");
    fixture.probe.answer_us = 400000;
    fixture_reads("slow");
    cr_expect_eq(in_flight(), 4);
    fixture.probe.answer_us = 60000000;
    cr_expect_eq(fixture_read(), ERROR_TIMEOUT);
    fixture_end();
}
