/* SPDX-License-Identifier: MIT */
/* Random traces with known figures. The figures must be right; a trace in two files must give the same figures; gaps
 * may only widen the bounds.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/figure_list.h"
#include "analysis/scheduler.h"
#include "sanitized.h"
#include "seeds.h"

static struct scheduler scheduler;
static struct figure_list whole, part;

static void give(struct txtap_analysis *analysis, const struct txtap_event *event)
{
    struct txtap_item item = {.kind = TXTAP_ITEM_EVENT, .event = *event};

    (void)txtap_analysis_take(analysis, &item);
}

static void analyse_whole(void)
{
    struct txtap_analysis *analysis = figure_list_analysis(&(struct txtap_analysis_options){0});

    for (size_t i = 0; i < scheduler.count; i++)
        give(analysis, &scheduler.events[i]);
    figure_list_end(&whole, analysis);
}

static bool same_subject(const struct txtap_subject *a, const struct txtap_subject *b)
{
    return a->kind == b->kind && a->number == b->number;
}

static const struct txtap_figure *find(const struct figure_list *list, const struct txtap_figure *like)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct txtap_figure *figure = &list->figures[i];

        if (strcmp(figure->name, like->name) == 0 && strcmp(figure->detail, like->detail) == 0 &&
            same_subject(&figure->subject, &like->subject) && same_subject(&figure->other, &like->other))
            return figure;
    }
    return NULL;
}

static double value(const char *name, uint32_t thread, enum txtap_stat stat)
{
    for (size_t i = 0; i < whole.count; i++) {
        const struct txtap_figure *figure = &whole.figures[i];

        if (strcmp(figure->name, name) == 0 &&
            (thread == 0 ? figure->subject.kind == TXTAP_SUBJECT_SYSTEM : figure->subject.number == thread))
            return figure->stat[stat].value;
    }
    return 0;
}

/* Returns the sum of all figures with the name `name` for a thread. */
static double sum(const char *name, uint32_t thread, enum txtap_stat stat)
{
    double total = 0;

    for (size_t i = 0; i < whole.count; i++)
        if (strcmp(whole.figures[i].name, name) == 0 &&
            (thread == 0 ||
             (whole.figures[i].subject.kind == TXTAP_SUBJECT_THREAD && whole.figures[i].subject.number == thread)))
            total += whole.figures[i].stat[stat].value;
    return total;
}

#define ASSERT_IS(seed, what, is, expected)                                                                            \
    cr_assert_eq((is), (double)(expected), "seed %" PRIu64 ": %s is %g, not %g", seed, what, is, (double)(expected))

Test(analysis_random, figures_match_the_scheduler)
{
    uint64_t seed = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 500 / RUNS_DIVISOR);

    for (uint64_t end = seed + runs; seed < end; seed++) {
        const struct scheduler_truth *truth = &scheduler.truth;

        scheduler_run(&scheduler, seed);
        analyse_whole();
        ASSERT_IS(seed, "window", value("window", 0, TXTAP_STAT_VALUE), truth->window);
        ASSERT_IS(seed, "idle", value("idle_ticks", 0, TXTAP_STAT_VALUE), truth->idle);
        ASSERT_IS(seed, "interrupts", value("interrupts_ticks", 0, TXTAP_STAT_VALUE), truth->interrupts);
        ASSERT_IS(seed, "entered", value("isr_entered", 0, TXTAP_STAT_VALUE), truth->entered);
        ASSERT_IS(seed, "contended", sum("contended", 0, TXTAP_STAT_VALUE), truth->contended);
        for (unsigned i = 0; i < SCHEDULER_THREADS; i++) {
            uint32_t thread = scheduler_thread(i);

            ASSERT_IS(seed, "cpu", value("cpu_ticks", thread, TXTAP_STAT_VALUE), truth->ran[i]);
            ASSERT_IS(seed, "wakes", value("wake", thread, TXTAP_STAT_N), truth->wakes[i]);
            ASSERT_IS(seed, "latencies", value("wake", thread, TXTAP_STAT_SUM), truth->wake_ticks[i]);
            ASSERT_IS(seed, "longest", value("wake", thread, TXTAP_STAT_MAX), truth->wake_longest[i]);
            ASSERT_IS(seed, "blocks", sum("block", thread, TXTAP_STAT_N), truth->blocks[i]);
            ASSERT_IS(seed, "blocked", sum("block", thread, TXTAP_STAT_SUM), truth->block_ticks[i]);
        }
    }
}

Test(analysis_random, the_times_of_all_threads_add_up_to_the_window)
{
    uint64_t seed = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 200 / RUNS_DIVISOR);

    for (uint64_t end = seed + runs; seed < end; seed++) {
        double ran = 0;

        scheduler_run(&scheduler, seed);
        analyse_whole();
        for (unsigned i = 0; i < SCHEDULER_THREADS; i++) {
            ran += value("cpu_ticks", scheduler_thread(i), TXTAP_STAT_VALUE);
            if (sum("time_ticks", scheduler_thread(i), TXTAP_STAT_VALUE) > 0)
                ASSERT_IS(seed, "life", sum("time_ticks", scheduler_thread(i), TXTAP_STAT_VALUE),
                          scheduler.truth.window);
        }
        ran += value("idle_ticks", 0, TXTAP_STAT_VALUE) + value("interrupts_ticks", 0, TXTAP_STAT_VALUE);
        ASSERT_IS(seed, "sum", ran, scheduler.truth.window);
    }
}

