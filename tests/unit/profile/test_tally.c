/* SPDX-License-Identifier: MIT */
/* Shares and their intervals, from samples whose truth is known. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_fixture.h"
#include "seeds.h"

static struct txtap_profile *profile;

/* Returns a random number from 0 up to 1. */
static double random_real(uint64_t *seed)
{
    return next_random(seed, 1u << 30) / (double)(1u << 30);
}

static void start(void)
{
    profile = profile_new();
}

static void stop(void)
{
    free(profile);
}

TestSuite(tally, .init = start, .fini = stop);

static struct txtap_profile_share share_of(const char *function)
{
    const struct txtap_profile_row *row = profile_row(profile, TXTAP_PROFILE_BY_FUNCTION, function);

    cr_assert_not_null(row, "%s has no row", function);
    return txtap_profile_share(profile, row);
}

/* Adds samples of a program that changes its place with probability `change` before each sample. It is in PC_LOOP with
 * probability `loop`, otherwise in PC_FILTER. */
static void add_random(uint64_t *seed, size_t count, double loop, double change)
{
    uint32_t pc = PC_LOOP;

    for (size_t i = 0; i < count; i++) {
        if (i == 0 || random_real(seed) < change)
            pc = random_real(seed) < loop ? PC_LOOP : PC_FILTER;
        txtap_profile_add(profile, pc, THREAD_A);
    }
}

Test(tally, without_samples_nothing_is_known)
{
    cr_assert_eq(txtap_profile_sort(profile, TXTAP_PROFILE_BY_FUNCTION), 0);
    cr_assert_eq(txtap_profile_uncertainty(profile), 1);
}

Test(tally, counts_at_each_level)
{
    txtap_profile_add(profile, PC_LOOP, THREAD_A);
    txtap_profile_add(profile, PC_LOOP, THREAD_B);
    txtap_profile_add(profile, PC_INLINED, THREAD_A);
    txtap_profile_add(profile, 0, TXTAP_PROFILE_ASLEEP);
    cr_assert_eq(profile_row(profile, TXTAP_PROFILE_BY_FUNCTION, "loop")->samples, 3);
    cr_assert_eq(txtap_profile_sort(profile, TXTAP_PROFILE_BY_FUNCTION), 2);
    cr_assert_eq(txtap_profile_sort(profile, TXTAP_PROFILE_BY_FUNCTION_CONTEXT), 3);
    cr_assert_eq(txtap_profile_sort(profile, TXTAP_PROFILE_BY_CONTEXT), 3);
    cr_assert_eq(txtap_profile_sort(profile, TXTAP_PROFILE_BY_LINE), 3);
    cr_assert_eq(txtap_profile_sort(profile, TXTAP_PROFILE_BY_INLINED), 3);
    cr_assert_eq(txtap_profile_sort(profile, TXTAP_PROFILE_BY_STACK), 4);
    cr_assert_eq(profile_row(profile, TXTAP_PROFILE_BY_FUNCTION, "(asleep)")->samples, 1);
    cr_assert_eq(profile->asleep, 1);
}

Test(tally, sorts_by_samples)
{
    for (int i = 0; i < 3; i++)
        txtap_profile_add(profile, i == 0 ? PC_LOOP : PC_FILTER, THREAD_A);
    cr_assert_eq(txtap_profile_sort(profile, TXTAP_PROFILE_BY_FUNCTION), 2);
    cr_assert_str_eq(txtap_profile_function(profile, &profile->rows[profile->order[0].row]), "filter");
}

Test(tally, an_unknown_address_has_a_row)
{
    txtap_profile_add(profile, PC_NOWHERE, TXTAP_PROFILE_UNKNOWN);
    cr_assert_eq(profile_row(profile, TXTAP_PROFILE_BY_FUNCTION, "(unknown)")->samples, 1);
    cr_assert_eq(profile->unclear, 1);
}

Test(tally, independent_samples_all_count)
{
    uint64_t seed = 1;
    struct txtap_profile_share share;

    add_random(&seed, 10000, 0.6, 1);
    share = share_of("loop");
    cr_assert_float_eq(share.share, 0.6, 0.02);
    cr_assert_gt(share.effective, 8000);
    cr_assert_float_eq(share.high - share.low, 2 * 1.96 * sqrt(0.24 / 10000), 0.003);
}

