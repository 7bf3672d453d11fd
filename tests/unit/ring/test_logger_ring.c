/* SPDX-License-Identifier: MIT */
/* The logger's ring, where it is known what will happen. test_logger_model.c has the rest. */
#include <criterion/criterion.h>
#include <string.h>

#include "ring/event_logger_target.h"
#include "txtap/event.h"

#define ITEMS_MAX 512

struct story {
    struct logger_target target;
    struct txtap_logger_ring ring;
    uint32_t copy[TARGET_SIZE_MAX];
    uint8_t raw[4 * TARGET_SIZE_MAX];
    struct txtap_logger_item items[ITEMS_MAX];
    size_t count;
    enum txtap_status status;
    uint64_t step_us; /* from look to look */
    unsigned reads;   /* of words, for who wants to know */
};

static struct story story;

static void begin(enum target_logger kind, uint32_t size)
{
    memset(&story, 0, sizeof story);
    logger_target_init(&story.target, kind, size, 1);
    story.step_us = TXTAP_LOGGER_HOLD_US + 1000;
}

static void attach(enum txtap_ring_from from)
{
    struct txtap_logger_place place = logger_target_place(&story.target);

    txtap_logger_init(&story.ring, &(struct txtap_logger_config){&place, story.copy, story.target.size, story.raw,
                                                                 TARGET_SIZE_MAX, from});
}

static void take(void)
{
    while (story.count < ITEMS_MAX && txtap_logger_next(&story.ring, &story.items[story.count]))
        story.count++;
}

static void look(unsigned times)
{
    struct txtap_logger_plan plan;

    for (; times > 0 && story.status == TXTAP_OK; times--) {
        story.target.now_us += story.step_us;
        txtap_logger_plan(&story.ring, &plan, story.target.now_us);
        logger_target_read(&story.target, &plan);
        story.status = txtap_logger_commit(&story.ring, &plan, story.target.now_us);
        take();
    }
}

static void expect_event(size_t i, uint64_t seq, uint64_t number)
{
    cr_assert_lt(i, story.count);
    cr_assert_eq(story.items[i].lost, 0, "item %zu is a gap", i);
    cr_assert_eq(story.items[i].seq, seq, "item %zu has seq %lu", i, (unsigned long)story.items[i].seq);
    cr_assert_eq(logger_target_number(&story.target, &story.items[i]), number);
}

static void expect_gap(size_t i, uint64_t seq, uint64_t lost, bool exact)
{
    cr_assert_lt(i, story.count);
    cr_assert_eq(story.items[i].lost, lost, "item %zu: %lu lost", i, (unsigned long)story.items[i].lost);
    cr_assert_eq(story.items[i].seq, seq);
    cr_assert_eq(story.items[i].exact, exact);
}

Test(logger_ring, reads_what_is_there_and_what_comes_at_every_offset_of_the_ring)
{
    static const enum target_logger kinds[] = {TARGET_COUNTS, TARGET_OLD_COUNTS, TARGET_ZEPHYR};

    for (size_t k = 0; k < 3; k++)
        for (uint32_t size = 16; size <= 20; size++)
            for (uint32_t offset = 0; offset < 2 * size; offset++) {
                uint32_t before = 0;

                begin(kinds[k], size);
                for (; before < offset; before++) { /* two words each */
                    logger_target_put(&story.target, 1);
                    logger_target_get(&story.target);
                }
                logger_target_put(&story.target, 3);
                logger_target_put(&story.target, 2);
                attach(TXTAP_RING_FROM_OLDEST);
                look(4);
                logger_target_put(&story.target, 5);
                look(4);
                cr_assert_eq(story.count, 3, "kind %zu, %u words, offset %u: %zu", k, size, offset, story.count);
                for (size_t i = 0; i < 3; i++)
                    expect_event(i, kinds[k] == TARGET_COUNTS ? before + i : i, before + i);
            }
}

