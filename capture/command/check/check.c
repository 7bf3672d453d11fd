/* SPDX-License-Identifier: MIT */
/* txtap check: judges checks of a target or a trace, and writes the results for people and CI servers in one call. */
#include <stdio.h>
#include <string.h>

#include "command/check/observe.h"
#include "command/check/results.h"
#include "command/commands.h"
#include "command/operands.h"
#include "command/view/view_page.h"
#include "output/report.h"
#include "ring/ring_kind.h"

/* ---- the checks ---- */

/* The checks of a run without --check and --checks. A check is left out if its figure is not in the trace. */
static const char *const defaults[] = {"total_events >= 1", "lost == 0", "deadlock == 0", "unbounded == 0",
                                       "stack(*).free >= 10%"};

#define DEFAULTS (sizeof defaults / sizeof *defaults)

struct chosen {
    const struct txtap_check *list; /* `count` elements */
    size_t count;
    bool is_default;
};

static struct chosen choose(const struct options *options)
{
    static struct txtap_check list[DEFAULTS];
    struct txtap_check_error wrong;

    if (options->check.count > 0)
        return (struct chosen){options->check.checks, options->check.count, false};
    for (size_t i = 0; i < DEFAULTS; i++)
        (void)txtap_check_parse(&list[i], defaults[i], &wrong); /* cannot fail: each default text is valid */
    return (struct chosen){list, options->outputs.baseline != NULL ? 1 : DEFAULTS, true};
}

/* Leaves out each default check whose figure this trace does not record, because the check cannot be decided. */
static void drop_unmeasured(struct observation *observation, bool quiet)
{
    struct checks *checks = &observation->results.checks;
    size_t kept = 0;

    if (observation->results.figures.summary.events == 0)
        return;
    for (size_t i = 0; i < checks->count; i++) {
        const struct txtap_check_result *result = &checks->entries[i].result;

        if (result->matched > 0 && result->measure.known)
            checks->entries[kept++] = checks->entries[i];
        else if (!quiet)
            fprintf(stderr, "txtap: left out '%s': this trace does not record it\n", checks->entries[i].check->text);
    }
    checks->count = kept;
}

/* Writes the results. code: the exit code of the run. Returns the exit code of the command. */
static int finish(struct observation *observation, const struct options *options, bool is_default, int code,
                  struct error *error)
{
    struct error unwritten = {0};
    enum txtap_status status;
    int verdict;

    if (is_default)
        drop_unmeasured(observation, options->quiet);
    status = results_write(observation, options, error, &verdict, &unwritten);
    if (!error_is_set(error))
        *error = unwritten;
    if (code == EXIT_DONE && status != TXTAP_OK)
        code = status_exit_code(status);
    return exit_code_with_checks(code, verdict);
}

/* ---- files and targets ---- */

static int on_files(const struct options *options, struct input *input)
{
    static struct observation observation;
    const struct chosen chosen = choose(options);
    struct error error = {0};
    bool is_stream = strcmp(options->files[0], "-") == 0;
    enum txtap_status status =
        observation_open(&observation, options, chosen.list, chosen.count, options->files[0], is_stream, &error);
    int code = status_exit_code(status);
    bool judged = false;

    if (status == TXTAP_OK) {
        status = observation_read(&observation, options, input, &error);
        code = status_exit_code(status);
        if (status == TXTAP_OK && options->strict && (observation.input.stats.lost > 0 || observation.input.cut))
            code = EXIT_LOST;
        observation.input.stats.rate = options_known_rate(options);
        observation.input.stats.rate_recorded = options_rate_is_recorded(options);
        if (status == TXTAP_OK && !report_stats_json(options->stats_json, options->command->name,
                                                     &observation.input.stats, observation.took, ""))
            code = EXIT_FAILED;
        judged = status == TXTAP_OK;
        if (judged)
            code = finish(&observation, options, chosen.is_default, code, &error);
        observation_close(&observation);
    }
    if (!error_is_set(&error) && status < TXTAP_OK)
        error.status = status;
    if (error_is_set(&error))
        report_error(&error);
    if (error_is_set(&error) && !judged)
        results_write_error(options, &error);
    return code;
}

