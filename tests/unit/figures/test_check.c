/* SPDX-License-Identifier: MIT */
/* Checks of figures: which figures match, and which verdicts are certain. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sanitized.h"
#include "seeds.h"
#include "txtap/check.h"

static struct txtap_check check;
static struct txtap_check_result result;
static struct txtap_figure figure;
static const struct txtap_check_trace whole = {.rate = {TXTAP_RATE_GIVEN, 1e6, 0, 0}},
                                      gappy = {{TXTAP_RATE_GIVEN, 1e6, 0, 0}, true, 7};
static const struct txtap_rate mhz = {TXTAP_RATE_GIVEN, 1e6, 0, 0}, unknown;

static void begin(const char *text)
{
    struct txtap_check_error error;

    cr_assert(txtap_check_parse(&check, text, &error), "%s", text);
    txtap_check_result_init(&result);
    memset(&figure, 0, sizeof figure);
    figure.id = check.id;
    figure.detail = "";
    figure.subject.kind = TXTAP_SUBJECT_THREAD;
}

static void give_bounds(const char *subject, double lower, double upper)
{
    figure.stat[check.stat] = (struct txtap_measure){true, lower, lower, upper};
    txtap_check_figure(&check, &result, &figure, subject, &mhz);
}

static void give(const char *subject, double value)
{
    give_bounds(subject, value, value);
}

Test(check, an_exact_figure_passes_or_fails)
{
    begin("wake(control).p99 <= 200us");
    give("control", 200);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_OK);
    cr_assert_eq(result.matched, 1);
    begin("wake(control).p99 <= 200us");
    give("control", 201);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_FAILED);
    cr_assert_str_eq(result.name, "control");
    cr_assert_eq(result.measure.value, 201);
}

Test(check, figures_with_other_names_and_subjects_do_not_match)
{
    begin("wake(con*) < 1us");
    give("sampler", 100);
    figure.id = TXTAP_FIGURE_RUN;
    give("control", 100);
    cr_assert_eq(result.matched, 0);
    figure.id = TXTAP_FIGURE_WAKE;
    give("CONTROL", 0);
    cr_assert_eq(result.matched, 1);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_OK);
}

Test(check, a_subject_matches_by_its_number_too)
{
    begin("isr(22) < 1us");
    figure.subject = (struct txtap_subject){.kind = TXTAP_SUBJECT_INTERRUPT, .number = 15};
    give("", 5);
    cr_assert_eq(result.matched, 0);
    figure.subject.number = 22;
    give("", 0);
    cr_assert_eq(result.matched, 1);
    begin("cpu(0x20000100) < 1%");
    figure.subject.number = 0x20000100;
    give("", 0);
    give("net", 0);
    cr_assert_eq(result.matched, 2);
    begin("cpu(*) < 1%");
    give("", 0);
    cr_assert_eq(result.matched, 1, "* also matches subjects without a name");
}

Test(check, all_matching_figures_must_pass_and_the_worst_is_shown)
{
    begin("wake(*) < 10us");
    give("a", 5);
    give("b", 12);
    give("c", 30);
    give("d", 11);
    give_bounds("e", 1, 100);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_FAILED);
    cr_assert_str_eq(result.name, "c");
    cr_assert_eq(result.matched, 5);
    cr_assert_eq(result.failed, 3);
    cr_assert_eq(result.undecided, 1);
    begin("idle(*) > 10%");
    give("a", 50);
    give("b", 20);
    give("c", 30);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_OK);
    cr_assert_str_eq(result.name, "b");
}

Test(check, a_job_that_never_ended_is_worse_than_shorter_complete_jobs)
{
    begin("response(*).max < 10us");
    figure.stat[check.stat] = (struct txtap_measure){true, 3, 5000, INFINITY};
    txtap_check_figure(&check, &result, &figure, "left", &mhz);
    give("filter", 110);
    cr_expect_eq(result.verdict, TXTAP_VERDICT_FAILED);
    cr_expect_str_eq(result.name, "left", "%s", result.name);
    cr_expect_eq(result.measure.value, 5000);
}

Test(check, one_undecided_figure_outweighs_all_that_pass)
{
    begin("wake(*) < 10us");
    give("a", 9);
    give_bounds("b", 1, INFINITY);
    give("c", 9);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_UNDECIDED);
    cr_assert_str_eq(result.name, "b");
}

Test(check, without_a_pattern_the_figure_of_the_whole_trace_counts_if_it_exists)
{
    begin("switches < 10");
    give("a", 50);
    figure.subject.kind = TXTAP_SUBJECT_SYSTEM;
    give("", 5);
    figure.subject.kind = TXTAP_SUBJECT_THREAD;
    give("b", 50);
    cr_assert_eq(result.matched, 1);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_OK);
    begin("wake < 10us");
    give("a", 5);
    give("b", 50);
    cr_assert_eq(result.matched, 2);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_FAILED);
    begin("switches(*) < 10");
    figure.subject.kind = TXTAP_SUBJECT_SYSTEM;
    give("", 5);
    cr_assert_eq(result.matched, 0, "a pattern matches threads, interrupts and objects");
}

Test(check, an_unmeasured_figure_is_undecided)
{
    begin("wake(a).min > 1us");
    txtap_check_figure(&check, &result, &figure, "a", &mhz);
    cr_assert_eq(result.matched, 1);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_UNDECIDED);
    begin("wake(a).min > 1us");
    give("a", NAN);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_UNDECIDED);
}

Test(check, a_violation_is_final_if_the_value_only_grows_or_only_shrinks)
{
    static const char *const lasting[] = {"wake <= 1us",     "wake.n < 5", "run.sum < 1s",     "lost == 0",
                                          "stack >= 10%",    "depth < 5",  "period.min > 1ms", "deadlock == 0",
                                          "jitter <= 100us", "wake == 0"};
    static const char *const passing[] = {"wake.p99 <= 1us", "cpu(a) < 5%",     "load < 5%",     "wake.n >= 5",
                                          "run.mean < 1ms",  "isr.rate < 5/s",  "switches == 3", "wake.max >= 1us",
                                          "stack <= 50%",    "period.min < 1ms"};
    struct txtap_check_error wrong;

    for (size_t i = 0; i < sizeof lasting / sizeof *lasting; i++) {
        cr_assert(txtap_check_parse(&check, lasting[i], &wrong), "%s", lasting[i]);
        cr_expect(txtap_check_is_lasting(&check), "%s", lasting[i]);
    }
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
        cr_assert(txtap_check_parse(&check, passing[i], &wrong), "%s", passing[i]);
        cr_expect(!txtap_check_is_lasting(&check), "%s", passing[i]);
    }
}

Test(check, seconds_need_the_rate_of_the_ticks)
{
    begin("wake(a) < 1us");
    figure.stat[check.stat] = (struct txtap_measure){true, 0, 0, 0};
    txtap_check_figure(&check, &result, &figure, "a", &unknown);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_UNDECIDED);
    cr_assert(txtap_check_needs_rate(&check));
    begin("wake(a) < 1ticks");
    figure.stat[check.stat] = (struct txtap_measure){true, 0, 0, 0};
    txtap_check_figure(&check, &result, &figure, "a", &unknown);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_OK);
    cr_assert_not(txtap_check_needs_rate(&check));
}

/* Judges a time or a rate per second with a rate of 1 MHz that is measured to 1 %. */
static enum txtap_verdict with_measured_rate(const char *text, double lower, double upper)
{
    static const struct txtap_rate rate = {TXTAP_RATE_MEASURED, 1e6, 0.99e6, 1.01e6};

