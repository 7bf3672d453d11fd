/* SPDX-License-Identifier: MIT */
/* txtap report: what the events of a file say together. */
#include <stdlib.h>
#include <string.h>

#include "attach/attach.h"
#include "base/option_values.h"
#include "command/commands.h"
#include "command/report_input.h"
#include "command/report_show.h"
#include "output/output.h"
#include "output/report.h"
#include "txtap/pattern.h"

/* ---- figures ---- */

/* Passes on the figures that were chosen, and all of them to the checks. */
struct chosen {
    const struct report_options *options;
    struct figures *figures;
    struct checks *checks;
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
    uint32_t address;
    char *end;

    if (subject->kind != TXTAP_SUBJECT_THREAD)
        return false;
    if (option_u32(pattern, &address, &end) && *end == '\0' && address == subject->number)
        return true;
    return txtap_pattern_matches(pattern, name);
}

static enum txtap_status take_figure(void *self, const struct txtap_figure *figure)
{
    const struct chosen *chosen = self;
    const char *thread = chosen->options->thread;
    struct figures *figures = chosen->figures;
    enum txtap_status status = figures_take(figures, figure);
    const struct named_figure *last;

    if (status != TXTAP_OK)
        return status;
    last = &figures->at[figures->count - 1];
    checks_take(chosen->checks, figure, last->subject);
    if (!is_chosen_section(chosen->options, figure->section) ||
        (thread != NULL && !is_thread(thread, &figure->subject, last->subject) &&
         !is_thread(thread, &figure->other, last->other)))
        figures->count--;
    return TXTAP_OK;
}

static void describe(struct figures *figures, const struct report_input *input, const struct options *options)
{
    struct txtap_analysis_summary summary;

    txtap_analysis_summary(input->analysis, &summary);
    figures->registry = &input->registry;
    figures->trace = options->files[0];
    figures->tick_hz = options->tick_hz;
    figures->events = summary.events;
    figures->lost = summary.lost;
    figures->lost_exact = summary.lost_exact;
    figures->gaps = summary.gaps;
    figures->window = summary.window_ticks;
    figures->observed = summary.observed_ticks;
    figures->left_out = summary.left_out;
}

/* ---- the command ---- */

static enum txtap_status open_analysis(struct txtap_analysis **analysis, const struct options *options,
                                       struct error *error)
{
    const struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    struct txtap_analysis_options how = {.tick_hz = options->tick_hz,
                                         .any_wait_ends_job = options->report.any_wait_ends_job};
    void *memory = malloc(txtap_analysis_bytes(&limits));

    if (memory == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the analyses");
    memcpy(how.between, options->report.between, sizeof how.between);
    how.between_count = options->report.between_count;
    *analysis = txtap_analysis_open(memory, &limits, &how);
    return TXTAP_OK;
}

static enum txtap_status report(struct report_input *input, struct report_results *results,
                                const struct options *options, struct error *error)
{
    struct figures *figures = &results->figures;
    struct chosen chosen = {&options->report, figures, &results->checks};
    enum txtap_status status = report_input_read(input, options, error);

    if (status != TXTAP_OK)
        return status;
    txtap_analysis_end(input->analysis);
    describe(figures, input, options);
    status = txtap_analysis_figures(input->analysis, NULL, (struct txtap_figure_sink){take_figure, &chosen});
    if (input->cut)
        checks_take_lost(&results->checks, figures->lost, false);
    if (status == TXTAP_OK)
        status = report_show(results, options, error);
    return status;
}

/* What can be wrong with the options is found before the trace is read. */
static enum txtap_status open_results(struct report_results *results, const struct options *options,
                                      struct error *error)
{
    enum txtap_status status = checks_init(&results->checks, &options->check, options->tick_hz, error);

