/* SPDX-License-Identifier: MIT */
/*
 * An error: a status, one line about the cause, and the next step. It is set where the name of the thing is known,
 * passed on by pointer, and printed in one place.
 */
#ifndef TXTAP_CAPTURE_BASE_FAILURE_H
#define TXTAP_CAPTURE_BASE_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/program_status.h"

#define ERROR_WHAT_BYTES 256
#define ERROR_HINT_BYTES 160
#define ERROR_TEXT_BYTES (ERROR_WHAT_BYTES + ERROR_HINT_BYTES + 2)

/* {0}: no error. */
struct error {
    enum txtap_status status;    /* TXTAP_OK: no error */
    char what[ERROR_WHAT_BYTES]; /* the thing and the cause */
    char hint[ERROR_HINT_BYTES]; /* the next step, or "" */
};

/*
 * Sets the error, or nothing if it is NULL, and returns its status: `return failure(error, ...)`. format: "WHAT" or
 * "WHAT\nHINT"; each part is cut if it is too long. A line feed in an argument for WHAT becomes a blank.
 */
enum txtap_status failure(struct error *error, enum txtap_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline bool error_is_set(const struct error *error)
{
    return error->status != TXTAP_OK;
}

static inline void error_clear(struct error *error)
{
    *error = (struct error){.status = TXTAP_OK};
}

/* "WHAT: HINT", or "WHAT". Returns text. */
char *error_text(const struct error *error, char text[static ERROR_TEXT_BYTES]);

/*
 * Copies bytes from outside as printable ASCII: replaces any other byte by '.', and a run of blanks by one. Cuts the
 * text to size (> 0) and ends it with a NUL. Returns out.
 */
char *printable(char *out, size_t size, const char *bytes, size_t length);

#endif
