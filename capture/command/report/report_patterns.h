/* SPDX-License-Identifier: MIT */
/* Patterns in options of the report that must mean something: a thread that was renamed would silently be nothing. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_REPORT_PATTERNS_H
#define TXTAP_CAPTURE_COMMAND_REPORT_REPORT_PATTERNS_H

#include "base/failure.h"
#include "base/similar.h"
#include "options/report.h"

/* Does the pattern or address mean that thread or object? name: "" if it has none. */
bool report_pattern_means(const char *pattern, const struct txtap_subject *subject, const char *name);

struct report_pattern {
    const char *option, *pattern; /* borrowed */
    uint8_t type;                 /* enum txtap_object_type: of what it is */
    bool found;
    struct similar similar;
};

#define REPORT_PATTERNS_MAX (1 + TXTAP_ANALYSIS_PERIODS_MAX + TXTAP_ANALYSIS_LOCKS_MAX)

struct report_patterns {
    struct report_pattern at[REPORT_PATTERNS_MAX]; /* count of them */
    size_t count;
};

void report_patterns_init(struct report_patterns *patterns, const struct report_options *options);

/* Any figure of the trace tells that its subject exists. */
void report_patterns_take(struct report_patterns *patterns, const struct txtap_subject *subject, const char *name);

/* Once all figures are taken. TXTAP_ERROR_USAGE: a pattern means nothing; error says which, and what is similar. */
enum txtap_status report_patterns_end(const struct report_patterns *patterns, struct error *error);

#endif
