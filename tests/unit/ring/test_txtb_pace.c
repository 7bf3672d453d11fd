/* SPDX-License-Identifier: MIT */
/* The pace that the reader learns from a probe and a writer, and how it changes the choice of the entries to read. */
#include <criterion/criterion.h>

#include "ring/txtb_pace.h"

#define ENTRIES 465u

/* A probe, and a writer that does not wait for it. */
struct world {
    double exchange_us, piece_us, word_us, rate;
    double now_us, pointer_us; /* pointer_us: time of the last read of the pointer */
};

static struct ring_pace_exchange exchange_of(struct world *world, uint64_t entries)
{
    struct ring_pace_exchange exchange = {.reads = {2, (unsigned)(entries * 8 + 5), 1, 1},
                                          .begin_us = (uint64_t)world->now_us};
    double before_us = world->exchange_us + 2 * world->piece_us + (double)(entries * 8 + 5) * world->word_us;
    double pointer_us = world->now_us + before_us;

    exchange.moved = (uint64_t)(world->rate * (pointer_us - world->pointer_us));
    world->now_us = pointer_us + world->piece_us + world->word_us;
    world->pointer_us = pointer_us;
    exchange.end_us = (uint64_t)world->now_us;
    return exchange;
}

static struct ring_pace learn(struct world *world)
{
    static const uint64_t entries[] = {3, 120, 7, 200, 64, 30};
    struct ring_pace pace = {0};

    world->now_us = world->pointer_us = 1000000;
    for (int i = 0; i < 60; i++) {
        struct ring_pace_exchange exchange = exchange_of(world, entries[i % 6]);

        ring_pace_note(&pace, &exchange);
    }
    return pace;
}

/* Returns the question of a reader whose ring is full of unread entries, some laps after the start of the trace. */
static struct ring_pace_question full(const struct world *world, bool counted)
{
    return (struct ring_pace_question){.now_us = (uint64_t)world->now_us,
                                       .next = 4 * ENTRIES + 1,
                                       .oldest = 4 * ENTRIES + 1,
                                       .read_end = 4 * ENTRIES + 1,
                                       .head = 5 * ENTRIES,
                                       .entries = ENTRIES,
                                       .readable = ENTRIES - 1,
                                       .room = ENTRIES - 1,
                                       .may_skip = true,
                                       .counted = counted,
                                       .guard_known = true};
}

Test(ring_pace, learns_the_cost_of_pieces_and_words_and_the_writers_rate)
{
    static const struct world worlds[] = {
        {.exchange_us = 0, .piece_us = 2210, .word_us = 5, .rate = 0.02},
        {.exchange_us = 60, .piece_us = 1160, .word_us = 2, .rate = 0.05},
        {.exchange_us = 60, .piece_us = 1200, .word_us = 80, .rate = 0.001},
        {.exchange_us = 100, .piece_us = 10, .word_us = 2.1, .rate = 0.2},
    };

    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        struct world world = worlds[i];
        struct ring_pace pace = learn(&world);
        double fixed = 3 * world.piece_us + world.exchange_us, learned = 3 * pace.piece_us + pace.exchange_us;

        cr_expect_float_eq(learned, fixed, fixed / 20, "%zu: %g us for three pieces", i, learned);
        cr_expect_float_eq(pace.word_us, world.word_us, world.word_us / 20, "%zu: %g us a word", i, pace.word_us);
        cr_expect_float_eq(pace.rate, world.rate, world.rate / 20, "%zu: %g a us", i, pace.rate);
    }
}

Test(ring_pace, reads_everything_before_it_has_measured_anything)
{
    struct world world = {0};
    struct ring_pace pace = {0};
    struct ring_pace_question question = full(&world, true);
    struct ring_pace_choice choice = ring_pace_choose(&pace, &question);

    cr_assert_eq(choice.first, question.next);
    cr_assert_eq(choice.end, question.head);
}

/* In a ring that is being overwritten, the planned entries must still be valid when the pointer is read. They must also
 * be nearly as many as possible. */
