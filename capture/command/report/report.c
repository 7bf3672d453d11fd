/* SPDX-License-Identifier: MIT */
/* txtap report: shows statistics of the events in a file or from a running target. */
#include <stdlib.h>
#include <string.h>

#include "attach/attach.h"
#include "base/runtime.h"
#include "command/analysis_open.h"
#include "command/commands.h"
#include "command/final_stacks.h"
#include "command/operands.h"
#include "command/report/report_instances.h"
#include "command/report/report_batch.h"
#include "command/report/report_collect.h"
#include "command/report/report_runs.h"
#include "command/report/report_show.h"
#include "command/run_loop.h"
#include "command/view/view_page.h"
#include "file/definitions_file.h"
#include "file/wall_range.h"
#include "output/report.h"
#include "ring/ring_kind.h"

struct report {
    struct report_input input;
    struct identity identity; /* of a target */
    struct report_results results;
    struct report_instances instances; /* of --instances */
    struct run_loop *loop;             /* of a target */
};

static void close_report(struct report *report)
{
    report_instances_free(&report->instances);
    figures_free(&report->results.figures);
    checks_free(&report->results.checks);
    baseline_free(&report->results.baseline);
    translation_free(&report->input.translation);
    definitions_free(report->input.definitions);
    free(report->input.why);
    free(report->input.analysis);
    free(report->input.objects);
    identity_free(&report->identity);
    *report = (struct report){.results.is_file = report->results.is_file}; /* so that it can be closed again */
}

static enum txtap_status open_instances(struct report *report, const struct options *options, struct error *error)
{
    if (options->check.count > 0)
        return failure(error, TXTAP_ERROR_USAGE, "--check does not work with --instances\nuse two reports");
    report->input.stop = &report->instances.status;
    return report_instances_open(&report->instances, options, &report->input, error);
}

/* Prepares a report. Finds errors in the options before any input is read. may_learn: the rate may become known later.
 * On failure nothing stays open. */
static enum txtap_status open_report(struct report *report, const struct options *options, const char *name,
                                     bool may_learn, struct error *error)
{
    const struct txtap_rate rate = options_known_rate(options);
    enum txtap_status status;

    *report = (struct report){.input = {.name = name,
                                        .from_ticks = options->report.from_ticks,
                                        .to_ticks = options->report.to_ticks,
                                        .identity = options->identity,
                                        .stats = {.lost_exact = true}}};
    status = checks_init(&report->results.checks, options->check.checks, options->check.count, "--check '",
                         may_learn ? NULL : &rate, error);
    if (status == TXTAP_OK && options->report.baseline != NULL)
        status = baseline_read(&report->results.baseline, options->report.baseline, error);
    if (status == TXTAP_OK)
        status = analysis_open(&report->input.analysis, options, report_sections(options), error);
    if (status == TXTAP_OK && options->report.instance_count > 0)
        status = open_instances(report, options, error);
    else if (status == TXTAP_OK && (report_sections(options) & TXTAP_SECTION_BIT(TXTAP_SECTION_JOBS)) != 0)
        status = why_open(&report->input.why, report->input.analysis,
                          &(struct txtap_why_wish){.select = TXTAP_WHY_WORST}, false, error);
    report->input.translation.next = (struct txtap_sink){report_input_take, &report->input};
    if (status != TXTAP_OK)
        close_report(report);
    return status;
}

static enum txtap_status show_report(struct report *report, const struct options *options, struct error *error)
{
    enum txtap_status status = translation_end(&report->input.translation);

    if (status >= TXTAP_OK) /* TXTAP_END: all later events are after --to */
        status = report_collect(&report->results, &report->input, options, error);
    if (status == TXTAP_OK && options->report.instance_count > 0)
        return report_instances_end(&report->instances, &report->results, error);
    return status == TXTAP_OK ? report_show(&report->results, options, error) : status;
}

/* ---- reports of a file ---- */

