/* SPDX-License-Identifier: MIT */
/*
 * txtap why: explains one late job, or another span of a thread. It reads the trace twice, also from standard input.
 * The first pass finds the span: the sample of a figure, or the thread with a name. The second pass cuts the span into
 * pieces.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/analysis_open.h"
#include "command/commands.h"
#include "command/operands.h"
#include "command/report/report_collect.h"
#include "command/why/why_memory.h"
#include "command/why/why_show.h"
#include "file/definitions_file.h"
#include "output/report.h"
#include "txtap/inner/why.h"

/* A pass over the trace. */
struct pass {
    struct report_input input;
    struct report_results results;
    struct txtap_memory *memory;
};

/* The first pass sets wish; the second pass uses it. */
static struct {
    struct options options; /* of the present pass */
    struct txtap_check check;
    bool checks; /* the first pass judges the check */
    bool memory; /* the figure is of a stack or a pool */
    char text[2 * TXTAP_CHECK_PATTERN_BYTES];
    struct txtap_why_wish wish;
    struct pass pass;
    struct error error;
} run;

static void close_pass(struct pass *pass)
{
    figures_free(&pass->results.figures);
    checks_free(&pass->results.checks);
    translation_free(&pass->input.translation);
    definitions_free(pass->input.definitions);
    free(pass->input.analysis);
    free(pass->input.objects);
    free(pass->input.why);
    free(pass->memory);
    *pass = (struct pass){0};
}

/* Prepares a pass. option: the text before the check in messages. cuts: the pass cuts the span. */
static enum txtap_status open_pass(struct pass *pass, const char *option, bool cuts, struct error *error)
{
    const struct options *options = &run.options;
    enum txtap_status status;

    *pass = (struct pass){.input = {.name = options->files[0],
                                    .from_ticks = options->report.from_ticks,
                                    .to_ticks = options->report.to_ticks,
                                    .identity = options->identity,
                                    .stats = {.lost_exact = true}}};
    status = checks_init(&pass->results.checks, &run.check, run.checks && !cuts ? 1 : 0, option, NULL, error);
    if (status == TXTAP_OK)
        status = analysis_open(&pass->input.analysis, options, report_sections(options), error);
    if (status == TXTAP_OK && cuts && (run.memory || run.wish.select == TXTAP_WHY_WORST))
        status = why_memory_open(&pass->memory, pass->input.analysis, error);
    if (status == TXTAP_OK && cuts && !run.memory)
        status = why_open(&pass->input.why, pass->input.analysis, &run.wish, true, error);
    pass->input.translation.next = (struct txtap_sink){report_input_take, &pass->input};
    return status;
}

static enum txtap_status read_pass(struct pass *pass, struct input *file, struct error *error)
{
    enum txtap_status status = report_input_read(&pass->input, &run.options, file, error);

    if (status == TXTAP_OK)
        status = translation_end(&pass->input.translation);
    return status >= TXTAP_OK ? report_collect(&pass->results, &pass->input, &run.options, error) : status;
}

/* ---- the first pass ---- */

/* Makes the least free stack or memory decide, or else the most that is used. These figures have one statistic. */
static void choose_memory(struct txtap_check *check)
{
    bool count = check->id == TXTAP_FIGURE_LEAK || check->id == TXTAP_FIGURE_STACK_OUTSIDE;

    check->stat = count ? TXTAP_STAT_N : TXTAP_STAT_VALUE;
    if (check->id == TXTAP_FIGURE_STACK || check->id == TXTAP_FIGURE_STACK_BYTES || check->id == TXTAP_FIGURE_AVAILABLE)
        check->op = TXTAP_CHECK_GREATER;
}

/* Makes the check whose deciding figure is the largest one that the user means. */
static enum txtap_status parse_figure(const char *figure, struct error *error)
{
    struct txtap_check_error wrong;
    static const char *const units[] = {"", "%", "bytes"};
    bool whole = strpbrk(figure, "<>=!") != NULL; /* a whole check of a report is fine, too */
    bool parsed = false;

