/* SPDX-License-Identifier: MIT */
/* Parses the options of txtap compare. */
#include "base/option_values.h"
#include "options/options.h"

enum key { KEY_FORMAT = 'f', KEY_ALL = 900, KEY_CHECK, KEY_TOLERANCE };

const struct argp_option compare_option_rows[] = {
    {"format", KEY_FORMAT, "FORMAT", 0,
     "text (default), json, markdown for a pull request, benchmark: JSON for github-action-benchmark, or html: a page "
     "with the timelines of both sides",
     0},
    {"all", KEY_ALL, NULL, 0, "text: also show all numbers that have not changed", 0},
    {"check", KEY_CHECK, NULL, 0, "exit code 6 if a figure is worse, 7 if this cannot be decided", 0},
    {"tolerance", KEY_TOLERANCE, "PERCENT", 0,
     "smaller differences are no change (default 2% if the noise is known, otherwise 20%)", 0},
    {0},
};

error_t compare_option(struct compare_options *options, int key, char *text, struct argp_state *state)
{
    static const char *const formats[] = {"text", "json", "markdown", "benchmark", "html"};

    switch (key) {
    case ARGP_KEY_INIT:
        *options = (struct compare_options){.tolerance = -1};
        return 0;
    case KEY_FORMAT:
        options->format = (enum compare_format)option_choice(state, "--format", text, formats, 5);
        return 0;
    case KEY_ALL:
        options->all = true;
        return 0;
    case KEY_CHECK:
        options->check = true;
        return 0;
    case KEY_TOLERANCE:
        options->tolerance = option_percent(state, "--tolerance", text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