static int on_files(const struct options *options, struct input *file)
{
    static struct report report;
    const struct report_input *input = &report.input;
    struct error error = {0};
    uint64_t begin = now_us();
    bool is_stream = strcmp(options->files[0], "-") == 0;
    enum txtap_status status = open_report(&report, options, options->files[0], is_stream, &error);
    int code, verdict;

    report.results.is_file = true;
    if (status == TXTAP_OK) {
        status = report_input_read(&report.input, options, file, &error);
        if (status == TXTAP_OK)
            status = show_report(&report, options, &error);
    }
    if (status < TXTAP_OK)
        report_error(error_is_set(&error) ? &error : &(struct error){status, "", ""});
    report.input.stats.rate = options_known_rate(options);
    report.input.stats.rate_recorded = options_rate_is_recorded(options);
    if (status >= TXTAP_OK && !report_stats_json(options->stats_json, options->command->name, &input->stats,
                                                 (double)(now_us() - begin) / 1e6, ""))
        status = TXTAP_ERROR_SYSTEM;
    code = status_exit_code(status);
    if (code == EXIT_DONE && options->strict && (input->stats.lost > 0 || input->cut))
        code = EXIT_LOST;
    verdict = checks_exit_code(&report.results.checks);
    close_report(&report);
    return exit_code_with_checks(code, verdict);
}

/* ---- reports of a target ---- */

static enum txtap_status after_step(void *self, bool idle)
{
    struct report *report = self;

    (void)run_loop_rate(report->loop); /* reads the firmware's clock while the target can be read */
    report_instances_step(&report->instances, idle);
    /* SIGHUP: a closed terminal is a normal end. The status of the instances: the report then says why. */
    return reopen_requested() || report->instances.status != TXTAP_OK ? TXTAP_END : TXTAP_OK;
}

/* Follows the target, and then shows the report. After an error, shows the report on the events that were read. */
static int follow(struct report *report, const struct options *options, struct attachment *attachment,
                  struct error *error)
{
    static struct run_loop loop;
    struct error unshown = {0};
    enum txtap_status status, shown;
    int code;

    report->loop = &loop;
    report->instances.wait_us = options->target.probe.timeout_ms * UINT64_C(1000);
    report->input.names = &loop.stream.poller.registry;
    status = operands_translate(&report->input.translation, options, &loop.stream.poller.registry, error);
    if (status == TXTAP_OK)
        status = run_loop_begin(&loop, options, attachment,
                                (struct txtap_sink){translation_take, &report->input.translation}, false, error);
    if (status != TXTAP_OK)
        return status_exit_code(status);
    status = run_loop_run(&loop, after_step, report, error);
    report->identity.rate = run_loop_rate(&loop);
    report->input.of_target = true;
    final_stacks_read(&report->input.stacks, &loop);
    shown = show_report(report, options, &unshown);
    code = run_loop_end(&loop, status, error);
    if (shown == TXTAP_OK)
        return exit_code_with_checks(code, checks_exit_code(&report->results.checks));
    if (!error_is_set(error))
        *error = error_is_set(&unshown) ? unshown : (struct error){shown, "", ""};
    return exit_code_with_checks(code, status_exit_code(shown));
}

static int on_target(const struct options *options, struct attachment *attachment, struct error *error)
{
    static struct report report;
    const char *elf = attachment->config.elf;
    enum txtap_status status =
        wall_range_refuse(options->since_us, options->until_us, elf != NULL ? elf : "target", error);
    int code;

    if (status == TXTAP_OK)
        status = open_report(&report, options, elf != NULL ? elf : "target", true, error);
    if (status != TXTAP_OK)
        return status_exit_code(status);
    report.input.identity = &report.identity;
    attach_identity(attachment, &report.identity);
    code = follow(&report, options, attachment, error);
    close_report(&report);
    return code;
}

