/* SPDX-License-Identifier: MIT */
/* Makes text of the target safe to print. */
#ifndef TXTAP_ESCAPE_H
#define TXTAP_ESCAPE_H

#include <stddef.h>

#include "txtap/api.h"

TXTAP_API_BEGIN

/* Room for any text of that many bytes once escaped, NUL included. */
#define TXTAP_ESCAPED_BYTES(bytes) (4 * (bytes) + 1)

/*
 * Copies text for a terminal: bytes that are not printable UTF-8 become \xNN, quotes and backslashes get a backslash.
 * out: size bytes (> 0), NUL-terminated; the text is cut if out is too small, and at 4 KiB in any case. Returns out.
 */
char *txtap_escape_terminal(char *out, size_t size, const char *text);

TXTAP_API_END

#endif
