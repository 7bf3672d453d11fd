/* SPDX-License-Identifier: MIT */
/* Writes the parts of a report as text, JSON or CSV. */
#include "command/report/report_show.h"

#include <stdlib.h>

#include "base/text_maker.h"
#include "output/output.h"

/* Shows the results as text. If there is a comparison or a check, leaves out the figures, unless the user named
 * sections. */
static void show_text(struct report_results *results, const struct comparison *comparison,
                      const struct options *options, FILE *out)
{
    bool compared = comparison->figures != NULL, checked = results->checks.count > 0;
    bool has_figures = options->report.sections != 0 || (!compared && !checked);

    if (compared)
        comparison_show_text(comparison, out);
    if (compared && (has_figures || checked))
        fputc('\n', out);
    if (has_figures)
        figures_show_text(&results->figures, out);
    if (has_figures && checked)
        fputc('\n', out);
    checks_show_text(&results->checks, out);
}

static void show_json(const struct report_results *results, const struct comparison *comparison, FILE *out)
{
    figures_show_json(&results->figures, out);
    if (comparison->figures != NULL) {
        fputs(",\n\"comparison\":", out);
        comparison_show_json(comparison, out);
    }
    if (results->checks.count > 0) {
        fputs(",\n\"checks\":", out);
        checks_show_json(&results->checks, out);
    }
    fputs("}\n", out);
}

/* Writes the same parts as the text report, as CSV tables with empty lines between them. */
static void show_csv(const struct report_results *results, const struct comparison *comparison,
                     const struct options *options, FILE *out)
{
    bool compared = comparison->figures != NULL, checked = results->checks.count > 0;
    bool has_figures = options->report.sections != 0 || (!compared && !checked);

    if (compared)
        comparison_show_csv(comparison, out);
    if (compared && (has_figures || checked))
        fputs("\r\n", out);
    if (has_figures)
        figures_show_csv(&results->figures, out);
    if (has_figures && checked)
        fputs("\r\n", out);
    if (checked)
        checks_show_csv(&results->checks, out);
}

static enum txtap_status show(struct report_results *results, const struct comparison *comparison,
                              const struct options *options, struct error *error)
{
    struct text_maker maker;
    enum txtap_status status;

    if (!text_maker_begin(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the report");
    if (options->report.format == REPORT_JSON)
        show_json(results, comparison, maker.out);
    else if (options->report.format == REPORT_CSV)
        show_csv(results, comparison, options, maker.out);
    else
        show_text(results, comparison, options, maker.out);
    if (!text_maker_end(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the report");
    status = output_whole_file(options->output != NULL ? options->output : "-", maker.text, maker.length,
                               options->force, error);
    free(maker.text);
    return status;
}

enum txtap_status report_show(struct report_results *results, const struct options *options, struct error *error)
{
    struct comparison comparison = {0};
    enum txtap_status status = checks_complete(&results->checks, &results->figures.summary, error);

    if (status == TXTAP_OK && options->report.baseline != NULL)
        status = comparison_make(&comparison, &results->figures, &results->baseline, error);
    if (status == TXTAP_OK)
        status = show(results, &comparison, options, error);
    if (status == TXTAP_OK && options->check.junit != NULL)
        status = checks_write_junit(&results->checks, options->check.junit, error);
    comparison_free(&comparison);
    return status;
}
