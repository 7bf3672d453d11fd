/* SPDX-License-Identifier: MIT */
/* A recorder that counts half-laps, in words beside its buffer. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ring/txtb_fixture.h"
#include "txtb_bytes.h"

#define ENTRIES      64u
#define HALF_LAPS_AT (TARGET_HALF_LAPS + 4)
#define LIFE_AT      (TARGET_HALF_LAPS + 8)

static void set_up_half_laps(void)
{
    set_up(ENTRIES, true);
    fixture.target.counts_half_laps = true;
}

static void put_word(uint32_t address, uint32_t value)
{
    put_u32(fixture.target.half_laps + (address - TARGET_HALF_LAPS), fixture.target.endian, value);
}

Test(ring_half_laps, are_read_as_one_piece_of_three_words_after_the_entries)
{
    set_up_half_laps();
    target_write(fixture_target, 10);
    attach(TXTAP_RING_FROM_OLDEST);
    cr_expect_str_eq(exchange(), "0..9");
    cr_expect_eq(fixture.target.reads_in_last_exchange, 2);
    cr_expect_eq(fixture.target.bytes_in_last_exchange, 10 * TXTB_ENTRY_BYTES + TXTAP_RING_HALF_LAPS_BYTES);
    cr_expect_str_eq(exchange(), "");
    cr_expect_eq(fixture.target.bytes_in_last_exchange, TXTAP_RING_HALF_LAPS_BYTES);
}

/*
 * Between the reads of pointer and count the writer may write up to half a lap. The half-lap may end after any of these
 * events.
 */
Test(ring_half_laps, one_exchange_is_enough_wherever_the_ring_wraps_in_it)
{
    for (uint64_t written = 1; written <= 3 * ENTRIES; written++)
        for (uint64_t meanwhile = 0; meanwhile < ENTRIES / 2; meanwhile += 31) {
            char expected[32];

            set_up_half_laps();
            target_write(fixture_target, written);
            attach(TXTAP_RING_FROM_NOW);
            exchange_until_quiet();
            target_write(fixture_target, 5);
            exchange();
            snprintf(expected, sizeof expected, "%u..%u", (unsigned)written, (unsigned)written + 4);
            write_before(HALF_LAPS_AT, meanwhile);
            cr_expect_str_eq(exchange(), expected, "%u events, and %u in the exchange: %s", (unsigned)written,
                             (unsigned)meanwhile, fixture.delivered.text);
        }
}

Test(ring_half_laps, a_loss_of_any_number_of_laps_is_exact)
{
    set_up_half_laps();
    target_write(fixture_target, 10);
    attach(TXTAP_RING_FROM_OLDEST);
    cr_expect_str_eq(exchange(), "0..9");
    target_skip_laps(fixture_target, 65535);
    cr_expect_str_eq(exchange_until_quiet(), "lost 4194241, 4194251..4194313");
}

/*
 * Checks that a reader notices that it is lapped in each exchange. It could miss this if it left so many entries out
 * that the few entries it reads were still valid.
 */
static void notices_that_it_is_lapped(enum txtap_ring_from from, bool delivers_first)
{
    set_up_half_laps();
    target_write(fixture_target, 130);
    attach(from);
    if (delivers_first)
        exchange_until_quiet();
    for (int i = 0; i < 5; i++) {
        target_write(fixture_target, 5);
        write_before(TARGET_HALF_LAPS, 2 * ENTRIES + 20);
        cr_expect_str_eq(exchange(), "");
    }
    cr_expect(fixture.inside.overtaken);
}

Test(ring_half_laps, a_reader_that_is_lapped_in_each_exchange_detects_it)
{
    notices_that_it_is_lapped(TXTAP_RING_FROM_OLDEST, false);
    notices_that_it_is_lapped(TXTAP_RING_FROM_START, false);
    notices_that_it_is_lapped(TXTAP_RING_FROM_OLDEST, true);
}

/* A reader without a target: the test makes up the answers to its reads. */
static struct {
    struct txtap_header header;
    union {
        struct txtap_ring ring;
        struct ring_inside inside; /* internals of the same ring */
    };
    struct txtap_ring_plan plan;
    struct txtap_ring_batch batch;
    uint8_t buffer[TARGET_ENTRIES_MAX * TXTB_ENTRY_BYTES];
} alone;