Test(logger_ring, shows_what_the_collector_got_in_between)
{
    begin(TARGET_COUNTS, 128);
    attach(TXTAP_RING_FROM_NOW);
    look(2);
    for (int i = 0; i < 20; i++) {
        logger_target_put(&story.target, 2);
        logger_target_get(&story.target);
    }
    look(4);
    cr_assert_eq(story.count, 20);
    for (size_t i = 0; i < 20; i++)
        expect_event(i, i, i);
}

/* Words that are written just now belong to an event that is longer than the ring is free before the head. */
static void put_half(struct logger_target *target)
{
    static unsigned reads;

    if (++reads % 2 == 0)
        logger_target_store(target);
}

Test(logger_ring, does_not_show_an_event_whose_place_is_being_written)
{
    begin(TARGET_COUNTS, 16);
    story.step_us = 100;
    attach(TXTAP_RING_FROM_NOW);
    look(2);
    logger_target_put(&story.target, 4);
    look(1);
    logger_target_get(&story.target);
    logger_target_begin(&story.target, 13); /* reaches round to the one before */
    story.target.between = put_half;
    look(2);
    story.target.between = NULL;
    logger_target_end(&story.target);
    look(4);
    cr_assert_eq(story.count, 2);
    expect_gap(0, 0, 1, true);
    expect_event(1, 1, 1);
}

Test(logger_ring, counts_what_was_overwritten_unseen)
{
    begin(TARGET_COUNTS, 32);
    attach(TXTAP_RING_FROM_NOW);
    look(2);
    logger_target_put(&story.target, 2);
    look(4);
    for (int i = 0; i < 500; i++) {
        logger_target_put(&story.target, 1);
        logger_target_get(&story.target);
    }
    logger_target_put(&story.target, 1);
    look(4);
    logger_target_put(&story.target, 2);
    look(4);
    expect_event(0, 0, 0);
    expect_gap(1, 1, story.items[1].lost, true);
    cr_assert_gt(story.items[1].lost, 450);
    for (size_t i = 2; i < story.count; i++) /* what the ring holds still, and what came */
        expect_event(i, story.items[1].lost + i - 1, story.items[1].lost + i - 1);
    cr_assert_eq(story.items[story.count - 1].seq, 502);
}

Test(logger_ring, says_at_least_where_nobody_counts)
{
    begin(TARGET_ZEPHYR, 32);
    attach(TXTAP_RING_FROM_NOW);
    look(2);
    logger_target_put(&story.target, 2);
    look(4);
    for (int i = 0; i < 501; i++) {
        logger_target_put(&story.target, 1);
        logger_target_get(&story.target);
    }
    look(30);
    logger_target_put(&story.target, 2);
    look(4);
    cr_assert_eq(story.count, 3, "%zu items", story.count);
    expect_event(0, 0, 0);
    expect_gap(1, 1, 1, false);
    cr_assert_eq(story.items[1].lap, 1, "it may be larger by any number");
    expect_event(2, 2, 502);
}

Test(logger_ring, says_at_least_and_by_what_more_where_drops_are_counted_in_eight_bits)
{
    size_t last;

    begin(TARGET_ZEPHYR, 32);
    attach(TXTAP_RING_FROM_NOW);
    look(2);
    for (int i = 0; i < 10; i++) { /* ten fit */
        logger_target_put(&story.target, 2);
        look(4);
    }
    for (int i = 0; i < 300; i++)
        logger_target_put(&story.target, 2);
    while (story.target.ring[0] != story.target.ring[1])
        logger_target_get(&story.target);
    logger_target_put(&story.target, 2);
    look(4);
    cr_assert_geq(story.count, 2);
    last = story.count - 1;
    expect_gap(last - 1, story.items[last].seq - 300 % 256, 300 % 256, false);
    cr_assert_eq(story.items[last - 1].lap, 256);
    expect_event(last, story.items[last].seq, 310);
}

