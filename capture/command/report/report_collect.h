/* SPDX-License-Identifier: MIT */
/* From the input to what was analysed, and on to the results of a report. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_COLLECT_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_COLLECT_H

#include "base/input.h"
#include "command/report/report_show.h"
#include "options/options.h"
#include "output/translation.h"
#include "stream/stream_stats.h"
#include "txtap/analysis.h"

/* ---- the input ---- */

/* What has been read. Members without a word are 0 at first. */
struct report_input {
    const char *name; /* of the file or the target; set by the caller */
    struct txtap_analysis *analysis;
    struct translation translation; /* in front of report_input_take(); set by the caller */
    uint64_t from_ticks, to_ticks;  /* events outside are ignored; set by the caller */
    struct stream_stats stats;
    uint64_t resets;                    /* times the trace restarted or moved */
    bool cut;                           /* a recording has no end */
    const struct txtap_registry *names; /* of objects; of a target set by the caller, before the first item */
    struct txtap_registry registry;     /* of a file */
    struct txtap_object *objects;       /* of that registry; freed by the caller */
    uint32_t generation;                /* of the names that the analysis has learnt */
    bool learnt;
};

/* A sink: self is a struct report_input. TXTAP_END: to_ticks are over. */
enum txtap_status report_input_take(void *self, const struct txtap_item *item);

/* Reads all. input: open, at its first byte. On failure error says why. */
enum txtap_status report_input_read(struct report_input *into, const struct options *options, struct input *input,
                                    struct error *error);

/* The sections that have to be analysed: those that are shown, and those that checks and patterns look at. */
uint32_t report_sections(const struct options *options);

/* No further items come. results: opened; borrows the input's names. TXTAP_ERROR_SYSTEM: no memory;
 * TXTAP_ERROR_USAGE: a pattern of an option means nothing in the trace. error may say more. */
enum txtap_status report_collect(struct report_results *results, const struct report_input *input,
                                 const struct options *options, struct error *error);

#endif