static void attach_alone(uint16_t laps, uint32_t half_laps)
{
    uint8_t bytes[TXTB_HEADER_BYTES];

    memset(alone.buffer, 1, sizeof alone.buffer);
    put_header(bytes, TXTAP_LITTLE, TARGET_BASE, 32, 0, ENTRIES);
    cr_assert_eq(txtap_header_parse(bytes, &alone.header), TXTAP_OK);
    alone.header.laps = laps;
    txtap_ring_init(&alone.ring, &(struct txtap_ring_config){&alone.header,
                                                             TARGET_BASE,
                                                             alone.buffer,
                                                             TARGET_ENTRIES_MAX,
                                                             TXTAP_RING_FROM_NOW,
                                                             {TARGET_HALF_LAPS, alone.header.current, half_laps, 1},
                                                             0});
}

/* Makes the next exchange. Its answers say that the writer is in `slot` and has counted `half_laps` half-laps. */
static enum txtap_status answer(uint32_t slot, uint32_t half_laps)
{
    const struct txtap_read *words;

    txtap_ring_plan(&alone.ring, &alone.plan, 1000);
    words = &alone.plan.reads[alone.plan.count - 1];
    put_u32(words->buffer, TXTAP_LITTLE, alone.header.ring_start + slot * TXTB_ENTRY_BYTES);
    put_u32(words->buffer + 4, TXTAP_LITTLE, half_laps);
    put_u32(words->buffer + 8, TXTAP_LITTLE, 1);
    return txtap_ring_commit(&alone.ring, &alone.plan, 1000, &alone.batch);
}

Test(ring_half_laps, their_32_bits_may_wrap)
{
    uint64_t attached;

    attach_alone(0xFFFF, 0xFFFFFFFEu);
    attached = alone.inside.head;
    cr_expect_eq(attached, 0x80000000ull * ENTRIES);
    for (uint32_t n = 1; n < 10; n++) {
        cr_expect_eq(answer(n % 2 * ENTRIES / 2 + 3, 0xFFFFFFFEu + n), TXTAP_OK);
        cr_expect_eq(alone.inside.head, attached + n * ENTRIES / 2 + 3);
    }
    cr_expect_eq(answer(3, 0xFFFFFFFEu), TXTAP_ERROR_MOVED, "the count went back");
}

Test(ring_half_laps, another_life_is_another_trace_although_the_header_is_equal)
{
    set_up_half_laps();
    target_write(fixture_target, 2 * ENTRIES + 10);
    attach(TXTAP_RING_FROM_OLDEST);
    exchange_until_quiet();
    put_word(LIFE_AT, 2);
    cr_expect_str_eq(exchange(), "moved");
}

Test(ring_half_laps, an_abandoned_buffer_is_read_to_its_end_by_its_header)
{
    set_up_half_laps();
    target_write(fixture_target, 2 * ENTRIES - 10);
    attach(TXTAP_RING_FROM_NOW);
    cr_expect_str_eq(exchange_until_quiet(), "");
    target_write(fixture_target, 30);
    put_word(TARGET_HALF_LAPS, 0x20008000u); /* the restarted firmware records in another buffer */
    put_word(HALF_LAPS_AT, 0);
    put_word(LIFE_AT, 2);
    cr_expect_str_eq(exchange_until_quiet(), "118..147");
    cr_expect_eq(fixture.inside.half_laps_at, 0);
    put_word(LIFE_AT, 4); /* a third life may have written to this buffer */
    cr_expect_str_eq(exchange(), "moved");
}

/* While both traces are in their first lap, only the word at LIFE_AT distinguishes the two traces. */
Test(ring_half_laps, a_trace_that_returns_to_an_abandoned_buffer_is_another_trace)
{
    set_up_half_laps();
    target_write(fixture_target, 3);
    attach(TXTAP_RING_FROM_OLDEST);
    cr_expect_str_eq(exchange_until_quiet(), "0..2");
    target_write(fixture_target, 1);
    put_word(TARGET_HALF_LAPS, 0); /* a trace is being set up; until that is finished, the reader trusts nothing */
    put_word(LIFE_AT, 2);
    cr_expect_str_eq(exchange_until_quiet(), "");
    target_set_up_again(fixture_target, ENTRIES);
    target_write(fixture_target, 5);
    cr_expect_str_eq(exchange(), "moved");
}