Test(logger_ring, tells_drops_that_it_saw_though_the_header_says_none)
{
    begin(TARGET_ZEPHYR, 32);
    attach(TXTAP_RING_FROM_NOW);
    look(2);
    for (int i = 0; i < 10; i++) { /* ten fit */
        logger_target_put(&story.target, 2);
        look(4);
    }
    for (int i = 0; i < 256; i++) {
        logger_target_put(&story.target, 2);
        if (i == 100)
            look(1);
    }
    logger_target_get(&story.target);
    logger_target_put(&story.target, 2);
    look(4);
    cr_assert_eq(story.count, 12);
    expect_gap(10, 10, 256, false);
    cr_assert_eq(story.items[10].lap, 256);
    expect_event(11, 266, 266);
}

/* Puts an event and gets it, once: when the words before the tail were read, and not yet the tail. */
static void put_before_the_tail_is_read(struct logger_target *target)
{
    static const unsigned guard_words = 4;

    if (story.reads++ == guard_words) {
        logger_target_put(target, 7);
        logger_target_get(target);
    }
}

Test(logger_ring, does_not_take_words_that_were_just_overwritten_for_its_first_guard)
{
    begin(TARGET_ZEPHYR, 32);
    attach(TXTAP_RING_FROM_NOW);
    look(1);
    for (int i = 0; i < 3; i++) {
        logger_target_put(&story.target, 7);
        logger_target_get(&story.target);
    }
    story.reads = 0;
    story.target.between = put_before_the_tail_is_read; /* the tail is at its old place then, a lap further */
    look(1);
    cr_assert_geq(story.reads, 5);
    story.target.between = NULL;
    look(30);
    cr_assert_eq(story.count, 0, "nothing was lost");
    logger_target_put(&story.target, 2);
    look(4);
    cr_assert_eq(story.count, 1);
    expect_event(0, 0, 4);
}

static void put_between_the_looks_at_what_was_dropped(struct logger_target *target)
{
    static const unsigned words_before = 12; /* the first guard's four, the ring's six, head and tail again */

    if (story.reads++ == words_before) {
        while (target->ring[0] != target->ring[1])
            logger_target_get(target);
        logger_target_put(target, 8);
        logger_target_put(target, 8);
        logger_target_put(target, 8);
        logger_target_put(target, 8);
    }
}

Test(logger_ring, what_was_dropped_later_is_not_taken_for_older_than_the_attachment)
{
    begin(TARGET_ZEPHYR, 32);
    attach(TXTAP_RING_FROM_NOW);
    look(1);
    story.target.between = put_between_the_looks_at_what_was_dropped;
    look(1);
    story.target.between = NULL;
    cr_assert_eq(story.target.ring[2], 1);
    look(4);
    cr_assert_eq(story.count, 3);
    for (size_t i = 0; i < story.count; i++)
        expect_event(i, i, i);
}

static void put_at_the_first_word(struct logger_target *target)
{
    if (story.reads++ == 0) { /* behind the first look, before the second */
        logger_target_put(target, 2);
        logger_target_put(target, 2);
    }
}

Test(logger_ring, what_one_look_saw_of_drops_is_forgotten_by_the_next_one)
{
    begin(TARGET_ZEPHYR, 32);
    for (int i = 0; i < 11; i++)
        logger_target_put(&story.target, 2); /* the last one is dropped */
    while (story.target.ring[0] != story.target.ring[1])
        logger_target_get(&story.target);
    attach(TXTAP_RING_FROM_OLDEST);
    look(1);
    story.target.between = put_at_the_first_word;
    look(1);
    story.target.between = NULL;
    logger_target_get(&story.target);
    look(4);
    for (size_t i = 0; i < story.count; i++)
        cr_expect_eq(story.items[i].lost, 0, "item %zu: %lu lost", i, (unsigned long)story.items[i].lost);
    expect_event(story.count - 1, story.count - 1, 12);
}

Test(logger_ring, counts_drops_beyond_what_a_header_can_say)
{
    begin(TARGET_COUNTS, 16);
    attach(TXTAP_RING_FROM_NOW);
    look(2);
    for (int i = 0; i < 1000; i++)
        logger_target_put(&story.target, 4); /* three fit */
    look(4);
    cr_assert_eq(story.count, 3);
    while (story.target.ring[0] != story.target.ring[1])
        logger_target_get(&story.target);
    logger_target_put(&story.target, 1);
    look(4);
    cr_assert_eq(story.count, 5);
    expect_gap(3, 3, 997, true);
    expect_event(4, 1000, 1000);
}

