/* SPDX-License-Identifier: MIT */
/* Formats errors, and text from outside. */
#include "base/failure.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- statuses ---- */

static const struct row {
    enum txtap_status status;
    enum exit_code code;
    const char *text; /* NULL: use libtxtap's text */
} rows[] = {
    {ERROR_NOT_FOUND, EXIT_NO_BUFFER, "no trace buffer found"},
    {ERROR_AMBIGUOUS, EXIT_NO_BUFFER, "several trace buffers found"},
    {ERROR_SYMBOL, EXIT_NO_BUFFER, "ELF file has no such symbol"},
    {ERROR_NOT_ENABLED, EXIT_NO_BUFFER, "the trace is not enabled"},
    {ERROR_NOT_SAMPLED, EXIT_FAILED, "the core does not sample its program counter"},
    {ERROR_UNSETTLED, EXIT_FAILED, "target writes events faster than they can be copied"},
    {ERROR_UNREACHABLE, EXIT_NO_SERVER, "connection refused"},
    {ERROR_PROTOCOL, EXIT_NO_SERVER, "the other side does not speak the expected protocol"},
    {ERROR_TIMEOUT, EXIT_NO_SERVER, "no answer in time"},
    {ERROR_CLOSED, EXIT_NO_SERVER, "the other side closed the connection"},
    {ERROR_TARGET, EXIT_NO_SERVER, "the server cannot reach its target"},
    {ERROR_FAULT, EXIT_NO_BUFFER, "target memory cannot be read at that address"},
    {ERROR_UNSAFE, EXIT_NO_SERVER, "reading through this server would disturb the target"},
    {ERROR_INTERRUPTED, EXIT_FAILED, "interrupted"},
    {ERROR_EXISTS, EXIT_FAILED, "file exists already"},
    {TXTAP_OK, EXIT_DONE, NULL},
    {TXTAP_AGAIN, EXIT_DONE, NULL},
    {TXTAP_END, EXIT_DONE, NULL},
    {TXTAP_ERROR_USAGE, EXIT_USAGE, NULL},
    {TXTAP_ERROR_SIGNATURE, EXIT_NO_BUFFER, NULL},
    {TXTAP_ERROR_REGISTRY, EXIT_NO_BUFFER, NULL},
    {TXTAP_ERROR_RING, EXIT_NO_BUFFER, NULL},
    {TXTAP_ERROR_POINTER, EXIT_NO_BUFFER, NULL},
    {TXTAP_ERROR_OVERLAP, EXIT_NO_BUFFER, NULL},
    {TXTAP_ERROR_TRUNCATED, EXIT_NO_BUFFER, NULL},
};

static const struct row *row_of(enum txtap_status status)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].status == status)
            return &rows[i];
    return NULL;
}

const char *status_text(enum txtap_status status)
{
    const struct row *row = row_of(status);

    return row != NULL && row->text != NULL ? row->text : txtap_status_text(status);
}

int status_exit_code(enum txtap_status status)
{
    const struct row *row = row_of(status);

    return row != NULL ? (int)row->code : EXIT_FAILED;
}

int exit_code_with_checks(int run, int verdict)
{
    if (run == EXIT_DONE || (run == EXIT_LOST && verdict != EXIT_DONE && verdict != EXIT_CHECK_UNDECIDED))
        return verdict;
    return run;
}

/* Replaces line feeds, which names of files and USB devices may contain. Other control characters are escaped when they
 * are printed. */
static void join_lines(char *text)
{
    while ((text = strchr(text, '\n')) != NULL)
        *text = ' ';
}

enum txtap_status failure(struct error *error, enum txtap_status status, const char *format, ...)
{
    char text[ERROR_TEXT_BYTES], *hint;
    va_list arguments;

    if (error == NULL)
        return status;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hint = strchr(format, '\n') != NULL ? strrchr(text, '\n') : NULL;
    if (hint != NULL)
        *hint++ = '\0';
    join_lines(text);
    snprintf(error->what, sizeof error->what, "%.*s", ERROR_WHAT_BYTES - 1, text);
    snprintf(error->hint, sizeof error->hint, "%.*s", ERROR_HINT_BYTES - 1, hint != NULL ? hint : "");
    return error->status = status;
}

char *error_text(const struct error *error, char text[static ERROR_TEXT_BYTES])
{
    snprintf(text, ERROR_TEXT_BYTES, "%s%s%s", *error->what ? error->what : status_text(error->status),
             *error->hint ? ": " : "", error->hint);
    return text;
}

char *printable(char *out, size_t size, const char *bytes, size_t length)
{
    size_t used = 0;

    for (size_t i = 0; i < length && used + 1 < size; i++) {
        char c = bytes[i];

        if (c == '\n' || c == '\r' || c == '\t')
            c = ' ';
        if (c < ' ' || c > '~')
            c = '.';
        if (c == ' ' && (used == 0 || out[used - 1] == ' '))
            continue;
        out[used++] = c;
    }
    while (used > 0 && out[used - 1] == ' ')
        used--;
    out[used] = '\0';
    return out;
}

void report_error(const struct error *error)
{
    char text[ERROR_TEXT_BYTES];

    fprintf(stderr, "txtap: %s\n", error_text(error, text));
}
