/* SPDX-License-Identifier: MIT */
/* Groups of 32 event flags. A thread waits for all or any of some flags, and may clear them when it gets them. */
#include "kernel_internal.h"

struct TX_EVENT_FLAGS_GROUP_STRUCT *_tx_event_flags_created_ptr;
uint32_t _tx_event_flags_created_count;

void kernel_flags_create(struct TX_EVENT_FLAGS_GROUP_STRUCT *group, const char *name)
{
    uint32_t primask = port_lock();
    *group = (struct TX_EVENT_FLAGS_GROUP_STRUCT){.tx_event_flags_group_name = name};
    OBJECT_CREATED(event_flags, event_flags_group, group, 0x4456444Eu); /* DVDN */
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_EVENT_FLAGS, group, name, 0, 0);
    trace_event(TRACE_EVENT_FLAGS_CREATE, port_address(group), port_stack_pointer(), 0, 0, TXTAP_TRACE_CLASS_FLAGS);
    port_unlock(primask);
}

static bool flags_satisfied(uint32_t current, uint32_t requested, uint32_t option)
{
    bool all = option == KERNEL_FLAGS_AND || option == KERNEL_FLAGS_AND_CLEAR;
    return all ? (current & requested) == requested : (current & requested) != 0;
}

static bool flags_cleared_by(uint32_t option)
{
    return option == KERNEL_FLAGS_OR_CLEAR || option == KERNEL_FLAGS_AND_CLEAR;
}

enum kernel_status kernel_flags_get(struct TX_EVENT_FLAGS_GROUP_STRUCT *group, uint32_t requested,
                                    enum kernel_flags_option option, uint32_t *actual, uint32_t wait_ticks)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    trace_event(TRACE_EVENT_FLAGS_GET, port_address(group), requested, group->tx_event_flags_group_current,
                (uint32_t)option, TXTAP_TRACE_CLASS_FLAGS);
    *actual = group->tx_event_flags_group_current;
    if (flags_satisfied(group->tx_event_flags_group_current, requested, (uint32_t)option)) {
        if (flags_cleared_by((uint32_t)option)) {
            group->tx_event_flags_group_current &= ~requested;
        }
    } else if (wait_ticks != KERNEL_NO_WAIT) {
        struct TX_THREAD_STRUCT *self = _tx_thread_current_ptr;
        self->wait_data = actual;
        self->wait_flags = requested;
        self->wait_option = (uint32_t)option;
        thread_wait(group, &group->waiters, KERNEL_WAITS_EVENT_FLAGS, KERNEL_NO_EVENTS, wait_ticks);
        port_unlock(primask);
        return self->wait_status;
    } else {
        status = KERNEL_NO_EVENTS;
    }
    port_unlock(primask);
    return status;
}

/* Checks each waiting thread against the same flags. Flags that these threads clear are cleared only at the end. */
void kernel_flags_set(struct TX_EVENT_FLAGS_GROUP_STRUCT *group, uint32_t flags)
{
    uint32_t primask = port_lock();
    trace_event(TRACE_EVENT_FLAGS_SET, port_address(group), flags, KERNEL_FLAGS_OR, group->waiters.count,
                TXTAP_TRACE_CLASS_FLAGS);
    group->tx_event_flags_group_current |= flags;
    uint32_t clear = 0;
    struct TX_THREAD_STRUCT *next;
    for (struct TX_THREAD_STRUCT *thread = group->waiters.head; thread; thread = next) {
        next = thread->tx_thread_ready_next;
        if (flags_satisfied(group->tx_event_flags_group_current, thread->wait_flags, thread->wait_option)) {
            *(uint32_t *)thread->wait_data = group->tx_event_flags_group_current;
            clear |= flags_cleared_by(thread->wait_option) ? thread->wait_flags : 0u;
            thread_wake(thread);
        }
    }
    group->tx_event_flags_group_current &= ~clear;
    port_unlock(primask);
}
