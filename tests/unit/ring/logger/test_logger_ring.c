/* SPDX-License-Identifier: MIT */
/* Tests of the event logger's ring with fixed sequences of events. Random sequences are in test_logger_model.c. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "ring/logger/event_logger_fixture.h"

Test(logger_ring, reads_old_and_new_events_at_every_offset_of_the_ring)
{
    static const enum target_logger kinds[] = {TARGET_COUNTS, TARGET_ZEPHYR};

    for (size_t k = 0; k < 2; k++)
        for (uint32_t size = 16; size <= 20; size++)
            for (uint32_t offset = 0; offset < 2 * size; offset++) {
                char text[64];

                begin(kinds[k], size);
                pass_events(offset, 1); /* two words each */
                put_events(1, 3);
                put_events(1, 2);
                attach(TXTAP_RING_FROM_OLDEST);
                poll_ring(4);
                follow_events(1, 5);
                snprintf(text, sizeof text, "%u..%u", offset, offset + 2);
                expect_items(kinds[k] == TARGET_COUNTS ? offset : 0, text);
            }
}

Test(logger_ring, shows_events_that_the_collector_took_between_polls)
{
    begin_following(TARGET_COUNTS, 128);
    pass_events(20, 2);
    poll_ring(4);
    expect_items(0, "0..19");
}

Test(logger_ring, notices_a_logger_that_was_restarted)
{
    begin(TARGET_COUNTS, 32);
    pass_events(300, 3);
    attach(TXTAP_RING_FROM_OLDEST);
    poll_ring(3);
    target_reset();
    put_events(1, 3);
    cr_assert_eq(poll_once(), TXTAP_ERROR_MOVED);
    target.ring[BUFFER] = 0;
    cr_assert_eq(poll_once(), TXTAP_ERROR_MOVED, "the buffer is not set up");
    target.ring[BUFFER] = TARGET_BUFFER;
    fixture.count = 0;
    attach(TXTAP_RING_FROM_START);
    put_events(1, 1);
    target_get();
    poll_ring(4);
    expect_items(0, "lost 1, 1");
}

Test(logger_ring, refuses_invalid_indexes)
{
    begin(TARGET_COUNTS, 32);
    attach(TXTAP_RING_FROM_OLDEST);
    poll_ring(2);
    target.ring[HEAD] = 32;
    cr_assert_eq(poll_once(), TXTAP_ERROR_POINTER);
    target.ring[HEAD] = 0;
    target.ring[TAIL] = UINT32_MAX;
    cr_assert_eq(poll_once(), TXTAP_ERROR_POINTER);
}

Test(logger_ring, reads_a_resting_ring_at_once)
{
    begin(TARGET_ZEPHYR, 32);
    put_events(6, 4);
    attach(TXTAP_RING_AT_REST);
    poll_ring(2);
    expect_items(0, "0..5");
    finish();
    expect_items(0, "0..5");
}

Test(logger_ring, reports_how_far_it_has_read)
{
    struct txtap_logger_state state;

    begin(TARGET_COUNTS, 32);
    attach(TXTAP_RING_FROM_START);
    cr_expect_not(txtap_logger_state(&fixture.ring).sampled);
    put_events(3, 4);
    poll_ring(4);
    expect_items(0, "0..2");
    state = txtap_logger_state(&fixture.ring);
    cr_expect(state.sampled && state.ready && !state.guarded);
    cr_expect_eq(state.seq, 3);
    cr_expect_eq(state.next, state.head);
    txtap_logger_mark_inexact(&fixture.ring);
    cr_expect(fixture.inside.inexact);
}

Test(logger_ring, leaves_out_invalid_items)
{
    begin(TARGET_COUNTS, 32);
    put_events(1, 2);
    attach(TXTAP_RING_FROM_OLDEST);
    poll_ring(4);
    put_events(1, 4);
    put_events(1, 4);
    target.buffer[3] |= 200u << 16; /* a header that the logger did not write */
    poll_ring(4);
    follow_events(1, 1);
    expect_items(0, "0, lost 2+, 3");
}
