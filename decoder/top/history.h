/* SPDX-License-Identifier: MIT */
/* Histories as bars. A "?" is a quarter of a second in which nothing was observed. */
#ifndef TXTAP_DECODER_TOP_HISTORY_H
#define TXTAP_DECODER_TOP_HISTORY_H

#include "top/screen.h"

/* Write heights for screen_put_bars(): a thread's share of a core, and the part of a queue that was full. */
const char *history_of_cpu(const struct txtap_top_state *state, const float history[static TXTAP_TOP_HISTORY],
                           char text[GRID_TEXT_BYTES]);
const char *history_of_depth(const struct txtap_top_state *state, const float history[static TXTAP_TOP_HISTORY],
                             char text[GRID_TEXT_BYTES]);

/* Draws the load of all cores into the rows from..to - 1, at least two rows. */
void draw_load_history(const struct txtap_top_state *state, struct txtap_top_screen *screen, size_t from, size_t to);

#endif
