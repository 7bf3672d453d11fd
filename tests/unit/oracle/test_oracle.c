/* SPDX-License-Identifier: MIT */
/*
 * Compares the analyses with a simulation of ThreadX that knows the true figures. Environment: TXTAP_RUNS: number of
 * schedules; TXTAP_SEED: first seed; TXTAP_EVENTS: events per schedule; TXTAP_WITH: numbers of the features to use,
 * separated by commas; TXTAP_ALL=1: report known differences, too; TXTAP_SURVEY=1: list the figures that differ, how
 * often each differs, and the shortest schedule for each.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/compare.h"
#include "oracle/image.h"
#include "oracle/schedule.h"
#include "oracle/show.h"
#include "sanitized.h"
#include "seeds.h"
#include "txtap/trace.h"

#define DIFFERENCES 256u

/*
 * Figures that are known to differ if a schedule has a feature. Each row is a defect, or a definition that is still
 * open. "*" means all figures: no schedule gets this feature unless TXTAP_WITH names it.
 * Seed 112391 with gaps also differs: the first resumption that is not lost names no next thread, so the analysis
 * cannot know that this kernel names next threads. With several cores and gaps, seed 83450 differs in block and waits:
 * all events of the other cores are lost, so a thread that is resumed for another core seems to be suspended.
 */
static const struct {
    enum schedule_feature feature;
    const char *figure;
} differs[] = {
    /* an interrupt comes between a thread's suspension and the switch to the next thread: the suspended thread still
     * seems to have the core */
    {WITH_WINDOWS, "*"},
    /* only with gaps: if a change of priority is lost, its suspension seems to confirm the old priority */
    {WITH_PRIORITY_CHANGES, "inversion"},
    {WITH_PRIORITY_CHANGES, "inversions"},
    /* a thread that terminated itself puts its mutexes after its suspension, so that it still seems to run */
    {WITH_LAST_PUTS, "*"},
};

#define DIFFERS (sizeof(differs) / sizeof(*differs))

static struct schedule schedule;
static bool several_cores;
static struct figure_list list;
static struct difference differences[DIFFERENCES];
static bool is_lost[KERNEL_EVENTS]; /* for each event: true if a gap hides it */

static uint32_t features(void)
{
    const char *text = getenv("TXTAP_WITH");
    uint32_t bits = 0;
    char *end;

    if (text == NULL)
        bits = UINT32_MAX >> (32 - FEATURES);
    for (size_t i = 0; text == NULL && i < DIFFERS; i++)
        if (strcmp(differs[i].figure, "*") == 0)
            bits &= ~(1u << differs[i].feature);
    if (text == NULL)
        return bits;
    while (*text != '\0') {
        bits |= 1u << strtoul(text, &end, 10);
        text = *end == ',' ? end + 1 : end;
    }
    return bits;
}

/*
 * Returns the number of lost events from event `event` on. The first event and the last event are never lost, so that
 * the analysed time stays the same.
 */
static unsigned lost_at(unsigned event)
{
    static uint64_t state;
    unsigned left = schedule.kernel.count - 1 - event;

    if (event == 0)
        state = schedule.random;
    state = state * 6364136223846793005u + 1442695040888963407u;
    if (event == 0 || left == 0 || (state >> 33) % 24 != 0)
        return 0;
    return 1 + (unsigned)(state >> 40) % (left < 30 ? left : 30);
}

static uint32_t cores_seen; /* bit n: the trace has an event of core n */

static void take_events(struct txtap_analysis *analysis, struct txtap_trace *trace, bool gaps)
{
    struct txtap_item item;
    unsigned event = 0, lost = 0;

    memset(is_lost, 0, sizeof(is_lost));
    cores_seen = 0;
    for (; txtap_trace_next(trace, &item) == TXTAP_OK; event++) {
        if (gaps && lost == 0 && (lost = lost_at(event)) > 0) {
            const struct txtap_item gap = {.kind = TXTAP_ITEM_GAP,
                                           .gap = {.seq = item.event.seq, .lost = lost, .exact = true}};

            (void)txtap_analysis_take(analysis, &gap);
        }
        is_lost[event] = lost > 0;
        if (lost > 0) {
            lost--;
            continue;
        }
        (void)txtap_analysis_take(analysis, &item);
        cores_seen |= 1u << item.event.core;
    }
}

