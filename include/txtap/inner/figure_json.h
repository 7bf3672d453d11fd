/* SPDX-License-Identifier: MIT */
/*
 * Not installed: for the program txtap, its page and tests, which link txtap_core.
 *
 * Writes figures as JSON: the object that 'txtap report -f json' prints. docs/reference/report.md describes this
 * object. Call begin once, add for each figure, and end once. After end the caller may write further members of the
 * object, and must write the closing brace.
 */
#ifndef TXTAP_INNER_FIGURE_JSON_H
#define TXTAP_INNER_FIGURE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "txtap/analysis.h"
#include "txtap/exporter.h"
#include "txtap/figure.h"
#include "txtap/rate.h"
#include "txtap/registry.h"
#include "txtap/status.h"

/* The trace that the figures describe. */
struct txtap_figure_json_head {
    const char *trace;                     /* the name of the file or the target: any bytes */
    struct txtap_analysis_summary summary; /* taken after the last item */
    uint64_t resets;                       /* number of restarts and moves of the trace */
    /* The data that the trace does not record, in a few words. NULL: the trace records all data. */
    const char *lacks;
    struct txtap_rate rate; /* of the time stamps, and how it was found */
    bool rate_recorded;     /* the rate comes from a recording */
};

struct txtap_figure_json {
    struct txtap_writer writer; /* called often, with a few bytes each time */
    double tick_hz;             /* ticks per second, to show times also in seconds; 0: unknown */

    /* private */
    bool any; /* a figure was written */
    /* The first status of the writer that is not TXTAP_OK; the writer is not called again after it. */
    enum txtap_status status;
};

void txtap_figure_json_begin(struct txtap_figure_json *json, const struct txtap_figure_json_head *head);

/*
 * Writes a figure. subject, other: names of the figure's subject and of the other party, any bytes; "": unknown. bars:
 * also write the distribution of the figure's samples as bars, if the figure has samples.
 */
void txtap_figure_json_add(struct txtap_figure_json *json, const struct txtap_figure *figure, const char *subject,
                           const char *other, bool bars);

/* Returns TXTAP_OK, or the failure of the writer. */
enum txtap_status txtap_figure_json_end(struct txtap_figure_json *json);

/* Returns the identifier of the figures with this name; TXTAP_FIGURE_NONE: no figure has it. */
enum txtap_figure_id txtap_figure_by_name(const char *name);

/* Returns "count", "ticks", "percent" or "bytes"; static. */
const char *txtap_unit_name(enum txtap_unit unit);

/*
 * Returns the name of a thread or an object. Returns "" if the thread or object has no name, or if the subject joins
 * several threads or objects that may have different names. The result is borrowed from the registry or from the
 * subject.
 */
const char *txtap_subject_name(const struct txtap_subject *subject, const struct txtap_registry *registry);

/* Returns true if the subject has no name now, but the registry may still learn its name: while a target runs, and in a
 * recording, the names of objects come after the first events that refer to the objects. */
bool txtap_subject_may_get_name(const struct txtap_subject *subject, const struct txtap_registry *registry);

/* Returns "thread", "queue", "interrupt", "idle", ...; static. */
const char *txtap_subject_kind_name(const struct txtap_subject *subject);

/* Writes the name of a subject; without a name, its address or number; for an interrupt, both. name: any bytes; "": no
 * name. The text is printable. Returns the text, which may be static. */
const char *txtap_subject_text(const struct txtap_subject *subject, const char *name, char *out, size_t size);

#endif
