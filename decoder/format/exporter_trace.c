/* SPDX-License-Identifier: MIT */
/* A whole buffer through an exporter. */
#include "txtap/clock.h"
#include "txtap/exporter.h"
#include "txtap/trace.h"

/* exporter: NULL to learn from the stamps only. */
static enum txtap_status read_all(struct txtap_trace *trace, struct txtap_clock *clock, struct txtap_exporter *exporter)
{
    enum txtap_status status = TXTAP_OK;
    struct txtap_trace_item item;

    txtap_trace_rewind(trace);
    while (status == TXTAP_OK && txtap_trace_next(trace, &item) == TXTAP_OK) {
        if (item.entry != NULL) {
            struct txtap_event event;

            txtap_trace_event(trace, &item, &event);
            event.ticks = txtap_clock_unwrap(clock, event.stamp);
            if (exporter != NULL)
                status = exporter->ops->event(exporter, &event);
        } else if (exporter != NULL) {
            const struct txtap_gap gap = txtap_trace_gap(&item);

            status = exporter->ops->gap(exporter, &gap);
        }
    }
    return status;
}

enum txtap_status txtap_exporter_trace(struct txtap_exporter *exporter, struct txtap_trace *trace)
{
    struct txtap_clock clock;
    enum txtap_status status;

    exporter->registry = &trace->registry;
    exporter->header = &trace->header;
    txtap_clock_init(&clock, trace->header.timer_mask);
    (void)read_all(trace, &clock, NULL);
    txtap_clock_settle(&clock);
    status = exporter->ops->begin(exporter);
    if (status == TXTAP_OK)
        status = read_all(trace, &clock, exporter);
    return status == TXTAP_OK ? exporter->ops->end(exporter) : status;
}