    if (status == TXTAP_OK && options->report.baseline != NULL)
        status = baseline_read(&results->baseline, options->report.baseline, error);
    return status;
}

static void close_results(struct report_results *results)
{
    figures_free(&results->figures);
    checks_free(&results->checks);
    baseline_free(&results->baseline);
}

/* A check that fails says more than that events are missing, and that says more than a check that is undecided. */
static int exit_code(const struct report_input *input, const struct checks *checks, const struct options *options)
{
    enum exit_code code = checks_exit_code(checks);

    if (code != EXIT_CHECK_FAILED && options->strict && (input->stats.lost > 0 || input->cut))
        return EXIT_LOST;
    return code;
}

static int run_command(const struct options *options)
{
    struct error error = {0};
    struct report_input input = {
        .from_ticks = options->report.from_ticks, .to_ticks = options->report.to_ticks, .stats = {.lost_exact = true}};
    struct report_results results = {0};
    enum txtap_status status = open_results(&results, options, &error);
    int code;

    if (status == TXTAP_OK)
        status = open_analysis(&input.analysis, options, &error);
    if (status == TXTAP_OK)
        status = report(&input, &results, options, &error);
    free(input.analysis);
    free(input.objects);
    if (status < TXTAP_OK)
        report_error(error_is_set(&error) ? &error : &(struct error){status, "", ""});
    code = status_exit_code(status);
    if (code == EXIT_DONE)
        code = exit_code(&input, &results.checks, options);
    close_results(&results);
    return code;
}

/* ---- its options ---- */

static error_t parse_report(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    return report_option(&options->report, options->tick_hz, key, text, state);
}

static error_t parse_check(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_END && options->check.junit != NULL && options->check.count == 0)
        argp_error(state, "--junit: there are no checks: give --check or --checks");
    if (key == ARGP_KEY_END && options->report.baseline != NULL && options->report.format == REPORT_CSV)
        argp_error(state, "--baseline: a comparison is text or json, not csv");
    return check_option(&options->check, key, text, state);
}

static const struct argp_option rows[] = {
    {"hz", KEY_HZ, "HZ", 0, "the time stamps' clock, such as 168M or 32768: times are shown in seconds", 0},
    {"output", 'o', "FILE", 0, "write to FILE; - is standard output (default)", 0},
    {"force", KEY_FORCE, NULL, 0, "overwrite FILE if it exists", 0},
    {"base", KEY_BASE, "ADDR", 0, "address of the first byte of a file that has no addresses", 0},
    {"address", KEY_BUFFER, "ADDR", 0, "address of the trace buffer, or its offset, if the file has several", 0},
    {"strict", KEY_STRICT, NULL, 0, "exit code 5 if events are missing", 0},
    {"quiet", 'q', NULL, 0, "only errors on standard error", 0},
    {NULL, KEY_HELP, NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

static const struct argp report_argp = {report_option_rows, parse_report, NULL, NULL, NULL, NULL, NULL};

static const struct argp check_argp = {check_option_rows, parse_check, NULL, NULL, NULL, NULL, NULL};

static const struct argp_child groups[] = {
    {&report_argp, 0, "What is analysed and shown:", 1},
    {&check_argp, 0, "What must hold:", 2},
    {0},
};

const struct command report_command = {
    .name = "report",
    .brief = "analyse a trace: processor time, delays, waits, jobs",
    .run = run_command,
    .rows = rows,
    .parser = options_parse_files,
    .operands = "FILE...",
    .help = "Analyse a trace: who takes the processor, who waits for what, and how long.\v"
            "FILE is a trace as 'txtap decode' reads it, or a recording; several are those of one recording.\n\n"
            "A CHECK is NAME[(PATTERN)][.STATISTIC] OPERATOR NUMBER[UNIT]; the manual page lists what each can "
            "be.\n\n"
            "Times are in ticks; with --hz in seconds. Each maximum names its event: 'txtap decode --from' "
            "shows what was "
            "before it. Where events were lost, figures are limits: '>=' at least, '<=' at most, '~' of what "
            "was seen.",
    .groups = groups,
    .reads_files = true,
    .only_shows = true,
};
