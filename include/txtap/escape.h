/* SPDX-License-Identifier: MIT */
/* The target's text, made harmless. */
#ifndef TXTAP_ESCAPE_H
#define TXTAP_ESCAPE_H

#include <stddef.h>

#include "txtap/api.h"

TXTAP_API_BEGIN

/* Room that any text of that many bytes needs once escaped, the NUL included. */
#define TXTAP_ESCAPED_BYTES(bytes) (4 * (bytes) + 1)

/*
 * Copies text for a terminal: what is not printable UTF-8 becomes \xNN, a quote or backslash gets a backslash.
 * out: size bytes (> 0), NUL-terminated, cut where it is too small, and at 4 KiB in any case. Returns out.
 */
char *txtap_escape_terminal(char *out, size_t size, const char *text);

TXTAP_API_END

#endif
