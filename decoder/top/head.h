/* SPDX-License-Identifier: MIT */
/* The lines at the top: what is watched, how busy it is, what is lost. */
#ifndef TXTAP_DECODER_TOP_HEAD_H
#define TXTAP_DECODER_TOP_HEAD_H

#include "txtap/inner/top.h"

#define HEAD_ROWS 3

/* Is there anything to say of unbounded inversions, deadlocks or checks? */
bool head_has_findings(const struct txtap_top_state *state);

/* Draws it as one row. */
void head_draw_findings(const struct txtap_top_state *state, struct txtap_top_screen *screen, size_t row);

/* Draws the first rows of the screen, HEAD_ROWS of them. */
void head_draw(const struct txtap_top_state *state, const struct txtap_top_view *view, struct txtap_top_screen *screen);

#endif
