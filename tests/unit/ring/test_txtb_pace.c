/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "ring/txtb_pace.h"

/* An exchange costs a fixed time and one per entry; the writer does not wait. */
static uint64_t moved(uint64_t fixed, uint64_t entries_read, uint64_t tenths_per_entry)
{
    return fixed + entries_read * tenths_per_entry / 10;
}

/* Exchanges of a reader that follows the advice, in a ring of 464. */
static struct txtap_ring_pace learn(uint64_t fixed, uint64_t tenths_per_entry, int exchanges)
{
    struct txtap_ring_pace pace = {0};
    uint64_t n = 128;

    for (int i = 0; i < exchanges; i++) {
        ring_pace_note(&pace, n, moved(fixed, n, tenths_per_entry));
        n = ring_pace_fit(&pace, 464);
        if (n == 0)
            n = 1;
    }
    return pace;
}

Test(ring_pace, expects_nothing_before_it_has_measured_anything)
{
    struct txtap_ring_pace pace = {0};

    cr_assert_eq(ring_pace_fit(&pace, 464), 464);
    cr_assert_eq(ring_pace_predict(&pace, 100), 0);
}

Test(ring_pace, finds_the_most_entries_that_survive)
{
    static const uint64_t costs[][2] = {{0, 10}, {12, 26}, {30, 64}, {230, 14}, {230, 40}, {400, 5}, {100, 0}};

    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        struct txtap_ring_pace pace = learn(costs[i][0], costs[i][1], 60);
        uint64_t n = ring_pace_fit(&pace, 464);
        uint64_t best = (464 - costs[i][0]) * 10 / (10 + costs[i][1]);

        cr_assert_leq(n + moved(costs[i][0], n, costs[i][1]), 464, "%d entries do not survive", (int)n);
        cr_assert_geq(n * 10, best * 9, "%d entries, where %d are possible", (int)n, (int)best);
    }
}

Test(ring_pace, keeps_a_margin_for_variation)
{
    struct txtap_ring_pace pace = {0};
    uint64_t n = 100;
    int survived = 0;

    for (int i = 0; i < 200; i++) {
        uint64_t went = moved(12, n, 26) + (uint64_t)(i % 3 * 25); /* 0, 25 or 50 more */

        survived += i >= 20 && n + went <= 464;
        ring_pace_note(&pace, n, went);
        n = ring_pace_fit(&pace, 464);
    }
    cr_assert_geq(survived, 170);
    cr_assert_geq(n, 80);
}

Test(ring_pace, says_none_if_nothing_survives)
{
    struct txtap_ring_pace pace = learn(900, 10, 20);

    cr_assert_eq(ring_pace_fit(&pace, 464), 0);
    cr_assert_geq(ring_pace_predict(&pace, 1), 464);
}

Test(ring_pace, recovers_from_a_standstill)
{
    struct txtap_ring_pace pace = learn(12, 26, 20);
    uint64_t n = ring_pace_fit(&pace, 464), before = n;
    int exchanges = 0;

    ring_pace_note(&pace, n, 4 * 464);
    for (; (n = ring_pace_fit(&pace, 464)) < before / 2; exchanges++)
        ring_pace_note(&pace, n ? n : 1, moved(12, n ? n : 1, 26));
    cr_assert_leq(exchanges, 20);
}

Test(ring_pace, restarts_with_the_known_cost_of_an_entry)
{
    struct txtap_ring_pace pace = learn(900, 26, 20);
    double per_entry = pace.per_entry;

    ring_pace_restart(&pace);
    cr_assert_eq(pace.per_entry, per_entry);
    ring_pace_note(&pace, 1, 3);
    cr_assert_leq(ring_pace_predict(&pace, 1), 5);
    cr_assert_geq(ring_pace_fit(&pace, 464), 100);
}