/* If the program stays for 10 samples on average, the samples are worth about 10000 / (2 * 10 - 1). */
Test(tally, samples_of_a_slow_program_count_less)
{
    uint64_t seed = 2;

    add_random(&seed, 10000, 0.5, 0.1);
    cr_assert_float_eq(share_of("loop").effective, 10000 / 19.0, 150);
}

Test(tally, a_program_that_stands_still_is_one_sample)
{
    struct txtap_profile_share share;

    for (int i = 0; i < 10000; i++)
        txtap_profile_add(profile, PC_LOOP, THREAD_A);
    share = share_of("loop");
    cr_assert_eq(share.share, 1);
    cr_assert_eq(share.effective, 1);
    cr_assert_lt(share.low, 0.3);
}

/* The host of an emulator may stop it: the program then stays at a place that it would leave at once. */
Test(tally, a_long_halt_widens_the_interval)
{
    uint64_t seed = 3;
    struct txtap_profile_share share;

    add_random(&seed, 5000, 0.6, 1);
    for (int i = 0; i < 5000; i++)
        txtap_profile_add(profile, PC_FILTER, THREAD_A);
    add_random(&seed, 5000, 0.6, 1);
    share = share_of("loop");
    cr_assert_lt(share.effective, 20);
    cr_assert(share.low < 0.6 && share.high > 0.6, "%f to %f", share.low, share.high);
}

Test(tally, a_rare_function_has_a_narrow_interval)
{
    uint64_t seed = 4;

    add_random(&seed, 5000, 0.6, 1);
    txtap_profile_add(profile, PC_INLINED + 0x1000, THREAD_A);
    add_random(&seed, 5000, 0.6, 1);
    cr_assert_lt(share_of("(unknown)").high, 0.002);
    cr_assert_gt(share_of("(unknown)").low, 0);
}

/* With the right intervals, about 95 % contain the truth; the number of runs makes 90 % certain. */
Test(tally, intervals_contain_the_truth)
{
    uint64_t first = setting("TXTAP_SEED", 11), runs = setting("TXTAP_RUNS", 400), good = 0;

    for (uint64_t run = 0; run < runs; run++) {
        uint64_t seed = (first + run) * 2654435761u;
        double loop = 0.05 + 0.9 * random_real(&seed), change = 0.02 + 0.98 * random_real(&seed);
        struct txtap_profile_share share;

        txtap_profile_init(profile, profile_names);
        add_random(&seed, 5000, loop, change);
        share = share_of("loop");
        good += share.low <= loop && loop <= share.high;
    }
    cr_assert(good > 0.9 * (double)runs && good < 0.995 * (double)runs, "seed %llu: %llu of %llu",
              (unsigned long long)first, (unsigned long long)good, (unsigned long long)runs);
}

Test(tally, full_tables_are_counted_as_dropped)
{
    for (uint32_t i = 0; i < TXTAP_PROFILE_SITES_MAX + 100; i++)
        txtap_profile_add(profile, PC_NOWHERE + 2 * i, THREAD_A);
    cr_assert_eq(profile->dropped, 100);
    cr_assert_eq(profile->samples, TXTAP_PROFILE_SITES_MAX + 100);
    cr_assert_float_eq(share_of("(unknown)").share, (double)TXTAP_PROFILE_SITES_MAX / (double)profile->samples, 1e-9);
}

Test(tally, many_threads_do_not_exceed_the_rows)
{
    for (uint32_t i = 0; i < TXTAP_PROFILE_SITES_MAX; i++)
        txtap_profile_add(profile, PC_LOOP, THREAD_A + 4 * i);
    cr_assert_leq(profile->row_count, TXTAP_PROFILE_ROWS_MAX);
    cr_assert_gt(profile->dropped, 0);
}

Test(tally, names_contexts)
{
    char name[TXTAP_PROFILE_NAME_BYTES];

    txtap_profile_context_name(profile, THREAD_A, name);
    cr_assert_str_eq(name, "sampler");
    txtap_profile_context_name(profile, THREAD_B, name);
    cr_assert_str_eq(name, "0x20000200");
    txtap_profile_context_name(profile, TXTAP_PROFILE_INTERRUPT(15), name);
    cr_assert_str_eq(name, "interrupt 15");
    txtap_profile_context_name(profile, TXTAP_PROFILE_NO_THREAD, name);
    cr_assert_str_eq(name, "(no thread)");
}
