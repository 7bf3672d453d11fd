/* SPDX-License-Identifier: MIT */
/*
 * The kernel event logger's ring: each word of it, events at each offset, a full ring, and drops. The test is built
 * with 128 words as in the original, and with 100, which is not a power of two.
 */
#include "kernel_event_logger.h"
#include "target/event_logger_port.h"

#include <criterion/criterion.h>
#include <string.h>

enum { WORDS = CONFIG_KERNEL_EVENT_LOGGER_BUFFER_SIZE, USABLE = WORDS - 1, DATA_MAX = 255 };

static struct event_logger_ring *const ring = &sys_k_event_logger.ring_buf;

static uint32_t pattern(uint32_t seed, uint32_t i)
{
    return seed * 0x01000193u ^ i * 0x9E3779B9u;
}

static void put(uint16_t id, uint32_t length)
{
    uint32_t data[DATA_MAX];
    for (uint32_t i = 0; i < length; i++) {
        data[i] = pattern(id, i);
    }
    sys_k_event_logger_put(id, data, (uint8_t)length);
}

static void expect_event(uint16_t id, uint32_t length, uint8_t dropped)
{
    cr_assert_eq(get_event(DATA_MAX), (int)length);
    cr_assert_eq(got.id, id);
    cr_assert_eq(got.dropped, dropped);
    cr_assert_eq(got.size, length);
    for (uint32_t i = 0; i < length; i++) {
        cr_assert_eq(got.data[i], pattern(id, i), "word %u", i);
    }
}

/* Empties the ring and leaves head and tail at `offset`. */
static void begin_at(uint32_t offset)
{
    sys_k_event_logger_init();
    uint32_t left = offset; /* the words before `offset` are filled with events of 2 words and one of 3 words */
    if (left == 1) {
        left += WORDS;
    }
    for (; left != 0; left -= left == 3 ? 3 : 2) {
        put(7, left == 3 ? 2 : 1);
        cr_assert_gt(get_event(2), 0);
    }
    cr_assert_eq(ring->head, offset);
    cr_assert_eq(ring->tail, offset);
}

/* --------------------------------------------------------------------------------------------- layout */

Test(event_logger, lays_its_memory_out_as_zephyr_did)
{
    /* On this machine a pointer may have 8 bytes. On the target it has one word, which the logger asserts. */
    const size_t pointer = sizeof(void *);
    cr_expect_eq(offsetof(struct event_logger, sync_sema), 0);
    cr_expect_eq(offsetof(struct event_logger, ring_buf), 2 * pointer + 8);
    cr_expect_eq(offsetof(struct event_logger_sync, count), 2 * pointer);
    cr_expect_eq(offsetof(struct event_logger_sync, limit), 2 * pointer + 4);
    cr_expect_eq(offsetof(struct event_logger_ring, head), 0);
    cr_expect_eq(offsetof(struct event_logger_ring, tail), 4);
    cr_expect_eq(offsetof(struct event_logger_ring, dropped_put_count), 8);
    cr_expect_eq(offsetof(struct event_logger_ring, size), 12);
    cr_expect_eq(offsetof(struct event_logger_ring, buf), 16);
    cr_expect_eq(offsetof(struct event_logger_ring, mask), 16 + pointer);
    cr_expect_eq(sizeof _sys_k_event_logger_buffer, WORDS * 4);
}

Test(event_logger, starts_empty)
{
    memset(&sys_k_event_logger, 0xEE, sizeof sys_k_event_logger);
    sys_k_event_logger_init();
    cr_expect(sys_k_event_logger.sync_sema.wait_queue[0] == NULL);
    cr_expect(sys_k_event_logger.sync_sema.wait_queue[1] == NULL);
    cr_expect_eq(sys_k_event_logger.sync_sema.count, 0);
    cr_expect_eq(sys_k_event_logger.sync_sema.limit, 0xFFFFFFFFu);
    cr_expect_eq(ring->head, 0);
    cr_expect_eq(ring->tail, 0);
    cr_expect_eq(ring->dropped_put_count, 0);
    cr_expect_eq(ring->size, WORDS);
    cr_expect(ring->buf == _sys_k_event_logger_buffer);
    cr_expect_eq(ring->mask, WORDS == 128 ? 127u : 0u);
    cr_expect_eq(get_event(DATA_MAX), 0);
}

