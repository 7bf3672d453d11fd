/* SPDX-License-Identifier: MIT */
/*
 * The terminal as a full screen, and its keys. There is only one. While it is open, this module handles the signals
 * that concern it, so that the terminal is restored whatever ends or stops txtap. Only SIGKILL prevents this.
 */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_TERMINAL_H
#define TXTAP_CAPTURE_COMMAND_TOP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"

enum terminal_key { /* other keys have the code of their character */
                    TERMINAL_NONE = 0,
                    TERMINAL_ESCAPE = 27,
                    TERMINAL_UP = 256,
                    TERMINAL_DOWN,
                    TERMINAL_PAGE_UP,
                    TERMINAL_PAGE_DOWN,
                    TERMINAL_GONE, /* the terminal is gone */
};

/*
 * Opens the terminal. Call it after runtime_init(). TXTAP_ERROR_USAGE: standard output is no terminal, or a terminal on
 * which txtap cannot draw. After success, call terminal_close(); the program calls this function at its exit if nobody
 * has called it.
 */
enum txtap_status terminal_open(struct error *error);

/* Closes the terminal. Does nothing if the terminal is not open. */
void terminal_close(void);

/* Reads the size of the screen, at most rows_max x columns_max. */
void terminal_size(size_t *rows, size_t *columns, size_t rows_max, size_t columns_max);

/* Returns true once after the screen was resized or txtap was continued: the screen is blank then. */
bool terminal_is_blank(void);

/* Returns true if the terminal can accept bytes now. False if the user has paused the terminal, or if it is slow. */
bool terminal_is_ready(void);

/* Returns the number of bytes written. */
size_t terminal_write(const char *bytes, size_t length);

/* Returns the next pressed key. Does not wait. */
enum terminal_key terminal_key(void);

#endif