    begin(text);
    figure.stat[check.stat] = (struct txtap_measure){true, lower, lower, upper};
    txtap_check_figure(&check, &result, &figure, "a", &rate);
    txtap_check_end(&check, &result, &(struct txtap_check_trace){.rate = rate});
    return result.verdict;
}

Test(check, a_verdict_must_hold_for_all_rates_within_the_bounds)
{
    cr_expect_eq(with_measured_rate("wake(a) <= 1ms", 989, 989), TXTAP_VERDICT_OK);
    cr_expect_eq(with_measured_rate("wake(a) <= 1ms", 991, 991), TXTAP_VERDICT_UNDECIDED);
    cr_expect_eq(with_measured_rate("wake(a) <= 1ms", 1009, 1009), TXTAP_VERDICT_UNDECIDED);
    cr_expect_eq(with_measured_rate("wake(a) <= 1ms", 1011, 1011), TXTAP_VERDICT_FAILED);
    cr_expect_eq(with_measured_rate("wake(a) >= 1ms", 1009, 1009), TXTAP_VERDICT_UNDECIDED);
    cr_expect_eq(with_measured_rate("wake(a) == 1ms", 1000, 1000), TXTAP_VERDICT_UNDECIDED);
    cr_expect_eq(with_measured_rate("wake(a) <= 1ms", 900, INFINITY), TXTAP_VERDICT_UNDECIDED);
    cr_expect_eq(with_measured_rate("run(a).rate <= 1000/s", 989, 989), TXTAP_VERDICT_OK);
    cr_expect_eq(with_measured_rate("run(a).rate <= 1000/s", 991, 991), TXTAP_VERDICT_UNDECIDED);
    cr_expect_eq(with_measured_rate("run(a).rate <= 1000/s", 1011, 1011), TXTAP_VERDICT_FAILED);
}

