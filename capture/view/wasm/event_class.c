/* SPDX-License-Identifier: MIT */
/* What an event is about, in one word, for its colour. */
#include <string.h>

#include "view/wasm/answers.h"

static const struct {
    uint16_t last; /* id */
    const char *name;
} threadx_classes[] = {
    {2, "thread"}, {4, "isr"},    {6, "thread"},     {29, "pool"},    {39, "flags"}, {49, "isr"},
    {59, "mutex"}, {79, "queue"}, {99, "semaphore"}, {119, "thread"}, {199, "time"},
};

const char *event_class_name(const struct view_trace *trace, uint32_t id)
{
    const struct txtap_event_info *info = txtap_definitions_event(trace->definitions, id, trace->options.profile);

    if (info == NULL)
        return "other";
    switch (info->component) {
    case TXTAP_COMPONENT_THREADX:
        for (size_t i = 0; i < sizeof threadx_classes / sizeof threadx_classes[0]; i++)
            if (id <= threadx_classes[i].last)
                return threadx_classes[i].name;
        return "other";
    case TXTAP_COMPONENT_FILEX:
        return "file";
    case TXTAP_COMPONENT_NETX_BOTH:
    case TXTAP_COMPONENT_NETX:
    case TXTAP_COMPONENT_NETXDUO:
    case TXTAP_COMPONENT_NETXDUO_LEGACY:
        return "net";
    case TXTAP_COMPONENT_USBX:
    case TXTAP_COMPONENT_USBX_LEGACY:
        return "usb";
    case TXTAP_COMPONENT_USER:
        return "user";
    }
    return "other";
}
