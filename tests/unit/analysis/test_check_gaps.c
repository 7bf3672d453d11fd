/* SPDX-License-Identifier: MIT */
/*
 * Real traces, with and without random gaps. If a check fails on the whole trace, it must not pass with gaps; if it
 * passes, it must not fail with gaps. TXTAP_TRACES: other files to use, separated by blanks.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure_list.h"
#include "sanitized.h"
#include "seeds.h"
#include "txtap/check.h"
#include "txtap/trace.h"

#define TICK_HZ        1e6
#define GAPS_MAX       4
#define LOST_MAX       200
#define CHECKS_PER_RUN 40
#define CHECK_BYTES    128

static const char *const samples[] = {
    TXTAP_TEST_DATA "/demo_netx_tcp.trx",         TXTAP_TEST_DATA "/demo_threadx.trx",
    TXTAP_TEST_DATA "/threadx_qemu_wrapped.trx",  TXTAP_TEST_DATA "/analysis/demo_live.trx",
    TXTAP_TEST_DATA "/analysis/deadlock.trx",     TXTAP_TEST_DATA "/analysis/inv_unbounded.trx",
    TXTAP_TEST_DATA "/analysis/queue_full.trx",   TXTAP_TEST_DATA "/analysis/isr_nested.trx",
    TXTAP_TEST_DATA "/analysis/sema_timeout.trx", TXTAP_TEST_DATA "/analysis/jitter.trx",
};

static struct txtap_object objects[1024];
static struct txtap_registry registry;
static uint8_t *bytes; /* contents of the file; items point into them */
static struct txtap_item *items;
static size_t item_count;
static struct figure_list whole, gappy;
static uint64_t random_state;

static uint64_t random_below(uint64_t limit)
{
    random_state += 0x9E3779B97F4A7C15u;
    uint64_t x = random_state;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (x ^ x >> 31) % limit;
}

/* Loads all items of a file. */
static void load(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct txtap_trace trace;
    size_t length;

    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    length = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(length);
    cr_assert_eq(fread(bytes, 1, length, file), length);
    fclose(file);
    cr_assert_eq(txtap_trace_open(&trace, bytes, length, objects, 1024), TXTAP_OK, "%s", path);
    items = malloc((length / 32 + 1) * sizeof *items);
    item_count = 0;
    while (txtap_trace_next(&trace, &items[item_count]) == TXTAP_OK)
        item_count++;
    registry = trace.registry;
}

static bool lose(size_t at, const size_t gaps[][2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (at >= gaps[i][0] && at < gaps[i][0] + gaps[i][1])
            return items[at].kind == TXTAP_ITEM_EVENT;
    return false;
}

/* Analyses the items without the events in `gaps`. Each gap is the index of its first event, and a number of events. */
static void analyse(struct figure_list *list, const size_t gaps[][2], size_t count)
{
    struct txtap_analysis *analysis = figure_list_analysis(&(struct txtap_analysis_options){.tick_hz = TICK_HZ});
    struct txtap_item gap = {.kind = TXTAP_ITEM_GAP};

    txtap_analysis_objects(analysis, &registry);
    for (size_t i = 0; i < item_count; i++) {
        if (lose(i, gaps, count)) {
            if (gap.gap.lost++ == 0)
                gap.gap.seq = items[i].event.seq;
            continue;
        }
        if (gap.gap.lost > 0) {
            gap.gap.exact = gap.gap.seq % 2 == 0;
            (void)txtap_analysis_take(analysis, &gap);
            gap.gap.lost = 0;
        }
        (void)txtap_analysis_take(analysis, &items[i]);
    }
    if (gap.gap.lost > 0)
        (void)txtap_analysis_take(analysis, &gap);
    figure_list_end(list, analysis);
}

static const char *unit_of(const struct txtap_figure *figure)
{
    /* these are bytes for byte pools and blocks for block pools, and a check cannot choose between them */
    if (strcmp(figure->name, "available") == 0 || strcmp(figure->name, "pool_size") == 0)
        return "";
    return figure->unit == TXTAP_UNIT_TICKS     ? "ticks"
           : figure->unit == TXTAP_UNIT_PERCENT ? "%"
           : figure->unit == TXTAP_UNIT_BYTES   ? "bytes"
                                                : "";
}

/* Makes a check of a figure, with a limit near its value. Returns false if the figure cannot be checked. */
static bool random_check(struct txtap_check *check, char text[static CHECK_BYTES])
{
    static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};
    const struct txtap_figure *figure = &whole.figures[random_below(whole.count)];
    enum txtap_stat stat = (enum txtap_stat)random_below(TXTAP_STAT_RATE);
    double value = figure->stat[stat].value, limit = value * (double)random_below(5) / 2;
    bool count = figure->unit == TXTAP_UNIT_COUNT || stat == TXTAP_STAT_N;
    struct txtap_check_error error;
    char pattern[24] = "";

    if (strcmp(figure->section, "trace") == 0) /* gaps are expected to change these figures */
        return false;
    if (!figure->stat[stat].known || !(limit >= 0 && limit < 1e9))
        return false;
    if (random_below(3) == 0)
        limit = value + (double)random_below(3);
    if (figure->subject.kind != TXTAP_SUBJECT_SYSTEM)
        snprintf(pattern, sizeof pattern, random_below(2) ? "(*)" : "(%" PRIu32 ")", figure->subject.number);
    snprintf(text, CHECK_BYTES, "%s%s.%s %s %.*f %s", figure->name, pattern, txtap_stat_name(stat),
             operators[random_below(6)], count ? 0 : 3, limit, stat == TXTAP_STAT_N ? "" : unit_of(figure));
    cr_assert(txtap_check_parse(check, text, &error), "%s: column %zu: %s", text, error.column, error.expected);
    return true;
}

