/* SPDX-License-Identifier: MIT */
#include "ring/event_logger_story.h"

#include <criterion/criterion.h>
#include <string.h>

struct story story;

void begin(enum target_logger kind, uint32_t size)
{
    memset(&story, 0, sizeof story);
    logger_target_init(&story.target, kind, size, 1);
    story.step_us = TXTAP_LOGGER_HOLD_US + 1000;
}

void attach(enum txtap_ring_from from)
{
    struct txtap_logger_place place = logger_target_place(&story.target);

    txtap_logger_init(&story.ring, &(struct txtap_logger_config){&place, story.copy, story.target.size, story.raw,
                                                                 TARGET_SIZE_MAX, from});
}

void take_items(void)
{
    while (story.count < ITEMS_MAX && txtap_logger_next(&story.ring, &story.items[story.count]))
        story.count++;
}

void poll_ring(unsigned times)
{
    struct txtap_logger_plan plan;

    for (; times > 0 && story.status == TXTAP_OK; times--) {
        story.target.now_us += story.step_us;
        txtap_logger_plan(&story.ring, &plan, story.target.now_us);
        logger_target_read(&story.target, &plan);
        story.status = txtap_logger_commit(&story.ring, &plan, story.target.now_us);
        take_items();
    }
}

void expect_event(size_t i, uint64_t seq, uint64_t number)
{
    cr_assert_lt(i, story.count);
    cr_assert_eq(story.items[i].lost, 0, "item %zu is a gap", i);
    cr_assert_eq(story.items[i].seq, seq, "item %zu has seq %lu", i, (unsigned long)story.items[i].seq);
    cr_assert_eq(logger_target_number(&story.target, &story.items[i]), number);
}

void expect_gap(size_t i, uint64_t seq, uint64_t lost, bool exact)
{
    cr_assert_lt(i, story.count);
    cr_assert_eq(story.items[i].lost, lost, "item %zu: %lu lost", i, (unsigned long)story.items[i].lost);
    cr_assert_eq(story.items[i].seq, seq);
    cr_assert_eq(story.items[i].exact, exact);
}