Test(logger_ring, tells_drops_of_a_ring_that_stands_now_and_then_and_at_the_end)
{
    begin(TARGET_COUNTS, 16);
    attach(TXTAP_RING_FROM_NOW);
    look(2);
    for (int i = 0; i < 13; i++)
        logger_target_put(&story.target, 4);
    look(5);
    cr_assert_eq(story.count, 3);
    look(400); /* 1.2 s */
    cr_assert_eq(story.count, 4);
    expect_gap(3, 3, 10, true);
    logger_target_put(&story.target, 4);
    look(5);
    txtap_logger_finish(&story.ring, story.ring.head.position);
    take();
    cr_assert_eq(story.count, 5);
    expect_gap(4, 13, 1, true);
    logger_target_get(&story.target);
    logger_target_put(&story.target, 4);
    look(4);
    cr_assert_eq(story.count, 6, "what was told is not told again");
    expect_event(5, 14, 14);
}

static void drop_one(struct logger_target *target)
{
    logger_target_put(target, 4); /* into a full ring */
}

Test(logger_ring, tells_drops_at_the_end_though_they_go_on_while_they_are_counted)
{
    begin(TARGET_COUNTS, 16);
    for (int i = 0; i < 3; i++)
        logger_target_put(&story.target, 4);
    attach(TXTAP_RING_FROM_OLDEST);
    look(4);
    cr_assert_eq(story.count, 3);
    story.target.between = drop_one;
    look(2);
    cr_assert_eq(story.count, 3);
    txtap_logger_finish(&story.ring, story.ring.head.position);
    take();
    cr_assert_eq(story.count, 4);
    cr_assert_not(story.items[3].exact);
    cr_assert(story.items[3].lost > 0 && story.items[3].lost <= story.target.numbers - 3);
}

Test(logger_ring, notices_a_logger_that_was_restarted)
{
    begin(TARGET_COUNTS, 32);
    for (int i = 0; i < 300; i++) {
        logger_target_put(&story.target, 3);
        logger_target_get(&story.target);
    }
    attach(TXTAP_RING_FROM_OLDEST);
    look(3);
    cr_assert_eq(story.status, TXTAP_OK);
    logger_target_reset(&story.target);
    logger_target_put(&story.target, 3);
    look(1);
    cr_assert_eq(story.status, TXTAP_ERROR_MOVED);
    story.status = TXTAP_OK;
    story.target.ring[4] = 0;
    look(1);
    cr_assert_eq(story.status, TXTAP_ERROR_MOVED, "a buffer that is not set up");
    story.target.ring[4] = TARGET_BUFFER;
    story.count = 0;
    story.status = TXTAP_OK;
    attach(TXTAP_RING_FROM_START);
    logger_target_put(&story.target, 1);
    logger_target_get(&story.target);
    look(4);
    cr_assert_eq(story.count, 2);
    expect_gap(0, 0, 1, true);
    expect_event(1, 1, 1);
}

Test(logger_ring, what_is_gone_since_the_start_is_told_where_only_words_are_counted)
{
    begin(TARGET_OLD_COUNTS, 32);
    logger_target_put(&story.target, 3);
    logger_target_get(&story.target);
    attach(TXTAP_RING_FROM_START);
    look(2);
    logger_target_put(&story.target, 1);
    look(4);
    cr_assert_eq(story.count, 2);
    expect_gap(0, 0, 1, false);
    expect_event(1, 1, 1);
}

Test(logger_ring, refuses_indexes_that_are_none)
{
    begin(TARGET_COUNTS, 32);
    attach(TXTAP_RING_FROM_OLDEST);
    look(2);
    story.target.ring[0] = 32;
    look(1);
    cr_assert_eq(story.status, TXTAP_ERROR_POINTER);
    story.target.ring[0] = 0;
    story.target.ring[1] = UINT32_MAX;
    story.status = TXTAP_OK;
    look(1);
    cr_assert_eq(story.status, TXTAP_ERROR_POINTER);
}

