/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Figures as JSON: the object that 'txtap report -f json' prints, which docs/user/analyses.md describes. Call begin,
 * add for each figure, and end. After end the caller may write further members, and must write the closing brace.
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

/* The trace that the figures describe. */
struct txtap_figure_json_head {
    const char *trace;                     /* the name of the file or the target: any bytes */
    struct txtap_analysis_summary summary; /* taken after the last item */
    uint64_t resets;                       /* number of restarts and moves of the trace */
    /* In a few words, the data that the trace does not record; NULL: it is complete. */
    const char *lacks;
};

struct txtap_figure_json {
    struct txtap_writer writer; /* called often, with a few bytes each time */
    double tick_hz;             /* to show times in seconds, too; 0: unknown */

    /* private */
    bool any; /* a figure was written */
    /* The first status of the writer that is not TXTAP_OK; the writer is not called again after it. */
    enum txtap_status status;
};

void txtap_figure_json_begin(struct txtap_figure_json *json, const struct txtap_figure_json_head *head);

/*
 * Writes a figure. subject, other: the names of the figure's subjects, any bytes; "": unknown. bars: writes its samples
 * as bars, if it has samples.
 */
void txtap_figure_json_add(struct txtap_figure_json *json, const struct txtap_figure *figure, const char *subject,
                           const char *other, bool bars);

/* Returns TXTAP_OK, or the failure of the writer. */
enum txtap_status txtap_figure_json_end(struct txtap_figure_json *json);

/* Returns "count", "ticks", "percent" or "bytes"; static. */
const char *txtap_unit_name(enum txtap_unit unit);

/*
 * Returns the name of a thread or an object. "" if it has no name, or if the subject joins several threads or objects
 * that may have different names. Borrowed from the registry or from the subject.
 */
const char *txtap_subject_name(const struct txtap_subject *subject, const struct txtap_registry *registry);

/* Returns "thread", "queue", "interrupt", "idle", ...; static. */
const char *txtap_subject_kind_name(const struct txtap_subject *subject);

#endif
