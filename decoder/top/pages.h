/* SPDX-License-Identifier: MIT */
/* The pages about one thread, about checks, and about what the screen means. */
#ifndef TXTAP_DECODER_TOP_PAGES_H
#define TXTAP_DECODER_TOP_PAGES_H

#include "txtap/inner/top.h"

/* All draw the rows from..to - 1. */
void page_thread(const struct txtap_top_state *state, const struct txtap_top_view *view,
                 struct txtap_top_screen *screen, size_t from, size_t to);
void page_checks(const struct txtap_top_state *state, const struct txtap_top_view *view,
                 struct txtap_top_screen *screen, size_t from, size_t to);
void page_help(struct txtap_top_screen *screen, size_t from, size_t to);

#endif
