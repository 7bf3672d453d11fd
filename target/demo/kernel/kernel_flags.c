/* SPDX-License-Identifier: MIT */
/* Groups of 32 event flags. A thread waits for all or any of some flags, and may clear them when it gets them. */
#include "kernel_internal.h"

void kernel_flags_create(struct kernel_flags *group, const char *name)
{
    uint32_t primask = port_lock();
    *group = (struct kernel_flags){0};
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

enum kernel_status kernel_flags_get(struct kernel_flags *group, uint32_t requested, enum kernel_flags_option option,
                                    uint32_t *actual, uint32_t wait_ticks)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    trace_event(TRACE_EVENT_FLAGS_GET, port_address(group), requested, group->current, (uint32_t)option,
                TXTAP_TRACE_CLASS_FLAGS);
    *actual = group->current;
    if (flags_satisfied(group->current, requested, (uint32_t)option)) {
        if (flags_cleared_by((uint32_t)option)) {
            group->current &= ~requested;
        }
    } else if (wait_ticks != KERNEL_NO_WAIT) {
        struct kernel_thread *self = kernel_current;
        self->wait_data = actual;
        self->wait_flags = requested;
        self->wait_option = (uint32_t)option;
        thread_wait(&group->waiters, KERNEL_WAITS_EVENT_FLAGS, KERNEL_NO_EVENTS, wait_ticks);
        port_unlock(primask);
        return self->wait_status;
    } else {
        status = KERNEL_NO_EVENTS;
    }
    port_unlock(primask);
    return status;
}

/* Checks each waiting thread against the same flags. Flags that these threads clear are cleared only at the end. */
void kernel_flags_set(struct kernel_flags *group, uint32_t flags)
{
    uint32_t primask = port_lock();
    trace_event(TRACE_EVENT_FLAGS_SET, port_address(group), flags, KERNEL_FLAGS_OR, group->waiters.count,
                TXTAP_TRACE_CLASS_FLAGS);
    group->current |= flags;
    uint32_t clear = 0;
    struct kernel_thread *next;
    for (struct kernel_thread *thread = group->waiters.head; thread; thread = next) {
        next = thread->next;
        if (flags_satisfied(group->current, thread->wait_flags, thread->wait_option)) {
            *(uint32_t *)thread->wait_data = group->current;
            clear |= flags_cleared_by(thread->wait_option) ? thread->wait_flags : 0u;
            thread_wake(thread);
        }
    }
    group->current &= ~clear;
    port_unlock(primask);
}
