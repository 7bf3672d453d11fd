/* SPDX-License-Identifier: MIT */
/* Messages on stderr, one line each. */
#ifndef USBPROBE_SAY_H
#define USBPROBE_SAY_H

#include <stdbool.h>

/* Prints the thing, the cause, the next step. Always returns false, so that a caller can `return fail(...)`. */
bool fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
