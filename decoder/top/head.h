/* SPDX-License-Identifier: MIT */
/* The lines at the top: what is watched, how busy it is, what is lost. */
#ifndef TXTAP_DECODER_TOP_HEAD_H
#define TXTAP_DECODER_TOP_HEAD_H

#include "txtap/top.h"

#define HEAD_ROWS 3

/* Draws the first rows of the screen, HEAD_ROWS of them. */
void head_draw(const struct txtap_top_state *state, const struct txtap_top_view *view, struct txtap_top_screen *screen);

#endif
