/* SPDX-License-Identifier: MIT */
/* Writes the parts of a report as text, JSON or CSV. */
#include "command/report/report_show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_maker.h"
#include "figures/flow_show.h"
#include "file/ctf_directory.h"
#include "options/command_line.h"
#include "output/output.h"
#include "ring/ring_kind.h"
#include "txtap/inner/escape.h"

/* ---- commands that show more ---- */

/* Writes a word as a shell takes it. A word that a terminal must not receive is written escaped. */
static void put_word(FILE *out, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+=:@%,-";
    char escaped[TXTAP_ESCAPED_BYTES(1024)];

    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (const char *at = txtap_escape_terminal(escaped, sizeof escaped, word); *at != '\0'; at++)
        fputs(*at == '\'' ? "'\\''" : (char[]){*at, '\0'}, out);
    fputc('\'', out);
}

static void put_option(FILE *out, const char *option, const char *value)
{
    fprintf(out, "%s ", option);
    put_word(out, value);
    fputc(' ', out);
}

static void put_target_word(FILE *out, const char *word)
{
    put_word(out, word);
    fputc(' ', out);
}

/* Writes the files, and the ELF file that was given with them. */
static void put_names(FILE *out, const struct options *options)
{
    for (size_t i = 0; i < options->file_count; i++) {
        fputs(*options->files[i] == '-' ? " ./" : " ", out);
        put_word(out, options->files[i]);
    }
    if (options->target.elf != NULL) {
        fputc(' ', out);
        put_word(out, options->target.elf);
    }
}

/* Writes the options that say how to read the files. */
static void put_reading(FILE *out, const struct options *options)
{
    if (options->tick_hz > 0 && !options->hz_found)
        fprintf(out, "--hz %.12g ", options->tick_hz);
    if (options->has_base)
        fprintf(out, "--base 0x%08" PRIx32 " ", options->base);
    if (options->target.ring.wished.has_address)
        fprintf(out, "--address 0x%08" PRIx32 " ", options->target.ring.wished.address);
}

/* Writes the options that decide which events are analysed, and how. */
static void put_analysis(FILE *out, const struct report_options *report)
{
    if (report->from != NULL)
        put_option(out, "--from", report->from);
    if (report->to != NULL)
        put_option(out, "--to", report->to);
    if (report->any_wait_ends_job)
        put_option(out, "--job-ends", "any");
    for (uint32_t i = 0; i < report->lock_count; i++)
        put_option(out, "--semaphore-as-lock", report->locks[i]);
    for (uint32_t i = 0; i < report->period_count; i++) {
        fputs("--period ", out);
        put_word(out, report->periods[i].thread);
        fputc('=', out);
        put_word(out, report->period_times[i]);
        fputc(' ', out);
    }
}

/* Writes the line that says how to look closer at a trace that is not in a file. */
static void put_first(FILE *out, const struct options *options)
{
    bool bytes = options->target.ring.kind->bytes; /* txtap record does not take such a ring */

    if (options->file_count > 0 && strcmp(options->files[0], "-") == 0) {
        fputs("to look closer, save the trace in a file, and give the file", out);
        return;
    }
    fputs("to look closer, record the target, and give the recording: txtap ", out);
    fputs(bytes ? "tail " : "record ", out);
    options_target_words(options, out, put_target_word);
    fputs(bytes ? "-o run.ctf" : "-o run.rec", out);
    put_names(out, options);
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

/* Returns the text after the NUL at the end of a text. */
static const char *next_text(const char *text)
{
    return text + strlen(text) + 1;
}

static bool show_figures(const struct report_results *results, const struct options *options, unsigned width, FILE *out)
{
    bool can_repeat = results->is_file && strcmp(options->files[0], "-") != 0, shown;
    struct figures_commands commands = {0};
    struct text_maker maker;

    if (!text_maker_begin(&maker))
        return false;
    put_names(maker.out, options);
    fputc('\0', maker.out);
    put_first(maker.out, options);
    fputc('\0', maker.out);
    put_reading(maker.out, options);
    fputc('\0', maker.out);
    put_reading(maker.out, options);
    put_analysis(maker.out, &options->report);
    fputc('\0', maker.out);
    if (!text_maker_end(&maker))
        return false;
    commands.input = maker.text;
    commands.first = next_text(commands.input);
    if (can_repeat) {
        const char *reading = next_text(commands.first);

        commands.decode = ctf_directory_is(options->files[0]) ? NULL : reading; /* decode reads no directory of CTF */
        commands.report = next_text(reading);
    }
    shown = show_page(&results->figures, &options->report, &commands, width, out);
    free(maker.text);
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

/* Shows the flow. Returns false if there is no memory. */
static bool show_flow(const struct figures *figures, enum report_format format, unsigned width, FILE *out)
{
    switch (format) {
    case REPORT_JSON:
        figures_show_flow_json(figures, out);
        return true;
    case REPORT_CSV:
        figures_show_flow_csv(figures, out);
        return true;
    case REPORT_DOT:
        figures_show_flow_dot(figures, out);
        return true;
    default:
        figures_show_summary(figures, width, out);
        return figures_show_flow(figures, width, out);
    }
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
    if (options->report.flow)
        shown = show_flow(&results->figures, options->report.format, output_path_columns(path), maker.out);
    else if (options->report.format == REPORT_JSON)
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
