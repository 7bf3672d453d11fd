/* SPDX-License-Identifier: MIT */
/* For all tests of lost events: rings whose reader is about to be lapped. */
#ifndef TXTAP_TESTS_RING_LOSS_H
#define TXTAP_TESTS_RING_LOSS_H

#include <criterion/criterion.h>
#include <string.h>

#include "ring/txtb_fixture.h"

static inline void expect(const char *what, const char *expected)
{
    cr_assert_str_eq(what, expected);
}

/* Sets up a ring of 8 slots. Events 14 to 20 were read, so the guard is event 20, in slot 4. */
static inline void set_up_a_running_one(bool counts)
{
    set_up(8, counts);
    target_write(fixture_target, 21);
    attach(TXTAP_RING_FROM_OLDEST);
    expect(exchange(), "14..20");
}

static inline const char *exchange_after(uint64_t us)
{
    fixture.target.now_us += us;
    return exchange();
}

/* Checks that the missing events are in a gap. The reader may skip more entries, as its plan chooses. */
static inline void resumes_up_to(uint64_t newest)
{
    const char *text = exchange_until_quiet();

    cr_assert_eq(strncmp(text, "lost ", 5), 0, "delivered: %s", text);
    cr_assert_eq(fixture.delivered.run_end, newest + 1, "delivered: %s", text);
}

/* Sets up a ring of 8 slots. The reader has found that laps are not counted, and has read events up to 44. */
static inline void set_up_one_known_not_to_count(void)
{
    set_up_a_running_one(false);
    for (int i = 0; i < 6; i++) {
        target_write(fixture_target, 4);
        exchange_until_quiet();
    }
    cr_assert_eq(fixture.inside.laps_state, TXTAP_LAPS_NONE);
}

/* Stops the writer in the last event of a lap, before its last store: the pointer has moved, the lap is not counted. */
static inline void stop_before_the_count(uint64_t events)
{
    target_write(fixture_target, events - 1);
    for (int i = 0; i < 9; i++)
        target_store(fixture_target);
    cr_assert_eq(fixture.target.store, 9);
}

#endif