static void assert_same(uint64_t seed, const struct txtap_figure *a, const struct txtap_figure *b)
{
    cr_assert_str_eq(a->name, b->name);
    for (unsigned stat = 0; stat < TXTAP_STATS; stat++)
        cr_assert(a->stat[stat].known == b->stat[stat].known && a->stat[stat].value == b->stat[stat].value &&
                      a->stat[stat].lower == b->stat[stat].lower && a->stat[stat].upper == b->stat[stat].upper,
                  "seed %" PRIu64 ": %s", seed, a->name);
}

Test(analysis_random, a_trace_in_several_files_is_one_trace)
{
    uint64_t seed = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 200 / RUNS_DIVISOR);

    for (uint64_t end = seed + runs; seed < end; seed++) {
        struct txtap_analysis *analysis;

        scheduler_run(&scheduler, seed);
        analyse_whole();
        analysis = figure_list_analysis(&(struct txtap_analysis_options){0});
        for (size_t i = 0; i < scheduler.count; i++) {
            struct txtap_item item = {.kind = TXTAP_ITEM_RESTART};

            if (i % (seed + 10) == 3)
                (void)txtap_analysis_take(analysis, &item);
            give(analysis, &scheduler.events[i]);
        }
        figure_list_end(&part, analysis);
        cr_assert_eq(part.count, whole.count, "seed %" PRIu64, seed);
        for (size_t i = 0; i < whole.count; i++)
            assert_same(seed, &part.figures[i], &whole.figures[i]);
    }
}

/* ---- gaps ---- */

/* Analyses the trace with random gaps. The first event and the last event stay, so that the analysed time stays. */
static void analyse_with_gaps(uint64_t seed)
{
    struct txtap_analysis *analysis = figure_list_analysis(&(struct txtap_analysis_options){0});
    uint64_t random = seed * 0x9E3779B97F4A7C15u + 7;
    size_t i = 0;

    while (i < scheduler.count) {
        struct txtap_item item = {.kind = TXTAP_ITEM_GAP, .gap = {.seq = i, .exact = true}};

        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        if (i > 0 && random >> 40 & 1 && i + 1 < scheduler.count) {
            item.gap.lost = 1 + (random >> 20) % 30;
            if (item.gap.lost > scheduler.count - 1 - i)
                item.gap.lost = scheduler.count - 1 - i;
            i += item.gap.lost;
            (void)txtap_analysis_take(analysis, &item);
        }
        for (uint64_t run = 1 + (random >> 30) % 60; run > 0 && i < scheduler.count; run--)
            give(analysis, &scheduler.events[i++]);
    }
    figure_list_end(&part, analysis);
}

/*
 * Returns true for a subject that means an unknown thread or interrupt. If it were known, its samples would belong to
 * another figure.
 */
static bool is_unknown(const struct txtap_subject *subject)
{
    return subject->kind == TXTAP_SUBJECT_UNKNOWN ||
           (subject->kind == TXTAP_SUBJECT_INTERRUPT && subject->number == UINT32_MAX);
}

/* Returns true for a figure whose true value changes if the trace has a gap. */
static bool is_of_gaps(const struct txtap_figure *figure)
{
    return strcmp(figure->name, "observed") == 0 || strcmp(figure->name, "gaps") == 0 ||
           strcmp(figure->name, "lost") == 0 || strcmp(figure->detail, "unknown") == 0 ||
           is_unknown(&figure->subject) || is_unknown(&figure->other);
}

/* Checks that the bounds with gaps include the true value. Then a check that passes with gaps also passes without
 * gaps. */
static void assert_contains(uint64_t seed, const struct txtap_figure *of_part, const struct txtap_figure *of_whole)
{
    static const struct txtap_measure nothing = {.known = true};

    for (unsigned stat = 0; stat < TXTAP_STATS; stat++) {
        const struct txtap_measure *some = &of_part->stat[stat];
        const struct txtap_measure *all = of_whole ? &of_whole->stat[stat] : &nothing;

        if (!some->known || (!all->known && of_whole))
            continue;
        if (of_whole == NULL && stat == TXTAP_STAT_MIN)
            continue;
        cr_assert(some->lower <= all->lower * (1 + 1e-12) && some->upper * (1 + 1e-12) >= all->upper,
                  "seed %" PRIu64 ": %s %s of 0x%x, 0x%x, '%s': [%g, %g] does not contain [%g, %g]", seed,
                  of_part->name, txtap_stat_name((enum txtap_stat)stat), (unsigned)of_part->subject.number,
                  (unsigned)of_part->other.number, of_part->detail, some->lower, some->upper, all->lower, all->upper);
    }
}

Test(analysis_random, bounds_over_gaps_contain_the_truth)
{
    uint64_t seed = setting("TXTAP_SEED", 1), runs = setting("TXTAP_RUNS", 1000 / RUNS_DIVISOR);

    for (uint64_t end = seed + runs; seed < end; seed++) {
        scheduler_run(&scheduler, seed);
        analyse_whole();
        analyse_with_gaps(seed);
        for (size_t i = 0; i < part.count; i++)
            if (!is_of_gaps(&part.figures[i]))
                assert_contains(seed, &part.figures[i], find(&whole, &part.figures[i]));
    }
}