Test(logger_ring, reads_a_ring_that_rests_at_once)
{
    begin(TARGET_ZEPHYR, 32);
    for (int i = 0; i < 6; i++)
        logger_target_put(&story.target, 4);
    attach(TXTAP_RING_AT_REST);
    look(2);
    cr_assert_eq(story.count, 6);
    txtap_logger_finish(&story.ring, story.ring.head.position);
    take();
    cr_assert_eq(story.count, 6);
}

Test(logger_ring, leaves_out_what_is_no_event)
{
    begin(TARGET_COUNTS, 32);
    logger_target_put(&story.target, 2);
    attach(TXTAP_RING_FROM_OLDEST);
    look(4);
    logger_target_put(&story.target, 4);
    logger_target_put(&story.target, 4);
    story.target.buffer[3] |= 200u << 16; /* a header that somebody else wrote */
    look(4);
    logger_target_put(&story.target, 1);
    look(4);
    cr_assert_eq(story.count, 3);
    expect_event(0, 0, 0);
    expect_gap(1, 1, 2, false);
    expect_event(2, 3, 3);
}

/* ---- where it is ---- */

Test(logger_ring, is_found_wherever_the_ring_lies_in_the_structure)
{
    for (uint32_t at = 0; at <= 40; at += 4)
        for (int big = 0; big < 2; big++) {
            uint32_t words[16] = {0}, size = 0, offset = 99, ring[] = {3, 100, 0, 128, 0x20000100, 127};
            uint8_t bytes[64];

            memcpy(words + at / 4, ring, sizeof ring);
            for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] = (uint8_t)(words[i / 4] >> 8 * (big ? 3 - i % 4 : i % 4));
            cr_assert(
                txtap_logger_find(bytes, sizeof bytes, big ? TXTAP_BIG : TXTAP_LITTLE, 0x20000100, &size, &offset));
            cr_assert_eq(offset, at);
            cr_assert_eq(size, 128);
            size = 64;
            cr_assert_not(txtap_logger_find(bytes, sizeof bytes, TXTAP_LITTLE, 0x20000100, &size, &offset));
            size = 0;
            cr_assert_not(txtap_logger_find(bytes, at + 20, TXTAP_LITTLE, 0x20000100, &size, &offset));
        }
}

static bool found_with(uint32_t word, uint32_t value)
{
    uint32_t ring[] = {3, 99, 0, 100, 0x20000100, 0}, size = 0, offset;
    uint8_t bytes[24];

    ring[word] = value;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(ring[i / 4] >> 8 * (i % 4));
    return txtap_logger_find(bytes, sizeof bytes, TXTAP_LITTLE, 0x20000100, &size, &offset);
}

Test(logger_ring, is_not_found_where_a_number_disagrees)
{
    cr_assert(found_with(2, 7));
    cr_assert_not(found_with(0, 100));
    cr_assert_not(found_with(1, 100));
    cr_assert_not(found_with(3, 2));
    cr_assert_not(found_with(3, TXTAP_LOGGER_SIZE_MAX + 1));
    cr_assert_not(found_with(4, 0));
    cr_assert_not(found_with(5, 99));
}

/* ---- as TXTB entries ---- */

static struct txtap_event event_of(struct txtap_logger_clock *clock, uint32_t type, const uint32_t *words,
                                   uint32_t count, bool zephyr, uint32_t *shown, uint32_t *shown_count)
{
    static uint8_t entry[TXTB_ENTRY_BYTES];
    struct txtap_header header = {.timer_mask = UINT32_MAX};
    struct txtap_logger_item item = {.type = type, .count = count};
    struct txtap_event event;

    memcpy(item.words, words, count * sizeof *words);
    txtap_logger_entry(clock, &item, zephyr, entry, shown, shown_count);
    txtap_event_parse(entry, &header, &event);
    return event;
}

