/* SPDX-License-Identifier: MIT */
/* The figures of a trace with the names of what they are about, and their formats: text, JSON, CSV. */
#ifndef TXTAP_CAPTURE_FIGURES_FIGURES_H
#define TXTAP_CAPTURE_FIGURES_FIGURES_H

#include <stdio.h>

#include "base/failure.h"
#include "txtap/analysis.h"

#define FIGURE_NAME_BYTES TXTAP_OBJECT_NAME_BYTES

struct named_figure {
    struct txtap_figure figure;
    char subject[FIGURE_NAME_BYTES], other[FIGURE_NAME_BYTES]; /* bytes of the target; "": no name */
};

struct figures {
    struct named_figure *at; /* count of them */
    size_t count, capacity;
    const struct txtap_registry *registry; /* borrowed */
    const char *trace;                     /* the name of the file or the target; borrowed */
    double tick_hz;                        /* 0: unknown */
    struct txtap_analysis_summary summary;
    uint64_t resets;   /* times the trace restarted or moved */
    const char *lacks; /* what the trace does not record, in a few words; NULL: nothing */
    enum figures_histograms { FIGURES_NO_HISTOGRAMS, FIGURES_USUAL_HISTOGRAMS, FIGURES_ALL_HISTOGRAMS } histograms;
    uint64_t bucket_asked; /* ticks: the width of buckets that was asked for */
};

/* Takes a copy, for a sink whose self is a struct figures, all 0 at first. TXTAP_ERROR_SYSTEM: no memory. */
enum txtap_status figures_take(void *self, const struct txtap_figure *figure);
void figures_free(struct figures *figures);

/* Has it samples that are wanted as bars? */
bool figures_has_bars(const struct figures *figures, const struct txtap_figure *figure);

/* The figures in rank order, the worst of each kind first; 100 columns. */
void figures_show_text(struct figures *figures, FILE *out);

/* One object, but for its last brace: members can follow. docs/user/analyses.md describes it. */
void figures_show_json(const struct figures *figures, FILE *out);

/* A line of column names, and one for each figure. */
void figures_show_csv(const struct figures *figures, FILE *out);

/* Has it samples? A maximum without them is that of a sum in a second. */
static inline bool figures_is_spread(const struct txtap_figure *figure)
{
    return figure->stat[TXTAP_STAT_MAX].known && figure->stat[TXTAP_STAT_N].known;
}

/* What a subject is called: its name, or its address or number. Printable. */
const char *figures_subject_text(const struct txtap_subject *subject, const char *name, char *out, size_t size);

/* ---- a number of a figure with its unit; a text in CSV ---- */

#define QUANTITY_BYTES 48

/* "213.5 us", "12 ticks", "41.2%", "7 bytes", "7". tick_hz: 0: ticks stay ticks. Returns out. */
const char *quantity_text(char out[static QUANTITY_BYTES], double number, enum txtap_unit unit, double tick_hz);

/* Writes the number with all its digits, so that who reads it finds the same one; otherwise: if it is not finite. */
void quantity_put(FILE *out, double number, const char *otherwise);

/* ,"KEY":NUMBER for JSON; null if it is not finite. */
void quantity_put_member(FILE *out, const char *key, double number);

/* A text in quotes, its own ones doubled. */
static inline void csv_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

#endif
