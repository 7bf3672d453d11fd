/* SPDX-License-Identifier: MIT */
/* Histograms, compared with sorted lists of the same values. */
#include "figures/histogram.h"

#include <criterion/criterion.h>
#include <inttypes.h>

#include "base/heapsort.h"
#include "sanitized.h"
#include "seeds.h"

#define VALUES_MAX 400
#define PAGES      200

static struct histogram_page pages[PAGES];
static struct histogram_pool pool;
static uint64_t random_state;

static void set_up(void)
{
    histogram_pool_init(&pool, pages, PAGES);
}

TestSuite(histogram, .init = set_up);

static uint64_t random_u64(void)
{
    random_state += 0x9E3779B97F4A7C15u;
    uint64_t x = random_state;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static bool is_smaller(const void *a, const void *b)
{
    return *(const uint64_t *)a < *(const uint64_t *)b;
}

static struct histogram_bucket percentile(const struct histogram *histogram, unsigned percent)
{
    struct histogram_bucket bucket = {0};

    cr_assert(histogram_percentile(histogram, &pool, percent, &bucket));
    return bucket;
}

Test(histogram, small_values_are_exact)
{
    struct histogram histogram = {0};

    for (uint64_t value = 1; value <= 63; value++)
        histogram_add(&histogram, &pool, value, 100 + value);
    for (unsigned percent = 1; percent <= 100; percent++) {
        struct histogram_bucket bucket = percentile(&histogram, percent);

        cr_assert_eq(bucket.low, (percent * 63u + 99u) / 100u);
        cr_assert_eq(bucket.high, bucket.low);
    }
    cr_assert_eq(histogram.n, 63);
    cr_assert_eq(histogram.sum, 63u * 64u / 2u);
    cr_assert_eq(histogram.min_event, 101);
    cr_assert_eq(histogram.max_event, 163);
}

Test(histogram, the_first_event_of_equal_extremes_is_named)
{
    struct histogram histogram = {0};

    for (uint64_t event = 1; event <= 5; event++)
        histogram_add(&histogram, &pool, 7, event);
    cr_assert_eq(histogram.min_event, 1);
    cr_assert_eq(histogram.max_event, 1);
}

Test(histogram, every_power_of_two_is_in_a_narrow_bucket)
{
    for (unsigned bits = 0; bits < 64; bits++) {
        for (int beside = -1; beside <= 1; beside++) {
            uint64_t value = ((uint64_t)1 << bits) + (uint64_t)(int64_t)beside;
            struct histogram histogram = {0};
            struct histogram_bucket bucket;

            set_up();
            histogram_add(&histogram, &pool, 0, 1);
            histogram_add(&histogram, &pool, value, 2);
            histogram_add(&histogram, &pool, UINT64_MAX, 3);
            bucket = percentile(&histogram, 50);
            cr_assert(bucket.low <= value && value <= bucket.high, "%" PRIu64, value);
            cr_assert_leq(bucket.high - bucket.low, bucket.low / 32);
        }
    }
}

Test(histogram, sum_and_counts_stay_at_their_limits)
{
    struct histogram histogram = {0};
    struct histogram_bucket bucket;

    histogram_add(&histogram, &pool, UINT64_MAX, 1);
    histogram_add(&histogram, &pool, 2, 2);
    cr_assert_eq(histogram.sum, UINT64_MAX);
    cr_assert(histogram_percentile(&histogram, &pool, 50, &bucket));
    pages[histogram.page[0] - 1].count[2] = UINT32_MAX;
    histogram_add(&histogram, &pool, 2, 3);
    cr_assert_eq(histogram.missed, 1);
    cr_assert_not(histogram_percentile(&histogram, &pool, 50, &bucket));
}

Test(histogram, without_a_free_page_there_is_no_percentile_but_exact_figures_stay)
{
    struct histogram histogram = {0}, other = {0};
    struct histogram_bucket bucket = {1, 2, 3};

    histogram_pool_init(&pool, pages, 1);
    histogram_add(&histogram, &pool, 5, 1);
    histogram_add(&histogram, &pool, 5000, 2);
    cr_assert_eq(histogram.missed, 1);
    cr_assert_eq(histogram.max, 5000);
    cr_assert_eq(histogram.max_event, 2);
    cr_assert_eq(histogram.sum, 5005);
    cr_assert_not(histogram_percentile(&histogram, &pool, 50, &bucket));
    cr_assert_eq(bucket.low, 1);
    histogram_merge(&other, &pool, &histogram);
    cr_assert_eq(other.n, 2);
    cr_assert_not(histogram_percentile(&other, &pool, 50, &bucket), "a missing page is never made up for");
}

Test(histogram, an_empty_histogram_has_no_percentile_and_changes_nothing)
{
    struct histogram histogram = {0}, empty = {0};
    struct histogram_bucket bucket;
    size_t position = 0;

    cr_assert_not(histogram_percentile(&empty, &pool, 50, &bucket));
    cr_assert_not(histogram_next(&empty, &pool, &position, &bucket));
    histogram_add(&histogram, &pool, 9, 4);
    histogram_merge(&histogram, &pool, &empty);
    cr_assert_eq(histogram.n, 1);
    cr_assert_eq(histogram.min, 9);
}

/*
 * Makes values of any magnitude. They come in clusters, as durations do, and sometimes only few of them differ.
 */
static size_t random_values(uint64_t *values)
{
    size_t count = 1 + random_u64() % VALUES_MAX;
    unsigned spread = 1 + (unsigned)(random_u64() % 60), few = random_u64() % 3 == 0;

    for (size_t i = 0; i < count; i++) {
        values[i] = random_u64() >> (4 + random_u64() % spread);
        if (few && i > 0)
            values[i] = values[random_u64() % i];
    }
    return count;
}

static void check_against_sorted(const struct histogram *histogram, uint64_t *values, size_t count, uint64_t seed)
{
    uint64_t sum = 0, counted = 0;
    struct histogram_bucket bucket, before = {0};

    for (size_t i = 0; i < count; i++)
        sum = values[i] > UINT64_MAX - sum ? UINT64_MAX : sum + values[i];
    cr_assert_eq(histogram->sum, sum, "seed %" PRIu64, seed);
    cr_assert_eq(values[histogram->min_event], histogram->min, "seed %" PRIu64, seed);
    cr_assert_eq(values[histogram->max_event], histogram->max, "seed %" PRIu64, seed);
    heapsort_items(values, count, sizeof *values, is_smaller);
    cr_assert_eq(histogram->min, values[0], "seed %" PRIu64, seed);
    cr_assert_eq(histogram->max, values[count - 1], "seed %" PRIu64, seed);
    for (unsigned percent = 1; percent <= 100; percent++) {
        uint64_t truth = values[(percent * count + 99) / 100 - 1];

        bucket = percentile(histogram, percent);
        cr_assert(bucket.low <= truth && truth <= bucket.high, "seed %" PRIu64 ": p%u", seed, percent);
        cr_assert_leq(bucket.high - bucket.low, bucket.low / 32, "seed %" PRIu64 ": p%u", seed, percent);
    }
    for (size_t position = 0; histogram_next(histogram, &pool, &position, &bucket); before = bucket) {
        cr_assert(counted == 0 || before.high < bucket.low, "seed %" PRIu64, seed);
        counted += bucket.count;
    }
    cr_assert_eq(counted, count, "seed %" PRIu64, seed);
}

Test(histogram, percentiles_are_those_of_the_sorted_values_and_two_halves_make_the_whole)
{
    static uint64_t values[VALUES_MAX];
    uint64_t first = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 2000 / RUNS_DIVISOR);

    for (uint64_t seed = first; seed < first + runs; seed++) {
        struct histogram whole = {0}, halves[2] = {{0}, {0}};
        size_t count, cut;

        set_up();
        random_state = seed;
        count = random_values(values);
        cut = random_u64() % (count + 1);
        for (size_t i = 0; i < count; i++) {
            histogram_add(&whole, &pool, values[i], i);
            histogram_add(&halves[i >= cut], &pool, values[i], i);
        }
        histogram_merge(&halves[0], &pool, &halves[1]);
        cr_assert_eq(halves[0].min_event, whole.min_event, "seed %" PRIu64, seed);
        cr_assert_eq(halves[0].max_event, whole.max_event, "seed %" PRIu64, seed);
        check_against_sorted(&whole, values, count, seed);
        for (unsigned percent = 1; percent <= 100; percent++) {
            struct histogram_bucket a = percentile(&whole, percent), b = percentile(&halves[0], percent);

            cr_assert(a.low == b.low && a.high == b.high && a.count == b.count, "seed %" PRIu64, seed);
        }
        cr_assert_eq(halves[0].sum, whole.sum, "seed %" PRIu64, seed);
    }
}
