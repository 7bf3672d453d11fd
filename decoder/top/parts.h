/* SPDX-License-Identifier: MIT */
/* The parts of the screen that are text, not tables. */
#ifndef TXTAP_DECODER_TOP_PARTS_H
#define TXTAP_DECODER_TOP_PARTS_H

#include "top/screen.h"

#define HEAD_ROWS 3

/* Draws the first HEAD_ROWS rows. */
void draw_head(const struct txtap_top_state *state, struct txtap_top_screen *screen);

/* Returns true if there are unbounded inversions, deadlocks or checks to show. */
bool has_findings(const struct txtap_top_state *state);

/* Draws the findings as one row. */
void draw_findings(const struct txtap_top_state *state, struct txtap_top_screen *screen, size_t row);

/* Writes over a rule: the time since when maxima are bounds because events were lost, and the key that resets them.
 * Writes nothing if no events were lost. keys: false if no keys are read. */
void draw_bounds_note(const struct txtap_top_state *state, bool keys, struct txtap_top_screen *screen, size_t row);

/* Draw a page into the rows from..to - 1. */
void page_thread(const struct txtap_top_state *state, const struct txtap_top_view *view,
                 struct txtap_top_screen *screen, size_t from, size_t to);
void page_checks(const struct txtap_top_state *state, const struct txtap_top_view *view,
                 struct txtap_top_screen *screen, size_t from, size_t to);
void page_help(struct txtap_top_screen *screen, size_t from, size_t to);

#endif