Test(ring_pace, leaves_out_entries_that_will_be_overwritten)
{
    struct world world = {.piece_us = 2210, .word_us = 5, .rate = 0.02};
    struct ring_pace pace = learn(&world);
    struct ring_pace_question question = full(&world, true);
    struct ring_pace_choice choice = ring_pace_choose(&pace, &question);
    uint64_t count = choice.end - choice.first;
    uint64_t moved = exchange_of(&world, count).moved;

    cr_assert_leq(question.head + moved, choice.first + question.readable + 2, "%d entries from %d", (int)count,
                  (int)choice.first);
    cr_assert_geq(count, 160);
}

Test(ring_pace, leaves_nothing_out_before_something_was_lost)
{
    struct world world = {.piece_us = 2210, .word_us = 5, .rate = 0.02};
    struct ring_pace pace = learn(&world);
    struct ring_pace_question question = full(&world, true);

    question.may_skip = false;
    cr_assert_eq(ring_pace_choose(&pace, &question).first, question.next);
}

Test(ring_pace, reads_everything_from_a_writer_that_stopped)
{
    struct world world = {.piece_us = 2210, .word_us = 5, .rate = 0.02};
    struct ring_pace pace = learn(&world);
    struct ring_pace_question question = full(&world, true);

    world.rate = 0;
    for (int i = 0; i < 2; i++) {
        struct ring_pace_exchange exchange = exchange_of(&world, 1);

        ring_pace_note(&pace, &exchange);
    }
    question.now_us = (uint64_t)world.now_us;
    cr_assert_eq(ring_pace_choose(&pace, &question).first, question.next);
}

Test(ring_pace, takes_the_newest_entry_if_no_entry_is_valid)
{
    struct world world = {.piece_us = 2210, .word_us = 5, .rate = 0.2};
    struct ring_pace pace = learn(&world);
    struct ring_pace_question question = full(&world, false);
    struct ring_pace_choice choice = ring_pace_choose(&pace, &question);

    cr_assert_eq(choice.first, question.head - 1);
    cr_assert_eq(choice.end, question.head);
}

Test(ring_pace, trusts_a_guard_that_will_survive)
{
    struct world world = {.piece_us = 2210, .word_us = 5, .rate = 0.002};
    struct ring_pace pace = learn(&world);
    struct ring_pace_question question = full(&world, false);

    question.next = question.oldest = question.read_end = question.head - 100;
    cr_assert_not(ring_pace_choose(&pace, &question).recover);
    question.next = question.oldest = question.read_end = question.head - ENTRIES + 10;
    cr_assert(ring_pace_choose(&pace, &question).recover);
}

/* In the middle of the ring the lap count is enough. Near the ring's end the lap may change before the pointer is
 * read. */
Test(ring_pace, reads_the_pointer_again_near_the_rings_end)
{
    struct world world = {.piece_us = 2210, .word_us = 5, .rate = 0.01};
    struct ring_pace pace = learn(&world);
    struct ring_pace_question question = full(&world, true);

    question.head = 5 * ENTRIES + 430;
    question.next = question.oldest = question.read_end = question.head - 20;
    cr_assert(ring_pace_choose(&pace, &question).again);
    question.head -= 100;
    question.next = question.oldest = question.read_end = question.head - 20;
    cr_assert_not(ring_pace_choose(&pace, &question).again);
}

Test(ring_pace, forgets_an_outlier)
{
    struct world world = {.piece_us = 500, .word_us = 5, .rate = 0.01};
    struct ring_pace pace = learn(&world);
    struct ring_pace_exchange late = exchange_of(&world, 50);
    double word_us = pace.word_us;

    world.now_us += 1e6;
    late.end_us += 1000000;
    ring_pace_note(&pace, &late);
    for (int i = 0; i < 40; i++) {
        struct ring_pace_exchange exchange = exchange_of(&world, i % 2 ? 10 : 100);

        ring_pace_note(&pace, &exchange);
    }
    cr_assert_float_eq(pace.word_us, word_us, word_us / 10);
}
