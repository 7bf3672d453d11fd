/* SPDX-License-Identifier: MIT */
/* The names of figures in checks. For each name: the units that a limit may have, and the subjects of the figures. */
#ifndef TXTAP_DECODER_FIGURES_CHECK_NAMES_H
#define TXTAP_DECODER_FIGURES_CHECK_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "txtap/figure.h"

/* The dimension of the figures with a name. It does not apply to the statistics n and rate. */
enum check_dimension { CHECK_SHARE, CHECK_TIME, CHECK_COUNT, CHECK_BYTES, CHECK_NUMBER };

struct check_name {
    enum txtap_figure_id id;
    const char *name;
    enum check_dimension dimension;
    enum txtap_stat stat;          /* the statistic of a check that names no statistic: n for counts */
    enum txtap_subject_kind about; /* subjects of the figures; the whole trace is always a subject, too */
    bool several;                  /* one subject has several figures of this name, one for each other subject */
};

/* A figure of an analysis, see analyses.h: identifier, name, dimension, statistic of a check that names no statistic
 * (VALUE or N), and subjects. */
#define FIGURE(id, name, dimension, stat, about)                                                                       \
    {                                                                                                                  \
        TXTAP_FIGURE_##id, name, dimension, TXTAP_STAT_##stat, TXTAP_SUBJECT_##about, false                            \
    }

/* Like FIGURE, for figures of which one subject has several. */
#define FIGURES(id, name, dimension, stat, about)                                                                      \
    {                                                                                                                  \
        TXTAP_FIGURE_##id, name, dimension, TXTAP_STAT_##stat, TXTAP_SUBJECT_##about, true                             \
    }

/* Returns the row of the name; NULL: no figure has this name. length: characters of the name. */
const struct check_name *check_name_find(const char *name, size_t length);

#endif
