/* SPDX-License-Identifier: MIT */
/* What has changed between two reports. Only what has changed for sure: two figures whose limits overlap may be equal.
 */
#ifndef TXTAP_CAPTURE_FIGURES_COMPARISON_H
#define TXTAP_CAPTURE_FIGURES_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "figures/figures.h"

/* ---- an older report, as figures_show_json() writes it ---- */

#define BASELINE_KEY_BYTES 2048

/*
 * What a figure is of, so that the same one is found in two reports: section, name, subject, other and detail, each
 * with BASELINE_KEY_MARK in front but the first. Subjects go by their kind and name; those without a name by their
 * number.
 */
#define BASELINE_KEY_MARK '\x1f'

struct baseline_subject {
    const char *kind, *name, *number; /* "" where there is none */
};

/* The key of a figure, cut if it does not fit. Returns out. */
char *baseline_key(char out[static BASELINE_KEY_BYTES], const char *section, const char *name,
                   const struct baseline_subject *subject, const struct baseline_subject *other, const char *detail);

struct baseline_figure {
    char *key;
    size_t position; /* in the report, from 0 */
    bool found;      /* for the caller's use */
    struct txtap_measure stat[TXTAP_STATS];
};

struct baseline {
    double tick_hz;                  /* 0: unknown */
    struct baseline_figure *figures; /* count of them, sorted by key and position */
    size_t count;
};

/*
 * Reads a report. TXTAP_ERROR_SYSTEM: the file cannot be read, or this program cannot read JSON; _FORMAT: it is no such
 * report; _SPACE: it is larger than 16 MiB; error says why. On success the caller frees it with baseline_free().
 */
enum txtap_status baseline_read(struct baseline *baseline, const char *path, struct error *error);

/* The same of a text of that length; name: of the file, for messages. */
enum txtap_status baseline_parse(struct baseline *baseline, const char *text, size_t length, const char *name,
                                 struct error *error);

/* Was this program built with what reads JSON? */
bool baseline_can_read(void);

/* All 0 is allowed. */
void baseline_free(struct baseline *baseline);

/* ---- what has changed ---- */

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
