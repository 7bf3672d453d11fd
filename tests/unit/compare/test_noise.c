/* SPDX-License-Identifier: MIT */
/* How often two groups of runs of the same build look like a change, and which changes are found. */
#include "compare/noise.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

#include "seeds.h"

#define RUNS_MOST 20
#define PAIRS     100000         /* pairs of groups for each distribution and number of runs */
#define ALARMS    (PAIRS / 1000) /* at most; NOISE_ALARM is lower, because not all numbers have a normal distribution */

static double unit(uint64_t *seed)
{
    return ((double)next_random(seed, 1u << 30) + 0.5) / (double)(1u << 30);
}

static double normal(uint64_t *seed)
{
    double length = sqrt(-2 * log(unit(seed)));

    return length * cos(2 * M_PI * unit(seed));
}

/* Numbers of runs: percentiles and shares are near a normal distribution; maxima have a long tail; a run may be
 * disturbed; a time is a whole number of ticks. */
static double draw_normal(uint64_t *seed)
{
    return 100 + normal(seed);
}

static double draw_uniform(uint64_t *seed)
{
    return 100 + unit(seed);
}

static double draw_long_tail(uint64_t *seed)
{
    return 100 * exp(normal(seed));
}

static double draw_extreme(uint64_t *seed)
{
    return 100 - 10 * log(-log(unit(seed)));
}

static double draw_disturbed(uint64_t *seed)
{
    return 100 + normal(seed) + (unit(seed) < 0.1 ? 50 * unit(seed) : 0);
}

static double draw_ticks(uint64_t *seed)
{
    return floor(100 + 2 * normal(seed));
}

static const struct {
    const char *name;
    double (*draw)(uint64_t *seed);
    double least; /* resolution */
} distributions[] = {
    {"normal", draw_normal, 0},   {"uniform", draw_uniform, 0},     {"long tail", draw_long_tail, 0},
    {"extreme", draw_extreme, 0}, {"disturbed", draw_disturbed, 0}, {"ticks", draw_ticks, 0.5},
};

static struct noise_group group_of(double *values, size_t count, double (*draw)(uint64_t *seed), uint64_t *seed)
{
    for (size_t i = 0; i < count; i++)
        values[i] = draw(seed);
    return (struct noise_group){values, count};
}

static bool is_change(double (*draw)(uint64_t *seed), double least, size_t runs, size_t numbers, uint64_t *seed)
{
    double values[2][RUNS_MOST];
    const struct noise_group a = group_of(values[0], runs, draw, seed), b = group_of(values[1], runs, draw, seed);

    return noise_is_exceeded(&a, &b, least, numbers);
}

/* Counts the pairs of groups, of `pairs` pairs, that look like a change in a comparison of `numbers` pairs. */
static size_t count_changes(double (*draw)(uint64_t *seed), double least, size_t runs, size_t numbers, size_t pairs)
{
    uint64_t seed = setting("TXTAP_SEED", 4711);
    size_t changes = 0;

    for (size_t i = 0; i < pairs; i++)
        changes += is_change(draw, least, runs, numbers, &seed);
    return changes;
}

Test(noise, same_builds_differ_in_at_most_a_pair_of_a_thousand)
{
    static const size_t runs[] = {3, 5, 10};

    for (size_t i = 0; i < sizeof distributions / sizeof *distributions; i++)
        for (size_t j = 0; j < sizeof runs / sizeof *runs; j++) {
            size_t changes = count_changes(distributions[i].draw, distributions[i].least, runs[j], 1, PAIRS);

            cr_log_info("%s, %zu runs: %zu of %d pairs", distributions[i].name, runs[j], changes, PAIRS);
            cr_expect_lt(changes, ALARMS, "%s, %zu runs: %zu of %d pairs", distributions[i].name, runs[j], changes,
                         PAIRS);
        }
}

Test(noise, a_report_of_many_figures_needs_larger_distances)
{
    for (size_t i = 0; i < sizeof distributions / sizeof *distributions; i++) {
        size_t changes = count_changes(distributions[i].draw, distributions[i].least, 5, 300, PAIRS);

        cr_expect_leq(changes, 5, "%s: %zu of %d pairs", distributions[i].name, changes, PAIRS);
    }
}

static bool exceeds(const double *a, const double *b, size_t runs, double least, size_t numbers)
{
    const struct noise_group one = {a, runs}, other = {b, runs};

    return noise_is_exceeded(&one, &other, least, numbers);
}

Test(noise, a_distance_of_many_spreads_is_a_change)
{
    static const double before[] = {10, 10.2, 10.1, 10.3, 10.2}, after[] = {13, 13.1, 13.3, 13.2, 13.1},
                        overlapping[] = {13, 13.1, 13.3, 13.2, 10.25};

    cr_assert(exceeds(before, after, 5, 0, 300));
    cr_assert(exceeds(after, before, 5, 0, 300));
    cr_assert(!exceeds(before, overlapping, 5, 0, 1), "the sides overlap");
    cr_assert(!exceeds(before, before, 5, 0, 1));
    cr_assert(!exceeds(before, after, 5, 1, 300), "the resolution is coarse");
    cr_assert(!exceeds(before, after, 3, 0, 100000), "three runs are not enough for this number of figures");
}

Test(noise, exact_numbers_without_any_spread_differ)
{
    static const double before[] = {1, 1, 1}, after[] = {2, 2, 2};

    cr_assert(exceeds(before, after, 3, 0, 300));
    cr_assert(!exceeds(before, before, 3, 0, 300));
    cr_assert(!exceeds(before, after, 3, 0.25, 300), "a number with a resolution of 0.5");
}

/* Quantiles of Student's distribution for 5 %, from tables. */
Test(noise, the_chance_is_that_of_tables)
{
    static const struct {
        size_t runs;
        double t;
    } table[] = {{2, 4.3027}, {3, 2.7764}, {6, 2.2281}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double a[6], b[6], mean = 0, scale;
        struct noise_group one = {a, table[i].runs}, other = {b, table[i].runs};

        for (size_t j = 0; j < table[i].runs; j++)
            mean += (double)j / (double)table[i].runs;
        for (size_t j = 0; j < table[i].runs; j++)
            a[j] = (double)j - mean;
        scale = 0;
        for (size_t j = 0; j < table[i].runs; j++)
            scale += a[j] * a[j];
        scale = sqrt(2 * scale / (double)(2 * table[i].runs - 2)) * sqrt(2 / (double)table[i].runs);
        for (size_t j = 0; j < table[i].runs; j++)
            b[j] = a[j] + table[i].t * scale;
        cr_expect_float_eq(noise_chance(&one, &other, 0), 0.05, 1e-5);
    }
}