    if (strlen(figure) >= sizeof run.text - 12)
        return failure(error, TXTAP_ERROR_USAGE, "'%.80s...': too long for a figure", figure);
    for (size_t i = 0; i < sizeof units / sizeof *units && !parsed; i++) { /* a share and bytes need their unit */
        snprintf(run.text, sizeof run.text, "%s%s%s", figure, whole ? "" : " < 0", whole ? "" : units[i]);
        parsed = txtap_check_parse(&run.check, run.text, &wrong);
    }
    if (!parsed)
        return failure(error, TXTAP_ERROR_USAGE, "'%s', column %zu: expected %s\nan example: 'response(control).max'",
                       figure, wrong.column, wrong.expected);
    run.memory = txtap_memory_is_stack(run.check.id) || txtap_memory_is_pool(run.check.id);
    if (!run.memory && !txtap_why_explains(run.check.id))
        return failure(error, TXTAP_ERROR_USAGE,
                       "'%s': %s is not a time of a thread\n'txtap why' explains response, run, ready, wake, block, "
                       "wait, hold, path, inversion, stack and leak",
                       figure, run.check.name);
    run.check.text = figure;
    run.check.op = TXTAP_CHECK_LESS;
    if (run.memory)
        choose_memory(&run.check);
    else if (run.check.stat == TXTAP_STAT_N) /* the default of figures that are usually counted */
        run.check.stat = TXTAP_STAT_MAX;
    run.check.digits = 0;
    if (run.check.unit == TXTAP_CHECK_SECONDS)
        run.check.unit = TXTAP_CHECK_TICKS;
    return TXTAP_OK;
}

/* Makes a check that finds a thread: each thread has a figure in the section cpu. */
static enum txtap_status find_thread(const char *pattern, struct error *error)
{
    struct txtap_check_error wrong;

    if (strlen(pattern) >= sizeof run.check.pattern)
        return failure(error, TXTAP_ERROR_USAGE, "--thread: '%.80s...' is too long", pattern);
    (void)txtap_check_parse(&run.check, "cpu_ticks(x) < 0", &wrong);
    strcpy(run.check.pattern, pattern);
    run.check.text = pattern;
    return TXTAP_OK;
}

/* Takes the subject and the event of the figure that decides the check. */
static enum txtap_status take_result(const struct check_entry *entry, struct error *error)
{
    const struct txtap_check_result *result = &entry->result;

    run.wish.subject = result->subject;
    run.wish.subject.name = NULL;
    run.wish.subject.lives = NULL;
    if (run.wish.select == TXTAP_WHY_TIME) {
        if (result->matched > 1)
            return failure(error, TXTAP_ERROR_USAGE, "--thread: '%s' matches %" PRIu64 " threads\ngive one name",
                           entry->check->text, result->matched);
        return TXTAP_OK;
    }
    run.wish.figure = entry->check->id;
    run.wish.seq = result->place.seq;
    if (result->place.known || (run.memory && result->measure.known))
        return TXTAP_OK;
    if (result->measure.known)
        return failure(error, TXTAP_ERROR_USAGE, "'%s': %s has no event\ngive .max or .min", run.options.report.figure,
                       txtap_stat_name(entry->check->stat));
    return failure(error, TXTAP_ERROR_USAGE, "'%s': nothing was measured\n'txtap report' shows all figures",
                   run.options.report.figure);
}

