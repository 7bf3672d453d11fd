/* SPDX-License-Identifier: MIT */
/* txtap view: shows a trace in a browser, live or from files. */
#include <inttypes.h>

#include "command/commands.h"
#include "base/option_values.h"
#include "command/operands.h"
#include "command/view/view_page.h"
#include "output/report.h"

#ifdef VIEW_LACKS /* this build lacks a library that the page needs */

enum txtap_status view_check(const struct options *options, struct error *error)
{
    (void)options;
    return failure(error, TXTAP_ERROR_SYSTEM,
                   "this txtap was built without %s and has no page\ninstall it, and build it again", VIEW_LACKS);
}

/* The functions below are never called in this build, because view_check() fails first. */
static int nothing(void)
{
    return EXIT_FAILED;
}

int view_live(const struct options *options, struct attachment *attachment, struct error *error)
{
    (void)options;
    (void)attachment;
    (void)error;
    return nothing();
}

int view_board(const struct options *options)
{
    (void)options;
    return nothing();
}

int view_files_serve(const struct options *options, struct input *input)
{
    (void)options;
    (void)input;
    return nothing();
}

int view_files_write(const struct options *options, struct input *input)
{
    (void)options;
    (void)input;
    return nothing();
}

int view_files_write_empty(const struct options *options)
{
    (void)options;
    return nothing();
}

enum txtap_status view_results_write(const struct options *options, const struct view_results *results,
                                     struct error *error)
{
    (void)results;
    return view_check(options, error);
}

enum txtap_status view_compared_write(const struct options *options, const struct view_side sides[2],
                                      const char *comparison, struct error *error)
{
    (void)sides;
    (void)comparison;
    return view_check(options, error);
}

#endif

static int run_command(const struct options *options)
{
    struct error error;
    enum txtap_status status = view_check(options, &error);

    if (status != TXTAP_OK) {
        report_error(&error);
        return status_exit_code(status);
    }
    if (options->follow)
        return view_board(options);
    if (options->output == NULL)
        return operands_run(options, view_live, view_files_serve);
    if (options->file_count == 0)
        return view_files_write_empty(options);
    return operands_run(options, NULL, view_files_write); /* NULL: a page in a file cannot follow a target */
}

/* ---- its options ---- */

static error_t parse_view(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    if (key == ARGP_KEY_END && options->output != NULL && options->view.record != NULL)
        option_error(state, "-o needs files and --record a running target: use only one of them");
    if (key == ARGP_KEY_END && options->output != NULL && options->view.has_at)
        option_error(state,
                     "--at is for a page that txtap serves: add #e=%" PRIu64 " to the address of the file instead",
                     options->view.at);
    if (key == ARGP_KEY_END && options->follow)
        options_check_follow(options, state);
    if (key == ARGP_KEY_END && options->follow && (options->output != NULL || options->view.record != NULL))
        option_error(state, "--follow serves a page: leave out -o and --record");
    if (key == ARGP_KEY_END && options->follow && options->check.count > 0)
        option_error(state, "--follow shows a board, and judges nothing: use 'txtap tail --check'");
    return view_option(&options->view, key, text, state);
}

static const struct argp_option rows[] = {
    {"output", 'o', "FILE", 0,
     "write the page with the trace in it as one file, and serve nothing; - is standard output", 0},
    {"force", KEY_FORCE, NULL, 0, "overwrite files that exist", 0},
    {"hz", KEY_HZ, "HZ", 0, "rate of the time stamps, such as 168M or 32768: shows times in seconds", 0},
    OPTIONS_FOLLOW_ROW,
    {"buffer", KEY_OUTPUT_BUFFER, "SIZE", 0, "memory for events, for pages that open later or are slow (default 64M)",
     0},
    {"base", KEY_BASE, "ADDR", 0, "address of the first byte of a file that has no addresses", 0},
    {0},
};

static const struct argp view_argp = {view_option_rows, parse_view, NULL, NULL, NULL, NULL, NULL};
static const struct argp_child view_child[] = {{&view_argp, 0, NULL, 0}, {0}};
static const struct argp page = {rows, options_parse_with, NULL, NULL, view_child, NULL, NULL};

static const struct argp_child groups[] = {
    {&page, 0, "The page:", 1},
    {&options_meaning, 0, "Meaning of user events:", 2},
    {&options_stream, 0, OPTIONS_STREAM_HEAD, 3},
    {&options_samples, 0, OPTIONS_SAMPLES_HEAD, 4},
    {&options_check, 0, OPTIONS_CHECK_HEAD, 5},
    {&options_messages, 0, OPTIONS_MESSAGES_HEAD, 6},
    {&options_target, 0, OPTIONS_TARGET_HEAD, 7},
    {&options_ring, 0, OPTIONS_RING_HEAD, 8},
    {0},
};

const struct command view_command = {
    .name = "view",
    .brief = "a timeline in the browser, live or of a trace",
    .run = run_command,
    .parser = options_parse_operands,
    .operands = "[ELF | FILE...]",
    .nothing = "nothing to show",
    .common = "hz definitions output record probe",
    .help = "Show a timeline in the browser: of a running target, or of a trace.\v"
            "ELF is the firmware's file: its target is followed until Ctrl-C. Without it RAM is searched. FILE is a "
            "trace as 'txtap decode' reads it, or a recording; several are those of one recording.\n\n"
            "The page's address is printed on standard output. Whoever knows it sees the trace, on this machine alone "
            "unless --listen says otherwise; nothing in the page can touch the target.\n\n"
            "'txtap view -o page.html FILE' writes one file that opens in any browser, without a network; without "
            "FILE it shows the traces that are dropped on it.",
    .groups = groups,
    .streams = true,
    .only_shows = true,
};
