/* SPDX-License-Identifier: MIT */
/* What Zephyr's records are about, by how their names begin: the colour of their marks. */
#include <string.h>

#include "txtap/zephyr.h"

static const struct {
    const char *start;
    enum txtap_event_class about;
} classes[] = {
    {"thread_", TXTAP_CLASS_THREAD},       {"user_mode_", TXTAP_CLASS_THREAD},
    {"idle", TXTAP_CLASS_THREAD},          {"isr_", TXTAP_CLASS_ISR},
    {"semaphore_", TXTAP_CLASS_SEMAPHORE}, {"mutex_", TXTAP_CLASS_MUTEX},
    {"msgq_", TXTAP_CLASS_QUEUE},          {"queue_", TXTAP_CLASS_QUEUE},
    {"fifo_", TXTAP_CLASS_QUEUE},          {"lifo_", TXTAP_CLASS_QUEUE},
    {"stack_", TXTAP_CLASS_QUEUE},         {"mbox_", TXTAP_CLASS_QUEUE},
    {"pipe_", TXTAP_CLASS_QUEUE},          {"event_", TXTAP_CLASS_FLAGS},
    {"mem_slab_", TXTAP_CLASS_POOL},       {"heap_", TXTAP_CLASS_POOL},
    {"timer_", TXTAP_CLASS_TIME},          {"named_event", TXTAP_CLASS_USER},
    {"socket_", TXTAP_CLASS_NET},          {"net_", TXTAP_CLASS_NET},
};

enum txtap_event_class txtap_zephyr_ctf_class(const char *name)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strncmp(name, classes[i].start, strlen(classes[i].start)) == 0)
            return classes[i].about;
    return TXTAP_CLASS_OTHER;
}
