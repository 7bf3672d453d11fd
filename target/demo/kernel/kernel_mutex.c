/* SPDX-License-Identifier: MIT */
/*
 * Mutexes. An owner of mutexes with priority inheritance runs at least at the priority of the highest thread that
 * waits for any of them. Each change of a ready thread's priority appears in the trace as SUSPEND and RESUME with
 * state 14, as in ThreadX.
 */
#include "kernel_internal.h"

void kernel_mutex_create(struct kernel_mutex *mutex, const char *name, bool inherits)
{
    uint32_t inherit = inherits ? 1u : 0u;
    uint32_t primask = port_lock();
    *mutex = (struct kernel_mutex){.inherits = inherits, .highest_waiting = KERNEL_PRIORITIES};
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_MUTEX, mutex, name, inherit, 0);
    trace_event(TRACE_MUTEX_CREATE, port_address(mutex), inherit, port_stack_pointer(), 0, TXTAP_TRACE_CLASS_MUTEX);
    port_unlock(primask);
}

static void mutex_own(struct kernel_mutex *mutex, struct kernel_thread *thread)
{
    mutex->owner = thread;
    mutex->ownership_count = 1;
    mutex->highest_waiting = KERNEL_PRIORITIES;
    mutex->owned_next = thread->owned;
    thread->owned = mutex;
}

static void mutex_disown(struct kernel_mutex *mutex)
{
    struct kernel_mutex **at = &mutex->owner->owned;
    while (*at != mutex) {
        at = &(*at)->owned_next;
    }
    *at = mutex->owned_next;
    mutex->owned_next = 0;
}

static void mutex_lend_priority(struct kernel_mutex *mutex, uint32_t priority)
{
    if (!mutex->inherits) {
        return;
    }
    if (priority < mutex->highest_waiting) {
        mutex->highest_waiting = priority;
    }
    if (priority < mutex->owner->priority) {
        thread_priority_change(mutex->owner, priority);
    }
}

enum kernel_status kernel_mutex_get(struct kernel_mutex *mutex, uint32_t wait_ticks)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    struct kernel_thread *self = kernel_current;
    trace_event(TRACE_MUTEX_GET, port_address(mutex), wait_ticks, port_address(mutex->owner), mutex->ownership_count,
                TXTAP_TRACE_CLASS_MUTEX);
    if (mutex->ownership_count == 0) {
        mutex_own(mutex, self);
    } else if (mutex->owner == self) {
        mutex->ownership_count++;
    } else if (wait_ticks != KERNEL_NO_WAIT) {
        mutex_lend_priority(mutex, self->priority);
        thread_wait(&mutex->waiters, KERNEL_WAITS_MUTEX, KERNEL_NOT_AVAILABLE, wait_ticks);
        port_unlock(primask);
        return self->wait_status;
    } else {
        status = KERNEL_NOT_AVAILABLE;
    }
    port_unlock(primask);
    return status;
}

/* Moves the waiting thread with the highest priority to the front. Call it when the mutex is released, because waiting
 * threads are in order of arrival. */
static void mutex_prioritize(struct kernel_mutex *mutex)
{
    trace_event(TRACE_MUTEX_PRIORITIZE, port_address(mutex), mutex->waiters.count, port_stack_pointer(), 0,
                TXTAP_TRACE_CLASS_MUTEX);
    struct kernel_thread *best = mutex->waiters.head;
    for (struct kernel_thread *at = best; at; at = at->next) {
        if (at->priority < best->priority) {
            best = at;
        }
    }
    list_remove(&mutex->waiters, best);
    list_prepend(&mutex->waiters, best);
}

/* Returns the priority of a thread that has given up a mutex: its own priority, or a higher priority inherited through
 * another mutex. */
static uint32_t priority_to_restore(const struct kernel_thread *thread)
{
    uint32_t priority = thread->own_priority;
    for (const struct kernel_mutex *mutex = thread->owned; mutex; mutex = mutex->owned_next) {
        if (mutex->inherits && mutex->highest_waiting < priority) {
            priority = mutex->highest_waiting;
        }
    }
    return priority;
}

static void mutex_release(struct kernel_mutex *mutex)
{
    struct kernel_thread *old_owner = mutex->owner;
    mutex_disown(mutex);
    uint32_t old_priority = priority_to_restore(old_owner);
    if (mutex->waiters.count > 1) {
        mutex_prioritize(mutex);
    }
    struct kernel_thread *heir = mutex->waiters.head;
    if (heir) {
        list_remove(&mutex->waiters, heir);
        heir->waits_in = 0;
        mutex_own(mutex, heir);
        if (mutex->waiters.count > 1) {
            mutex_prioritize(mutex);
        }
        if (mutex->waiters.head) {
            mutex->highest_waiting = mutex->waiters.head->priority;
        }
    } else {
        mutex->owner = 0;
        mutex->highest_waiting = KERNEL_PRIORITIES;
    }
    if (old_owner->priority != old_priority) {
        thread_priority_change(old_owner, old_priority);
    }
    if (heir) {
        thread_wake(heir);
    }
}

enum kernel_status kernel_mutex_put(struct kernel_mutex *mutex)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    trace_event(TRACE_MUTEX_PUT, port_address(mutex), port_address(mutex->owner), mutex->ownership_count,
                port_stack_pointer(), TXTAP_TRACE_CLASS_MUTEX);
    if (mutex->owner != kernel_current || mutex->ownership_count == 0) {
        status = KERNEL_NOT_OWNED;
    } else if (--mutex->ownership_count == 0) {
        mutex_release(mutex);
    }
    port_unlock(primask);
    return status;
}
