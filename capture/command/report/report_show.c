/* SPDX-License-Identifier: MIT */
/* Writes the parts of a report as text, JSON or CSV. */
#include "command/report/report_show.h"

#include <stdlib.h>

#include <string.h>

#include "base/text_maker.h"
#include "output/output.h"
#include "txtap/inner/escape.h"

/* ---- commands that show more ---- */

#define OPTIONS_BYTES 64

/* Writes the name of a file, as a shell takes it. A name that a terminal must not receive is written escaped. */
static void put_name(FILE *out, const char *name)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+=:@%,-";
    char escaped[TXTAP_ESCAPED_BYTES(1024)];

    if (name[strspn(name, plain)] == '\0') {
        fputs(name, out);
        return;
    }
    fputc('\'', out);
    for (const char *at = txtap_escape_terminal(escaped, sizeof escaped, name); *at != '\0'; at++)
        fputs(*at == '\'' ? "'\\''" : (char[]){*at, '\0'}, out);
    fputc('\'', out);
}

static void put_names(FILE *out, const struct options *options)
{
    for (size_t i = 0; i < options->file_count; i++) {
        fputc(' ', out);
        put_name(out, options->files[i]);
    }
    if (options->file_count == 0 && options->target.elf != NULL) {
        fputc(' ', out);
        put_name(out, options->target.elf);
    }
}

/* Returns the sections whose figures the options choose, apart from the first page. */
static uint32_t extra_sections(const struct report_options *options)
{
    uint32_t sections = 0;

    if (options->all)
        return TXTAP_SECTIONS_ALL;
    if (options->histograms)
        sections |= TXTAP_SECTION_BIT(TXTAP_SECTION_WAKE) | TXTAP_SECTION_BIT(TXTAP_SECTION_JOBS);
    if (options->bucket != NULL)
        sections |= TXTAP_SECTION_BIT(TXTAP_SECTION_BUCKETS);
    if (options->period_count > 0)
        sections |= TXTAP_SECTION_BIT(TXTAP_SECTION_NOMINAL);
    if (options->between_count > 0)
        sections |= TXTAP_SECTION_BIT(TXTAP_SECTION_BETWEEN);
    if (options->lock_count > 0)
        sections |= TXTAP_SECTION_BIT(TXTAP_SECTION_MUTEX) | TXTAP_SECTION_BIT(TXTAP_SECTION_INVERSION);
    return sections;
}

/* Shows the first page, or the chosen sections. Returns false if there is no memory. */
static bool show_page(const struct figures *figures, const struct report_options *report,
                      const struct figures_commands *commands, unsigned width, FILE *out)
{
    figures_show_summary(figures, width, out);
    if (report->sections == 0 && report->thread == NULL) {
        uint32_t extra = extra_sections(report);
        bool shown = figures_show_overview(figures, commands, width, out) &&
                     (extra == 0 || figures_show_lists(figures, extra, width, out));

        if (extra == 0)
            fputs("\nall figures: --all; a part of them: --section NAME\n", out);
        return shown;
    }
    if (figures->findings != NULL)
        figures_show_findings(figures, commands, width, out);
    return figures_show_lists(figures, report->sections != 0 ? report->sections : TXTAP_SECTIONS_ALL, width, out);
}

static bool show_figures(const struct report_results *results, const struct options *options, unsigned width, FILE *out)
{
    char hz[OPTIONS_BYTES] = "";
    struct text_maker input;
    bool shown;

    if (options->tick_hz > 0)
        snprintf(hz, sizeof hz, "--hz %.12g ", options->tick_hz);
    if (!text_maker_begin(&input))
        return false;
    put_names(input.out, options);
    fputc('\0', input.out);
    if (!text_maker_end(&input))
        return false;
    shown = show_page(&results->figures, &options->report,
                      &(struct figures_commands){.options = hz, .input = input.text, .is_file = results->is_file},
                      width, out);
    free(input.text);
    return shown;
}

/* ---- all parts ---- */

/* Shows the results as text. Shows a comparison and check results without figures, unless the user names sections. */
static bool show_text(const struct report_results *results, const struct comparison *comparison,
                      const struct options *options, unsigned width, FILE *out)
{
    bool compared = comparison->figures != NULL, checked = results->checks.count > 0, shown = true;
    bool has_figures = options->report.sections != 0 || options->report.all || (!compared && !checked);

    if (compared)
        comparison_show_text(comparison, out);
    if (compared && (has_figures || checked))
        fputc('\n', out);
    if (has_figures)
        shown = show_figures(results, options, width, out);
    if (has_figures && checked)
        fputc('\n', out);
    checks_show_text(&results->checks, out);
    return shown;
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
    const char *path = options->output != NULL ? options->output : "-";
    struct text_maker maker;
    enum txtap_status status;
    bool shown = true;

    if (!text_maker_begin(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the report");
    if (options->report.format == REPORT_JSON)
        show_json(results, comparison, maker.out);
    else if (options->report.format == REPORT_CSV)
        show_csv(results, comparison, options, maker.out);
    else
        shown = show_text(results, comparison, options, output_path_columns(path), maker.out);
    if (!text_maker_end(&maker) || !shown)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the report");
    status = output_whole_file(path, maker.text, maker.length, options->force, error);
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
