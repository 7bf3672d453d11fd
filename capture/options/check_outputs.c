/* SPDX-License-Identifier: MIT */
/* Parses the options that only txtap check has. */
#include "options/check_outputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/option_values.h"

enum { KEY_HTML = 720, KEY_SUMMARY, KEY_ANNOTATIONS, KEY_OLDER, KEY_TOLERANCE };

const struct argp_option check_output_rows[] = {
    {"html", KEY_HTML, "FILE", 0, "write the timeline with the results as one page to FILE", 0},
    {"summary", KEY_SUMMARY, "FILE", 0, "append the results as Markdown to FILE, such as \"$GITHUB_STEP_SUMMARY\"", 0},
    {"annotations", KEY_ANNOTATIONS, "WHEN", 0,
     "print failures as annotations of GitHub: auto (default; if GITHUB_ACTIONS is true), always or never", 0},
    {"baseline", KEY_OLDER, "FILE", 0,
     "compare with an older recording, trace or JSON report: exit code 6 if a figure is worse", 0},
    {"tolerance", KEY_TOLERANCE, "PERCENT", 0, "with --baseline: how much worse is no failure (default 20%)", 0},
    {0},
};

static bool on_github(void)
{
    const char *text = getenv("GITHUB_ACTIONS");

    return text != NULL && strcmp(text, "true") == 0;
}

error_t check_output_option(struct check_outputs *options, int key, char *text, struct argp_state *state)
{
    static const char *const when[] = {"auto", "always", "never"};
    unsigned choice;

    switch (key) {
    case ARGP_KEY_INIT:
        *options = (struct check_outputs){.annotations = on_github(), .tolerance = CHECK_TOLERANCE_DEFAULT};
        return 0;
    case KEY_HTML:
        options->html = text;
        return 0;
    case KEY_SUMMARY:
        options->summary = text;
        return 0;
    case KEY_ANNOTATIONS:
        choice = (unsigned)option_choice(state, "--annotations", text, when, 3);
        options->annotations = choice == 0 ? on_github() : choice == 1;
        return 0;
    case KEY_OLDER:
        options->baseline = text;
        return 0;
    case KEY_TOLERANCE:
        options->tolerance = option_percent(state, "--tolerance", text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
