/* SPDX-License-Identifier: MIT */
/* The CPU share over time: the contents of the buckets, buckets that become wider, and gaps. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/made_trace.h"
#include "analysis/scheduler.h"

#define LOOP 0x20000100u

static struct figure_list sums;
static struct scheduler scheduler;

/* Returns the share of a subject in the bucket that begins at the tick `from`. */
static const struct txtap_measure *share(const struct figure_list *list, const char *name, uint32_t subject,
                                         uint64_t from)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct txtap_figure *figure = &list->figures[i];

        if (strcmp(figure->name, name) == 0 && figure->span.from == from &&
            (subject == 0 ? figure->subject.kind == TXTAP_SUBJECT_SYSTEM : figure->subject.number == subject))
            return &figure->stat[TXTAP_STAT_VALUE];
    }
    cr_assert_fail("%s at %" PRIu64, name, from);
    return NULL;
}

#define ASSERT_SHARE(name, subject, from, percent)                                                                     \
    cr_assert_float_eq(share(list, name, subject, from)->value, percent, 1e-9, "%s at %d: %g", name, from,             \
                       share(list, name, subject, from)->value)

Test(buckets, activity_over_several_buckets_is_split)
{
    const struct figure_list *list;

    made_begin(&(struct txtap_analysis_options){.bucket_ticks = 100});
    made_job(LOOP, 1000, 1010, 1230); /* the timer thread runs until 1010 */
    made_job(LOOP, 1300, 1300, 1350);
    made_event(1400, MADE_TIMER, EVENT_RUNNING, 0, 0, 0, 0);
    list = made_end();
    ASSERT_SHARE("bucket_cpu", LOOP, 1000, 90.0);
    ASSERT_SHARE("bucket_cpu", MADE_TIMER, 1000, 10.0);
    ASSERT_SHARE("bucket_load", 0, 1000, 100.0);
    ASSERT_SHARE("bucket_cpu", LOOP, 1100, 100.0);
    ASSERT_SHARE("bucket_load", 0, 1200, 30.0);
    ASSERT_SHARE("bucket_cpu", LOOP, 1300, 50.0);
    cr_assert_eq(share(list, "bucket_cpu", LOOP, 1300)->lower, share(list, "bucket_cpu", LOOP, 1300)->upper);
}

Test(buckets, a_gap_is_not_observed)
{
    const struct figure_list *list;
    const struct txtap_measure *of;

    made_begin(&(struct txtap_analysis_options){.bucket_ticks = 100});
    made_job(LOOP, 1000, 1000, 1040);
    made_event(1050, MADE_TIMER, EVENT_RUNNING, 0, 0, 0, 0);
    made_gap(7);
    made_job(LOOP, 1250, 1250, 1300);
    list = made_end();
    of = share(list, "bucket_cpu", LOOP, 1000); /* of this bucket, the trace has only 1000 to 1050 */
    cr_assert_eq(of->value, 80);
    cr_assert_eq(of->lower, 40);
    cr_assert_eq(of->upper, 90);
    of = share(list, "bucket_cpu", LOOP, 1100);
    cr_assert_eq(of->lower, 0);
    cr_assert_eq(of->upper, 100);
    of = share(list, "bucket_load", 0, 1200);
    cr_assert_eq(of->value, 100);
    cr_assert_eq(of->lower, 50);
}

static double sum_of(const struct figure_list *list, uint32_t thread)
{
    double ticks = 0;

    for (size_t i = 0; i < list->count; i++)
        if (list->figures[i].span.known && list->figures[i].subject.number == thread &&
            list->figures[i].subject.kind == TXTAP_SUBJECT_THREAD)
            ticks += list->figures[i].stat[TXTAP_STAT_VALUE].value / 100 *
                     (double)(list->figures[i].span.to - list->figures[i].span.from);
    return ticks;
}

/* Buckets of the smallest width would be more than FIGURE_LIST_BUCKETS, so the buckets become wider. */
Test(buckets, all_buckets_add_up_to_the_whole)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct txtap_analysis *analysis =
            figure_list_analysis(&(struct txtap_analysis_options){.bucket_ticks = 1 + seed * 7 % 300});

        scheduler_run(&scheduler, seed);
        for (size_t i = 0; i < scheduler.count; i++)
            txtap_analysis_take(analysis, &(struct txtap_item){.kind = TXTAP_ITEM_EVENT, .event = scheduler.events[i]});
        figure_list_end(&sums, analysis);
        for (unsigned i = 0; i < SCHEDULER_THREADS; i++)
            cr_assert_float_eq(sum_of(&sums, scheduler_thread(i)), (double)scheduler.truth.ran[i], 1e-6,
                               "seed %" PRIu64 ": %g, not %" PRIu64, seed, sum_of(&sums, scheduler_thread(i)),
                               scheduler.truth.ran[i]);
    }
}
