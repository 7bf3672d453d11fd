/* SPDX-License-Identifier: MIT */
/* Allocates the memory of an analysis, and sets its options. */
#include "command/analysis_open.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS_MAX 500

enum txtap_status analysis_open(struct txtap_analysis **analysis, const struct options *options, uint32_t sections,
                                struct error *error)
{
    struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    struct txtap_analysis_options how = {.sections = sections,
                                         .tick_hz = options->tick_hz,
                                         .any_wait_ends_job = options->report.any_wait_ends_job,
                                         .bucket_ticks = options->report.bucket_ticks};
    void *memory;

    limits.buckets = options->report.bucket_ticks > 0 ? BUCKETS_MAX : 0;
    memory = malloc(txtap_analysis_bytes(&limits, sections));
    if (memory == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the analyses");
    memcpy(how.between, options->report.between, sizeof how.between);
    how.between_count = options->report.between_count;
    memcpy(how.periods, options->report.periods, sizeof how.periods);
    how.period_count = options->report.period_count;
    memcpy(how.locks, options->report.locks, sizeof how.locks);
    how.lock_count = options->report.lock_count;
    *analysis = txtap_analysis_open(memory, &limits, &how);
    return TXTAP_OK;
}

enum txtap_status why_open(struct txtap_why **why, struct txtap_analysis *analysis, const struct txtap_why_wish *wish,
                           bool pieces, struct error *error)
{
    const struct txtap_analysis_limits limits = txtap_analysis_limits_default();
    struct txtap_why_limits own = txtap_why_limits_default(&limits);
    void *memory;

    own.pieces = pieces ? own.pieces : 0;
    memory = malloc(txtap_why_bytes(&own));
    if (memory == NULL)
        return failure(error, TXTAP_ERROR_SYSTEM, "no memory for the causes of delays");
    *why = txtap_why_open(memory, &own, analysis, wish);
    return TXTAP_OK;
}
