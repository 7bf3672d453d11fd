/* SPDX-License-Identifier: MIT */
/* The number of pending commands, and the time-out of an answer, after any sequence of answers and faults. */
#include "probe/dap/dap_link.h"

#include <criterion/criterion.h>

static struct dap_flight flight;
static struct dap_patience patience;

static void good(uint64_t answers)
{
    while (answers-- > 0)
        dap_flight_good(&flight);
}

/* Returns the number of good answers until the self-test is due again. */
static uint64_t pause_after_a_fallback(void)
{
    uint64_t answers = 0;

    dap_flight_begin(&flight);
    dap_flight_fall_back(&flight);
    cr_assert_eq(flight.now, 1);
    for (; !dap_flight_is_due(&flight); answers++)
        dap_flight_good(&flight);
    return answers;
}

Test(dap_pace, pauses_double_up_to_the_longest)
{
    uint64_t expected = DAP_FLIGHT_PAUSE;

    dap_flight_init(&flight, 4);
    cr_assert(dap_flight_is_due(&flight), "the first time at once");
    for (unsigned i = 0; i < 12; i++) {
        cr_expect_eq(pause_after_a_fallback(), expected);
        expected = 2 * expected < DAP_FLIGHT_PAUSE_MAX ? 2 * expected : DAP_FLIGHT_PAUSE_MAX;
    }
}

Test(dap_pace, after_a_long_time_without_a_fault_pauses_are_short_again)
{
    dap_flight_init(&flight, 4);
    for (unsigned i = 0; i < 12; i++)
        (void)pause_after_a_fallback();
    dap_flight_begin(&flight);
    good(DAP_FLIGHT_SOON * DAP_FLIGHT_PAUSE_MAX);
    dap_flight_fall_back(&flight);
    cr_expect_eq(flight.pause, DAP_FLIGHT_PAUSE);
}

/* If a fault occurs while only one command is pending, the pause starts again, but does not become longer. */
Test(dap_pace, a_pause_counts_answers_in_a_row)
{
    dap_flight_init(&flight, 4);
    (void)pause_after_a_fallback();
    dap_flight_begin(&flight);
    dap_flight_fall_back(&flight);
    for (unsigned i = 0; i < 10; i++) {
        good(2 * DAP_FLIGHT_PAUSE - 1);
        cr_expect_not(dap_flight_is_due(&flight));
        dap_flight_fall_back(&flight);
    }
    good(2 * DAP_FLIGHT_PAUSE);
    cr_expect(dap_flight_is_due(&flight));
}

Test(dap_pace, a_probe_without_a_queue_is_never_tested)
{
    for (unsigned most = 0; most < 2; most++) {
        dap_flight_init(&flight, most);
        good(10 * DAP_FLIGHT_PAUSE);
        cr_expect_not(dap_flight_is_due(&flight));
        cr_expect_eq(flight.now, 1);
    }
}

Test(dap_pace, waits_stay_within_their_bounds)
{
    patience = (struct dap_patience){0};
    cr_expect_eq(dap_patience_ms(&patience, 1000), 1000, "nothing is known yet");
    for (uint64_t us = 0; us < UINT64_C(1) << 40; us = 2 * us + 1) {
        patience = (struct dap_patience){0};
        dap_patience_answered(&patience, us);
        cr_expect_geq(dap_patience_ms(&patience, 1000), DAP_PATIENCE_MS_MIN);
        cr_expect_leq(dap_patience_ms(&patience, 1000), 1000);
        cr_expect(dap_patience_ms(&patience, 1000) * UINT64_C(1000) >= 4 * us || us > 250000);
        cr_expect_leq(dap_patience_ms(&patience, 20), 20);
    }
}

Test(dap_pace, a_slow_answer_is_remembered_for_a_while)
{
    patience = (struct dap_patience){0};
    dap_patience_answered(&patience, 50000);
    for (unsigned i = 0; i < 700; i++)
        dap_patience_answered(&patience, 500);
    cr_expect_geq(dap_patience_ms(&patience, 1000), 95);
    for (unsigned i = 0; i < 2000; i++)
        dap_patience_answered(&patience, 500);
    cr_expect_eq(dap_patience_ms(&patience, 1000), DAP_PATIENCE_MS_MIN);
}

/* Four waits in a row must take at least as long as the longest wait, so that the probe is not given up too soon. */
Test(dap_pace, waits_become_longer_while_no_answer_arrives)
{
    unsigned sum_ms = 0;

    patience = (struct dap_patience){0};
    dap_patience_answered(&patience, 100);
    for (unsigned i = 0; i < 4; i++) {
        unsigned ms = dap_patience_ms(&patience, 1000);

        sum_ms += ms;
        dap_patience_ended(&patience, ms);
    }
    cr_expect_geq(sum_ms, 1000);
}