static int on_target(const struct options *options, struct attachment *attachment, struct error *error)
{
    static struct observation observation;
    const struct chosen chosen = choose(options);
    const char *elf = attachment->config.elf;
    bool keeps = options->outputs.html != NULL || options->output != NULL;
    enum txtap_status status =
        observation_open(&observation, options, chosen.list, chosen.count, elf != NULL ? elf : "target", true, error);
    int code;

    if (status != TXTAP_OK) {
        results_write_error(options, error);
        return status_exit_code(status);
    }
    code = observation_follow(&observation, options, attachment, keeps, error);
    if (observation.took > 0)
        code = finish(&observation, options, chosen.is_default, code, error);
    else if (error_is_set(error))
        results_write_error(options, error);
    observation_close(&observation);
    return code;
}

/* ---- options that exclude each other ---- */

static enum txtap_status check_files(const struct options *options, struct error *error)
{
    bool keeps = options->outputs.html != NULL || options->output != NULL;

    for (size_t i = 0; i < options->file_count && options->outputs.html != NULL; i++)
        if (strcmp(options->files[i], "-") == 0)
            return failure(error, TXTAP_ERROR_USAGE,
                           "--html does not work with standard input\nsave the trace in a file, and give the file");
    if (options->target.ring.kind->bytes && keeps)
        return failure(error, TXTAP_ERROR_USAGE, "--html and -o do not work with --%s",
                       options->target.ring.kind->name);
    return options->outputs.html != NULL ? view_check(options, error) : TXTAP_OK;
}

static int refuse_output(const struct options *options, struct input *input)
{
    struct error error;

    failure(&error, TXTAP_ERROR_USAGE, "%.160s is a file\n-o works only with a running target", input->name);
    (void)options;
    report_error(&error);
    return status_exit_code(error.status);
}

static int run_command(const struct options *options)
{
    struct error error = {0};
    enum txtap_status status = check_files(options, &error);

    if (status == TXTAP_OK)
        return operands_run(options, on_target, options->output != NULL ? refuse_output : on_files);
    report_error(&error);
    return status_exit_code(status);
}

/* ---- its options ---- */

static error_t parse_check(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    return check_output_option(&options->outputs, key, text, state);
}

static const struct argp_option rows[] = {
    {"hz", KEY_HZ, "HZ", 0, "rate of the time stamps, such as 168M or 32768, if txtap does not find it", 0},
    {"output", 'o', "FILE", 0, "also record the target's events to FILE, as 'txtap record' does", 0},
    {"force", KEY_FORCE, NULL, 0, "overwrite the recording if it exists", 0},
    {"base", KEY_BASE, "ADDR", 0, "address of the first byte of a file that has no addresses", 0},
    {0},
};

static error_t parse_analysis(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    return report_option(&options->report, options_rate(options), key, text, state);
}

static const struct argp analysis_argp = {report_analysis_rows, parse_analysis, NULL, NULL, NULL, NULL, NULL};
static const struct argp check_argp = {check_output_rows, parse_check, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child check_child[] = {{&check_argp, 0, NULL, 0}, {0}};
static const struct argp results_argp = {rows, options_parse_with, NULL, NULL, check_child, NULL, NULL};

static const struct argp_child groups[] = {
    {&options_check, 0, OPTIONS_CHECK_HEAD, 1},
    {&results_argp, 0, "Results:", 2},
    {&analysis_argp, 0, "Analyses:", 3},
    {&options_stream, 0, OPTIONS_STREAM_HEAD, 4},
    {&options_messages, 0, OPTIONS_MESSAGES_HEAD, 5},
    {&options_target, 0, OPTIONS_TARGET_HEAD, 6},
    {&options_ring, 0, OPTIONS_RING_HEAD, 7},
    {0},
};

const struct command check_command = {
    .name = "check",
    .brief = "judge checks of a target or a trace, with results for people and CI",
    .run = run_command,
    .unopened = results_write_error,
    .parser = options_parse_operands,
    .operands = "[ELF | FILE...]",
    .nothing = "nothing to check",
    .common = "check checks junit html seconds",
    .help = "Observe a target once, or read a trace, and judge checks of it.\v"
            "ELF is the firmware's file: its target is observed for --seconds (default 10). Without it RAM is "
            "searched. FILE is a trace as 'txtap decode' reads it, or a recording.\n\n"
            "Without --check and --checks, txtap checks that events arrive, that no event is lost, that there is no "
            "deadlock and no unbounded priority inversion, and that a tenth of each stack is free. With --baseline "
            "and without checks, it only checks that events arrive.\n\n"
            "Exit code: 6 if a check fails or a figure is worse than in the older trace, 7 if a check cannot be "
            "decided or matches nothing.",
    .groups = groups,
    .only_shows = true,
    .judges = true,
};
