/* SPDX-License-Identifier: MIT */
/*
 * Takes the figures of an analysis: all of them for the checks, and those that the options choose for the report. A
 * pattern in an option must mean something: a thread that was renamed would silently be nothing.
 */
#include "command/report/report_collect.h"

#include <string.h>

#include "base/failure.h"
#include "base/option_values.h"
#include "base/similar.h"
#include "options/report.h"
#include "txtap/inner/pattern.h"
#include "txtap/registry.h"

/* ---- patterns ---- */

struct report_pattern {
    const char *option, *pattern; /* borrowed */
    uint8_t type;                 /* enum txtap_object_type: of what it is */
    bool found;
    struct similar similar;
};

#define REPORT_PATTERNS_MAX (1 + TXTAP_ANALYSIS_PERIODS_MAX + TXTAP_ANALYSIS_LOCKS_MAX)

struct report_patterns {
    struct report_pattern at[REPORT_PATTERNS_MAX]; /* count of them */
    size_t count;
};

/* Does the pattern or address mean that thread or object? name: "" if it has none. */
static bool report_pattern_means(const char *pattern, const struct txtap_subject *subject, const char *name)
{
    uint32_t address;
    char *end;

    if (option_u32(pattern, &address, &end) && *end == '\0' && address == subject->number)
        return true;
    return *name != '\0' ? txtap_pattern_matches(pattern, name) : strcmp(pattern, "*") == 0;
}

static void add(struct report_patterns *patterns, const char *option, const char *pattern, uint8_t type)
{
    struct report_pattern *of = &patterns->at[patterns->count++];

    *of = (struct report_pattern){.option = option, .pattern = pattern, .type = type};
    similar_init(&of->similar, pattern);
}

static void report_patterns_init(struct report_patterns *patterns, const struct report_options *options)
{
    patterns->count = 0;
    if (options->thread != NULL)
        add(patterns, "--thread", options->thread, TXTAP_OBJECT_THREAD);
    for (uint32_t i = 0; i < options->period_count; i++)
        add(patterns, "--period", options->periods[i].thread, TXTAP_OBJECT_THREAD);
    for (uint32_t i = 0; i < options->lock_count; i++)
        add(patterns, "--semaphore-as-lock", options->locks[i], TXTAP_OBJECT_SEMAPHORE);
}

/* Any figure of the trace tells that its subject exists. */
static void report_patterns_take(struct report_patterns *patterns, const struct txtap_subject *subject,
                                 const char *name)
{
    if (subject->kind != TXTAP_SUBJECT_THREAD && subject->kind != TXTAP_SUBJECT_OBJECT)
        return;
    for (size_t i = 0; i < patterns->count; i++) {
        struct report_pattern *of = &patterns->at[i];

        if (of->type != subject->type || of->found)
            continue;
        of->found = report_pattern_means(of->pattern, subject, name);
        if (*name != '\0')
            similar_offer(&of->similar, name);
    }
}

/* Once all figures are taken. TXTAP_ERROR_USAGE: a pattern means nothing; error says which, and what is similar. */
static enum txtap_status report_patterns_end(const struct report_patterns *patterns, struct error *error)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const struct report_pattern *of = &patterns->at[i];
        char text[SIMILAR_TEXT_BYTES], shown[128];

        if (!of->found)
            return failure(error, TXTAP_ERROR_USAGE, "%s: no %s in this trace is '%s'%s", of->option,
                           txtap_object_type_name(of->type),
                           printable(shown, sizeof shown, of->pattern, strlen(of->pattern)),
                           similar_text(&of->similar, text));
    }
    return TXTAP_OK;
}

/* Passes on the figures that were chosen, and all of them to the checks. */
struct chosen {
    const struct report_options *options;
    struct figures *figures;
    struct checks *checks;
    struct report_patterns patterns;
    bool shown; /* the section of the figures that come */
};

static bool is_thread(const char *pattern, const struct txtap_subject *subject, const char *name)
{
    return subject->kind == TXTAP_SUBJECT_THREAD && report_pattern_means(pattern, subject, name);
}

static enum txtap_status take_figure(void *self, const struct txtap_figure *figure)
{
    struct chosen *chosen = self;
    const char *thread = chosen->options->thread;
    struct figures *figures = chosen->figures;
    enum txtap_status status = figures_take(figures, figure);
    const struct named_figure *last;

    if (status != TXTAP_OK)
        return status;
    last = &figures->at[figures->count - 1];
    checks_take(chosen->checks, figure, last->subject);
    report_patterns_take(&chosen->patterns, &figure->subject, last->subject);
    if (!chosen->shown || (thread != NULL && !is_thread(thread, &figure->subject, last->subject) &&
                           !is_thread(thread, &figure->other, last->other)))
        figures->count--;
    return TXTAP_OK;
}

static enum txtap_status take_sections(struct chosen *chosen, const struct txtap_analysis *analysis)
{
    uint32_t sections = chosen->options->sections;
    enum txtap_status status = TXTAP_OK;

    for (unsigned i = 0; i < TXTAP_SECTIONS && status == TXTAP_OK; i++) {
        chosen->shown = sections == 0 || (sections & TXTAP_SECTION_BIT(i)) != 0;
        status =
            txtap_analysis_figures(analysis, TXTAP_SECTION_BIT(i), (struct txtap_figure_sink){take_figure, chosen});
    }
    return status;
}

/* Shares of the CPU tell which threads there are; which semaphores, several sections. */
uint32_t report_sections(const struct options *options)
{
    const struct report_options *report = &options->report;
    uint32_t sections = report->sections;

    if (sections == 0 || report->lock_count > 0)
        return TXTAP_SECTIONS_ALL;
    if (report->thread != NULL || report->period_count > 0)
        sections |= TXTAP_SECTION_BIT(TXTAP_SECTION_CPU);
    return sections | checks_sections(options->check.checks, options->check.count);
}

static void describe(struct figures *figures, const struct report_input *input, const struct options *options)
{
    txtap_analysis_summary(input->analysis, &figures->summary);
    figures->registry = input->names;
    figures->trace = input->name;
    figures->tick_hz = options->tick_hz;
    figures->bucket_asked = options->report.bucket_ticks;
    if (options->report.histograms)
        figures->histograms = options->report.sections != 0 ? FIGURES_ALL_HISTOGRAMS : FIGURES_USUAL_HISTOGRAMS;
    figures->resets = input->resets;
    figures->lacks = translation_lacks(&input->translation);
}

enum txtap_status report_collect(struct report_results *results, const struct report_input *input,
                                 const struct options *options, struct error *error)
{
    struct chosen chosen = {.options = &options->report, .figures = &results->figures, .checks = &results->checks};
    enum txtap_status status;

    report_patterns_init(&chosen.patterns, &options->report);
    txtap_analysis_end(input->analysis);
    describe(&results->figures, input, options);
    results->checks.partial = results->figures.lacks != NULL;
    status = take_sections(&chosen, input->analysis);
    if (status != TXTAP_OK)
        return failure(error, status, "no memory for the report");
    if (input->cut)
        checks_take_lost(&results->checks, results->figures.summary.lost, false);
    return report_patterns_end(&chosen.patterns, error);
}
