/* SPDX-License-Identifier: MIT */
/* Takes the figures of an analysis: all of them for the checks, and those that the options choose for the report. */
#include "command/report/report_collect.h"

#include <string.h>

#include "command/report/report_patterns.h"

/* Passes on the figures that were chosen, and all of them to the checks. */
struct chosen {
    const struct report_options *options;
    struct figures *figures;
    struct checks *checks;
    struct report_patterns patterns;
};

static bool is_chosen_section(const struct report_options *options, const char *section)
{
    for (size_t i = 0; i < options->section_count; i++)
        if (strcmp(options->sections[i], section) == 0)
            return true;
    return options->section_count == 0;
}

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
    if (!is_chosen_section(chosen->options, figure->section) ||
        (thread != NULL && !is_thread(thread, &figure->subject, last->subject) &&
         !is_thread(thread, &figure->other, last->other)))
        figures->count--;
    return TXTAP_OK;
}

static void describe(struct figures *figures, const struct report_input *input, const struct options *options)
{
    txtap_analysis_summary(input->analysis, &figures->summary);
    figures->registry = input->names;
    figures->trace = input->name;
    figures->tick_hz = options->tick_hz;
    figures->bucket_asked = options->report.bucket_ticks;
    if (options->report.histograms)
        figures->histograms = options->report.section_count > 0 ? FIGURES_ALL_HISTOGRAMS : FIGURES_USUAL_HISTOGRAMS;
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
    status = txtap_analysis_figures(input->analysis, NULL, (struct txtap_figure_sink){take_figure, &chosen});
    if (status != TXTAP_OK)
        return failure(error, status, "no memory for the report");
    if (input->cut)
        checks_take_lost(&results->checks, results->figures.summary.lost, false);
    return report_patterns_end(&chosen.patterns, error);
}
