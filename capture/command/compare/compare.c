/* SPDX-License-Identifier: MIT */
/* txtap compare: shows the figures of two builds side by side, and names the figures that have changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/runtime.h"
#include "base/text_maker.h"
#include "command/commands.h"
#include "command/report/report_read.h"
#include "command/report/trace_files.h"
#include "command/view/view_page.h"
#include "compare/changes.h"
#include "compare/changes_show.h"
#include "output/output.h"

/* ---- the sides ---- */

/* The run whose timeline a page shows: the first run of a side that is a trace and not a report. */
struct shown_run {
    struct view_side view; /* path NULL: the side has only reports */
    size_t run;            /* number of the run */
};

/* Reads the runs of a side. lost: set to true if events were lost. */
static enum txtap_status read_side(struct side *side, struct shown_run *shown, const struct trace_files *files,
                                   const struct options *options, bool *lost, struct error *error)
{
    enum txtap_status status = TXTAP_OK;

    for (size_t i = 0; i < files->count && status == TXTAP_OK; i++) {
        struct report_reading reading;

        if (stop_requested())
            return ERROR_INTERRUPTED;
        status = report_read(&reading, files->at[i].path, options, 0, error);
        if (status != TXTAP_OK)
            return status;
        reading.figures.trace = files->at[i].name;
        *lost = *lost || reading.figures.summary.lost > 0 || reading.cut;
        if (shown->view.path == NULL && !reading.is_report)
            *shown = (struct shown_run){{files->at[i].path, reading.figures.tick_hz}, i};
        if (reading.figures.summary.events == 0)
            status = failure(error, TXTAP_ERROR_FORMAT, "%.160s: no events\nleave it out", files->at[i].name);
        else
            status = side_add(side, &reading.figures, error);
        report_reading_free(&reading);
    }
    return status;
}

static enum txtap_status list_sides(struct trace_files files[2], const struct options *options, struct error *error)
{
    size_t count = options->file_count, second = options->after_dashes;
    enum txtap_status status = TXTAP_OK;

    if (second == 0 && count == 2)
        second = 1;
    if (second == 0 || second >= count)
        return failure(error, TXTAP_ERROR_USAGE,
                       "compare: one side is missing\ngive two files or folders, or several of each side: txtap "
                       "compare A... -- B...");
    for (size_t i = 0; i < count && status == TXTAP_OK; i++)
        status = trace_files_add(&files[i >= count - second], options->files[i], true, 0, error);
    return status;
}

/* ---- the output ---- */

