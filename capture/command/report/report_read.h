/* SPDX-License-Identifier: MIT */
/* The figures of a trace in a file: analyses a trace or a recording, or reads a report in JSON. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_READ_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_READ_H

#include "figures/checks.h"
#include "figures/figures.h"
#include "options/options.h"
#include "txtap/rate.h"

/* {0}: empty. */
struct report_reading {
    struct figures figures; /* detached: see figures_detach(); its trace is the path */
    struct txtap_rate rate; /* of the time stamps; for a report: GIVEN, if the report has a rate */
    uint64_t begun_us;      /* host time of the first event, since 1970; 0: not known */
    bool cut;               /* the recording's end is missing */
    bool is_report;         /* the file is a report in JSON, which has no events */
};

/*
 * Reads a file, a directory of CTF, or standard input ("-"). path: borrowed. options: its analyses; its files and its
 * description of files are not used. tick_hz: the rate if neither --hz nor the file gives it; 0 if unknown. On failure
 * the reading is empty, and error has the cause. On success the caller frees it with report_reading_free().
 */
enum txtap_status report_read(struct report_reading *reading, const char *path, const struct options *options,
                              double tick_hz, struct error *error);

/* Judges the figures by `count` checks. A check may match nothing. option: see checks_init(). After success the caller
 * frees *checks. */
enum txtap_status report_reading_judge(const struct report_reading *reading, struct checks *checks,
                                       const struct txtap_check *list, size_t count, const char *option,
                                       struct error *error);
void report_reading_free(struct report_reading *reading);

#endif
