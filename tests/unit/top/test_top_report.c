/* SPDX-License-Identifier: MIT */
/* If the monitor and the analyses both have a figure for a whole trace, it must be equal. A monitor must not change the
 * report. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure_list.h"
#include "txtap/inner/top.h"
#include "txtap/trace.h"

#define SECONDS 5 /* seconds of the made trace, less than a window, so that one window has the whole trace */

static struct figure_list list, watched; /* figures of a trace: `list` without a monitor, `watched` with a monitor */
static struct txtap_top_state state;
static const char *trace_name;
static unsigned compared;

/* ---- figures of the report ---- */

static const struct txtap_figure *find(const char *name, enum txtap_subject_kind kind, uint32_t number,
                                       const char *detail)
{
    for (size_t i = 0; i < list.count; i++) {
        const struct txtap_figure *figure = &list.figures[i];

        if (strcmp(figure->name, name) == 0 && figure->subject.kind == kind &&
            (kind == TXTAP_SUBJECT_SYSTEM || figure->subject.number == number) &&
            (detail == NULL || strcmp(figure->detail, detail) == 0))
            return figure;
    }
    return NULL;
}

static double value(const char *name, enum txtap_subject_kind kind, uint32_t number, const char *detail)
{
    const struct txtap_figure *figure = find(name, kind, number, detail);

    return figure ? figure->stat[TXTAP_STAT_VALUE].value : 0;
}

static void is(double shown, double reported, const char *what, uint32_t of)
{
    compared++;
    cr_expect(fabs(shown - reported) <= 1e-9 * fmax(1, fabs(reported)), "%s: %s of 0x%x: %.9g is shown, %.9g reported",
              trace_name, what, (unsigned)of, shown, reported);
}

/* ---- comparison ---- */

static void durations(const struct txtap_top_durations *shown, const struct txtap_figure *figure, const char *what,
                      uint32_t of)
{
    const struct txtap_measure *stat = figure ? figure->stat : NULL;

    is((double)shown->n, figure ? stat[TXTAP_STAT_N].value : 0, what, of);
    if (figure == NULL)
        return;
    if (state.cores < 2) /* with several cores the report has bounds and the screen has not */
        is(fmax(shown->max, shown->at_least), stat[TXTAP_STAT_MAX].lower, what, of);
    if (shown->n == 0)
        return;
    is(shown->max, stat[TXTAP_STAT_MAX].value, what, of);
    is(shown->mean, stat[TXTAP_STAT_MEAN].value, what, of);
    is(shown->p50, stat[TXTAP_STAT_P50].upper, what, of);
    is(shown->p99, stat[TXTAP_STAT_P99].upper, what, of);
}

static void thread(const struct txtap_top_thread *shown)
{
    static const char *const reasons[TXTAP_TOP_REASONS] = {
        NULL,         "completed", "terminated", "suspended", "sleep",  "queue", "semaphore", "event_flags",
        "block_pool", "byte_pool", "io",         "file",      "tcp_ip", "mutex", NULL,        "other",
    };
    const enum txtap_subject_kind kind = TXTAP_SUBJECT_THREAD;
    const struct txtap_figure *stack = find("stack_bytes", kind, shown->address, NULL);

    is(shown->cpu, value("cpu", kind, shown->address, NULL), "CPU%", shown->address);
    durations(&shown->run, find("run", kind, shown->address, NULL), "run", shown->address);
    durations(&shown->response, find("response", kind, shown->address, NULL), "response", shown->address);
    durations(&shown->wake, find("wake", kind, shown->address, NULL), "wake", shown->address);
    is(shown->preemptions * SECONDS, value("preempted", kind, shown->address, NULL), "preemptions", shown->address);
    for (unsigned i = 0; i < TXTAP_TOP_REASONS; i++)
        if (reasons[i] != NULL)
            is(shown->waits_for[i], value("time", kind, shown->address, reasons[i]), reasons[i], shown->address);
    cr_expect_eq(shown->stack >= 0, stack != NULL, "%s: stack of 0x%x", trace_name, (unsigned)shown->address);
    if (stack != NULL)
        is(shown->stack_free, stack->stat[TXTAP_STAT_VALUE].value, "stack", shown->address);
}

static void interrupt(const struct txtap_top_interrupt *shown)
{
    const struct txtap_figure *run = find("isr_self", TXTAP_SUBJECT_INTERRUPT, shown->number, NULL);
    const struct txtap_figure *gap = find("isr_interval", TXTAP_SUBJECT_INTERRUPT, shown->number, NULL);

    is(shown->cpu, value("isr_load", TXTAP_SUBJECT_INTERRUPT, shown->number, NULL), "CPU% of interrupt", shown->number);
    is(shown->run_max, run ? run->stat[TXTAP_STAT_MAX].value : TXTAP_TOP_UNKNOWN, "run of interrupt", shown->number);
    is(shown->gap_min, gap ? gap->stat[TXTAP_STAT_MIN].value : TXTAP_TOP_UNKNOWN, "interval", shown->number);
}

/* Compares the least free memory. The report, like the event, has the free memory before a block is taken. The screen
 * has the free memory after that. */
static bool is_least_free(const struct txtap_top_object *shown)
{
    double reported = value("available", TXTAP_SUBJECT_OBJECT, shown->address, NULL);
    double least = strtod(shown->extreme, NULL);

    return least == reported || (shown->type == TXTAP_OBJECT_BLOCK_POOL && least == reported - 1);
}

