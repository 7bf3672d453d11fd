/* SPDX-License-Identifier: MIT */
/* What has changed between two reports. Only what has changed for sure: two figures whose limits overlap may be equal.
 */
#ifndef TXTAP_CAPTURE_FIGURES_COMPARISON_H
#define TXTAP_CAPTURE_FIGURES_COMPARISON_H

#include <stdio.h>

#include "figures/baseline.h"
#include "figures/figures.h"

struct difference {
    const struct named_figure *figure; /* as it is now; borrowed */
    enum txtap_stat stat;
    struct txtap_measure before, now; /* in the unit of the new report's figures */
    double factor;                    /* now / before; infinite if there was nothing before */
};

struct comparison {
    const struct figures *figures;   /* as given to comparison_make() */
    const struct baseline *baseline; /* with found set */
    struct difference *at;           /* count of them, the largest factor up or down first */
    size_t count;
    size_t same;    /* numbers that are equal, exactly */
    size_t unsure;  /* that may be equal */
    size_t added;   /* figures that the older report does not have */
    size_t removed; /* that only it has */
};

/*
 * Compares. figures and baseline: borrowed. TXTAP_ERROR_USAGE: one has seconds and the other only ticks. On success the
 * caller frees it with comparison_free().
 */
enum txtap_status comparison_make(struct comparison *comparison, const struct figures *figures,
                                  struct baseline *baseline, struct error *error);
void comparison_free(struct comparison *comparison);

void comparison_show_text(const struct comparison *comparison, FILE *out);

/* An object. No line end. */
void comparison_show_json(const struct comparison *comparison, FILE *out);

/* A line of column names, and one for each number that differs. */
void comparison_show_csv(const struct comparison *comparison, FILE *out);

#endif
