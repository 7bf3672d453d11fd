/* SPDX-License-Identifier: MIT */
/* Passes on the events that are wanted. */
#include "output/sinks.h"

enum txtap_status choice_take(void *self, const struct txtap_item *item)
{
    struct choice *choice = self;
    struct txtap_exporter *exporter = choice->exporter;
    const struct txtap_event_info *row;

    if (item->kind != TXTAP_ITEM_EVENT)
        return txtap_sink_take(choice->next, item);
    row = txtap_exporter_row(exporter, item->event.id);
    if (txtap_filter_passes(choice->filter, exporter->registry, &item->event, row))
        return txtap_sink_take(choice->next, item);
    choice->left_out++;
    choice->undecided += txtap_filter_undecided(choice->filter, exporter->registry, &item->event, row);
    return TXTAP_OK;
}
