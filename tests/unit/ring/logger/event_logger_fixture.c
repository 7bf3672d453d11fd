/* SPDX-License-Identifier: MIT */
#include "ring/logger/event_logger_fixture.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

struct fixture fixture;

void begin(enum target_logger kind, uint32_t size)
{
    memset(&fixture, 0, sizeof fixture);
    target_init(kind, size, 1);
    fixture.step_us = TXTAP_LOGGER_HOLD_US + 1000;
}

void attach_with(enum txtap_ring_from from, uint32_t copy_words, uint32_t read_words)
{
    struct txtap_logger_place place = target_place();

    txtap_logger_init(&fixture.ring,
                      &(struct txtap_logger_config){&place, fixture.copy, copy_words, fixture.raw, read_words, from});
}

void attach(enum txtap_ring_from from)
{
    attach_with(from, target.size, TARGET_SIZE_MAX);
}

void begin_following(enum target_logger kind, uint32_t size)
{
    begin(kind, size);
    attach(TXTAP_RING_FROM_NOW);
    poll_ring(2);
}

void put_events(unsigned events, uint32_t words)
{
    while (events-- > 0)
        target_put(words);
}

void pass_events(unsigned events, uint32_t words)
{
    while (events-- > 0) {
        target_put(words);
        target_get();
    }
}

void get_all(void)
{
    while (target.ring[HEAD] != target.ring[TAIL])
        target_get();
}

static void take_items(void)
{
    while (fixture.count < ITEMS_MAX && txtap_logger_next(&fixture.ring, &fixture.items[fixture.count]))
        fixture.count++;
}

enum txtap_status poll_once(void)
{
    struct txtap_logger_plan plan;
    enum txtap_status status;

    target.now_us += fixture.step_us;
    txtap_logger_plan(&fixture.ring, &plan, target.now_us);
    target_read(&plan);
    status = txtap_logger_commit(&fixture.ring, &plan, target.now_us);
    take_items();
    return status;
}

void poll_ring(unsigned times)
{
    while (times-- > 0)
        cr_assert_eq(poll_once(), TXTAP_OK);
}

void finish(void)
{
    txtap_logger_finish(&fixture.ring, fixture.inside.head.position);
    take_items();
}

void follow_events(unsigned events, uint32_t words)
{
    while (events-- > 0) {
        put_events(1, words);
        poll_ring(4);
    }
}

static void describe_gap(const struct txtap_logger_item *gap)
{
    if (gap->exact)
        delivered_add(&fixture.delivered, "lost %" PRIu64, gap->lost);
    else if (gap->lap == 1)
        delivered_add(&fixture.delivered, "lost %" PRIu64 "+", gap->lost);
    else
        delivered_add(&fixture.delivered, "lost %" PRIu64 "+%" PRIu32 "n", gap->lost, gap->lap);
}

void expect_items(uint64_t seq, const char *text)
{
    delivered_clear(&fixture.delivered);
    for (size_t i = 0; i < fixture.count; i++) {
        const struct txtap_logger_item *item = &fixture.items[i];
        uint64_t number = target_number(item);

        cr_assert_eq(item->seq, seq, "item %zu has seq %" PRIu64 ", not %" PRIu64, i, item->seq, seq);
        seq += item->lost > 0 ? item->lost : 1;
        if (item->lost > 0) {
            describe_gap(item);
            continue;
        }
        cr_assert_neq(number, UINT64_MAX, "item %zu is torn", i);
        delivered_add_run(&fixture.delivered, "", number, number + 1);
    }
    cr_assert_str_eq(fixture.delivered.text, text);
}
