/* SPDX-License-Identifier: MIT */
/* One line that says what went wrong, built where the thing's name is known, together with its status. */
#ifndef TXTAP_CAPTURE_BASE_FAILURE_H
#define TXTAP_CAPTURE_BASE_FAILURE_H

#include <stddef.h>

#include "txtap/status.h"

#define ERROR_TEXT_BYTES 256

/* Formats the line into error, cut where it is too long, and returns status: `return failure(error, ...)`. */
enum txtap_status failure(char error[static ERROR_TEXT_BYTES], enum txtap_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Copies bytes from outside as printable ASCII, anything else as '.', runs of blanks as one; NUL-terminated, cut to
 * size (> 0). Returns out.
 */
char *printable(char *out, size_t size, const char *bytes, size_t length);

#endif
