/* SPDX-License-Identifier: MIT */
/* Two sides of made-up runs: the compared numbers, the verdicts, and the order. */
#include "compare/changes_show.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "seeds.h"

#define HZ      1e6
#define SECONDS 10
#define RUNS    5

static struct txtap_registry registry;
static struct side sides[2];
static struct changes changes;
static struct error error;
static struct figures run; /* the run that is being made */

static void begin_run(void)
{
    run = (struct figures){.registry = &registry, .trace = "a.rec", .tick_hz = HZ};
    run.summary = (struct txtap_analysis_summary){
        .events = 1000, .lost_exact = true, .observed_ticks = (uint64_t)(SECONDS * HZ), .cores = 1};
}

static struct txtap_figure *add(const char *name, const char *thread, enum txtap_unit unit, enum txtap_stat stat,
                                double value)
{
    struct txtap_figure figure = {.section = "cpu", .name = name, .detail = "", .unit = unit};

    if (*thread != '\0')
        figure.subject = (struct txtap_subject){.kind = TXTAP_SUBJECT_THREAD, .type = TXTAP_OBJECT_THREAD};
    figure.stat[stat] = (struct txtap_measure){true, value, value, value};
    cr_assert_eq(figures_take(&run, &figure), TXTAP_OK);
    snprintf(run.at[run.count - 1].subject, FIGURE_NAME_BYTES, "%s", thread);
    return &run.at[run.count - 1].figure;
}

static void add_share(const char *thread, double percent)
{
    add("cpu", thread, TXTAP_UNIT_PERCENT, TXTAP_STAT_VALUE, percent);
}

/* Adds n samples with these numbers, in microseconds. */
static void add_samples(const char *name, const char *thread, double n, double mean, double high, double max)
{
    struct txtap_figure *figure = add(name, thread, TXTAP_UNIT_TICKS, TXTAP_STAT_MEAN, mean);

    figure->stat[TXTAP_STAT_N] = figure->stat[TXTAP_STAT_RATE] = (struct txtap_measure){true, n, n, n};
    for (enum txtap_stat stat = TXTAP_STAT_P50; stat <= TXTAP_STAT_P99; stat++)
        figure->stat[stat] = (struct txtap_measure){true, high, high * 0.97, high};
    figure->stat[TXTAP_STAT_MAX] = (struct txtap_measure){true, max, max, max};
}

static void end_run(size_t side)
{
    cr_assert_eq(side_add(&sides[side], &run, &error), TXTAP_OK);
}

static void compare(void)
{
    cr_assert_eq(changes_make(&changes, sides, -1, &error), TXTAP_OK, "%s", error.what);
}

static void clear(void)
{
    changes_free(&changes);
    for (size_t i = 0; i < 2; i++)
        side_free(&sides[i]);
    sides[0].label = "A";
    sides[1].label = "B";
}

static void set_up(void)
{
    txtap_registry_init(&registry, NULL, 0);
    clear();
}

TestSuite(compared, .init = set_up, .fini = clear);

/* Makes a side with a share of the processor, once for each run. */
static void add_runs(size_t side, const char *thread, const double *percents, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        begin_run();
        add_share(thread, percents[i]);
        end_run(side);
    }
}

static const char *verdict(void)
{
    static char text[CHANGES_VERDICT_BYTES];

    return changes_verdict(text, &changes);
}

Test(compared, a_share_beyond_the_noise_is_worse)
{
    add_runs(0, "filter", (double[]){10, 10.1, 10, 10.2, 10.1}, RUNS);
    add_runs(1, "filter", (double[]){15, 15.1, 15, 15.2, 15.1}, RUNS);
    compare();
    cr_assert_eq(changes.count, 1);
    cr_assert(changes.at[0].noise_known);
    cr_assert_eq(changes.at[0].kind, CHANGE_WORSE);
    cr_assert_float_eq(changes.at[0].side[0].middle, 10.1, 1e-9);
    cr_assert_eq(changes_exit_code(&changes), EXIT_CHECK_FAILED);
    cr_assert_str_eq(verdict(), "1 figure changed, 1 worse: cpu(filter) x 1.5");
}

Test(compared, a_share_that_falls_is_better)
{
    add_runs(0, "filter", (double[]){15, 15.1, 15, 15.2, 15.1}, RUNS);
    add_runs(1, "filter", (double[]){10, 10.1, 10, 10.2, 10.1}, RUNS);
    compare();
    cr_assert_eq(changes.at[0].kind, CHANGE_BETTER);
    cr_assert_eq(changes_exit_code(&changes), EXIT_DONE);
}