/* Returns the number of calls that failed: at once, or with a time-out, if the report shows it. */
static double failed(const struct txtap_top_object *shown)
{
    const struct txtap_figure *timeouts = find("timeout_wait", TXTAP_SUBJECT_OBJECT, shown->address, NULL);

    return value("failed", TXTAP_SUBJECT_OBJECT, shown->address, NULL) +
           value("timeouts", TXTAP_SUBJECT_OBJECT, shown->address, NULL) +
           (timeouts != NULL ? timeouts->stat[TXTAP_STAT_N].value : 0);
}

static void object(const struct txtap_top_object *shown)
{
    const enum txtap_subject_kind kind = TXTAP_SUBJECT_OBJECT;

    durations(&shown->wait, find("waits", kind, shown->address, NULL), "wait", shown->address);
    if (shown->type == TXTAP_OBJECT_SEMAPHORE || shown->type == TXTAP_OBJECT_EVENT_FLAGS ||
        shown->type == TXTAP_OBJECT_MUTEX)
        is((double)shown->failed, failed(shown), "failed", shown->address);
    else
        cr_expect_geq((double)shown->failed, failed(shown), "%s: failed of %s", trace_name, shown->name);
    if (shown->type == TXTAP_OBJECT_QUEUE && *shown->extreme)
        is(strtod(shown->extreme, NULL), value("depth", kind, shown->address, NULL), "depth", shown->address);
    if ((shown->type == TXTAP_OBJECT_BLOCK_POOL || shown->type == TXTAP_OBJECT_BYTE_POOL) && *shown->extreme)
        cr_expect(is_least_free(shown), "%s: %s of %s", trace_name, shown->extreme, shown->name);
}

static bool is_same(const struct txtap_measure *a, const struct txtap_measure *b)
{
    return a->known == b->known && a->value == b->value && a->lower == b->lower && a->upper == b->upper;
}

static void compare_watched(void)
{
    cr_assert_eq(watched.count, list.count, "%s", trace_name);
    for (size_t i = 0; i < list.count; i++)
        for (unsigned stat = 0; stat < TXTAP_STATS; stat++)
            cr_expect(is_same(&watched.figures[i].stat[stat], &list.figures[i].stat[stat]), "%s: %s.%s of 0x%x",
                      trace_name, list.figures[i].name, txtap_stat_name(stat),
                      (unsigned)list.figures[i].subject.number);
}

static void compare(void)
{
    const enum txtap_subject_kind kind = TXTAP_SUBJECT_SYSTEM;
    const struct txtap_measure *idle;

    is(state.load * state.cores, value("load", kind, 0, NULL), "load", 0);
    is(state.idle * state.cores, value("idle", kind, 0, NULL), "idle", 0);
    if (find("interrupts_ticks", kind, 0, NULL) != NULL)
        is(state.interrupt_cpu * state.cores, value("interrupts", kind, 0, NULL), "interrupts", 0);
    else
        is(state.interrupt_cpu, TXTAP_TOP_UNKNOWN, "interrupts that are not recorded", 0);
    idle = &find("idle", kind, 0, NULL)->stat[TXTAP_STAT_VALUE];
    is(state.idle_least * state.cores, idle->lower, "idle at least", 0);
    is(state.idle_most * state.cores, idle->upper, "idle at most", 0);
    is(state.switch_rate * SECONDS, value("switches", kind, 0, NULL), "switches", 0);
    is(state.nesting, value("isr_depth", kind, 0, NULL), "nesting", 0);
    for (size_t i = 0; i < state.thread_count; i++)
        thread(&state.threads[i]);
    for (size_t i = 0; i < state.interrupt_count; i++)
        interrupt(&state.interrupts[i]);
    for (size_t i = 0; i < state.object_count; i++)
        object(&state.objects[i]);
}

/* ---- traces ---- */

static uint8_t *load(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;

    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*length);
    cr_assert_eq(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

/* Reads a file, and computes the monitor's state at its end. */
static void watch(const char *path)
{
    static struct txtap_object objects[1024];
    struct txtap_analysis *analysis = figure_list_analysis(&(struct txtap_analysis_options){0});
    struct txtap_top *top = txtap_top_open(malloc(txtap_top_bytes(analysis)), analysis);
    struct txtap_trace trace;
    struct txtap_item item;
    size_t length;
    uint8_t *bytes = load(path, &length);

    cr_assert_eq(txtap_trace_open(&trace, bytes, length, objects, 1024), TXTAP_OK, "%s", path);
    txtap_top_rate(top, value("window", TXTAP_SUBJECT_SYSTEM, 0, NULL) / SECONDS);
    txtap_analysis_objects(analysis, &trace.registry);
    while (txtap_trace_next(&trace, &item) == TXTAP_OK)
        txtap_analysis_take(analysis, &item);
    txtap_analysis_objects(analysis, &trace.registry);
    figure_list_end(&watched, analysis);
    txtap_top_look(top, &trace.registry, 2, &state);
    free(bytes);
    free(top);
}

static unsigned compare_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    unsigned traces = 0;
    char path[4096];

    cr_assert_not_null(directory, "%s", folder);
    while ((entry = readdir(directory)) != NULL) {
        if (strstr(entry->d_name, ".trx") == NULL)
            continue;
        trace_name = entry->d_name;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        figure_list_of_file(&list, path);
        watch(path);
        compare();
        compare_watched();
        traces++;
    }
    closedir(directory);
    return traces;
}

Test(top_report, shows_the_reports_figures_for_a_whole_trace)
{
    compared = 0;
    cr_assert_geq(compare_folder(TXTAP_TEST_DATA "/analysis") + compare_folder(TXTAP_TEST_DATA) +
                      compare_folder(TXTAP_TEST_UNPACKED),
                  18);
    cr_assert_gt(compared, 1000);
}
