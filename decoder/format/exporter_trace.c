/* SPDX-License-Identifier: MIT */
/* Writes a whole buffer with an exporter. */
#include "txtap/exporter.h"
#include "txtap/trace.h"

enum txtap_status txtap_exporter_trace(struct txtap_exporter *exporter, struct txtap_trace *trace)
{
    struct txtap_item item;
    enum txtap_status status;

    exporter->registry = &trace->registry;
    exporter->header = &trace->header;
    txtap_trace_rewind(trace);
    status = exporter->ops->begin(exporter);
    while (status == TXTAP_OK && txtap_trace_next(trace, &item) == TXTAP_OK)
        status = txtap_exporter_take(exporter, &item);
    return status == TXTAP_OK ? exporter->ops->end(exporter) : status;
}
