/* SPDX-License-Identifier: MIT */
/* The table of statuses. One of libtxtap that is not here ends a command as failed. */
#include "base/program_status.h"

#include <stddef.h>

static const struct row {
    enum txtap_status status;
    enum exit_code code;
    const char *text; /* NULL: libtxtap has it */
} rows[] = {
    {ERROR_NOT_FOUND, EXIT_NO_BUFFER, "no trace buffer found"},
    {ERROR_AMBIGUOUS, EXIT_NO_BUFFER, "several trace buffers found"},
    {ERROR_SYMBOL, EXIT_NO_BUFFER, "ELF file has no such symbol"},
    {ERROR_UNSETTLED, EXIT_FAILED, "target writes events faster than they can be copied"},
    {ERROR_UNREACHABLE, EXIT_NO_SERVER, "nobody listens there"},
    {ERROR_PROTOCOL, EXIT_NO_SERVER, "the other side does not speak the expected protocol"},
    {ERROR_TIMEOUT, EXIT_NO_SERVER, "no answer in time"},
    {ERROR_CLOSED, EXIT_NO_SERVER, "the other side closed the connection"},
    {ERROR_TARGET, EXIT_NO_SERVER, "the server does not reach its target"},
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
