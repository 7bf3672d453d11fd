/* SPDX-License-Identifier: MIT */
/* Ends the program after a usage error. This is a file of its own because fuzzers replace the function. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/failure.h"
#include "base/option_values.h"

void option_error(const struct argp_state *state, const char *format, ...)
{
    va_list values;

    fprintf(stderr, "%s: ", state->name);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(EXIT_USAGE);
}
