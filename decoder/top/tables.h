/* SPDX-License-Identifier: MIT */
/* The tables of the screen: their columns, and the text of their cells. */
#ifndef TXTAP_DECODER_TOP_TABLES_H
#define TXTAP_DECODER_TOP_TABLES_H

#include "top/amount.h"
#include "top/screen.h"

/* kernel_thread_grid, kernel_object_grid: the columns that are known without a trace. */
extern const struct grid_kind thread_grid, kernel_thread_grid, interrupt_grid, object_grid, kernel_object_grid,
    value_grid;

/* Return the column of a table of threads by which `sort` sorts, or GRID_UNSORTED; and its title. */
size_t sort_column(const struct grid_kind *kind, enum txtap_top_sort sort);
const char *sort_title(enum txtap_top_sort sort);

/* Returns the activity of a thread, in words. */
const char *thread_does(const struct txtap_top_state *state, const struct txtap_top_thread *thread,
                        char text[GRID_TEXT_BYTES]);

/* Returns the attributes for the thread's stack: yellow and red if little of it is free. */
uint8_t stack_style(const struct txtap_top_thread *thread);

/* Returns the longest of the durations. The text is a lower bound if this duration has not ended. */
const char *longest(const struct txtap_top_state *state, const struct txtap_top_durations *of,
                    char text[GRID_TEXT_BYTES]);

/*
 * Return the signs for shares and counts of the window, and for maxima. If events are missing, the sign shows that the
 * true value may be larger.
 */
enum amount_sign share_sign(const struct txtap_top_state *state);
enum amount_sign count_sign(const struct txtap_top_state *state);
enum amount_sign maximum_sign(const struct txtap_top_state *state);

#endif
