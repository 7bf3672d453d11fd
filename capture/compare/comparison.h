/* SPDX-License-Identifier: MIT */
/* Compares two reports. Two figures differ only if their bounds do not overlap: otherwise they may be equal. */
#ifndef TXTAP_CAPTURE_COMPARE_COMPARISON_H
#define TXTAP_CAPTURE_COMPARE_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "compare/baseline.h"
#include "figures/figures.h"

struct difference {
    const struct named_figure *figure; /* the newer figure; borrowed */
    enum txtap_stat stat;
    struct txtap_measure before, now; /* values in the older and the newer report, both in the newer report's unit */
    double factor;                    /* `now` divided by `before`; infinite if `before` is 0 */
};

struct comparison {
    const struct figures *figures;   /* the figures that comparison_make() compared */
    const struct baseline *baseline; /* the older report; `found` in its figures is set */
    struct difference *at;           /* `count` differences, sorted by factor: the largest change first */
    size_t count;
    size_t same;    /* numbers that are exactly equal */
    size_t unsure;  /* numbers that may be equal, because their bounds overlap */
    size_t added;   /* figures that only the newer report has */
    size_t removed; /* figures that only the older report has */
};

/*
 * Compares two reports. figures and baseline: borrowed. TXTAP_ERROR_USAGE: one report has seconds and the other only
 * ticks. On success the caller frees *comparison with comparison_free().
 */
enum txtap_status comparison_make(struct comparison *comparison, const struct figures *figures,
                                  struct baseline *baseline, struct error *error);
void comparison_free(struct comparison *comparison);

void comparison_show_text(const struct comparison *comparison, FILE *out);

/* Writes an object, without a line end. */
void comparison_show_json(const struct comparison *comparison, FILE *out);

/* Writes a line of column names, then a line for each number that differs. */
void comparison_show_csv(const struct comparison *comparison, FILE *out);

#endif