/* Analyses the schedule. names: the registry has names, which distinguish threads at a reused address. */
static void analyse_with(bool gaps, bool names)
{
    static uint8_t bytes[IMAGE_BYTES];
    static struct txtap_object objects[KERNEL_THREADS + KERNEL_OBJECTS];
    struct txtap_analysis *analysis = figure_list_analysis(&(struct txtap_analysis_options){0});
    struct txtap_trace trace;
    size_t length = image_of(&schedule.kernel, bytes);

    cr_assert_eq(txtap_trace_open(&trace, bytes, length, objects, KERNEL_THREADS + KERNEL_OBJECTS), TXTAP_OK);
    if (names)
        txtap_analysis_names(analysis, &trace.registry);
    txtap_analysis_objects(analysis, &trace.registry);
    take_events(analysis, &trace, gaps);
    figure_list_end(&list, analysis);
}

static void analyse(bool gaps)
{
    analyse_with(gaps, false);
}

static bool concerns(enum schedule_feature feature, const char *name, const char *figure)
{
    return (strcmp(name, figure) == 0 || strcmp(name, "*") == 0) && (schedule.features >> feature & 1) != 0;
}

static bool is_known(const char *figure)
{
    for (size_t i = 0; i < DIFFERS; i++)
        if (concerns(differs[i].feature, differs[i].figure, figure))
            return true;
    return false;
}

/* Removes the known differences. Returns the number of remaining differences. */
static size_t news(size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count && i < DIFFERENCES; i++)
        if (getenv("TXTAP_ALL") != NULL || !is_known(differences[i].name))
            differences[kept++] = differences[i];
    return kept;
}

static size_t run(uint64_t seed, bool gaps)
{
    const uint32_t silent = 1u << WITH_SILENT | 1u << WITH_INTERRUPTS;
    struct compare_options options = {.gaps = gaps, .several_cores = several_cores};

    if (!several_cores)
        schedule_run(&schedule, seed, features(), (unsigned)setting("TXTAP_EVENTS", 30 + seed % 200));
    else if (!schedule_run_smp(&schedule, seed, features(), (unsigned)setting("TXTAP_EVENTS", 30 + seed % 200)))
        return 0;
    options.exact_shares = (schedule.features & silent) == 1u << WITH_INTERRUPTS;
    analyse(gaps);
    if (cores_seen != (1u << schedule.kernel.core_count) - 1)
        return 0;
    return news(compare(&schedule.truth, &list, &options, differences, DIFFERENCES));
}

static void survey(uint64_t seed, uint64_t runs, bool gaps)
{
    static struct {
        const char *name;
        uint64_t count, seed;
        unsigned events;
        char text[240];
    } kinds[100];
    unsigned kind_count = 0;

    for (uint64_t end = seed + runs; seed < end; seed++) {
        size_t count = run(seed, gaps);

        for (size_t i = 0; i < count && i < DIFFERENCES; i++) {
            unsigned k = 0;

            while (k < kind_count && strcmp(kinds[k].name, differences[i].name) != 0)
                k++;
            if (k == kind_count && k < 100)
                kinds[kind_count++].name = differences[i].name;
            if (kinds[k].count++ == 0 || schedule.kernel.count < kinds[k].events) {
                kinds[k].seed = seed;
                kinds[k].events = schedule.kernel.count;
                (void)snprintf(kinds[k].text, sizeof(kinds[k].text), "%s", differences[i].text);
            }
        }
    }
    for (unsigned k = 0; k < kind_count; k++)
        (void)fprintf(stderr, "%7" PRIu64 " seed %" PRIu64 " (%u events): %s\n", kinds[k].count, kinds[k].seed,
                      kinds[k].events, kinds[k].text);
}

static void compare_all(uint64_t runs, bool gaps)
{
    uint64_t seed = setting("TXTAP_SEED", 1);

    runs = setting("TXTAP_RUNS", runs);
    if (getenv("TXTAP_SURVEY") != NULL) {
        survey(seed, runs, gaps);
        return;
    }
    for (uint64_t end = seed + runs; seed < end; seed++) {
        size_t count = run(seed, gaps);

        if (count == 0)
            continue;
        show_schedule(&schedule, is_lost);
        for (size_t i = 0; i < count && i < DIFFERENCES; i++)
            (void)fprintf(stderr, "%s\n", differences[i].text);
        cr_assert(false, "seed %" PRIu64 ": %zu differences", seed, count);
    }
}

