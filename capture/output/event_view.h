/* SPDX-License-Identifier: MIT */
/* The sinks in front of an outlet of events: those that choose events, and that end after a number of them. */
#ifndef TXTAP_CAPTURE_OUTPUT_EVENT_VIEW_H
#define TXTAP_CAPTURE_OUTPUT_EVENT_VIEW_H

#include "output/outlet.h"
#include "output/sinks.h"

struct event_view {
    bool quiet;
    double tick_hz;
    struct choice choice;                  /* in front of limit */
    struct limit limit;                    /* in front of the outlet */
    struct txtap_definitions *definitions; /* or NULL */
};

/* Reads the definitions. next: the outlet's sink. After success event_view_close() is due. */
enum txtap_status event_view_open(struct event_view *view, const struct outlet_config *config, struct txtap_sink next,
                                  struct error *error);

/* registry: borrowed. Says on standard error which names of the filter it does not have. */
void event_view_begin(struct event_view *view, const struct txtap_registry *registry);

/* The sink in front. */
struct txtap_sink event_view_sink(struct event_view *view);

/* Warns on standard error of what is odd about the times that maker gave, and if no event was chosen. */
void event_view_warn(const struct event_view *view, const struct txtap_event_maker *maker);

void event_view_close(struct event_view *view);

#endif
