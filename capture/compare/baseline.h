/* SPDX-License-Identifier: MIT */
/* The figures of an older trace, found by a key: from a report in JSON, or from the trace itself. */
#ifndef TXTAP_CAPTURE_COMPARE_BASELINE_H
#define TXTAP_CAPTURE_COMPARE_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "figures/figures.h"

#define BASELINE_KEY_BYTES 2048

/*
 * The key identifies a figure in both reports. It consists of section, name, subject, other and detail, separated by
 * BASELINE_KEY_MARK. A subject is written as kind and name. A subject without a name is written as kind and number.
 */
#define BASELINE_KEY_MARK '\x1f'

struct baseline_subject {
    const char *kind, *name, *number; /* "" if absent */
};

/* Writes the key of a figure. Cuts a key that is too long for out. Returns out. */
char *baseline_key(char out[static BASELINE_KEY_BYTES], const char *section, const char *name,
                   const struct baseline_subject *subject, const struct baseline_subject *other, const char *detail);

struct baseline_figure {
    char *key;
    size_t position; /* position in the report, from 0 */
    bool found;      /* set by comparison_make(): the newer report has this figure, too */
    struct txtap_measure stat[TXTAP_STATS];
};

struct baseline {
    double tick_hz;                  /* 0: unknown */
    struct baseline_figure *figures; /* `count` figures, sorted by key and position */
    size_t count;
};

/*
 * Reads a report. TXTAP_ERROR_SYSTEM: the file cannot be read, or this build cannot read JSON. TXTAP_ERROR_FORMAT: the
 * file is not a report. TXTAP_ERROR_SPACE: the file is larger than 16 MiB. error has the cause. On success the caller
 * frees the report with baseline_free().
 */
enum txtap_status baseline_read(struct baseline *baseline, const char *path, struct error *error);

/* Takes the figures of an older trace instead of a report. TXTAP_ERROR_SYSTEM: no memory; error has the cause. On
 * success the caller frees the report with baseline_free(). */
enum txtap_status baseline_take(struct baseline *baseline, const struct figures *figures, struct error *error);

/* Writes the key of a figure. Returns key. */
char *baseline_figure_key(char key[static BASELINE_KEY_BYTES], const struct named_figure *named);

/* Returns the first figure with the key `key` among the figures whose `found` is false; NULL: there is no such figure.
 */
struct baseline_figure *baseline_find(struct baseline *baseline, const char *key);

/* Returns the figure with the key `key`; NULL: there is no such figure, or there are several. */
const struct baseline_figure *baseline_only(const struct baseline *baseline, const char *key);

/* Reads a report, like baseline_read(), from a text of `length` bytes. name: name of the file, for messages. */
enum txtap_status baseline_parse(struct baseline *baseline, const char *text, size_t length, const char *name,
                                 struct error *error);

/* Frees the memory. A baseline of all 0 is allowed. */
void baseline_free(struct baseline *baseline);

#endif
