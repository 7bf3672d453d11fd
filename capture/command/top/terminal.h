/* SPDX-License-Identifier: MIT */
/*
 * The terminal as a full screen, and its keys. Only one terminal can be open. While it is open, this module handles the
 * signals that end or stop txtap, in order to restore the terminal first. Only SIGKILL and SIGSTOP prevent this.
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
 * Opens the terminal. Call it after runtime_init(). TXTAP_ERROR_USAGE: standard output is not a terminal on which txtap
 * can draw. After success, call terminal_close(). If the program exits without this call, exit() calls
 * terminal_close().
 */
enum txtap_status terminal_open(struct error *error);

/* Closes the terminal. Does nothing if the terminal is not open. */
void terminal_close(void);

/* Returns true if the user wants colours: NO_COLOR is empty or not set. */
bool terminal_has_colours(void);

/* Returns true if the user's locale has UTF-8. */
bool terminal_is_utf8(void);

/* Reads the size of the screen, at most rows_max x columns_max. */
void terminal_size(size_t *rows, size_t *columns, size_t rows_max, size_t columns_max);

/* Returns true if the screen must be drawn again, because it was resized or txtap was stopped. Then returns false until
 * this happens again. */
bool terminal_is_blank(void);

/* Returns true if the terminal can take bytes now. False: the terminal is slow, or the user has paused its output. */
bool terminal_is_ready(void);

/* Returns the number of bytes written. */
size_t terminal_write(const char *bytes, size_t length);

/* Returns the next key that was pressed. Does not wait for a key. */
enum terminal_key terminal_key(void);

#endif
