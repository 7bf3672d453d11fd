/* SPDX-License-Identifier: MIT */
/* The options of txtap top. */
#include "options/top.h"

#include <stdlib.h>

#include "base/option_values.h"

enum { KEY_SPEED = 900 };

#define SPEED_MAX 1e6

const struct argp_option top_option_rows[] = {
    {"rows", 'b', NULL, 0, "print rows, for pipes and logs, instead of drawing on the terminal", 0},
    {"count", 'n', "N", 0, "end after N screens", 0},
    {"delay", 'd', "TIME", 0, "from one screen to the next (default 250ms, with -b 2s)", 0},
    {"replay-speed", KEY_SPEED, "FACTOR", 0,
     "how fast a file is replayed: 1 as it was recorded (default with --hz), 10, 0 as fast as possible", 0},
    {0},
};

static double speed_option(const struct argp_state *state, const char *text)
{
    char *end;
    double speed = strtod(text, &end);

    if (end == text || *end != '\0' || !(speed >= 0 && speed <= SPEED_MAX))
        argp_error(state, "--replay-speed: '%s' is not a factor from 0 to 1000000", text);
    return speed;
}

error_t top_option(struct top_options *options, int key, char *text, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_INIT:
        *options = (struct top_options){.speed = SPEED_DEFAULT};
        return 0;
    case 'b':
        options->rows = true;
        return 0;
    case 'n':
        options->count = option_number(state, "--count", text, 1, UINT64_MAX);
        return 0;
    case 'd':
        options->seconds = option_seconds(state, "--delay", text, 0.05, 3600, "from 50ms to 1h");
        return 0;
    case KEY_SPEED:
        options->speed = speed_option(state, text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
