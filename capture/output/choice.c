/* SPDX-License-Identifier: MIT */
/* Passes on the events that are wanted. */
#include "output/sinks.h"

enum txtap_status choice_take(void *self, const struct txtap_item *item)
{
    struct choice *choice = self;
    struct txtap_exporter *exporter = choice->exporter;

    if (item->kind != TXTAP_ITEM_EVENT || txtap_filter_passes(choice->filter, exporter->registry, &item->event,
                                                              txtap_exporter_row(exporter, item->event.id)))
        return txtap_sink_take(choice->next, item);
    choice->left_out++;
    return TXTAP_OK;
}