Test(check, an_inexact_rate_does_not_touch_other_units)
{
    cr_expect_eq(with_measured_rate("wake(a) <= 1000 ticks", 1000, 1000), TXTAP_VERDICT_OK);
    cr_expect_eq(with_measured_rate("wake(a) == 0", 0, 0), TXTAP_VERDICT_OK);
    cr_expect_eq(with_measured_rate("cpu(a) <= 50%", 50, 50), TXTAP_VERDICT_OK);
    cr_expect_eq(with_measured_rate("wake(a).n <= 7", 7, 7), TXTAP_VERDICT_OK);
}

Test(check, the_bounds_of_an_undecided_result_include_the_error_of_the_rate)
{
    (void)with_measured_rate("wake(a) <= 1ms", 1000, 1000);
    cr_expect_float_eq(result.measure.lower, 1000 / 1.01, 1e-9);
    cr_expect_float_eq(result.measure.upper, 1000 / 0.99, 1e-9);
    (void)with_measured_rate("wake(a) <= 2ms", 1000, 1000);
    cr_expect_eq(result.measure.lower, 1000);
    cr_expect_eq(result.measure.upper, 1000);
}

Test(check, a_rate_of_the_user_or_the_firmware_is_exact)
{
    static const enum txtap_rate_how hows[] = {TXTAP_RATE_GIVEN, TXTAP_RATE_FIRMWARE};

    for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) {
        const struct txtap_rate rate = {hows[i], 1e6, 0.99e6, 1.01e6};

        begin("wake(a) <= 1ms");
        figure.stat[check.stat] = (struct txtap_measure){true, 1000, 1000, 1000};
        txtap_check_figure(&check, &result, &figure, "a", &rate);
        cr_expect_eq(result.verdict, TXTAP_VERDICT_OK);
    }
}

Test(check, an_extreme_names_its_place)
{
    begin("wake(a).max < 1us");
    figure.max_at = (struct txtap_place){true, 17, 1000};
    give("a", 5);
    cr_assert(result.place.known);
    cr_assert_eq(result.place.seq, 17);
    begin("wake(a).mean < 1us");
    figure.max_at = (struct txtap_place){true, 17, 1000};
    give("a", 5);
    cr_assert_not(result.place.known);
}

/* Gives a figure with another name, which only makes the subject known. */
static void give_other(const char *subject)
{
    figure.id = TXTAP_FIGURE_CPU;
    txtap_check_figure(&check, &result, &figure, subject, &mhz);
    figure.id = check.id;
    figure.detail = "";
}

static void give_total(double value, double upper)
{
    figure.subject.kind = TXTAP_SUBJECT_SYSTEM;
    figure.stat[TXTAP_STAT_N] = (struct txtap_measure){true, value, value, upper};
    txtap_check_figure(&check, &result, &figure, "", &mhz);
}

Test(check, events_that_never_happened_to_a_subject_have_the_count_0)
{
    begin("inversion(control) == 0");
    give_other("control");
    give_other("sampler");
    give_total(3, 3);
    txtap_check_end(&check, &result, &whole);
    cr_assert_eq(result.matched, 1);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_OK);
    cr_assert_str_eq(result.name, "control");
    begin("inversion(control) == 0");
    give_other("control");
    give_total(3, INFINITY);
    txtap_check_end(&check, &result, &whole);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_UNDECIDED, "a gap may hide one");
    begin("inversion(control).max < 1us");
    give_other("control");
    give_total(3, 3);
    txtap_check_end(&check, &result, &whole);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_UNDECIDED, "without samples there is no maximum");
}

Test(check, a_subject_without_the_figure_is_not_measured)
{
    begin("wake(control).p99 < 1us");
    give_other("control");
    txtap_check_end(&check, &result, &whole);
    cr_assert_eq(result.matched, 1);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_UNDECIDED);
    cr_assert_not(result.measure.known);
    begin("wake(contrl).p99 < 1us");
    give_other("control");
    txtap_check_end(&check, &result, &whole);
    cr_assert_eq(result.matched, 0);
    begin("hold(control) < 1us");
    give_other("control");
    txtap_check_end(&check, &result, &whole);
    cr_assert_eq(result.matched, 0, "a thread cannot be held");
}

Test(check, with_lost_events_some_subjects_may_be_unknown)
{
    begin("wake(*).max > 5us");
    give_bounds("a", 6, INFINITY);
    txtap_check_end(&check, &result, &whole);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_OK);
    txtap_check_end(&check, &result, &gappy);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_UNDECIDED, "a thread hidden by gaps may have a lower one");
    begin("wake(a).max > 5us");
    give_bounds("a", 6, INFINITY);
    txtap_check_end(&check, &result, &gappy);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_OK, "there is one of that name");
    begin("cpu(*) < 10%");
    give_bounds("a", 1, 8);
    txtap_check_end(&check, &result, &gappy);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_OK, "gaps hide 7 %% at most");
    begin("cpu(*) < 7%");
    give_bounds("a", 1, 6);
    txtap_check_end(&check, &result, &gappy);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_UNDECIDED);
    begin("wake(*).max < 5us");
    give_bounds("a", 6, INFINITY);
    txtap_check_end(&check, &result, &gappy);
    cr_assert_eq(result.verdict, TXTAP_VERDICT_FAILED, "one that fails is enough");
}