Test(logger_ring, makes_entries_of_the_kernels_events)
{
    struct txtap_logger_clock clock = {0};
    uint32_t words[TXTAP_LOGGER_WORDS_MAX], count;
    struct txtap_event event = event_of(&clock, 1, (const uint32_t[]){1000, 0x20000400}, 2, false, words, &count);

    cr_expect_eq(event.id, 4097);
    cr_expect_eq(event.stamp, 1000);
    cr_expect_eq(event.thread, 0x20000400);
    cr_expect(count == 1 && words[0] == 0x20000400 && event.info[0] == words[0] && event.info[1] == 0);
    event = event_of(&clock, 2, (const uint32_t[]){1100, 22}, 2, false, words, &count);
    cr_expect(event.id == 4098 && event.stamp == 1100 && event.context == TXTAP_CONTEXT_IDLE);
    cr_expect(count == 1 && words[0] == 22);
    event = event_of(&clock, 3, (const uint32_t[]){1050, 1200, 15}, 3, false, words, &count);
    cr_expect(event.id == 4099 && event.stamp == 1200 && count == 3);
    cr_expect(words[0] == 150 && words[1] == 0 && words[2] == 15, "how long, in cycles, until which interrupt");
    event = event_of(&clock, 3, (const uint32_t[]){1300, 7, 15}, 3, true, words, &count);
    cr_expect(event.stamp == 1300 && words[0] == 7 && words[1] == 1 && words[2] == 15, "in ticks");
    event = event_of(&clock, 1, (const uint32_t[]){1400, 0}, 2, false, words, &count);
    cr_expect(event.thread == TXTAP_LOGGER_THREAD_UNKNOWN && words[0] == 0);
}

Test(logger_ring, makes_entries_of_the_applications_events)
{
    struct txtap_logger_clock clock = {0};
    uint32_t data[255], words[TXTAP_LOGGER_WORDS_MAX], count;
    uint8_t more[TXTB_ENTRY_BYTES];
    struct txtap_header header = {.timer_mask = UINT32_MAX};
    struct txtap_event event;

    for (uint32_t i = 0; i < 255; i++)
        data[i] = 7 * i;
    (void)event_of(&clock, 2, (const uint32_t[]){5000, 1}, 2, false, words, &count);
    event = event_of(&clock, 8, data, 255, false, words, &count);
    cr_expect_eq(event.id, 4104);
    cr_expect_eq(event.stamp, 5000, "it has no time: it came after the one before");
    cr_expect_eq(count, 255);
    cr_expect_arr_eq(words, data, sizeof data);
    cr_expect_arr_eq(event.info, data, sizeof event.info);
    txtap_logger_more(event.entry, words + 252, 3, more);
    txtap_event_parse(more, &header, &event);
    cr_expect(event.id == TXTAP_LOGGER_MORE_ID && event.stamp == 5000);
    cr_expect(event.info[0] == 7 * 252 && event.info[2] == 7 * 254 && event.info[3] == 0);
    event = event_of(&clock, 65535, data, 0, true, words, &count);
    cr_expect(event.id == 4096 + 65535 && count == 0 && event.info[0] == 0);
    event = event_of(&clock, 2, (const uint32_t[]){1}, 1, false, words, &count);
    cr_expect(event.stamp == 5000 && count == 1 && words[0] == 1,
              "a kernel's event of another length is shown as it is");
}

Test(logger_ring, takes_small_steps_back_of_zephyrs_stamps_for_none)
{
    struct txtap_logger_clock clock = {0};
    uint32_t words[TXTAP_LOGGER_WORDS_MAX], count;

    (void)event_of(&clock, 2, (const uint32_t[]){5000, 1}, 2, true, words, &count);
    cr_expect_eq(event_of(&clock, 1, (const uint32_t[]){4990, 1}, 2, true, words, &count).stamp, 5000);
    cr_expect_eq(event_of(&clock, 1, (const uint32_t[]){5010, 1}, 2, true, words, &count).stamp, 5010);
    cr_expect_eq(event_of(&clock, 1, (const uint32_t[]){5000, 1}, 2, false, words, &count).stamp, 5000,
                 "txtap's logger takes stamps in the lock: they have wrapped");
}