Test(event_logger, ignores_events_until_it_is_initialised)
{
    put(40, 3);
    sys_k_event_logger_put_timed(41);
    cr_expect_eq(get_event(DATA_MAX), 0);
    cr_expect_eq(ring->dropped_put_count, 0);
    cr_expect_eq(txtap_event_logger_totals.events_dropped, 0);
    sys_k_event_logger_init();
    cr_expect_eq(get_event(DATA_MAX), 0);
    cr_expect_eq(port_signals, 0);
}

Test(event_logger, writes_a_known_sequence_word_for_word)
{
    sys_k_event_logger_init();
    sys_k_event_logger_put(0x1234, (const uint32_t[]){0xA1, 0xA2}, 2);
    port_stamp = 0xDEADBEEF;
    sys_k_event_logger_put_timed(0xFFFF);
    put(9, USABLE - 5); /* needs one word too many */
    put(9, 0);
    sys_k_event_logger_put(1, (const uint32_t[]){0xA3}, 1);
    const uint32_t expected[] = {0x00021234, 0xA1, 0xA2, 0x0001FFFF, 0xDEADBEEF, 0x02010001, 0xA3};
    cr_expect_arr_eq(_sys_k_event_logger_buffer, expected, sizeof expected);
    cr_expect_eq(ring->head, 0);
    cr_expect_eq(ring->tail, 7);
    cr_expect_eq(sys_k_event_logger.sync_sema.count, 3);
    cr_expect_eq(txtap_event_logger_totals.words_put, 7);
    cr_expect_eq(txtap_event_logger_totals.events_dropped, 2);
    cr_expect_eq(txtap_event_logger_totals.events_put, 3);
}

Test(event_logger, starts_again_when_initialised_again)
{
    sys_k_event_logger_init();
    put(9, 4);
    put(9, DATA_MAX);
    cr_assert_eq(get_event(DATA_MAX), 4);
    put(9, 4);
    sys_k_event_logger_init();
    cr_expect_eq(ring->head, 0);
    cr_expect_eq(ring->tail, 0);
    cr_expect_eq(txtap_event_logger_totals.words_put, 0);
    cr_expect_eq(txtap_event_logger_totals.events_put, 0);
    cr_expect_eq(txtap_event_logger_totals.events_dropped, 0);
    put(10, 1);
    expect_event(10, 1, 0);
    cr_expect_eq(get_event(DATA_MAX), 0);
}

/* ---------------------------------------------------------------------------------------- every offset */

Test(event_logger, keeps_events_of_every_length_at_every_offset)
{
    for (uint32_t offset = 0; offset < WORDS; offset++) {
        for (uint32_t length = 1; length < USABLE; length++) {
            begin_at(offset);
            uint16_t id = (uint16_t)(offset << 8 | length);
            put(id, length);
            cr_assert_eq(ring->tail, (offset + length + 1) % WORDS);
            cr_assert_eq(_sys_k_event_logger_buffer[offset], length << 16 | id);
            for (uint32_t i = 0; i < length; i++) {
                cr_assert_eq(_sys_k_event_logger_buffer[(offset + 1 + i) % WORDS], pattern(id, i));
            }
            expect_event(id, length, 0);
            cr_assert_eq(ring->head, ring->tail);
        }
    }
}

Test(event_logger, uses_all_words_but_one_at_every_offset)
{
    for (uint32_t offset = 0; offset < WORDS; offset++) {
        begin_at(offset);
        put(5, USABLE); /* fills the whole ring, with its header */
        cr_assert_eq(ring->dropped_put_count, 1);
        cr_assert_eq(ring->tail, offset);
        put(5, USABLE - 1);
        cr_assert_eq(ring->tail, (offset + USABLE) % WORDS);
        put(5, 1);
        cr_assert_eq(ring->dropped_put_count, 1, "the count was delivered with the event and started again");
        expect_event(5, USABLE - 1, 1);
        cr_assert_eq(get_event(DATA_MAX), 0);
    }
}

Test(event_logger, leaves_a_remainder_that_is_too_small_unused)
{
    for (uint32_t offset = 0; offset < WORDS; offset++) {
        begin_at(offset);
        put(5, USABLE - 3); /* leaves 2 words free */
        put(6, 2);
        cr_assert_eq(ring->dropped_put_count, 1);
        put(7, 1);
        cr_assert_eq(ring->dropped_put_count, 0);
        expect_event(5, USABLE - 3, 0);
        expect_event(7, 1, 1);
        cr_assert_eq(get_event(DATA_MAX), 0);
    }
}