static int find_span(const struct options *options, struct input *file)
{
    struct pass *pass = &run.pass;
    enum txtap_status status;

    run.options = *options;
    run.options.report.sections = txtap_check_sections(&run.check);
    run.options.report.thread = NULL;
    status = open_pass(pass, run.wish.select == TXTAP_WHY_TIME ? "--thread '" : "'", false, &run.error);
    if (status == TXTAP_OK)
        status = read_pass(pass, file, &run.error);
    if (status == TXTAP_OK)
        status = checks_complete(&pass->results.checks, &pass->results.figures.summary, &run.error);
    if (status == TXTAP_OK)
        status = take_result(&pass->results.checks.entries[0], &run.error);
    close_pass(pass);
    if (status != TXTAP_OK)
        report_error(error_is_set(&run.error) ? &run.error : &(struct error){status, "", ""});
    return status_exit_code(status);
}

/* ---- the second pass ---- */

static enum txtap_status refuse(struct error *error)
{
    switch (run.wish.select) {
    case TXTAP_WHY_EVENT:
        return failure(error, TXTAP_ERROR_USAGE,
                       "--event %" PRIu64 ": no job and no wait of a thread is known there\n'txtap decode' shows the "
                       "events; --thread with --at chooses a thread",
                       run.wish.seq);
    case TXTAP_WHY_TIME:
        return failure(
            error, TXTAP_ERROR_USAGE,
            "--at %s: no job and no wait of '%s' is known there\nthe trace does not show this thread at this "
            "time",
            run.options.report.at, run.options.report.thread);
    default:
        return failure(error, TXTAP_ERROR_USAGE,
                       "'%s': the trace does not show the whole span\na gap, or the end of the trace, cuts it off",
                       run.options.report.figure);
    }
}

static int cut_span(const struct options *options, struct input *file)
{
    struct pass *pass = &run.pass;
    struct txtap_why_summary summary;
    const char *thread = options->report.thread;
    enum txtap_status status;
    int code;

    run.options = *options;
    run.options.report.sections = TXTAP_SECTION_BIT(TXTAP_SECTION_TRACE);
    if (run.memory || run.wish.select == TXTAP_WHY_WORST)
        run.options.report.sections |= TXTAP_SECTION_BIT(TXTAP_SECTION_FINDINGS);
    run.options.report.thread = NULL;
    run.options.quiet = run.options.quiet || run.checks; /* the first pass has already told the notes */
    status = open_pass(pass, "", true, &run.error);
    if (status == TXTAP_OK)
        status = read_pass(pass, file, &run.error);
    run.options.report.thread = thread;
    if (status == TXTAP_OK && !run.memory && run.wish.select != TXTAP_WHY_WORST &&
        !txtap_why_summary(pass->input.why, &summary))
        status = refuse(&run.error);
    if (status == TXTAP_OK && run.memory)
        status = why_memory_show(pass->memory, run.wish.figure, &run.wish.subject, &pass->results.figures, &run.options,
                                 &run.error);
    else if (status == TXTAP_OK)
        status = why_show(pass->input.why, pass->memory, &pass->results.figures, &run.options, &run.error);
    code = status_exit_code(status);
    if (status != TXTAP_OK)
        report_error(error_is_set(&run.error) ? &run.error : &(struct error){status, "", ""});
    else if (options->strict && (pass->input.stats.lost > 0 || pass->input.cut))
        code = EXIT_LOST;
    close_pass(pass);
    return code;
}

/* Sets the span that the options describe, as far as no pass is needed for it. */
static enum txtap_status choose(const struct options *options, struct error *error)
{
    const struct report_options *report = &options->report;

    run.wish = (struct txtap_why_wish){.select = TXTAP_WHY_WORST};
    run.checks = true;
    if (report->format > REPORT_JSON)
        return failure(error, TXTAP_ERROR_USAGE, "--format: 'txtap why' writes text or json");
    if ((report->thread != NULL) != (report->at != NULL))
        return failure(error, TXTAP_ERROR_USAGE, "--thread and --at need each other");
    if (report->has_event && report->at != NULL)
        return failure(error, TXTAP_ERROR_USAGE, "--event and --at exclude each other");
    if (report->has_event) {
        run.wish = (struct txtap_why_wish){.select = TXTAP_WHY_EVENT, .seq = report->event};
        run.checks = false;
    } else if (report->at != NULL) {
        run.wish = (struct txtap_why_wish){.select = TXTAP_WHY_TIME, .ticks = report->at_ticks};
        return find_thread(report->thread, error);
    } else if (report->figure != NULL) {
        run.wish.select = TXTAP_WHY_FIGURE;
        return parse_figure(report->figure, error);
    } else {
        run.checks = false;
    }
    return TXTAP_OK;
}

