/* SPDX-License-Identifier: MIT */
/* The names of figures, as checks use them: what a limit's unit must be, and what the figures are of. */
#ifndef TXTAP_DECODER_FIGURES_CHECK_NAMES_H
#define TXTAP_DECODER_FIGURES_CHECK_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "txtap/figure.h"

/* What a name's figures are, but for n and rate. */
enum check_dimension { CHECK_SHARE, CHECK_TIME, CHECK_COUNT, CHECK_BYTES };

struct check_name {
    enum txtap_figure_id id;
    const char *name;
    enum check_dimension dimension;
    enum txtap_stat stat;          /* the one that is meant without STATISTIC: n of what is counted */
    enum txtap_subject_kind about; /* besides the whole trace */
    bool several;                  /* one subject has several figures of that name, which concern others, too */
};

/* A figure of an analysis, see analyses.h: its identifier, its name, its dimension, the statistic that a check
 * means without one (VALUE or N), and its subjects. */
#define FIGURE(id, name, dimension, stat, about)                                                                       \
    {                                                                                                                  \
        TXTAP_FIGURE_##id, name, dimension, TXTAP_STAT_##stat, TXTAP_SUBJECT_##about, false                            \
    }

/* The same where one subject has several figures. */
#define FIGURES(id, name, dimension, stat, about)                                                                      \
    {                                                                                                                  \
        TXTAP_FIGURE_##id, name, dimension, TXTAP_STAT_##stat, TXTAP_SUBJECT_##about, true                             \
    }

/* The row of a name of that many characters; NULL: no figure has it. */
const struct check_name *check_name_find(const char *name, size_t length);

#endif
