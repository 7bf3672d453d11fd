/* SPDX-License-Identifier: MIT */
/* An older report, as figures_show_json() writes it, to compare with. */
#ifndef TXTAP_CAPTURE_FIGURES_BASELINE_H
#define TXTAP_CAPTURE_FIGURES_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/failure.h"
#include "txtap/figure.h"

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

#endif
