/* SPDX-License-Identifier: MIT */
/* Events that do not fit into the output are reported as gaps. */
#include "output/sinks.h"

#include <criterion/criterion.h>

static struct txtap_item taken;
static bool has_taken, full = true;

static enum txtap_status take(void *self, const struct txtap_item *item)
{
    cr_assert_eq(self, &taken);
    cr_assert_not(has_taken, "one comes after the other");
    taken = *item;
    has_taken = true;
    return TXTAP_OK;
}

static bool has_room(const void *self, bool after_loss)
{
    (void)after_loss;
    return !*(const bool *)self;
}

static struct overflow overflow = {.next = {take, &taken}, .has_room = has_room, .self = &full};

static void lose(uint64_t seq, uint64_t lost, bool exact, uint64_t estimate)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_GAP, .gap = {seq, lost, exact, estimate}};

    cr_assert_eq(overflow_take(&overflow, &item), TXTAP_OK);
}

static void send(uint64_t seq)
{
    const struct txtap_item item = {.kind = TXTAP_ITEM_EVENT, .event = {.seq = seq}};

    cr_assert_eq(overflow_take(&overflow, &item), TXTAP_OK);
}

static void is_taken(uint64_t seq, uint64_t lost, bool exact, uint64_t estimate)
{
    cr_assert_not(has_taken);
    cr_assert_eq(overflow_flush(&overflow), TXTAP_OK);
    cr_assert(has_taken && taken.kind == TXTAP_ITEM_GAP);
    cr_assert_eq(taken.gap.seq, seq);
    cr_assert_eq(taken.gap.lost, lost);
    cr_assert_eq(taken.gap.exact, exact);
    cr_assert_eq(taken.gap.estimate, estimate);
    has_taken = false;
    cr_assert_eq(overflow_flush(&overflow), TXTAP_OK);
    cr_assert_not(has_taken, "once");
}

Test(overflow, events_become_exact_gaps_one_after_another)
{
    send(7);
    send(8);
    is_taken(7, 2, true, 0);
    send(20);
    is_taken(20, 1, true, 0);
    cr_assert_eq(overflow.events, 3);
    cr_assert_eq(overflow.gaps, 2);
}

Test(overflow, a_gap_of_unknown_size_is_not_forgotten)
{
    lose(7, 0, false, 0);
    is_taken(7, 0, false, 0);
    lose(7, 0, false, 0);
    send(7);
    is_taken(7, 1, false, 0);
}

Test(overflow, is_as_exact_as_its_parts)
{
    send(7);
    lose(8, 10, true, 0);
    is_taken(7, 11, true, 0);
    send(30);
    lose(31, 10, false, 0);
    send(41);
    is_taken(30, 12, false, 0);
    send(50);
    is_taken(50, 1, true, 0);
    cr_assert_eq(overflow.events, 4, "events lost by the target are counted elsewhere");
}

Test(overflow, has_an_estimate_if_all_its_parts_have_estimates)
{
    send(7);
    lose(8, 10, false, 900);
    lose(18, 5, true, 0);
    is_taken(7, 16, false, 906);
    lose(30, 10, false, 900);
    lose(40, 10, false, 0);
    lose(50, 10, false, 900);
    is_taken(30, 30, false, 0);
    lose(70, 1, false, 5);
    is_taken(70, 1, false, 5);
}

Test(overflow, passes_items_on_while_there_is_room)
{
    full = false;
    send(7);
    cr_assert(has_taken && taken.kind == TXTAP_ITEM_EVENT && taken.event.seq == 7);
    has_taken = false;
    lose(8, 10, false, 900);
    cr_assert(has_taken && taken.kind == TXTAP_ITEM_GAP && taken.gap.lost == 10);
    cr_assert_eq(overflow.events + overflow.gaps, 0);
}

Test(overflow, does_not_span_a_range_in_which_nothing_was_lost)
{
    send(1);
    send(5);
    is_taken(1, 2, true, 0); /* no gap: the missing numbers were filtered out */
    overflow.apart = true;
    send(7);
    send(8);
    send(20);
    cr_assert(has_taken && taken.kind == TXTAP_ITEM_GAP);
    cr_assert_eq(taken.gap.seq, 7);
    cr_assert_eq(taken.gap.lost, 2);
    has_taken = false;
    is_taken(20, 1, true, 0);
}
