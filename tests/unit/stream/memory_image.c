/* SPDX-License-Identifier: MIT */
#include "stream/memory_image.h"

#include <criterion/criterion.h>

#include "txtap/trace.h"

void image_events(const uint8_t *image, size_t length,
                  void (*take)(const struct txtap_registry *registry, const uint8_t *entry, uint64_t seq))
{
    static struct txtap_object objects[1024];
    struct txtap_trace trace;
    struct txtap_item item;

    cr_assert_eq(txtap_trace_open(&trace, image, length, objects, sizeof(objects) / sizeof(objects[0])), TXTAP_OK);
    while (txtap_trace_next(&trace, &item) == TXTAP_OK)
        if (item.kind == TXTAP_ITEM_EVENT)
            take(&trace.registry, item.event.entry, item.event.seq);
}