static bool holds(enum txtap_check_operator op, double value, double limit)
{
    switch (op) {
    case TXTAP_CHECK_LESS:
        return value < limit;
    case TXTAP_CHECK_LESS_EQUAL:
        return value <= limit;
    case TXTAP_CHECK_GREATER:
        return value > limit;
    case TXTAP_CHECK_GREATER_EQUAL:
        return value >= limit;
    case TXTAP_CHECK_EQUAL:
        return value == limit;
    default:
        return value != limit;
    }
}

/* The numbers are small, so that limit, true value and bounds are often equal. */
Test(check, a_certain_verdict_equals_the_verdict_on_the_true_value)
{
    uint64_t decided = 0;

    for (int limit = 0; limit < 5; limit++) {
        for (unsigned op = 0; op < 6; op++) {
            for (int lower = 0; lower < 5; lower++) {
                for (int upper = lower; upper < 6; upper++) {
                    struct txtap_measure measure = {true, lower, lower, upper == 5 ? (double)INFINITY : upper};
                    enum txtap_verdict verdict = txtap_check_judge((enum txtap_check_operator)op, &measure, limit);
                    bool all = true, none = true;

                    for (double truth = lower; truth <= upper + 2; truth += 0.5) {
                        bool passes = holds((enum txtap_check_operator)op, truth, limit);

                        if (truth > measure.upper)
                            break;
                        all = all && passes;
                        none = none && !passes;
                    }
                    cr_assert_eq(verdict == TXTAP_VERDICT_OK, all, "[%d, %d] %u %d", lower, upper, op, limit);
                    cr_assert_eq(verdict == TXTAP_VERDICT_FAILED, none, "[%d, %d] %u %d", lower, upper, op, limit);
                    decided += verdict != TXTAP_VERDICT_UNDECIDED;
                }
            }
        }
    }
    cr_assert_gt(decided, 300);
}

static uint64_t random_state;

static uint64_t random_u64(void)
{
    random_state += 0x9E3779B97F4A7C15u;
    uint64_t x = random_state;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static const char *random_check(void)
{
    static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};
    static const char *const patterns[] = {"", "(*)", "(a*)", "([ab])", "(0x10)"};
    static char text[64];

    snprintf(text, sizeof text, "wake%s.mean %s %u ticks", patterns[random_u64() % 5], operators[random_u64() % 6],
             (unsigned)(random_u64() % 8));
    return text;
}

/* Some figures are given twice: with exact values, and with the bounds that lost events cause. */
Test(check, with_random_bounds_around_the_truth_a_verdict_is_never_wrong)
{
    static const char *const names[] = {"a", "b", "ab", "", "c"};
    uint64_t first = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 100000 / RUNS_DIVISOR);
    uint64_t decided = 0;

    for (uint64_t seed = first; seed < first + runs; seed++) {
        struct txtap_check_result truth, known;

        random_state = seed;
        begin(random_check());
        txtap_check_result_init(&truth);
        txtap_check_result_init(&known);
        for (uint64_t count = 1 + random_u64() % 4; count > 0; count--) {
            const char *name = names[random_u64() % 5];
            double value = (double)(random_u64() % 8), below = (double)(random_u64() % 3 % 2);
            double above = (double)(random_u64() % 3 % 2);

            figure.subject.kind = random_u64() % 4 == 0 ? TXTAP_SUBJECT_SYSTEM : TXTAP_SUBJECT_THREAD;
            figure.subject.number = random_u64() % 2 == 0 ? 0x10 : 0x20;
            figure.stat[TXTAP_STAT_MEAN] = (struct txtap_measure){true, value, value, value};
            txtap_check_figure(&check, &truth, &figure, name, &unknown);
            figure.stat[TXTAP_STAT_MEAN] = (struct txtap_measure){true, value, value - below, value + above};
            txtap_check_figure(&check, &known, &figure, name, &unknown);
        }
        cr_assert_neq(truth.verdict, TXTAP_VERDICT_UNDECIDED, "seed %" PRIu64, seed);
        cr_assert(known.verdict == TXTAP_VERDICT_UNDECIDED || known.verdict == truth.verdict, "seed %" PRIu64, seed);
        cr_assert_eq(known.matched, truth.matched, "seed %" PRIu64, seed);
        decided += known.matched > 0 && known.verdict != TXTAP_VERDICT_UNDECIDED;
    }
    cr_assert_gt(decided, runs / 10);
}
