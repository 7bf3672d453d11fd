/* SPDX-License-Identifier: MIT */
#include "ring/delivered_text.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void delivered_clear(struct delivered_text *delivered)
{
    delivered->text[0] = '\0';
    delivered->run = NULL;
}

void delivered_add(struct delivered_text *delivered, const char *format, ...)
{
    size_t used = strlen(delivered->text), room = sizeof delivered->text;
    va_list arguments;

    if (used > 0)
        used += (size_t)snprintf(delivered->text + used, room - used, ", ");
    va_start(arguments, format);
    used += (size_t)vsnprintf(delivered->text + used, room - used, format, arguments);
    va_end(arguments);
    cr_assert_lt(used, room);
    delivered->pieces++;
    delivered->run = NULL;
}

void delivered_add_run(struct delivered_text *delivered, const char *word, uint64_t first, uint64_t end)
{
    if (delivered->run && strcmp(delivered->run, word) == 0 && delivered->run_end == first) {
        delivered->text[delivered->run_at] = '\0';
        first = delivered->run_first;
    }
    delivered->run_at = strlen(delivered->text);
    if (end - first == 1)
        delivered_add(delivered, "%s%" PRIu64, word, first);
    else
        delivered_add(delivered, "%s%" PRIu64 "..%" PRIu64, word, first, end - 1);
    delivered->run = word;
    delivered->run_first = first;
    delivered->run_end = end;
}