Test(compared, a_difference_within_the_noise_is_no_change)
{
    add_runs(0, "filter", (double[]){10, 14, 12, 15, 11}, RUNS);
    add_runs(1, "filter", (double[]){16, 19, 22, 17, 20}, RUNS);
    compare();
    cr_assert_eq(changes.at[0].kind, CHANGE_NOISE);
    cr_assert_eq(changes_exit_code(&changes), EXIT_DONE);
    cr_assert_str_eq(verdict(), "no change in 1 figure");
}

Test(compared, a_small_difference_is_no_change_even_without_noise)
{
    add_runs(0, "filter", (double[]){10, 10, 10, 10, 10}, RUNS);
    add_runs(1, "filter", (double[]){10.19, 10.19, 10.19, 10.19, 10.19}, RUNS);
    compare();
    cr_assert_eq(changes.at[0].kind, CHANGE_NOISE);
}

Test(compared, two_runs_use_a_threshold)
{
    add_runs(0, "filter", (double[]){10, 10}, 2);
    add_runs(1, "filter", (double[]){11.9, 11.9}, 2);
    compare();
    cr_assert(!changes.at[0].noise_known);
    cr_assert_eq(changes.at[0].kind, CHANGE_NOISE, "not more than 20 %%");
    clear();
    add_runs(0, "filter", (double[]){10, 10}, 2);
    add_runs(1, "filter", (double[]){12.1, 12.1}, 2);
    compare();
    cr_assert_eq(changes.at[0].kind, CHANGE_WORSE);
    clear();
    add_runs(0, "filter", (double[]){1, 1}, 2);
    add_runs(1, "filter", (double[]){1.9, 1.9}, 2);
    compare();
    cr_assert_eq(changes.at[0].kind, CHANGE_NOISE, "not more than a percentage point");
}

Test(compared, a_maximum_of_a_run_is_not_judged)
{
    for (size_t side = 0; side < 2; side++) {
        begin_run();
        add_samples("wake", "control", 2000, 50, 80, side == 0 ? 100 : 900);
        end_run(side);
    }
    compare();
    for (size_t i = 0; i < changes.count; i++)
        cr_assert_eq(changes.at[i].kind, changes.at[i].stat == TXTAP_STAT_MAX ? CHANGE_UNKNOWN : CHANGE_NOISE);
}

Test(compared, the_highest_percentile_with_enough_samples_is_compared)
{
    static const struct {
        double n;
        enum txtap_stat stat;
    } table[] = {{5000, TXTAP_STAT_P99}, {400, TXTAP_STAT_P95}, {40, TXTAP_STAT_P50}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        clear();
        for (size_t side = 0; side < 2; side++) {
            begin_run();
            add_samples("run", "control", table[i].n, 50, side == 0 ? 100 : 200, 300);
            end_run(side);
        }
        compare();
        cr_assert_eq(changes.at[0].kind, CHANGE_WORSE);
        cr_assert_eq(changes.at[0].stat, table[i].stat);
        cr_assert_float_eq(changes.at[0].side[1].middle, 200e-6, 1e-12, "in seconds");
    }
}

Test(compared, counts_are_compared_per_second)
{
    for (size_t side = 0; side < 2; side++) {
        begin_run();
        if (side == 1)
            run.summary.observed_ticks *= 3;
        add("failed", "", TXTAP_UNIT_COUNT, TXTAP_STAT_N, side == 0 ? 100 : 300);
        end_run(side);
    }
    compare();
    cr_assert_eq(changes.at[0].kind, CHANGE_NOISE);
    cr_assert_float_eq(changes.at[0].side[1].middle, 10, 1e-9);
    clear();
    for (size_t side = 0; side < 2; side++) {
        begin_run();
        add("failed", "", TXTAP_UNIT_COUNT, TXTAP_STAT_N, side == 0 ? 100 : 150);
        end_run(side);
    }
    compare();
    cr_assert_eq(changes.at[0].kind, CHANGE_WORSE);
}

Test(compared, overlapping_bounds_are_not_known_to_differ)
{
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < RUNS; i++) {
            begin_run();
            add_share("filter", side == 0 ? 10 : 20);
            if (side == 1)
                run.at[0].figure.stat[TXTAP_STAT_VALUE].lower = 5;
            end_run(side);
        }
    compare();
    cr_assert_eq(changes.at[0].kind, CHANGE_UNSURE);
    cr_assert_eq(changes_exit_code(&changes), EXIT_CHECK_UNDECIDED);
    cr_assert_str_eq(verdict(), "no change in 0 figures; 1 not known to differ");
}

Test(compared, figures_that_cannot_be_judged_are_not_called_unchanged)
{
    for (size_t side = 0; side < 2; side++) {
        begin_run();
        add_share("filter", 10);
        add("depth", "filter", TXTAP_UNIT_COUNT, TXTAP_STAT_VALUE, side == 0 ? 3 : 300);
        end_run(side);
    }
    compare();
    cr_assert_str_eq(verdict(), "no change in 1 figure; 1 not judged", "%s", verdict());
}

