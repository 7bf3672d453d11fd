/* SPDX-License-Identifier: MIT */
/* Gives the events of a file that decode reads, or of a recording, to an analysis. */
#ifndef TXTAP_CAPTURE_COMMAND_REPORT_INPUT_H
#define TXTAP_CAPTURE_COMMAND_REPORT_INPUT_H

#include "options/options.h"
#include "stream/stream_stats.h"
#include "txtap/analysis.h"

/* What has been read: names for its figures. All 0 at first. */
struct report_input {
    struct txtap_analysis *analysis;
    uint64_t from_ticks, to_ticks; /* events outside are ignored */
    struct stream_stats stats;
    bool cut; /* a recording has no end */
    struct txtap_registry registry;
    struct txtap_object *objects; /* of the registry; freed by the caller */
    uint32_t generation;
    bool learnt;
};

/* Reads all. On failure error says why. */
enum txtap_status report_input_read(struct report_input *into, const struct options *options, struct error *error);

#endif
