/* SPDX-License-Identifier: MIT */
/* The sinks before an outlet of events: they choose events, and end after a number of events. */
#ifndef TXTAP_CAPTURE_OUTPUT_EVENT_VIEW_H
#define TXTAP_CAPTURE_OUTPUT_EVENT_VIEW_H

#include "output/outlet.h"
#include "output/sinks.h"

struct event_view {
    bool quiet;
    double tick_hz;
    struct choice choice;                  /* the first sink: chooses events */
    struct limit limit;                    /* the second sink, just before the outlet */
    struct txtap_definitions *definitions; /* or NULL */
    struct txtap_interrupts interrupts;    /* for an outlet that shows no names of interrupts */
};

/* Reads the definitions. next: the outlet's sink. After success, call event_view_close(). */
enum txtap_status event_view_open(struct event_view *view, const struct outlet_config *config, struct txtap_sink next,
                                  struct error *error);

/* Begins a view. Prints on standard error the names of the filter that are not in the registry. registry: borrowed. */
void event_view_begin(struct event_view *view, const struct txtap_registry *registry);

/* The first of the sinks. */
struct txtap_sink event_view_sink(struct event_view *view);

/* Prints a line on standard error for each unusual property of the time stamps, such as time stamps that are all equal.
 */
void event_view_warn_of_clock(const struct txtap_event_maker *maker);

/* Prints a warning on standard error if the times that `maker` set are unusual, and if no event was chosen. */
void event_view_warn(const struct event_view *view, const struct txtap_event_maker *maker);

void event_view_close(struct event_view *view);

#endif
