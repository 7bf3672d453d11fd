/* SPDX-License-Identifier: MIT */
/* Knows the terminal, not what the line says. Bypasses the stream stderr, which escapes control bytes. */
#include "base/status_line.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/write_bytes.h"

#define COLUMNS_DEFAULT 80
#define ERASE_LINE      "\r\033[K"

void status_line_init(struct status_line *line, bool quiet)
{
    const char *terminal = getenv("TERM");

    line->drawn = false;
    line->wanted = !quiet && isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

void status_line_draw(struct status_line *line, const char *text)
{
    struct winsize size;
    int columns = COLUMNS_DEFAULT;

    if (!line->wanted)
        return;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        columns = size.ws_col;
    status_line_erase(line);
    /* Not into the last column: some terminals would move to the next line. */
    (void)write_bytes(STDERR_FILENO, text, strnlen(text, (size_t)columns - 1));
    line->drawn = true;
}

void status_line_erase(struct status_line *line)
{
    if (line->drawn)
        (void)write_bytes(STDERR_FILENO, ERASE_LINE, strlen(ERASE_LINE));
    line->drawn = false;
}