/* Writes the page of txtap view, with its summary open. */
static int write_html(const struct options *options)
{
    struct error error;
    enum txtap_status status = view_check(options, &error);

    if (status == TXTAP_OK && options->file_count == 0)
        status = failure(&error, TXTAP_ERROR_USAGE, "--format html needs a trace\ngive the file of a trace");
    else if (status == TXTAP_OK && options->check.count > 0)
        status = failure(&error, TXTAP_ERROR_USAGE, "--check does not work with --format html\nuse another format");
    if (status == TXTAP_OK)
        return operands_run(options, NULL, view_files_write);
    report_error(&error);
    return status_exit_code(status);
}

static int run_command(const struct options *options)
{
    if (options->report.flow && options->check.count > 0) {
        report_error(&(struct error){TXTAP_ERROR_USAGE, "--check does not work with --flow",
                                     "give the checks to another txtap report"});
        return status_exit_code(TXTAP_ERROR_USAGE);
    }
    if (options->report.batch != NULL)
        return options->report.has_where ? batch_run(options) : runs_run(options);
    if (options->report.format == REPORT_HTML)
        return write_html(options);
    return operands_run(options, on_target, on_files);
}

/* ---- its options ---- */

/* Parses an option of report_analysis_rows. parse_report() handles the end of the options. */
static error_t parse_analysis(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_END)
        return 0;
    return report_option(&options->report, options_rate(options), key, text, state);
}

static error_t parse_report(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = options;
    return report_option(&options->report, options_rate(options), key, text, state);
}

static const struct argp_option rows[] = {
    {"hz", KEY_HZ, "HZ", 0, "rate of the time stamps, such as 168M or 32768: shows times in seconds", 0},
    {"output", 'o', "FILE", 0, "write to FILE; - is standard output (default)", 0},
    {"force", KEY_FORCE, NULL, 0, "overwrite FILE if it exists", 0},
    {"base", KEY_BASE, "ADDR", 0, "address of the first byte of a file that has no addresses", 0},
    OPTIONS_WALL_ROWS,
    {0},
};

static const struct argp analysis_argp = {report_analysis_rows, parse_analysis, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child analysis_child[] = {{&analysis_argp, 0, NULL, 0}, {0}};
static const struct argp report_argp = {report_option_rows, parse_report, NULL, NULL, analysis_child, NULL, NULL};
static const struct argp_child report_child[] = {{&report_argp, 0, NULL, 0}, {0}};
static const struct argp shown = {rows, options_parse_with, NULL, NULL, report_child, NULL, NULL};

static const struct argp_child groups[] = {
    {&shown, 0, "Selection and output:", 1},
    {&options_check, 0, OPTIONS_CHECK_HEAD, 2},
    {&options_stream, 0, OPTIONS_STREAM_HEAD, 3},
    {&options_messages, 0, OPTIONS_MESSAGES_HEAD, 4},
    {&options_target, 0, OPTIONS_TARGET_HEAD, 5},
    {&options_ring, 0, OPTIONS_RING_HEAD, 6},
    {0},
};

const struct command report_command = {
    .name = "report",
    .brief = "analyse a trace or a target: processor time, delays, waits, jobs",
    .run = run_command,
    .parser = options_parse_operands,
    .operands = "[ELF | FILE...]",
    .nothing = "nothing to analyse",
    .common = "hz output format section check",
    .help =
        "Analyse a trace: who takes the processor, who waits for what, and how long.\v"
        "FILE is a trace as 'txtap decode' reads it, or a recording; several are those of one recording. ELF is "
        "the "
        "firmware's file: its target is followed until --seconds are over, or Ctrl-C, and then analysed. Without "
        "it RAM is searched.\n\n"
        "With --batch no other file is given: the figures of each file are kept in a hidden file beside it, so that "
        "the next table or condition needs no analysis.\n\n"
        "A CHECK is NAME[(PATTERN)][.STATISTIC] OPERATOR NUMBER[UNIT]; the manual page lists what each can "
        "be.\n\n"
        "Times are in seconds if the rate of the time stamps is known. Each maximum names its event: 'txtap decode "
        "--from' "
        "shows what was "
        "before it. Where events were lost, figures are limits: '>=' at least, '<=' at most, '~' of what "
        "was seen.",
    .groups = groups,
    .only_shows = true,
};
