/* SPDX-License-Identifier: MIT */
/* The three tables of the screen: which columns they have, and what is in them. */
#ifndef TXTAP_DECODER_TOP_TABLES_H
#define TXTAP_DECODER_TOP_TABLES_H

#include "top/amount.h"
#include "top/screen.h"

extern const struct grid_kind thread_grid, interrupt_grid, object_grid;

/* What a thread does, in words. */
const char *thread_does(const struct txtap_top_state *state, const struct txtap_top_thread *thread,
                        char text[GRID_TEXT_BYTES]);

/* The longest of them; a lower bound if it has not ended yet. */
const char *longest(const struct txtap_top_state *state, const struct txtap_top_durations *of,
                    char text[GRID_TEXT_BYTES]);

/* How far a figure of the window is to be believed, and a maximum: where events are missing it may be more. */
enum amount_sign share_sign(const struct txtap_top_state *state);
enum amount_sign count_sign(const struct txtap_top_state *state);
enum amount_sign maximum_sign(const struct txtap_top_state *state);

#endif
