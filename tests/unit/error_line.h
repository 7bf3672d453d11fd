/* SPDX-License-Identifier: MIT */
/* An error's text as a user sees it, for comparison with the expected text. */
#ifndef TXTAP_TESTS_ERROR_LINE_H
#define TXTAP_TESTS_ERROR_LINE_H

#include "base/failure.h"
#include "probe/source_base.h"

/* Returns the error's text, which is valid until the next call. */
static inline const char *error_line(const struct error *error)
{
    static char text[ERROR_TEXT_BYTES];

    return error_text(error, text);
}

/* Returns the text of a memory source's last error, in the same form. */
static inline const char *source_error_line(struct txtap_source source)
{
    static struct error error;

    (void)memory_failure(source, TXTAP_ERROR_SYSTEM, NULL, &error);
    return error_line(&error);
}

#endif
