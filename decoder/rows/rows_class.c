/* SPDX-License-Identifier: MIT */
/* What an event is about, by its id: the colour of its mark. */
#include "rows/rows_parts.h"
#include "txtap/event.h"

/* ThreadX's events: tx_trace.h. */
static enum txtap_event_class class_of_threadx(uint32_t id)
{
    static const struct {
        uint8_t below, event_class;
    } classes[] = {
        {3, TXTAP_CLASS_THREAD},      {5, TXTAP_CLASS_ISR},      {10, TXTAP_CLASS_THREAD}, {30, TXTAP_CLASS_POOL},
        {40, TXTAP_CLASS_FLAGS},      {50, TXTAP_CLASS_OTHER},   {60, TXTAP_CLASS_MUTEX},  {80, TXTAP_CLASS_QUEUE},
        {100, TXTAP_CLASS_SEMAPHORE}, {120, TXTAP_CLASS_THREAD}, {140, TXTAP_CLASS_TIME},
    };

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (id < classes[i].below)
            return (enum txtap_event_class)classes[i].event_class;
    return TXTAP_CLASS_OTHER;
}

static enum txtap_event_class class_of_component(enum txtap_component component)
{
    switch (component) {
    case TXTAP_COMPONENT_FILEX:
        return TXTAP_CLASS_FILE;
    case TXTAP_COMPONENT_NETX_BOTH:
    case TXTAP_COMPONENT_NETX:
    case TXTAP_COMPONENT_NETXDUO:
    case TXTAP_COMPONENT_NETXDUO_LEGACY:
        return TXTAP_CLASS_NET;
    case TXTAP_COMPONENT_USBX:
    case TXTAP_COMPONENT_USBX_LEGACY:
        return TXTAP_CLASS_USB;
    case TXTAP_COMPONENT_USER:
        return TXTAP_CLASS_USER;
    case TXTAP_COMPONENT_THREADX:
        break;
    }
    return TXTAP_CLASS_OTHER;
}

enum txtap_event_class txtap_event_class_of(uint32_t id, unsigned profile)
{
    const struct txtap_event_info *info;

    if (id < 140)
        return class_of_threadx(id);
    info = txtap_event_find(id, profile);
    return info != NULL ? class_of_component(info->component) : TXTAP_CLASS_OTHER;
}

const char *txtap_event_class_name(enum txtap_event_class class_of)
{
    static const char *const names[TXTAP_CLASSES] = {
        "none", "thread", "queue", "semaphore", "mutex", "flags", "pool",
        "time", "isr",    "user",  "file",      "net",   "usb",   "other",
    };

    return (unsigned)class_of < TXTAP_CLASSES ? names[class_of] : "other";
}
