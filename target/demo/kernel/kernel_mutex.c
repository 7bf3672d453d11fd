/* SPDX-License-Identifier: MIT */
/*
 * Mutexes. An owner of mutexes with priority inheritance runs at least at the priority of the highest thread that
 * waits for any of them. Each change of a ready thread's priority appears in the trace as SUSPEND and RESUME with
 * state 14, as in ThreadX.
 */
#include "kernel_internal.h"

struct TX_MUTEX_STRUCT *_tx_mutex_created_ptr;
uint32_t _tx_mutex_created_count;

void kernel_mutex_create(struct TX_MUTEX_STRUCT *mutex, const char *name, bool inherits)
{
    uint32_t inherit = inherits ? 1u : 0u;
    uint32_t primask = port_lock();
    *mutex = (struct TX_MUTEX_STRUCT){
        .tx_mutex_name = name, .tx_mutex_inherit = inherits, .highest_waiting = KERNEL_PRIORITIES};
    OBJECT_CREATED(mutex, mutex, mutex, 0x4D555445u); /* MUTE */
    txtap_trace_object_register(TXTAP_TRACE_OBJECT_MUTEX, mutex, name, inherit, 0);
    trace_event(TRACE_MUTEX_CREATE, port_address(mutex), inherit, port_stack_pointer(), 0, TXTAP_TRACE_CLASS_MUTEX);
    port_unlock(primask);
}

static void mutex_own(struct TX_MUTEX_STRUCT *mutex, struct TX_THREAD_STRUCT *thread)
{
    mutex->tx_mutex_owner = thread;
    mutex->tx_mutex_ownership_count = 1;
    mutex->highest_waiting = KERNEL_PRIORITIES;
    mutex->owned_next = thread->owned;
    thread->owned = mutex;
}

static void mutex_disown(struct TX_MUTEX_STRUCT *mutex)
{
    struct TX_MUTEX_STRUCT **at = &mutex->tx_mutex_owner->owned;
    while (*at != mutex) {
        at = &(*at)->owned_next;
    }
    *at = mutex->owned_next;
    mutex->owned_next = 0;
}

static void mutex_lend_priority(struct TX_MUTEX_STRUCT *mutex, uint32_t priority)
{
    if (!mutex->tx_mutex_inherit) {
        return;
    }
    if (priority < mutex->highest_waiting) {
        mutex->highest_waiting = priority;
    }
    if (priority < mutex->tx_mutex_owner->tx_thread_priority) {
        thread_priority_change(mutex->tx_mutex_owner, priority);
    }
}

enum kernel_status kernel_mutex_get(struct TX_MUTEX_STRUCT *mutex, uint32_t wait_ticks)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    struct TX_THREAD_STRUCT *self = _tx_thread_current_ptr;
    trace_event(TRACE_MUTEX_GET, port_address(mutex), wait_ticks, port_address(mutex->tx_mutex_owner),
                mutex->tx_mutex_ownership_count, TXTAP_TRACE_CLASS_MUTEX);
    if (mutex->tx_mutex_ownership_count == 0) {
        mutex_own(mutex, self);
    } else if (mutex->tx_mutex_owner == self) {
        mutex->tx_mutex_ownership_count++;
    } else if (wait_ticks != KERNEL_NO_WAIT) {
        mutex_lend_priority(mutex, self->tx_thread_priority);
        thread_wait(mutex, &mutex->waiters, KERNEL_WAITS_MUTEX, KERNEL_NOT_AVAILABLE, wait_ticks);
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
static void mutex_prioritize(struct TX_MUTEX_STRUCT *mutex)
{
    trace_event(TRACE_MUTEX_PRIORITIZE, port_address(mutex), mutex->waiters.count, port_stack_pointer(), 0,
                TXTAP_TRACE_CLASS_MUTEX);
    struct TX_THREAD_STRUCT *best = mutex->waiters.head;
    for (struct TX_THREAD_STRUCT *at = best; at; at = at->tx_thread_ready_next) {
        if (at->tx_thread_priority < best->tx_thread_priority) {
            best = at;
        }
    }
    list_remove(&mutex->waiters, best);
    list_prepend(&mutex->waiters, best);
}

/* Returns the priority of a thread that has given up a mutex: its own priority, or a higher priority inherited through
 * another mutex. */
static uint32_t priority_to_restore(const struct TX_THREAD_STRUCT *thread)
{
    uint32_t priority = thread->tx_thread_user_priority;
    for (const struct TX_MUTEX_STRUCT *mutex = thread->owned; mutex; mutex = mutex->owned_next) {
        if (mutex->tx_mutex_inherit && mutex->highest_waiting < priority) {
            priority = mutex->highest_waiting;
        }
    }
    return priority;
}

static void mutex_release(struct TX_MUTEX_STRUCT *mutex)
{
    struct TX_THREAD_STRUCT *old_owner = mutex->tx_mutex_owner;
    mutex_disown(mutex);
    uint32_t old_priority = priority_to_restore(old_owner);
    if (mutex->waiters.count > 1) {
        mutex_prioritize(mutex);
    }
    struct TX_THREAD_STRUCT *heir = mutex->waiters.head;
    if (heir) {
        list_remove(&mutex->waiters, heir);
        heir->waits_in = 0;
        mutex_own(mutex, heir);
        if (mutex->waiters.count > 1) {
            mutex_prioritize(mutex);
        }
        if (mutex->waiters.head) {
            mutex->highest_waiting = mutex->waiters.head->tx_thread_priority;
        }
    } else {
        mutex->tx_mutex_owner = 0;
        mutex->highest_waiting = KERNEL_PRIORITIES;
    }
    if (old_owner->tx_thread_priority != old_priority) {
        thread_priority_change(old_owner, old_priority);
    }
    if (heir) {
        thread_wake(heir);
    }
}

enum kernel_status kernel_mutex_put(struct TX_MUTEX_STRUCT *mutex)
{
    enum kernel_status status = KERNEL_OK;
    uint32_t primask = port_lock();
    trace_event(TRACE_MUTEX_PUT, port_address(mutex), port_address(mutex->tx_mutex_owner),
                mutex->tx_mutex_ownership_count, port_stack_pointer(), TXTAP_TRACE_CLASS_MUTEX);
    if (mutex->tx_mutex_owner != _tx_thread_current_ptr || mutex->tx_mutex_ownership_count == 0) {
        status = KERNEL_NOT_OWNED;
    } else if (--mutex->tx_mutex_ownership_count == 0) {
        mutex_release(mutex);
    }
    port_unlock(primask);
    return status;
}
