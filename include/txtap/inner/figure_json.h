/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Figures as JSON: the object that 'txtap report -f json' prints, which docs/user/analyses.md describes. Begin, each
 * figure, end; then further members may follow before the caller's closing brace.
 */
#ifndef TXTAP_INNER_FIGURE_JSON_H
#define TXTAP_INNER_FIGURE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/exporter.h"
#include "txtap/figure.h"
#include "txtap/registry.h"
#include "txtap/status.h"

/* What the figures are of. */
struct txtap_figure_json_head {
    const char *trace;                     /* the name of the file or the target: any bytes */
    struct txtap_analysis_summary summary; /* once no further items come */
    uint64_t resets;                       /* times the trace restarted or moved */
    const char *lacks;                     /* what the trace does not record, in a few words; NULL: nothing */
};

struct txtap_figure_json {
    struct txtap_writer writer; /* called often, with a few bytes each time */
    double tick_hz;             /* times are shown in seconds, too; 0: not known */

    /* private */
    bool any;                 /* figure */
    enum txtap_status status; /* the first that the writer returned and that is not TXTAP_OK: it is called no more */
};

void txtap_figure_json_begin(struct txtap_figure_json *json, const struct txtap_figure_json_head *head);

/* subject, other: the names of what the figure is about, any bytes; "": not known. bars: with its samples as bars, if
 * it has some. */
void txtap_figure_json_add(struct txtap_figure_json *json, const struct txtap_figure *figure, const char *subject,
                           const char *other, bool bars);

/* Returns TXTAP_OK, or what the writer returned. */
enum txtap_status txtap_figure_json_end(struct txtap_figure_json *json);

/* "count", "ticks", "percent", "bytes"; static. */
const char *txtap_unit_name(enum txtap_unit unit);

/* The name of a thread or an object, "" if it has none, or if it is joined of several that are not known to have the
 * same name. Borrowed from the registry, or from the subject. */
const char *txtap_subject_name(const struct txtap_subject *subject, const struct txtap_registry *registry);

/* "thread", "queue", "interrupt", "idle", ...; static. */
const char *txtap_subject_kind_name(const struct txtap_subject *subject);

#endif
