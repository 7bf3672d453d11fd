/* SPDX-License-Identifier: MIT */
/*
 * The whole terminal as a screen, and its keys. There is one, and while it is open this module has the signals that
 * concern it: whatever ends or stops txtap, the terminal is as it was before. Only SIGKILL leaves no time for that.
 */
#ifndef TXTAP_CAPTURE_COMMAND_TOP_TERMINAL_H
#define TXTAP_CAPTURE_COMMAND_TOP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"

enum terminal_key { /* others are their character */
                    TERMINAL_NONE = 0,
                    TERMINAL_ESCAPE = 27,
                    TERMINAL_UP = 256,
                    TERMINAL_DOWN,
                    TERMINAL_PAGE_UP,
                    TERMINAL_PAGE_DOWN,
                    TERMINAL_GONE, /* nobody is there any more */
};

/*
 * To be called behind runtime_init(). TXTAP_ERROR_USAGE: standard output is no terminal, or one that cannot be drawn
 * on. After success terminal_close() is due, which also happens if the program ends without it.
 */
enum txtap_status terminal_open(struct error *error);

/* Does nothing if it is not open. */
void terminal_close(void);

/* The size of the screen, at most rows_max x columns_max. */
void terminal_size(size_t *rows, size_t *columns, size_t rows_max, size_t columns_max);

/* True once after the screen was resized or txtap was continued: nothing that was drawn is there any more. */
bool terminal_is_blank(void);

/* Would it take bytes now? Not if the user has stopped it, or it is slow. */
bool terminal_is_ready(void);

/* Returns how many bytes it took. */
size_t terminal_write(const char *bytes, size_t length);

/* The next key that was pressed. Does not wait. */
enum terminal_key terminal_key(void);

#endif