/* Returns true if there is another figure with the same name and subject. */
static bool has_sibling(const struct txtap_figure *figure)
{
    for (size_t i = 0; i < whole.count; i++) {
        const struct txtap_figure *other = &whole.figures[i];

        if (other != figure && strcmp(other->name, figure->name) == 0 && other->subject.kind == figure->subject.kind &&
            other->subject.number == figure->subject.number)
            return true;
    }
    return false;
}

Test(check_gaps, every_figure_can_be_checked_by_its_name)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        load(samples[i]);
        analyse(&whole, NULL, 0);
        for (size_t j = 0; j < whole.count; j++) {
            const struct txtap_figure *figure = &whole.figures[j];
            struct txtap_check_error error;
            struct txtap_check check;
            char text[CHECK_BYTES];

            snprintf(text, sizeof text, "%s.value < 1 %s", figure->name, unit_of(figure));
            cr_assert(txtap_check_parse(&check, text, &error), "%s: %s", text, error.expected);
            cr_assert(figure->subject.kind == TXTAP_SUBJECT_SYSTEM || figure->subject.kind == TXTAP_SUBJECT_UNKNOWN ||
                          figure->subject.kind == check.about ||
                          (figure->subject.kind == TXTAP_SUBJECT_THREAD && strcmp(figure->section, "network") == 0),
                      "%s", text);
            cr_assert(check.several || figure->subject.kind == TXTAP_SUBJECT_SYSTEM || !has_sibling(figure), "%s",
                      text);
        }
        free(items);
        free(bytes);
    }
}

/* Returns the percentage of the time that is in gaps. */
static double unseen_percent(const struct figure_list *list)
{
    double window = 0, observed = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->figures[i].name, "window") == 0)
            window = list->figures[i].stat[TXTAP_STAT_VALUE].value;
        if (strcmp(list->figures[i].name, "observed") == 0)
            observed = list->figures[i].stat[TXTAP_STAT_VALUE].value;
    }
    return window > 0 ? 100 * (window - observed) / window : 100;
}

static struct txtap_check_result verdict_of(const struct txtap_check *check, const struct figure_list *list, bool gaps)
{
    const struct txtap_rate rate = {TXTAP_RATE_GIVEN, TICK_HZ, 0, 0};
    const struct txtap_check_trace trace = {rate, gaps, unseen_percent(list)};
    struct txtap_check_result result;

    txtap_check_result_init(&result);
    for (size_t i = 0; i < list->count; i++)
        txtap_check_figure(check, &result, &list->figures[i], "", &rate);
    txtap_check_end(check, &result, &trace);
    return result;
}

/* Compares the verdicts with and without gaps. Returns the number of verdicts that are certain despite the gaps. */
static uint64_t compare_verdicts(const char *path, uint64_t seed)
{
    uint64_t certain = 0;

    for (unsigned i = 0; i < CHECKS_PER_RUN; i++) {
        struct txtap_check check;
        struct txtap_check_result truth, known;
        char text[CHECK_BYTES];

        if (!random_check(&check, text))
            continue;
        truth = verdict_of(&check, &whole, false);
        known = verdict_of(&check, &gappy, true);
        if (known.matched == 0 || truth.verdict == TXTAP_VERDICT_UNDECIDED || known.verdict == TXTAP_VERDICT_UNDECIDED)
            continue;
        certain++;
        cr_expect_eq(known.verdict, truth.verdict, "%s, seed %" PRIu64 ": %s: %g is in [%g, %g]", path, seed, text,
                     truth.measure.value, known.measure.lower, known.measure.upper);
    }
    return certain;
}

static void try_file(const char *path, uint64_t runs)
{
    uint64_t first = setting("TXTAP_SEED", 1), certain = 0;

    load(path);
    analyse(&whole, NULL, 0);
    for (uint64_t seed = first; seed < first + runs; seed++) {
        size_t gaps[GAPS_MAX][2], count;

        random_state = seed;
        count = 1 + random_below(GAPS_MAX);
        for (size_t i = 0; i < count; i++) {
            gaps[i][0] = 1 + random_below(item_count - 2);
            gaps[i][1] = 1 + random_below(random_below(2) ? 3 : LOST_MAX);
            if (gaps[i][0] + gaps[i][1] >= item_count) /* keep the last event: otherwise the trace would end earlier */
                gaps[i][1] = item_count - 1 - gaps[i][0];
        }
        analyse(&gappy, (const size_t(*)[2])gaps, count);
        certain += compare_verdicts(path, seed);
    }
    cr_assert_gt(certain, 0, "%s", path);
    free(items);
    free(bytes);
}

Test(check_gaps, a_verdict_with_gaps_equals_that_on_the_whole_trace_or_is_unknown)
{
    uint64_t runs = setting("TXTAP_RUNS", 100 / RUNS_DIVISOR);
    char *given = getenv("TXTAP_TRACES") ? strdup(getenv("TXTAP_TRACES")) : NULL;

    for (char *path = given ? strtok(given, " ") : NULL; path != NULL; path = strtok(NULL, " "))
        try_file(path, runs);
    for (size_t i = 0; given == NULL && i < sizeof samples / sizeof *samples; i++)
        try_file(samples[i], runs);
    free(given);
}
