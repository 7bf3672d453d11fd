/* SPDX-License-Identifier: MIT */
/*
 * Messages of the virtual board on stderr: one line each, with the program's name. Data (the port) goes to stdout.
 */
#ifndef VBOARD_MESSAGES_H
#define VBOARD_MESSAGES_H

#include <stdbool.h>

/*
 * Reports a failure: the thing, the cause, the next step. Always returns false, so that a caller can `return
 * fail(...)`.
 */
bool fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a remark if `enabled`. */
void note(bool enabled, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