/* These schedules once gave wrong figures. Random schedules rarely cover their cases: a thread that puts a mutex
 * without owning it, and time slices that end in nested ticks. */
Test(oracle, figures_that_were_wrong_once_are_the_kernels_truth)
{
    static const uint64_t seeds[] = {8609, 14147, 31426, 201397, 301388, 320179};

    for (size_t i = 0; i < sizeof(seeds) / sizeof(*seeds); i++)
        cr_expect_eq(run(seeds[i], false), 0, "seed %" PRIu64, seeds[i]);
}

/* An interrupt that records only other events interrupted a thread that its core had just taken. */
Test(oracle, figures_that_were_wrong_once_on_several_cores_are_the_kernels_truth)
{
    several_cores = true;
    cr_expect_eq(run(59556, false), 0);
}

Test(oracle, figures_are_the_kernels_truth)
{
    compare_all(2000 / RUNS_DIVISOR, false);
}

Test(oracle, bounds_over_gaps_contain_the_kernels_truth)
{
    compare_all(2000 / RUNS_DIVISOR, true);
}

Test(oracle, figures_are_the_kernels_truth_on_several_cores)
{
    several_cores = true;
    compare_all(1000 / RUNS_DIVISOR, false);
}

Test(oracle, bounds_over_gaps_contain_the_kernels_truth_on_several_cores)
{
    several_cores = true;
    compare_all(1000 / RUNS_DIVISOR, true);
}

/* ---- threads that are created again, distinguished by name ---- */

/* Figures of which the sum over several threads has a meaning. */
static const struct {
    const char *name;
    enum txtap_stat stat;
} sums[] = {
    {"cpu_ticks", TXTAP_STAT_VALUE}, {"run", TXTAP_STAT_N},           {"response", TXTAP_STAT_N},
    {"wake", TXTAP_STAT_N},          {"suspended", TXTAP_STAT_VALUE}, {"life", TXTAP_STAT_N},
};

#define SUMS (sizeof(sums) / sizeof(*sums))

/* Adds up the figures of each thread of the kernel. Returns how many threads at a reused address have figures of their
 * own. */
static unsigned add_up(double of[SUMS][KERNEL_THREADS])
{
    unsigned apart = 0;

    memset(of, 0, sizeof(double[SUMS][KERNEL_THREADS]));
    for (size_t i = 0; i < list.count; i++) {
        const struct txtap_figure *figure = &list.figures[i];
        unsigned thread = (figure->subject.number - 0x20001000u) / 0x100;

        if (figure->subject.kind != TXTAP_SUBJECT_THREAD || thread >= KERNEL_THREADS)
            continue;
        apart += figure->subject.life > 1 && strcmp(figure->name, "cpu_ticks") == 0;
        for (size_t k = 0; k < SUMS; k++)
            if (strcmp(figure->name, sums[k].name) == 0 && figure->stat[sums[k].stat].known)
                of[k][thread] += figure->stat[sums[k].stat].value;
    }
    return apart;
}

/* A dump has only the latest name for an address. So the last thread at this address has its own figures, and all
 * earlier threads share one set of figures. */
Test(oracle, figures_of_threads_at_one_address_add_up_to_those_of_one_thread)
{
    static double one[SUMS][KERNEL_THREADS], several[SUMS][KERNEL_THREADS];
    uint64_t seed = setting("TXTAP_SEED", 1), end = seed + setting("TXTAP_RUNS", 1000 / RUNS_DIVISOR);
    unsigned apart = 0;

    for (; seed < end; seed++) {
        bool gaps = seed % 4 == 0;

        schedule_run(&schedule, seed, features(), 30 + (unsigned)(seed % 200));
        analyse_with(gaps, false);
        (void)add_up(one);
        analyse_with(gaps, true);
        apart += add_up(several);
        for (size_t k = 0; k < SUMS; k++)
            for (unsigned thread = 0; thread < KERNEL_THREADS; thread++)
                cr_assert_eq(one[k][thread], several[k][thread], "seed %" PRIu64 ": %s of T%u: %g, %g", seed,
                             sums[k].name, thread, one[k][thread], several[k][thread]);
    }
    cr_assert(apart > 0 || RUNS_DIVISOR > 1 || getenv("TXTAP_SEED") != NULL);
}
