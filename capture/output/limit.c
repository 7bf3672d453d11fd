/* SPDX-License-Identifier: MIT */
/* Passes on the first events, up to a number of them. */
#include "output/sinks.h"

enum txtap_status limit_take(void *self, const struct txtap_item *item)
{
    struct limit *limit = self;
    enum txtap_status status = txtap_sink_take(limit->next, item);

    if (item->kind != TXTAP_ITEM_EVENT)
        return status;
    limit->events++;
    return status == TXTAP_OK && limit->events == limit->most ? TXTAP_END : status;
}
