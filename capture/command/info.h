/* SPDX-License-Identifier: MIT */
/* What txtap info says of any ring. */
#ifndef TXTAP_CAPTURE_COMMAND_INFO_H
#define TXTAP_CAPTURE_COMMAND_INFO_H

#include "output/report.h"
#include "txtap/registry.h"
#include "txtap/ring.h"

/* What info has measured. Negative: not known. */
struct info_figures {
    double event_rate, byte_rate; /* what the target writes, per second */
    double ring_seconds;
    double probe_bytes, probe_events; /* per second */
    double headroom;
    double objects;
    bool exact; /* false: the rates are the least they can be */
    enum txtap_ring_laps laps;
};

/* The members that --stats-json has beside what all commands have. */
void info_figures_json(char text[static REPORT_MORE_BYTES], const struct info_figures *figures);

/* A table of the objects, with what each was created with; nothing if there is none. */
void info_print_objects(const struct txtap_registry *registry);

#endif