Test(compared, runs_without_gaps_suffice)
{
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < RUNS; i++) {
            begin_run();
            add_share("filter", side == 0 ? 10 : 20);
            if (i == 0)
                run.at[0].figure.stat[TXTAP_STAT_VALUE].upper = (double)INFINITY;
            end_run(side);
        }
    compare();
    cr_assert_eq(changes.at[0].kind, CHANGE_WORSE);
    cr_assert_eq(changes.at[0].side[0].runs, RUNS - 1);
}

Test(compared, threads_of_a_side_are_listed)
{
    for (size_t side = 0; side < 2; side++) {
        begin_run();
        add_share("filter", 10);
        add_share(side == 0 ? "old" : "hog", 5);
        end_run(side);
    }
    compare();
    cr_assert_eq(changes.only_count[0], 1);
    cr_assert_str_eq(changes.only[0][0]->subject, "old");
    cr_assert_eq(changes.only_count[1], 1);
    cr_assert_str_eq(changes.only[1][0]->subject, "hog");
}

Test(compared, sides_without_a_common_number_are_undecided)
{
    add_runs(0, "old", (double[]){1}, 1);
    add_runs(1, "new", (double[]){1}, 1);
    compare();
    cr_assert_eq(changes_exit_code(&changes), EXIT_CHECK_UNDECIDED);
}

Test(compared, seconds_and_ticks_are_refused)
{
    add_runs(0, "a", (double[]){1}, 1);
    begin_run();
    run.tick_hz = 0;
    add_share("a", 1);
    end_run(1);
    cr_assert_eq(changes_make(&changes, sides, -1, &error), TXTAP_ERROR_USAGE);
}

static double normal(uint64_t *seed)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += (double)next_random(seed, 1u << 30) / (double)(1u << 30);
    return sum;
}

/* 100 figures with 400 numbers, which differ by up to 14 % from run to run. */
static void add_random_run(size_t side, uint64_t *seed)
{
    begin_run();
    for (int i = 0; i < 100; i++) {
        char thread[16];
        double noise = 0.001 + 0.0014 * i, level = 50 * (1 + i % 10);

        snprintf(thread, sizeof thread, "t%d", i);
        add_samples("wake", thread, floor(1000 * (1 + noise * normal(seed))), level * (1 + noise * normal(seed)),
                    2 * level * (1 + noise * normal(seed)), 3 * level * (1 + noise * fabs(normal(seed))));
        run.at[run.count - 1].figure.subject.number = (uint32_t)i;
    }
    end_run(side);
}

Test(compared, whole_reports_of_the_same_build_do_not_change)
{
    uint64_t seed = setting("TXTAP_SEED", 4711), runs = setting("TXTAP_RUNS", 200);
    size_t false_alarms = 0;

    for (uint64_t i = 0; i < runs; i++) {
        clear();
        for (size_t side = 0; side < 2; side++)
            for (size_t j = 0; j < (i % 2 == 0 ? 3 : RUNS); j++)
                add_random_run(side, &seed);
        compare();
        cr_assert_eq(changes.count, 400);
        false_alarms += changes_total(&changes) > 0;
    }
    cr_log_info("%zu of %llu comparisons", false_alarms, (unsigned long long)runs);
    cr_assert_leq(false_alarms, runs / 1000, "%zu of %llu", false_alarms, (unsigned long long)runs);
}

/* Returns the output of a form. */
static char *shown(void show(const struct changes *changes, FILE *out))
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    show(&changes, out);
    fclose(out);
    return text;
}

Test(compared, markdown_has_no_links_and_no_html_from_names)
{
    char *text;

    add_runs(0, "<b>|www.x", (double[]){10}, 1);
    add_runs(1, "<b>|www.x", (double[]){20}, 1);
    compare();
    text = shown(changes_show_markdown);
    cr_assert_not_null(strstr(text, "| worse | <code>cpu(&#60;b&#62;&#124;www&#46;x)</code> |"), "%s", text);
    free(text);
}

Test(compared, a_history_has_the_numbers_of_the_second_side)
{
    char *text;

    for (size_t side = 0; side < 2; side++) {
        begin_run();
        add_samples("wake", "control", 5000, 50, 80, 100);
        add("stack", "control", TXTAP_UNIT_PERCENT, TXTAP_STAT_VALUE, 90);
        end_run(side);
    }
    compare();
    text = shown(changes_show_benchmark);
    cr_assert_not_null(strstr(text, "{\"name\":\"stack(control).used\",\"unit\":\"percent\",\"value\":10,"), "%s",
                       text);
    cr_assert_not_null(strstr(text, "{\"name\":\"wake(control).p99\",\"unit\":\"us\",\"value\":80,"), "%s", text);
    cr_assert_null(strstr(text, ".max"), "%s", text);
    free(text);
}
