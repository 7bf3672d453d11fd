/* SPDX-License-Identifier: MIT */
/* Figures in words. */
#ifndef TXTAP_CAPTURE_FIGURES_WORDS_H
#define TXTAP_CAPTURE_FIGURES_WORDS_H

#include "txtap/figure.h"

/* Returns the words for a figure, with its name for checks: "sets without a waiting thread (set_unheard)". Returns the
 * name alone if it says everything. Static. */
const char *figure_words(const struct txtap_figure *figure);

#endif