static bool reads_stdin(const struct options *options)
{
    for (size_t i = 0; i < options->file_count; i++)
        if (strcmp(options->files[i], "-") == 0)
            return true;
    return false;
}

static int run_command(const struct options *options)
{
    enum txtap_status status = choose(options, &run.error);
    bool twice = run.checks && reads_stdin(options);
    int code = EXIT_DONE;
    off_t place = 0;

    if (status == TXTAP_OK && twice)
        status = input_keep(&place, &run.error);
    if (status == TXTAP_OK && run.checks)
        code = operands_run(options, NULL, find_span);
    if (status == TXTAP_OK && twice && code == EXIT_DONE)
        status = input_restart(place, &run.error);
    if (status != TXTAP_OK) {
        report_error(&run.error);
        return status_exit_code(status);
    }
    return code == EXIT_DONE ? operands_run(options, NULL, cut_span) : code;
}

/* ---- its options ---- */

static error_t parse_why(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    return report_option(&options->report, options_rate(options), key, text, state);
}

/* Takes the last of several operands as the figure, unless it is a file, or options choose the span. */
static error_t parse(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_ARGS && state->argc - state->next > 1 && !options->report.has_event &&
        options->report.at == NULL && access(state->argv[state->argc - 1], F_OK) != 0)
        options->report.figure = state->argv[--state->argc];
    if (key == ARGP_KEY_END && options->file_count == 0)
        option_error(state, "no trace: give FILE, and a figure such as 'response(control).max'");
    return options_parse_operands(key, text, state);
}

static const struct argp_option rows[] = {
    {"hz", KEY_HZ, "HZ", 0, "rate of the time stamps, such as 168M or 32768: shows times in seconds", 0},
    {"output", 'o', "FILE", 0, "write to FILE; - is standard output (default)", 0},
    {"force", KEY_FORCE, NULL, 0, "overwrite FILE if it exists", 0},
    {"base", KEY_BASE, "ADDR", 0, "address of the first byte of a file that has no addresses", 0},
    {"address", KEY_BUFFER, "ADDR", 0, "address of the trace buffer, or its offset, if the file has several", 0},
    {"strict", KEY_STRICT, NULL, 0, "exit code 5 if events are missing", 0},
    {"quiet", 'q', NULL, 0, "only errors on standard error", 0},
    {0},
};

static const struct argp why_argp = {why_option_rows, parse_why, NULL, NULL, NULL, NULL, NULL};

static const struct argp_child groups[] = {
    {&why_argp, 0, "Which span, and which events:", 1},
    {&options_recorded_ring, 0, OPTIONS_RING_HEAD, 2},
    {0},
};

const struct command why_command = {
    .name = "why",
    .brief = "explain a late job: what its thread waited for, and who delayed it",
    .run = run_command,
    .rows = rows,
    .parser = parse,
    .operands = "FILE... [FIGURE]",
    .common = "hz event thread at format",
    .help = "Explain a late job: what its thread waited for, and who delayed it.\v"
            "FILE is a trace as 'txtap decode' reads it, or a recording. FIGURE is a figure of 'txtap report', such as "
            "'response(control).max' or 'block(control).max'. Without FIGURE, a line for each thread has the cause of "
            "its longest job; further lines have the causes of full stacks and leaks.\n\n"
            "The first line names the cause. The pieces follow in the order of time; they add up to the whole span.",
    .groups = groups,
    .only_shows = true,
    .reads_files = true,
};