Test(event_logger, holds_forty_two_context_switches_in_128_words)
{
    sys_k_event_logger_init();
    uint16_t stored = 0;
    while (ring->dropped_put_count == 0) {
        put(++stored, 2);
    }
    cr_expect_eq(stored - 1, USABLE / 3);
}

/* ----------------------------------------------------------------------------------------- full, drops */

Test(event_logger, drops_new_events_and_keeps_the_old)
{
    sys_k_event_logger_init();
    uint16_t stored = 0;
    while (ring->dropped_put_count == 0) {
        put(++stored, 1);
    }
    for (uint16_t id = 1000; id < 1500; id++) {
        put(id, 1);
    }
    for (uint16_t id = 1; id < stored; id++) {
        expect_event(id, 1, 0);
    }
    cr_expect_eq(get_event(DATA_MAX), 0);
    put(9, 1);
    expect_event(9, 1, 255);
}

Test(event_logger, delivers_the_drop_count_with_the_next_event_up_to_255)
{
    static const uint32_t counts[] = {0, 1, 2, 254, 255, 256, 257, 511, 512, 100000};
    uint32_t total = 0;
    sys_k_event_logger_init();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        put(8, USABLE - 1);
        for (uint32_t n = 0; n < counts[i]; n++) {
            put(9, 1);
        }
        total += counts[i];
        cr_assert_eq(ring->dropped_put_count, counts[i]);
        cr_assert_eq(txtap_event_logger_totals.events_dropped, total, "the total does not saturate");
        expect_event(8, USABLE - 1, 0);
        put(10, 1);
        cr_assert_eq(ring->dropped_put_count, 0);
        put(11, 1);
        expect_event(10, 1, (uint8_t)(counts[i] < 255 ? counts[i] : 255));
        expect_event(11, 1, 0);
    }
}

Test(event_logger, counts_drops_up_to_the_largest_word)
{
    sys_k_event_logger_init();
    ring->dropped_put_count = 0xFFFFFFFEu;
    put(9, USABLE);
    put(9, USABLE);
    put(9, USABLE);
    cr_expect_eq(ring->dropped_put_count, 0xFFFFFFFFu);
    put(10, 1);
    expect_event(10, 1, 255);
}

Test(event_logger, drops_and_counts_an_event_without_words)
{
    sys_k_event_logger_init();
    sys_k_event_logger_put(9, NULL, 0);
    cr_expect_eq(ring->tail, 0);
    cr_expect_eq(get_event(DATA_MAX), 0);
    put(10, 1);
    expect_event(10, 1, 1);
}

Test(event_logger, drops_and_counts_an_event_longer_than_the_ring)
{
    sys_k_event_logger_init();
    put(9, DATA_MAX);
    put(10, 1);
    expect_event(10, 1, 1);
}

/* ------------------------------------------------------------------------------------------ EMSGSIZE */

Test(event_logger, says_how_much_room_is_needed_and_keeps_the_event)
{
    for (uint32_t offset = 0; offset < WORDS; offset++) {
        begin_at(offset);
        put(9, USABLE);
        put(10, 5);
        put(11, 1);
        for (uint8_t room = 0; room < 5; room++) {
            struct event_logger before = sys_k_event_logger;
            cr_assert_eq(get_event(room), -EMSGSIZE);
            cr_assert_eq(got.size, 5);
            cr_assert_eq(got.id, 0xEEEE, "nothing else is changed");
            cr_assert_eq(got.dropped, 0xEE);
            cr_assert_eq(got.data[0], 0xEEEEEEEEu);
            cr_assert_eq(memcmp(&before, &sys_k_event_logger, sizeof before), 0);
        }
        cr_assert_eq(get_event(got.size), 5, "exactly that much room is enough");
        cr_assert_eq(got.id, 10);
        cr_assert_eq(got.dropped, 1);
        cr_assert_eq(got.data[5], 0xEEEEEEEEu, "no further word is written");
        expect_event(11, 1, 0);
    }
}

Test(event_logger, changes_nothing_when_there_is_no_event)
{
    sys_k_event_logger_init();
    cr_expect_eq(get_event(17), 0);
    cr_expect_eq(got.size, 17);
    cr_expect_eq(got.id, 0xEEEE);
    cr_expect_eq(got.dropped, 0xEE);
    cr_expect_eq(got.data[0], 0xEEEEEEEEu);
}