static enum txtap_status write_page(const struct changes *changes, const struct shown_run shown[2],
                                    const struct options *options, struct error *error)
{
    const struct view_side views[2] = {shown[0].view, shown[1].view};
    struct text_maker maker;
    enum txtap_status status = view_check(options, error);

    if (status != TXTAP_OK)
        return status;
    for (size_t i = 0; i < 2; i++)
        if (views[i].path == NULL)
            return failure(error, TXTAP_ERROR_USAGE,
                           "--format html: %s has only reports, which have no timeline\ngive a recording or a trace",
                           changes->sides[i].label);
    if (!text_maker_begin(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the comparison");
    changes_show_page(changes, (const size_t[2]){shown[0].run, shown[1].run}, maker.out);
    fputc('\0', maker.out); /* the maker adds none */
    if (!text_maker_end(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the comparison");
    status = view_compared_write(options, views, maker.text, error);
    free(maker.text);
    return status;
}

static enum txtap_status show(const struct changes *changes, const struct options *options, struct error *error)
{
    const char *path = options->output != NULL ? options->output : "-";
    struct text_maker maker;
    enum txtap_status status;
    bool good = true;

    if (!text_maker_begin(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the comparison");
    switch (options->compare.format) {
    case COMPARE_TEXT:
        good = changes_show_text(changes, options->compare.all, output_path_columns(path), maker.out);
        break;
    case COMPARE_JSON:
        changes_show_json(changes, maker.out);
        break;
    case COMPARE_MARKDOWN:
        changes_show_markdown(changes, maker.out);
        break;
    case COMPARE_BENCHMARK:
        changes_show_benchmark(changes, maker.out);
        break;
    case COMPARE_HTML: /* see write_page() */
        break;
    }
    if (!text_maker_end(&maker))
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the comparison");
    status = good ? output_whole_file(path, maker.text, maker.length, options->force, error)
                  : failure(error, TXTAP_ERROR_SYSTEM, "no memory for the comparison");
    free(maker.text);
    return status;
}

static int run_command(const struct options *options)
{
    struct side sides[2] = {{.label = "A"}, {.label = "B"}};
    struct trace_files files[2] = {{.count = 0}};
    struct shown_run shown[2] = {{.run = 0}};
    struct changes changes = {.count = 0};
    struct error error = {0};
    bool lost = false;
    enum txtap_status status = list_sides(files, options, &error);
    int code;

    for (size_t i = 0; i < 2 && status == TXTAP_OK; i++)
        status = read_side(&sides[i], &shown[i], &files[i], options, &lost, &error);
    if (status == TXTAP_OK)
        status = changes_make(&changes, sides, options->compare.tolerance, &error);
    if (status == TXTAP_OK)
        status = options->compare.format == COMPARE_HTML ? write_page(&changes, shown, options, &error)
                                                         : show(&changes, options, &error);
    if (status < TXTAP_OK)
        report_error(error_is_set(&error) ? &error : &(struct error){status, "", ""});
    code = status_exit_code(status);
    if (code == EXIT_DONE && options->strict && lost)
        code = EXIT_LOST;
    if (status == TXTAP_OK && options->compare.check)
        code = exit_code_with_checks(code, (int)changes_exit_code(&changes));
    changes_free(&changes);
    for (size_t i = 0; i < 2; i++) {
        side_free(&sides[i]);
        trace_files_free(&files[i]);
    }
    return code;
}

/* ---- its options ---- */

static error_t parse_compare(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    return compare_option(&options->compare, key, text, state);
}

static const struct argp_option rows[] = {
    {"hz", KEY_HZ, "HZ", 0, "rate of the time stamps, such as 168M or 32768, if txtap does not find it", 0},
    {"output", 'o', "FILE", 0, "write to FILE; - is standard output (default)", 0},
    {"force", KEY_FORCE, NULL, 0, "overwrite FILE if it exists", 0},
    {"strict", KEY_STRICT, NULL, 0, "exit code 5 if events were lost", 0},
    {"quiet", 'q', NULL, 0, "only errors on standard error", 0},
    {0},
};

static const struct argp compare_argp = {compare_option_rows, parse_compare, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child compare_child[] = {{&compare_argp, 0, NULL, 0}, {0}};
static const struct argp shown = {rows, options_parse_with, NULL, NULL, compare_child, NULL, NULL};

static const struct argp_child groups[] = {
    {&shown, 0, "Comparison and output:", 1},
    {0},
};

const struct command compare_command = {
    .name = "compare",
    .brief = "compare the figures of two builds, each with one or more runs",
    .run = run_command,
    .parser = options_parse_operands,
    .operands = "A B | A... -- B...",
    .nothing = "nothing to compare",
    .common = "format check tolerance all hz",
    .help = "Show the figures of two builds side by side, and name the figures that have changed.\v"
            "A and B are recordings, traces, reports of 'txtap report -f json', or folders of these. A recording is a "
            "run; several runs of each side come before and after --.\n\n"
            "With three runs of each side or more the noise is known: a figure has changed if all runs of a side are "
            "above all runs of the other side, and the distance is too large for the spread of the runs. Otherwise a "
            "figure has changed if the difference is larger than --tolerance and than a floor.\n\n"
            "A figure of a trace that lost events has bounds. If the bounds overlap, it is not known to differ.",
    .groups = groups,
    .only_shows = true,
    .reads_files = true,
    .reads_folders = true,
};
