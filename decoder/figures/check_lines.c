/* SPDX-License-Identifier: MIT */
/* Splits a file of checks into its checks. */
#include "txtap/inner/check_lines.h"

#include <string.h>

/* Removes the comment, and blanks at the start and the end of the line. \# does not begin a comment. */
static char *strip(char *line)
{
    char *end;

    line += strspn(line, " \t");
    for (end = line; *end != '\0' && *end != '#'; end++)
        end += end[0] == '\\' && end[1] != '\0';
    while (end > line && strchr(" \t\r", end[-1]) != NULL)
        end--;
    *end = '\0';
    return line;
}

char *txtap_check_lines_next(struct txtap_check_lines *lines)
{
    while (lines->rest != NULL) {
        char *line = lines->rest, *end = strchr(line, '\n');

        lines->rest = end != NULL ? end + 1 : NULL;
        if (end != NULL)
            *end = '\0';
        lines->number++;
        line = strip(line);
        if (*line != '\0')
            return line;
    }
    return NULL;
}
